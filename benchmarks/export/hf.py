"""Export for the library ``datasets`` and the Hugging Face hub: card, Parquet, Croissant."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.export.source import ExportError, Source, SourceKind
from generators.dataset import README, DatasetFolder, size_category
from grammar.dates import day_number
from grammar.eventhop.model import ClaimRelation, Domain, Label, Status
from grammar.questions.model import QuestionKind
from solver.extras import require
from solver.graph.model import Dataset, Split
from solver.io.parquet import write_rows
from solver.io.sources import sha256
from solver.tkg.io import LABELS, PATTERNS, Role, read_labels
from solver.tkg.planted import read_planted
from solver.verification.report import PROBED, ProbeLevel

if TYPE_CHECKING:
    import pyarrow as pa

CROISSANT = "croissant.json"
_LICENCE = re.compile(r"[a-z0-9][a-z0-9.-]*")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    name: str
    split: str
    rows: int
    size: int


def export(sources: Sequence[Source], out: Path, *, licence: str = "unknown") -> tuple[Path, ...]:
    """Write a folder that ``datasets.load_dataset`` reads; returns the files.

    Args:
        sources: the data sets; several are configurations of one, each of a domain or preset.
        out: output folder.
        licence: identifier of the licence, as the hub writes it, such as ``cc-by-4.0``.

    Raises:
        HopcheckError: a data set cannot be read or exported, or a file not be written.
    """
    require("the export for datasets", "pyarrow")
    if not _LICENCE.fullmatch(licence):
        message = f"found the licence {licence!r}, expected an identifier such as cc-by-4.0"
        raise ExportError(message)
    if len(sources) > 1:
        for source in sources:
            source.require("an export of several folders", SourceKind.EVENTHOP)
    tables = list(_tables(sources))
    folder = DatasetFolder(out)
    files = {table.name: _write(folder, table) for table in tables}
    for table in tables:
        joined = [one for part in table.parts for one in files[part]]
        # Files of a split follow each other, in the order of the data set.
        files[table.name] += sorted(joined, key=lambda one: _ORDER.index(one.split))
    about = _About.of(sources, licence)
    folder.add_json(CROISSANT, _croissant(out, tables, files, about))
    folder.add_text(README, _card(tables, files, about))
    config = {"format": "hf", "licence": licence, "folders": [one.name for one in sources]}
    return folder.finish(config=config, seed=sources[0].seed, encodings=())


_ORDER = ("train", "validation", "test")


def _write(folder: DatasetFolder, table: Table) -> list[_File]:
    written = []
    for split, rows in table.splits.items():
        name = f"{table.name}-{split}.parquet"
        count = _Count()
        path = folder.path / name
        write_rows(path, table.schema, count.of(_numbered(rows(), table.labels)))
        folder.add(path)
        called = "validation" if split == "valid" else split
        written.append(_File(name=name, split=called, rows=count.rows, size=path.stat().st_size))
    return sorted(written, key=lambda one: _ORDER.index(one.split))


class _Count:
    rows = 0

    def of(self, rows: Iterable[Row]) -> Iterator[Row]:
        for self.rows, row in enumerate(rows, 1):
            yield row


def _numbered(rows: Iterable[Row], labels: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    numbers = {
        column: {name: number for number, name in enumerate(names)}
        for column, names in labels.items()
    }
    for place, row in enumerate(rows, 1):
        changed = dict(row)
        for column, known in numbers.items():
            if column not in row:
                continue
            if row[column] not in known:
                message = f"found the {column} {row[column]!r}, expected {', '.join(known)}"
                raise ExportError(message, where=f"row {place}")
            changed[column] = known[row[column]]
        yield changed


def _tables(sources: Sequence[Source]) -> Iterator[Table]:
    source = sources[0]
    if source.kind is SourceKind.EVENTHOP:
        yield from _items(sources)
    elif source.kind is SourceKind.QUESTIONS:
        yield from _questions(source)
    elif source.kind in (SourceKind.TKG, SourceKind.GRAPH):
        yield from _graph(source)
    elif source.kind is SourceKind.TEXTS:
        yield Table(name="texts", schema=_text_schema, splits=_splits(source))
    else:
        yield Table(
            name="facts",
            schema=_fact_schema,
            splits={"test": lambda: (_dated(row, "date") for row in source.rows("train"))},
        )


def _splits(source: Source) -> dict[str, Rows]:
    return {split: lambda split=split: source.rows(split) for split in source.files}  # type: ignore[misc]


def _items(sources: Sequence[Source]) -> Iterator[Table]:
    config = [one.manifest.get("config", {}) for one in sources]
    names = [
        [str(one.get("domain", "items")) for one in config],
        [f"{one.get('domain', 'items')}-{one.get('preset', 'items')}" for one in config],
        [one.name for one in sources],
    ]
    unique = next((one for one in names if len(set(one)) == len(one)), None)
    if unique is None:
        raise ExportError("found two folders of one name, expected distinct configurations")
    labels = {
        "label": [one.value for one in Label],
        "status": [one.value for one in Status],
        "declared": ["possible", "impossible"],
        "relation": [one.value for one in ClaimRelation],
        "domain": [one.value for one in Domain],
    }
    for name, source in zip(unique, sources, strict=True):
        yield Table(name=name, schema=_item_schema, labels=labels, splits=_splits(source))


def _item_schema() -> pa.Schema:
    import pyarrow as pa

    text = ("id", "premise", "claim")
    labels = ("label", "status", "declared", "relation", "domain")
    return pa.schema(
        [
            *((name, pa.string()) for name in text),
            *((name, pa.int64()) for name in labels),
            *((name, pa.int32()) for name in ("events", "relations", "event_distance", "hops")),
            ("timeline", pa.string()),
            ("forced", pa.bool_()),
        ]
    )


def _questions(source: Source) -> Iterator[Table]:
    kinds = {str(row["kind"]) for split in source.files for row in source.rows(split)}
    named = [kind.value for kind in QuestionKind if kind.value in kinds]
    labels = {"kind": [kind.value for kind in QuestionKind]}
    yield Table(name="all", schema=_question_schema, labels=labels, parts=named)
    for kind in named:
        splits: dict[str, Rows] = {}
        for split in source.files:
            if any(row["kind"] == kind for row in source.rows(split)):
                splits[split] = lambda split=split, kind=kind: _asked(source, split, kind)  # type: ignore[misc]
        yield Table(name=kind, schema=_question_schema, labels=labels, splits=splits)


def _asked(source: Source, split: str, kind: str) -> Iterator[Row]:
    return (_dated(row, "time") for row in source.rows(split) if row["kind"] == kind)


def _dated(row: Row, column: str) -> Row:
    """The row with the number of its day, counted from 1970-01-01."""
    day = day_number(str(row[column]))
    return row if day is None else {**row, "day": day - _FIRST_DAY}


def _question_schema() -> pa.Schema:
    import pyarrow as pa

    from solver.questions.io import schema

    columns = schema().append(pa.field("day", pa.int32()))
    return columns.set(columns.get_field_index("kind"), pa.field("kind", pa.int64()))


def _graph(source: Source) -> Iterator[Table]:
    graph = source.graph()
    yield Table(
        name="facts",
        schema=_graph_schema,
        splits={split.value: lambda split=split: _quads(graph, split) for split in graph.splits},  # type: ignore[misc]
    )
    if source.kind is not SourceKind.TKG:
        return
    labels = read_labels(source.path / LABELS)
    columns = (labels.fact, labels.pattern, labels.instance, labels.position)
    roles = [_ROLES[one] for one in labels.consequence.tolist()]
    names = ("fact", "pattern", "instance", "position", "role")
    cells = zip(*(one.tolist() for one in columns), roles, strict=True)
    yield Table(
        name="labels",
        schema=_label_schema,
        labels={"role": [one.value for one in Role]},
        splits={"train": lambda: (dict(zip(names, row, strict=True)) for row in cells)},
    )
    yield Table(
        name="patterns",
        schema=_pattern_schema,
        splits={"train": lambda: _planted(source.path / PATTERNS)},
    )


_ROLES = {True: Role.CONSEQUENCE.value, False: Role.ANTECEDENT.value}


def _quads(graph: Dataset, split: Split) -> Iterator[Row]:
    words = graph.vocabulary
    earlier = [one for one in tuple(Split)[: tuple(Split).index(split)] if one in graph.splits]
    start = sum(len(graph.splits[one]) for one in earlier)
    for number, fact in enumerate(graph.splits[split].rows().tolist(), start):
        head, relation, tail, time = words.fact(fact)
        row = {"fact": number, "head": head, "relation": relation, "tail": tail}
        ids = dict(zip(("head_id", "relation_id", "tail_id", "time"), fact, strict=True))
        yield {**row, **ids, "date": time if words.time_names else None}


def _graph_schema() -> pa.Schema:
    import pyarrow as pa

    names = ("head", "relation", "tail", "date")
    ids = ("fact", "time", "head_id", "relation_id", "tail_id")
    return pa.schema([*((one, pa.string()) for one in names), *((one, pa.int64()) for one in ids)])


def _label_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [(one, pa.int64()) for one in ("fact", "pattern", "instance", "position", "role")]
    )


def _planted(path: Path) -> Iterator[Row]:
    for one in read_planted(path):
        lags = [[lag.low, lag.high] for lag in one.lags]
        yield {"id": one.id, "pattern": str(one), "lags": lags, "closed": one.closed}


def _pattern_schema() -> pa.Schema:
    import pyarrow as pa

    lags = pa.list_(pa.list_(pa.int64()))
    fields = [("id", pa.int64()), ("pattern", pa.string()), ("lags", lags), ("closed", pa.bool_())]
    return pa.schema(fields)


def _text_schema() -> pa.Schema:
    import pyarrow as pa

    text = pa.string()
    names = ("text", "headline", "writer", "where")
    return pa.schema([*((one, text) for one in names), ("facts", pa.list_(pa.list_(text)))])


def _fact_schema() -> pa.Schema:
    import pyarrow as pa

    text, share = pa.string(), pa.float64()
    names = ("subject", "relation", "object", "date", "rule")
    return pa.schema(
        [
            *((one, text) for one in names),
            ("day", pa.int32()),
            ("rule_number", pa.int64()),
            ("confidence", share),
            ("rule_confidence", share),
            ("grounding", pa.list_(pa.list_(text))),
        ]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    """What the card and the metadata state about the data sets.

    Attributes:
        name: name for people.
        licence: identifier of the licence.
        task: category of the hub.
        tags: tags of the hub.
        sources: the data sets.
    """

    name: str
    licence: str
    task: str
    tags: tuple[str, ...]
    sources: Sequence[Source]

    @classmethod
    def of(cls, sources: Sequence[Source], licence: str) -> _About:
        """Describe data sets of one kind."""
        task, *tags = _TASKS[sources[0].kind]
        names = ", ".join(one.name for one in sources)
        return cls(name=names, licence=licence, task=task, tags=tuple(tags), sources=sources)

    @property
    def description(self) -> str:
        """One sentence."""
        return _SENTENCES[self.sources[0].kind]


_TASKS = {
    SourceKind.EVENTHOP: ("text-classification", "temporal-reasoning", "entailment"),
    SourceKind.QUESTIONS: ("question-answering", "temporal-knowledge-graph", "forecasting"),
    SourceKind.TKG: ("graph-ml", "temporal-knowledge-graph", "link-prediction", "synthetic"),
    SourceKind.GRAPH: ("graph-ml", "temporal-knowledge-graph", "link-prediction"),
    SourceKind.TEXTS: ("text-generation", "relation-extraction", "dates"),
    SourceKind.FACTS: ("graph-ml", "temporal-knowledge-graph", "forecasting"),
}
_SENTENCES = {
    SourceKind.EVENTHOP: "Claims about two events, with the label that a premise gives them.",
    SourceKind.QUESTIONS: "Questions about the facts of a temporal knowledge graph at a time.",
    SourceKind.TKG: "A temporal knowledge graph with planted patterns, and their labels.",
    SourceKind.GRAPH: "A temporal knowledge graph: facts of head, relation, tail and time.",
    SourceKind.TEXTS: "Texts that state dated facts, with these facts.",
    SourceKind.FACTS: "Forecast facts of a temporal knowledge graph, each with its rule.",
}


def _card(tables: Sequence[Table], files: Mapping[str, Sequence[_File]], about: _About) -> str:
    configs, described = [], []
    for place, table in enumerate(tables):
        by_split: dict[str, list[_File]] = {}
        for one in files[table.name]:
            by_split.setdefault(one.split, []).append(one)
        paths = [
            {"split": split, "path": _one_or_all([one.name for one in some])}
            for split, some in by_split.items()
        ]
        default = {"default": True} if place == 0 else {}
        configs.append({"config_name": table.name, **default, "data_files": paths})
        sizes = [
            {
                "name": split,
                "num_bytes": sum(one.size for one in some),
                "num_examples": sum(one.rows for one in some),
            }
            for split, some in by_split.items()
        ]
        total = sum(one.size for one in files[table.name])
        described.append(
            {
                "config_name": table.name,
                "features": [_feature(one, table.labels) for one in table.schema()],
                "splits": sizes,
                "download_size": total,
                "dataset_size": total,
            }
        )
    rows = sum(one.rows for table in tables if not table.parts for one in files[table.name])
    head = {
        "language": ["en"],
        "license": about.licence,
        "task_categories": [about.task],
        "size_categories": [size_category(rows)],
        "tags": list(about.tags),
        "pretty_name": about.name,
        "configs": configs,
        "dataset_info": described,
    }
    return f"---\n{_yaml(head)}---\n{_page(tables, files, about)}"


def _one_or_all(names: list[str]) -> str | list[str]:
    return names[0] if len(names) == 1 else names


def _feature(column: pa.Field, labels: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    if column.name in labels:
        names = {str(number): str(name) for number, name in enumerate(labels[column.name])}
        return {"name": column.name, "dtype": {"class_label": {"names": names}}}
    return {"name": column.name, **_type(column.type)}


def _type(kind: pa.DataType) -> dict[str, Any]:
    """A type in the notation of the hub."""
    import pyarrow as pa

    if pa.types.is_struct(kind):
        return {"struct": [{"name": one.name, **_type(one.type)} for one in kind]}
    if pa.types.is_list(kind):
        inner = _type(kind.value_type)
        name, value = next(iter(inner.items()))
        if name == "struct":
            return {"list": value}
        return {"list": value if name == "dtype" else inner}
    return {"dtype": _SCALARS.get(str(kind), str(kind))}


_SCALARS = {"double": "float64"}


def _yaml(value: Mapping[str, Any], indent: str = "") -> str:
    """Mappings, lists and plain values as YAML in block style."""
    lines = []
    for key, item in value.items():
        quoted = json.dumps(key) if key.isdigit() else key
        lines.append(f"{indent}{quoted}:{_yaml_value(item, indent)}")
    return "".join(lines)


def _yaml_value(value: Any, indent: str) -> str:  # noqa: ANN401 - any plain value
    deeper = indent + "  "
    if isinstance(value, Mapping):
        return f"\n{_yaml(value, deeper)}"
    if isinstance(value, list):
        items = []
        for one in value:
            if isinstance(one, Mapping):
                items.append(f"{deeper}- {_yaml(one, deeper + '  ').lstrip()}")
            else:
                items.append(f"{deeper}-{_yaml_value(one, deeper)}")
        return "\n" + "".join(items)
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        return f" {json.dumps(value, ensure_ascii=False)}\n"
    return f" {json.dumps(value) if isinstance(value, bool) else value}\n"


# Words that YAML reads as no text are quoted.
_PLAIN = re.compile(r"(?!(?:true|false|yes|no|on|off|null|none|nan|y|n)$)[a-z][a-zA-Z0-9_./-]*")


def _page(tables: Sequence[Table], files: Mapping[str, Sequence[_File]], about: _About) -> str:
    rows = [
        f"| `{table.name}` | {one.split} | {one.rows:,} | {one.size:,} |"
        for table in tables
        for one in files[table.name]
        if not table.parts
    ]
    made = "\n".join(f"- `{one.name}`: {_provenance(one)}" for one in about.sources)
    return _PAGE.format(
        name=about.name,
        description=about.description,
        licence=about.licence,
        rows="\n".join(rows),
        made=made,
        probes="".join(_probes(one) for one in about.sources),
    )


_PAGE = """# {name}

