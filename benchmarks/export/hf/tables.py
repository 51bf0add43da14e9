"""Tables of the data sets: configurations, splits, typed columns and rows, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.export.source import PROBLEMS, ExportError, Source, SourceKind
from grammar.dates import day_number
from grammar.links.model import Document, RelationType
from grammar.questions.model import QuestionKind
from solver.eventhop.records import NUMBERS
from solver.facts.intervals import Naming
from solver.facts.io import read_facts
from solver.facts.model import DatedFact, IntervalFact
from solver.graph.model import Dataset, Split
from solver.links.io import as_json, read_documents
from solver.patterns.io import read_list
from solver.patterns.model import (
    AntecedentRelations,
    EntityReuse,
    RelationReuse,
    Shape,
    Triple,
)
from solver.rules.io import read_rules
from solver.tkg.io import LABELS, PATTERNS, Role, read_labels
from solver.tkg.planted import read_planted
from solver.traces.dataset import schema, tabled
from solver.verification.kinds import fields_of
from solver.verification.report import Unreadable

if TYPE_CHECKING:
    import pyarrow as pa

_FIRST_DAY = 719_163
"""Proleptic ordinal of 1970-01-01, from which ``day`` counts."""

Row = Mapping[str, Any]
Rows = Callable[[], Iterable[Row]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of one configuration.

    Attributes:
        name: of the configuration.
        schema: makes the columns.
        labels: column -> names of its values, which are stored as their numbers.
        splits: split -> rows.
        parts: other configurations that this one joins, instead of ``splits``.
    """

    name: str
    schema: Callable[[], pa.Schema]
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    splits: Mapping[str, Rows] = field(default_factory=dict)
    parts: Sequence[str] = ()


def tables_of(sources: Sequence[Source]) -> list[Table]:
    """The tables of data sets of one kind; only items can be several.

    Raises:
        HopcheckError: a data set cannot be read or exported.
    """
    if sources[0].kind is SourceKind.EVENTHOP:
        return list(_items(sources))
    return list(_TABLES[sources[0].kind](sources[0]))


def _columns(*groups: str) -> Callable[[], pa.Schema]:
    """Make columns of groups such as ``int32: events hops``; a type with ``[]`` is a list."""

    def schema() -> pa.Schema:
        import pyarrow as pa

        found = []
        for group in groups:
            written, _, names = group.partition(": ")
            column = getattr(pa, written.rstrip("[]"))()
            for _ in range(written.count("[]")):
                column = pa.list_(column)
            found += [(name, column) for name in names.split()]
        return pa.schema(found)

    return schema


def _splits(source: Source) -> dict[str, Rows]:
    return {split: lambda split=split: source.rows(split) for split in source.files}  # type: ignore[misc]


def _items(sources: Sequence[Source]) -> Iterator[Table]:
    config = [source.manifest.get("config", {}) for source in sources]
    names = [
        [str(setting.get("domain", "items")) for setting in config],
        [
            f"{setting.get('domain', 'items')}-{setting.get('preset', 'items')}"
            for setting in config
        ],
        [source.name for source in sources],
    ]
    unique = next((name for name in names if len(set(name)) == len(name)), None)
    if unique is None:
        raise ExportError("found two folders of one name, expected distinct configurations")
    labels = {column: list(map(str, words)) for column, words in NUMBERS.items()}
    scheme = sources[0].labels
    if scheme is not None:
        labels["label"] = list(scheme.order)
    for name, source in zip(unique, sources, strict=True):
        yield Table(
            name=name,
            schema=_columns(
                "string: id premise claim",
                "int64: label status declared relation domain",
                "int32: events relations event_distance hops",
                "string: timeline",
                "bool_: forced",
            ),
            labels=labels,
            splits=_splits(source),
        )


def _questions(source: Source) -> Iterator[Table]:
    kinds = {str(row["kind"]) for split in source.files for row in source.rows(split)}
    named = [kind.value for kind in QuestionKind if kind.value in kinds]
    yield Table(name="all", schema=_question_schema, parts=named)
    for kind in named:
        splits: dict[str, Rows] = {}
        for split in source.files:
            if any(row["kind"] == kind for row in source.rows(split)):
                splits[split] = lambda split=split, kind=kind: _asked(source, split, kind)  # type: ignore[misc]
        yield Table(name=kind, schema=_question_schema, splits=splits)


def _asked(source: Source, split: str, kind: str) -> Iterator[Row]:
    return (_dated(row, "time") for row in source.rows(split) if row["kind"] == kind)


def _dated(row: Row, column: str) -> Row:
    """The row with the number of its day, counted from 1970-01-01."""
    day = day_number(str(row[column]))
    return row if day is None else {**row, "day": day - _FIRST_DAY}


def _question_schema() -> pa.Schema:
    import pyarrow as pa

    from solver.questions.io import schema

    return schema().append(pa.field("day", pa.int32()))


