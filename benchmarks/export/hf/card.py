"""The card of a data set: its head in YAML, as the hub reads it, and a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.export.hf.tables import Table, documents, left_out
from benchmarks.export.source import Source, SourceKind
from generators.dataset import size_category
from grammar.errors import HopcheckError
from solver.graph.model import Dataset, Split
from solver.io.sources import sha256
from solver.probes.probe import PROBED, ProbeLevel

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFile:
    """A Parquet file.

    Attributes:
        name: its name.
        split: its split, as the library calls it.
        rows: number of rows.
        size: number of bytes.
    """

    name: str
    split: str
    rows: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the card and the metadata state about the data sets.

    Attributes:
        name: name for people.
        licence: identifier of the licence.
        task: category of the hub.
        tags: tags of the hub.
        sources: the data sets.
        graph: of questions, if known.
    """

    name: str
    licence: str
    task: str
    tags: tuple[str, ...]
    sources: Sequence[Source]
    graph: Dataset | None = None

    @classmethod
    def of(cls, sources: Sequence[Source], licence: str, graph: Dataset | None) -> About:
        """Describe data sets of one kind."""
        task, *tags = _TASKS[sources[0].kind]
        names = ", ".join(source.name for source in sources)
        return cls(
            name=names, licence=licence, task=task, tags=tuple(tags), sources=sources, graph=graph
        )

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
    SourceKind.LINKS: ("token-classification", "temporal-links", "timeml"),
    SourceKind.PATTERNS: ("graph-ml", "temporal-knowledge-graph", "temporal-patterns"),
    SourceKind.RULES: ("graph-ml", "temporal-knowledge-graph", "temporal-rules"),
    SourceKind.TRACES: ("text-classification", "temporal-reasoning", "process-supervision"),
    SourceKind.CALENDAR: ("multiple-choice", "temporal-reasoning", "dates"),
    SourceKind.POSITIONS: ("question-answering", "spatial-reasoning"),
    SourceKind.ASSIGNMENTS: ("question-answering", "logic-puzzles"),
}
_SENTENCES = {
    SourceKind.EVENTHOP: "Claims about two events, with the label that a premise gives them.",
    SourceKind.QUESTIONS: "Questions about the facts of a temporal knowledge graph at a time.",
    SourceKind.TKG: "A temporal knowledge graph with planted patterns, and their labels.",
    SourceKind.GRAPH: "A temporal knowledge graph: facts of head, relation, tail and time.",
    SourceKind.TEXTS: "Texts that state dated facts, with these facts.",
    SourceKind.FACTS: "Dated facts of a temporal knowledge graph; forecast ones with their rules.",
    SourceKind.LINKS: "Temporal links that people annotated between events and times of texts.",
    SourceKind.PATTERNS: "Patterns of temporal implication over placeholders, with their shapes.",
    SourceKind.RULES: "Temporal rules over ids of relations, with their supports and confidences.",
    SourceKind.TRACES: "Chains of thought about claims, with the verdict of every step.",
    SourceKind.CALENDAR: "Questions about dates, clocks and meetings, each with one right option.",
    SourceKind.POSITIONS: "Stories about places on a grid, each with a question and its answer.",
    SourceKind.ASSIGNMENTS: "Puzzles about people in a row, each with a question and its answer.",
}


def card(tables: Sequence[Table], files: Mapping[str, Sequence[WrittenFile]], about: About) -> str:
    """The card: YAML between two lines of dashes, and the page in Markdown."""
    configs, described = [], []
    for place, table in enumerate(tables):
        by_split: dict[str, list[WrittenFile]] = {}
        for file in files[table.name]:
            by_split.setdefault(file.split, []).append(file)
        paths = [
            {"split": split, "path": _one_or_all([file.name for file in some])}
            for split, some in by_split.items()
        ]
        default = {"default": True} if place == 0 else {}
        configs.append({"config_name": table.name, **default, "data_files": paths})
        sizes = [
            {
                "name": split,
                "num_bytes": sum(file.size for file in some),
                "num_examples": sum(file.rows for file in some),
            }
            for split, some in by_split.items()
        ]
        total = sum(file.size for file in files[table.name])
        described.append(
            {
                "config_name": table.name,
                "features": [_feature(column, table.labels) for column in table.schema()],
                "splits": sizes,
                "download_size": total,
                "dataset_size": total,
            }
        )
    rows = sum(file.rows for table in tables if not table.parts for file in files[table.name])
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
    import pyarrow as pa

    if column.name in labels:
        names = {str(number): str(name) for number, name in enumerate(labels[column.name])}
        label = {"class_label": {"names": names}}
        kind = {"list": label} if pa.types.is_list(column.type) else {"dtype": label}
        return {"name": column.name, **kind}
    return {"name": column.name, **_type(column.type)}


def _type(kind: pa.DataType) -> dict[str, Any]:
    """A type in the notation of the hub."""
    import pyarrow as pa

    if pa.types.is_struct(kind):
        return {"struct": [{"name": part.name, **_type(part.type)} for part in kind]}
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
        for record in value:
            if isinstance(record, Mapping):
                items.append(f"{deeper}- {_yaml(record, deeper + '  ').lstrip()}")
            else:
                items.append(f"{deeper}-{_yaml_value(record, deeper)}")
        return "\n" + "".join(items)
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        return f" {json.dumps(value, ensure_ascii=False)}\n"
    return f" {json.dumps(value) if isinstance(value, bool) else value}\n"