{description} Licence: {licence}.

| configuration | split | rows | bytes |
|---|---|---|---|
{rows}

Written by `hopcheck export hf` from

{made}

{probes}"""


def _provenance(source: Source) -> str:
    config = source.manifest.get("config")
    if not isinstance(config, Mapping):
        return "a folder without a manifest"
    options = ", ".join(f"{name} {json.dumps(config[name])}" for name in sorted(config))
    return f"{options or 'no options'}; seed {source.seed}"


def _probes(source: Source) -> str:
    """What the probes for label leakage find, as a section of the card."""
    if source.kind is not SourceKind.EVENTHOP:
        return ""
    from solver.eventhop.artefacts import measure
    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.io import read_records
    from solver.eventhop.verify import Samples

    lines = []
    for split, path in source.files.items():
        sampler = Samples(PROBED[ProbeLevel.FAST])
        for _ in sampler.drawn_from(read_records(path)):
            pass
        found = measure(sampler.samples(ItemSettings()), level=ProbeLevel.FAST).findings
        lines += [f"- {split}: {one.sentence}" for one in found]
    return f"## Probes for label leakage: {source.name}\n\n" + "\n".join(lines) + "\n\n"


def _croissant(
    out: Path, tables: Sequence[Table], files: Mapping[str, Sequence[_File]], about: _About
) -> dict[str, Any]:
    """Metadata in the format Croissant 1.0."""
    written = {one.name: one for table in tables for one in files[table.name] if not table.parts}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": about.name,
        "description": about.description,
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": about.licence,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "contentSize": f"{one.size} B",
                "encodingFormat": "application/x-parquet",
                "sha256": sha256(out / name),
            }
            for name, one in sorted(written.items())
        ],
        "recordSet": [
            _records(table, one) for table in tables if not table.parts for one in files[table.name]
        ],
    }


def _records(table: Table, file: _File) -> dict[str, Any]:
    import pyarrow as pa

    name = f"{table.name}-{file.split}"
    fields = []
    for column in table.schema():
        kind, repeated = column.type, pa.types.is_list(column.type)
        inner = kind.value_type if repeated else kind
        # Croissant 1.0 has no type for lists of lists and for records in a column.
        if pa.types.is_nested(inner):
            continue
        field: dict[str, Any] = {
            "@type": "cr:Field",
            "@id": f"{name}/{column.name}",
            "name": column.name,
            "dataType": _CROISSANT_TYPES.get(str(inner), "sc:Integer"),
            "source": {"fileObject": {"@id": file.name}, "extract": {"column": column.name}},
        }
        if column.name in table.labels:
            names = ", ".join(f"{n} {one}" for n, one in enumerate(table.labels[column.name]))
            field["description"] = f"Number of the label: {names}."
        if repeated:
            field["repeated"] = True
        fields.append(field)
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}


_CROISSANT_TYPES = {"string": "sc:Text", "bool": "sc:Boolean", "double": "sc:Float"}
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "sc": "https://schema.org/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "recordSet": "cr:recordSet",
    "field": "cr:field",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "source": "cr:source",
    "extract": "cr:extract",
    "column": "cr:column",
    "fileObject": "cr:fileObject",
    "repeated": "cr:repeated",
}