def _graph(source: Source) -> Iterator[Table]:
    graph = source.graph()
    yield Table(
        name="facts",
        schema=_columns(
            "string: head relation tail date", "int64: fact time head_id relation_id tail_id"
        ),
        splits={split.value: lambda split=split: _quads(graph, split) for split in graph.splits},  # type: ignore[misc]
    )
    if source.kind is not SourceKind.TKG:
        return
    labels = read_labels(source.path / LABELS)
    columns = (labels.fact, labels.pattern, labels.instance, labels.position)
    roles = [_ROLES[flag] for flag in labels.consequence.tolist()]
    names = ("fact", "pattern", "instance", "position", "role")
    cells = zip(*(column.tolist() for column in columns), roles, strict=True)
    yield Table(
        name="labels",
        schema=_columns("int64: fact pattern instance position role"),
        labels={"role": [role.value for role in Role]},
        splits={"train": lambda: (dict(zip(names, row, strict=True)) for row in cells)},
    )
    yield Table(
        name="patterns",
        schema=_columns("int64: id", "string: pattern", "int64[][]: lags", "bool_: closed"),
        splits={"train": lambda: _planted(source.path / PATTERNS)},
    )


_ROLES = {True: Role.CONSEQUENCE.value, False: Role.ANTECEDENT.value}


def _quads(graph: Dataset, split: Split) -> Iterator[Row]:
    words = graph.vocabulary
    earlier = [
        other_split
        for other_split in tuple(Split)[: tuple(Split).index(split)]
        if other_split in graph.splits
    ]
    start = sum(len(graph.splits[earlier_split]) for earlier_split in earlier)
    for number, fact in enumerate(graph.splits[split].rows().tolist(), start):
        head, relation, tail, time = words.fact(fact)
        row = {"fact": number, "head": head, "relation": relation, "tail": tail}
        ids = dict(zip(("head_id", "relation_id", "tail_id", "time"), fact, strict=True))
        yield {**row, **ids, "date": time if words.time_names else None}


def _planted(path: Path) -> Iterator[Row]:
    for pattern in read_planted(path):
        lags = [[lag.low, lag.high] for lag in pattern.lags]
        yield {"id": pattern.id, "pattern": str(pattern), "lags": lags, "closed": pattern.closed}


def _texts(source: Source) -> Iterator[Table]:
    yield Table(
        name="texts",
        schema=_columns("string: text headline writer where", "string[][]: facts"),
        splits=_splits(source),
    )


def _facts(source: Source) -> Iterator[Table]:
    path = source.files["train"]
    if {"date", "rule"} <= fields_of(path):
        # Forecast facts, each with its rule and grounding.
        splits: dict[str, Rows] = {
            "test": lambda: (_dated(row, "date") for row in source.rows("train"))
        }
        yield Table(
            name="facts",
            schema=_columns(
                "string: subject relation object date rule",
                "int32: day",
                "int64: rule_number",
                "float64: confidence rule_confidence",
                "string[][]: grounding",
            ),
            splits=splits,
        )
        return
    found = read_facts(path, Naming())
    for message in found.unreadable:
        raise ExportError(message)
    yield Table(
        name="facts",
        schema=_columns(
            "string: subject relation object date start end", "int32: day start_day end_day"
        ),
        splits={"train": lambda: map(_fact, found.facts)},
    )


def _fact(fact: DatedFact | IntervalFact) -> Row:
    row: dict[str, Any] = {"subject": fact.subject, "object": fact.object}
    days: dict[str, int | None]
    if isinstance(fact, DatedFact):
        days, row["relation"] = {"day": fact.day}, fact.written
    else:
        days, row["relation"] = {"start_day": fact.start, "end_day": fact.end}, fact.relation
    for name, day in days.items():
        if day is not None:
            row[name] = day - _FIRST_DAY
            row[_DATES[name]] = date.fromordinal(day).isoformat()
    return row


_DATES = {"day": "date", "start_day": "start", "end_day": "end"}
"""Columns of numbers of days, and those of their dates."""


@lru_cache(maxsize=1)
def documents(path: Path) -> tuple[Document, ...]:
    """The annotated documents of a file or folder.

    Raises:
        HopcheckError: one cannot be read.
    """
    found = []
    for entry in read_documents([path]):
        if isinstance(entry, Unreadable):
            raise ExportError(entry.message, where=entry.where)
        found.append(entry.document)
    return tuple(found)


def left_out(source: Source) -> dict[str, int]:
    """The number of links that are left out, by reason; only documents lack any."""
    if source.kind is not SourceKind.LINKS:
        return {}
    codes = Counter(flaw.code.value for doc in documents(source.path) for flaw in doc.flaws)
    return dict(sorted(codes.items()))


def _links(source: Source) -> Iterator[Table]:
    read = documents(source.path)
    yield Table(
        name="links",
        schema=_columns(
            "string: document id left left_word right right_word written", "int64: relation weight"
        ),
        labels={"relation": [relation.value for relation in RelationType]},
        splits={"train": lambda: (row for document in read for row in _link_rows(document))},
    )
    yield Table(
        name="nodes",
        schema=_columns(
            "string: document id word sentence value", "int64: place kind", "int32: day"
        ),
        labels={"kind": ["event", "time"]},
        splits={"train": lambda: (row for document in read for row in _node_rows(document))},
    )
    yield Table(
        name="documents",
        schema=_document_schema,
        splits={"train": lambda: map(as_json, read)},
    )