# Words that YAML reads as no text are quoted.
_PLAIN = re.compile(r"(?!(?:true|false|yes|no|on|off|null|none|nan|y|n)$)[a-z][a-zA-Z0-9_./-]*")


def _page(tables: Sequence[Table], files: Mapping[str, Sequence[WrittenFile]], about: About) -> str:
    rows = [
        f"| `{table.name}` | {file.split} | {file.rows:,} | {file.size:,} |"
        for table in tables
        for file in files[table.name]
        if not table.parts
    ]
    made = "\n".join(f"- `{source.name}`: {_provenance(source)}" for source in about.sources)
    return _PAGE.format(
        name=about.name,
        description=about.description,
        licence=about.licence,
        rows="\n".join(rows),
        made=made,
        left_out="".join(map(_left_out, about.sources)),
        probes="".join(_probes(source, about.graph) for source in about.sources),
    )


_PAGE = """# {name}

{description} Licence: {licence}.

| configuration | split | rows | bytes |
|---|---|---|---|
{rows}

Written by `hopcheck export hf` from

{made}

{left_out}{probes}"""


def _provenance(source: Source) -> str:
    config = source.manifest.get("config")
    if not isinstance(config, Mapping):
        return "a folder without a manifest"
    options = ", ".join(f"{name} {json.dumps(config[name])}" for name in sorted(config))
    return f"{options or 'no options'}; seed {source.seed}"


def _left_out(source: Source) -> str:
    found = ", ".join(f"{number:,} {code}" for code, number in left_out(source).items())
    return f"Links that were left out: {found}.\n\n" if found else ""


def _probes(source: Source, graph: Dataset | None) -> str:
    """What the probes for label leakage find, as a section of the card."""
    lines = [f"- {place}: {sentence}" for place, sentence in _probed(source, graph)]
    if not lines:
        return ""
    return f"## Probes for label leakage: {source.name}\n\n" + "\n".join(lines) + "\n\n"


def _probed(source: Source, graph: Dataset | None) -> Iterator[tuple[str, str]]:
    """What was probed, and the result in a sentence."""
    match source.kind:
        case SourceKind.EVENTHOP:
            yield from _probed_items(source)
        case SourceKind.QUESTIONS if graph is None:
            yield "questions", "Not probed, as the graph was not given."
        case SourceKind.QUESTIONS:
            assert graph is not None
            yield from _probed_questions(source, graph)
        case SourceKind.TEXTS:
            yield from _probed_texts(source)
        case SourceKind.LINKS:
            from solver.links.probes import probed

            # These probes count as slow, but their number of links is limited.
            for result in probed(documents(source.path), ProbeLevel.ALL):
                yield "links", str(result)


def _probed_items(source: Source) -> Iterator[tuple[str, str]]:
    from solver.eventhop.artefacts import measure
    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.io import read_records
    from solver.eventhop.samples import Samples

    for split, path in source.files.items():
        sampler = Samples(PROBED[ProbeLevel.FAST])
        for _ in sampler.drawn_from(read_records(path)):
            pass
        for finding in measure(sampler.samples(ItemSettings()), level=ProbeLevel.FAST).findings:
            yield split, finding.sentence


def _probed_questions(source: Source, graph: Dataset) -> Iterator[tuple[str, str]]:
    from solver.questions.io import read_questions
    from solver.questions.linking import Names, link
    from solver.questions.model import Question
    from solver.questions.probes import probed

    names = Names.of(graph.vocabulary)
    questions = {
        Split(split): [
            (question.id, link(question, names))
            for question in read_questions(path)
            if isinstance(question, Question)
        ]
        for split, path in source.files.items()
    }
    facts = graph.facts().distinct()
    for probe in probed(questions, facts, graph.vocabulary, ProbeLevel.FAST):
        yield probe.place, str(probe.result)


def _probed_texts(source: Source) -> Iterator[tuple[str, str]]:
    from grammar.texts.reader import read_text
    from solver.texts.probes import ProbedSentence, probed, probed_sentences

    sentences: list[ProbedSentence] = []
    for number, row in enumerate(source.rows("train"), 1):
        # What a language model wrote may not parse.
        with suppress(HopcheckError):
            sentences += probed_sentences(read_text(str(row["text"])), f"text {number}")
    for result in probed(sentences, ProbeLevel.FAST):
        yield "texts", str(result)


CROISSANT = "croissant.json"


def croissant(
    out: Path, tables: Sequence[Table], files: Mapping[str, Sequence[WrittenFile]], about: About
) -> dict[str, Any]:
    """The metadata: files with checksums, and the columns of each."""
    written = {file.name: file for table in tables for file in files[table.name] if not table.parts}
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
                "contentSize": f"{file.size} B",
                "encodingFormat": "application/x-parquet",
                "sha256": sha256(out / name),
            }
            for name, file in sorted(written.items())
        ],
        "recordSet": [
            _records(table, file)
            for table in tables
            if not table.parts
            for file in files[table.name]
        ],
    }


def _records(table: Table, file: WrittenFile) -> dict[str, Any]:
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
            names = ", ".join(f"{n} {text}" for n, text in enumerate(table.labels[column.name]))
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