def _document_schema() -> pa.Schema:
    """As ``verify`` reads documents."""
    import pyarrow as pa

    texts = {name: pa.string() for name in ("id", "word", "sentence", "value")}
    node = pa.struct({**texts, "time": pa.bool_()})
    ends = {name: pa.string() for name in ("id", "left", "right", "relation")}
    link = pa.struct({**ends, "weight": pa.int64()})
    columns = {"document": pa.string(), "nodes": pa.list_(node), "links": pa.list_(link)}
    return pa.schema(columns)


def _link_rows(document: Document) -> Iterator[Row]:
    nodes = document.nodes
    for link in document.links:
        yield {
            "document": document.name,
            "id": link.id,
            "left": link.left,
            "left_word": nodes[link.left].word,
            "right": link.right,
            "right_word": nodes[link.right].word,
            "relation": link.relation.value,
            "written": link.written,
            "weight": link.weight,
        }


def _node_rows(document: Document) -> Iterator[Row]:
    for place, node in enumerate(document.nodes.values()):
        kind = "time" if node.is_time else "event"
        row = {"document": document.name, "id": node.id, "place": place, "kind": kind}
        texts = {"word": node.word, "sentence": node.sentence, "value": node.value}
        yield _dated(row | texts, "value")


def _patterns(source: Source) -> Iterator[Table]:
    found = read_list(source.files["train"])
    for message in found.unreadable:
        raise ExportError(message)
    labels = {
        "shapes": Shape,
        "entity_reuse": EntityReuse,
        "relation_reuse": RelationReuse,
        "antecedent_relations": AntecedentRelations,
    }
    rows = [
        {
            "pattern": str(listed_pattern.pattern),
            "antecedents": list(map(_triple, listed_pattern.pattern.antecedents)),
            "consequence": _triple(listed_pattern.pattern.consequence),
            "hops": listed_pattern.pattern.hops,
            # A pattern with a loop has no regime of entities.
            **{
                name: listed_pattern.stated[name]
                for name in labels
                if listed_pattern.stated.get(name) is not None
            },
        }
        for listed_pattern in found.patterns
    ]
    yield Table(
        name="patterns",
        schema=_columns(
            "string: pattern",
            "int64[][]: antecedents",
            "int64[]: consequence",
            "int32: hops",
            "int64[]: shapes",
            "int64: entity_reuse relation_reuse antecedent_relations",
        ),
        labels={name: [member.value for member in values] for name, values in labels.items()},
        splits={"train": lambda: rows},
    )


def _triple(triple: Triple) -> list[int]:
    return [triple.head, triple.relation, triple.tail]


def _rules(source: Source) -> Iterator[Table]:
    table = read_rules(source.files["train"])
    confidences = table.confidence.tolist()
    yield Table(
        name="rules",
        schema=_rule_schema,
        splits={
            "train": lambda: (
                {
                    "head": rule.head,
                    "body": list(rule.body),
                    "same": [list(group) for group in rule.same],
                    "confidence": confidence,
                    "rule_support": rule.rule_support,
                    "body_support": rule.body_support,
                }
                for rule, confidence in zip(table, confidences, strict=True)
            )
        },
    )


def _rule_schema() -> pa.Schema:
    from solver.rules.parquet import SCHEMA

    return SCHEMA


def _traces(source: Source) -> Iterator[Table]:
    """Chains as the Parquet files of their data set have them, without certificates."""
    yield Table(
        name="traces",
        schema=schema,
        splits={
            split: lambda split=split: map(tabled, source.rows(split))  # type: ignore[misc]
            for split in source.files
        },
    )


def _problems(source: Source) -> Iterator[Table]:
    """Problems with their texts, as ``verify`` reads them."""
    texts = {
        SourceKind.CALENDAR: ("string: id question gold family",),
        SourceKind.POSITIONS: ("string: id", "string[]: story", "string: question gold family"),
        SourceKind.ASSIGNMENTS: ("string: id puzzle gold family",),
    }
    yield Table(
        name=source.kind.value,
        schema=_columns(*texts[source.kind], "int32: level hops"),
        splits=_splits(source),
    )


_TABLES: Mapping[SourceKind, Callable[[Source], Iterable[Table]]] = {
    SourceKind.QUESTIONS: _questions,
    SourceKind.TKG: _graph,
    SourceKind.GRAPH: _graph,
    SourceKind.TEXTS: _texts,
    SourceKind.FACTS: _facts,
    SourceKind.LINKS: _links,
    SourceKind.PATTERNS: _patterns,
    SourceKind.RULES: _rules,
    SourceKind.TRACES: _traces,
    **dict.fromkeys(PROBLEMS, _problems),
}
