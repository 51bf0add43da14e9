"""Analyses of answers and of annotated links: as ``ablate``, ``repair`` and their like."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol

from grammar.links.model import During, Interpretation, Reading
from hopcheck.inputs import (
    DomainName,
    DuringName,
    GoldName,
    PathLike,
    ReadingName,
    Rows,
    SpatialName,
    as_file,
    member,
    paths_of,
    sealed,
)
from hopcheck.verification import pairs
from solver import NAMESPACE
from solver.dataset.seal import Breach, accepted, recording, unsealed_as_json
from solver.io.sources import InputError
from solver.report.notebook import data_frame, html_table

if TYPE_CHECKING:
    from pandas import DataFrame

    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.labels import LabelScheme


class Run(Protocol):
    """The result of a command."""

    def as_json(self) -> dict[str, Any]:
        """All figures."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result:
    """The figures of an analysis.

    Attributes:
        kind: what was analysed.
        figures: all figures, as the command prints with ``--json``.
        run: the result that the report is written from.
        breaches: where data differ from their manifest, if they were read nevertheless.
    """

    kind: str
    figures: Mapping[str, Any]
    run: Run
    breaches: tuple[Breach, ...] = field(default_factory=accepted)

    def to_pandas(self) -> DataFrame:
        """One row per figure: name and value; the parts of a name are separated by dots.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        rows = ({"name": name, "value": value} for name, value in numbers(self.figures))
        return data_frame(rows, ("name", "value"))

    def write(self, folder: PathLike) -> Path:
        """Write figures, page and manifest; returns the page.

        Raises:
            HopcheckError: a file cannot be written.
        """
        from solver.io.writing import make_folder

        write: Callable[[Run, Path], Path] = resolve_name(NAMESPACE + _WRITERS[self.kind])
        with recording(self.breaches):
            return write(self.run, make_folder(Path(folder)))

    def _repr_html_(self) -> str:
        rows = [(name, f"{value:g}") for name, value in numbers(self.figures)]
        return html_table(self.kind, ("figure", "value"), rows[:20], size=len(rows))


_WRITERS = {
    "ranks": "benchmarks.rules.ranking.report:write",
    "nli": "benchmarks.eventhop.scoring:write",
    "questions": "benchmarks.questions.report:write",
    "links": "benchmarks.links.run:write",
    "quadruples": "benchmarks.texts.report:write",
    "traces": "benchmarks.traces.scoring:write",
    "ablations": "benchmarks.eventhop.ablations.report:write",
    "comparison": "benchmarks.eventhop.comparison:write",
    "diagnosis": "benchmarks.eventhop.diagnosis.report:write",
    "repairs": "solver.links.corpus:write_report",
}
"""The function that writes the report of each kind."""


def result(kind: str, run: Run) -> Result:
    """The result of a run, with where the data that it read differ from their manifest."""
    return Result(kind=kind, figures=run.as_json() | unsealed_as_json(), run=run)


def numbers(figures: object, name: str = "") -> Iterator[tuple[str, float]]:
    """All numbers of nested figures, by the names that lead to them."""
    if isinstance(figures, Mapping):
        for key, value in figures.items():
            yield from numbers(value, f"{name}.{key}" if name else str(key))
    elif isinstance(figures, list | tuple):
        for place, value in enumerate(figures):
            yield from numbers(value, f"{name}.{place}" if name else str(place))
    elif isinstance(figures, int | float) and not isinstance(figures, bool):
        yield name, figures


@sealed
def ablate(
    items: PathLike | Rows,
    *,
    domain: DomainName | None = None,
    spatial: SpatialName = "geometric",
    phrases: PathLike | Sequence[PathLike] = (),
    unsealed: bool = False,  # noqa: ARG001
) -> Result:
    """Score ablated reasoners, each without a piece of the logic, as the command ``ablate`` does.

    Args:
        items: the items, a file or rows.
        domain: wording of the texts; detected by default.
        spatial: which edge of a place is its start.
        phrases: phrase files to read as well.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: the items cannot be read.

    Examples:
        >>> import hopcheck as hc
        >>> found = hc.ablate("examples/right.tsv")
        >>> found.figures["reasoners"][0]["name"], found.figures["reasoners"][0]["macro_f1"]
        ('full', 1.0)
    """
    from benchmarks.eventhop.ablations.report import score_reasoners
    from benchmarks.eventhop.cases import read_cases

    settings = _settings(domain, spatial, phrases)
    with as_file(items, "items.jsonl") as path:
        paths = (str(path),)
        return result("ablations", score_reasoners(read_cases(paths, settings), paths, settings))


@sealed
def diagnose(
    predictions: PathLike | Rows,
    items: PathLike | Rows,
    *,
    reasoners: PathLike | Sequence[PathLike] = (),
    labels: str | Mapping[str, str] | None = None,
    domain: DomainName | None = None,
    spatial: SpatialName = "geometric",
    phrases: PathLike | Sequence[PathLike] = (),
    seed: int = 0,
    unsealed: bool = False,  # noqa: ARG001
) -> Result:
    """Find the ablated reasoner that best explains a model's answers, as ``diagnose`` does.

    Args:
        predictions: answers to items, a file or rows with ``id`` and ``answer``.
        items: the items, a file or rows.
        reasoners: programs of other reasoners.
        labels: label scheme, as of ``verify``.
        domain: wording of the texts; detected by default.
        spatial: which edge of a place is its start.
        phrases: phrase files to read as well.
        seed: random seed.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: an input cannot be read, or no prediction is for one of the items.

    Examples:
        >>> import hopcheck as hc
        >>> folder = "examples/reasoners"
        >>> found = hc.diagnose(f"{folder}/answers.jsonl", f"{folder}/items.tsv")
        >>> found.figures["answers"]
        144
    """
    from benchmarks.eventhop.scoring import diagnose_answers, read_answer_data

    settings = _settings(domain, spatial, phrases, labels)
    with ExitStack() as files:
        answers = files.enter_context(as_file(predictions, "answers.jsonl"))
        path = str(files.enter_context(as_file(items, "items.jsonl")))
        data = read_answer_data(str(answers), [path], settings)
        more = paths_of(reasoners)
        run = diagnose_answers(data, [path], settings, seed=seed, reasoners=more)
        return result("diagnosis", run)


@sealed
def compare(
    models: Mapping[str, PathLike | Sequence[PathLike]],
    items: PathLike | Rows,
    *,
    gold_from: GoldName = "decided",
    labels: str | Mapping[str, str] | None = None,
    domain: DomainName | None = None,
    spatial: SpatialName = "geometric",
    phrases: PathLike | Sequence[PathLike] = (),
    seed: int = 0,
    unsealed: bool = False,  # noqa: ARG001
) -> Result:
    """Compare models by their answers, over seeds, with paired tests, as ``compare`` does.

    Args:
        models: the file of predictions of each model, or its files, one a seed.
        items: the items, a file or rows.
        gold_from: decided, or file for the labels of the items.
        labels: label scheme, as of ``verify``.
        domain: wording of the texts; detected by default.
        spatial: which edge of a place is its start.
        phrases: phrase files to read as well.
        seed: random seed of the tests.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: there are fewer than two models, or an input cannot be read.

    Examples:
        >>> import hopcheck as hc
        >>> answers = "examples/reasoners/answers.jsonl"
        >>> found = hc.compare({"A": answers, "B": answers}, "examples/reasoners/items.tsv")
        >>> found.figures["tests"][0]["difference"]
        0.0
    """
    from benchmarks.eventhop.cases import Gold
    from benchmarks.eventhop.comparison import compare as compare_models
    from solver.dataset.seal import require_sealed

    files = {name: paths_of(paths) for name, paths in models.items()}
    require_sealed(*(path for paths in files.values() for path in paths))
    settings = _settings(domain, spatial, phrases, labels)
    gold = member(Gold, "gold_from", gold_from)
    with as_file(items, "items.jsonl") as path:
        run = compare_models(files, [str(path)], settings, gold=gold, seed=seed)
        return result("comparison", run)


@sealed
def repair(
    documents: PathLike | Sequence[PathLike],
    *,
    relabel: bool = False,
    weights: PathLike | Mapping[tuple[str, str], int] | None = None,
    reading: ReadingName = "lenient",
    during: DuringName = "included",
    dates: bool = False,
    time_limit: float = 60,
    second_limit: int = 300,
    out: PathLike | None = None,
    jobs: int = 1,
    unsealed: bool = False,  # noqa: ARG001
) -> Result:
    """Find the fewest links to remove so that annotated documents are consistent, as ``repair``.

    Args:
        documents: documents with temporal links, files or folders.
        relabel: relabel links where a label fits, instead of removing them.
        weights: costs of removing links, by document and link, or a file of them; 1 by default.
        reading: lenient or allen.
        during: included or simultaneous.
        dates: add the order of times that are normalised to calendar dates.
        time_limit: seconds for each document and solver; then an interval is found.
        second_limit: links of a document up to which a second solver confirms the minimum.
        out: folder for the repaired files.
        jobs: number of worker processes.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: a file cannot be read or written, or the engines disagree.

    Examples:
        >>> import hopcheck as hc
        >>> hc.repair("examples/links").figures["removed"]
        1
    """
    from solver.links.corpus import read_weights, repair_corpus, write_repaired
    from solver.links.repair import RepairSettings

    settings = RepairSettings(
        interpretation=interpretation(reading, during, dates=dates),
        seconds=time_limit,
        second_limit=second_limit,
        relabel=relabel,
    )
    costs = read_weights(Path(weights)) if isinstance(weights, str | os.PathLike) else weights or {}
    run = repair_corpus(paths_of(documents), settings, weights=costs, jobs=jobs)
    if run.unreadable:
        raise InputError(str(run.unreadable[0]))
    if out is not None:
        write_repaired(run, Path(out))
    return result("repairs", run)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkedDocuments:
    """Annotated documents with other links.

    Attributes:
        documents: the consistent ones, as rows that ``verify(kind="links")`` reads.
        left_out: names of those that contradict themselves; repair them first.
        breaches: where data differ from their manifest, if they were read nevertheless.
    """

    documents: tuple[dict[str, Any], ...]
    left_out: tuple[str, ...]
    breaches: tuple[Breach, ...] = field(default_factory=accepted)

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.documents)

    def write(self, path: PathLike) -> Path:
        """Write a file of JSON Lines; returns its path.

        Raises:
            HopcheckError: it cannot be written.
        """
        from solver.io.writing import json_lines

        target = Path(path)
        with json_lines(target) as file:
            for document in self.documents:
                file.write(document)
        return target


@sealed
def close(
    documents: PathLike | Sequence[PathLike],
    *,
    reading: ReadingName = "lenient",
    during: DuringName = "included",
    dates: bool = False,
    folder: PathLike | None = None,
    unsealed: bool = False,  # noqa: ARG001
) -> LinkedDocuments:
    """Find every link that follows, as far as the labels of the documents express it.

    Args:
        documents: documents with temporal links, files or folders.
        reading: lenient or allen.
        during: included or simultaneous.
        dates: add the order of times that are normalised to calendar dates.
        folder: also write each file there, in its own format.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: a file cannot be read or written.

    Examples:
        >>> import hopcheck as hc
        >>> closed = hc.close("examples/links/market.tml")
        >>> [len(document["links"]) for document in closed], closed.left_out
        ([6], ())
    """
    meant = interpretation(reading, during, dates=dates)
    return _relinked(documents, meant, "close", folder)


@sealed
def reduce(
    documents: PathLike | Sequence[PathLike],
    *,
    reading: ReadingName = "lenient",
    during: DuringName = "included",
    dates: bool = False,
    folder: PathLike | None = None,
    unsealed: bool = False,  # noqa: ARG001
) -> LinkedDocuments:
    """Find a minimal equivalent set of the links of each document.

    Args:
        documents: documents with temporal links, files or folders.
        reading: lenient or allen.
        during: included or simultaneous.
        dates: add the order of times that are normalised to calendar dates.
        folder: also write each file there, in its own format.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: a file cannot be read or written.

    Examples:
        >>> import hopcheck as hc
        >>> [len(document["links"]) for document in hc.reduce("examples/links/market.tml")]
        [3]
    """
    meant = interpretation(reading, during, dates=dates)
    return _relinked(documents, meant, "reduce", folder)


def _relinked(
    documents: PathLike | Sequence[PathLike],
    meant: Interpretation,
    change: str,
    folder: PathLike | None,
) -> LinkedDocuments:
    from solver.links.corpus import Change, relinked, write_changed
    from solver.links.io import as_json

    paths, kind = paths_of(documents), Change(change)
    found = relinked(paths, meant, kind)
    if found.unreadable:
        raise InputError(str(found.unreadable[0]))
    if folder is not None:
        again = relinked(paths, meant, kind, raw=True)
        write_changed(again.loaded, again.changed, Path(folder))
    rows = tuple(as_json(document) for document in found.documents)
    return LinkedDocuments(documents=rows, left_out=found.left_out)


def interpretation(reading: str, during: str, *, dates: bool) -> Interpretation:
    """What links mean, from the arguments of a public function."""
    return Interpretation(
        reading=member(Reading, "reading", reading),
        during=member(During, "during", during),
        dates=dates,
    )


def _settings(
    domain: DomainName | None,
    spatial: SpatialName,
    phrases: PathLike | Sequence[PathLike],
    labels: str | Mapping[str, str] | None = None,
) -> ItemSettings:
    from grammar.eventhop.model import Domain, SpatialReading
    from solver.eventhop.engines import ItemSettings, phrase_files

    return ItemSettings(
        labels=scheme_of(labels),
        domain=None if domain is None else member(Domain, "domain", domain),
        spatial=member(SpatialReading, "spatial", spatial),
        phrases=phrase_files(paths_of(phrases)),
    )


def scheme_of(labels: str | Mapping[str, str] | None) -> LabelScheme | None:
    """The label scheme of an argument.

    Raises:
        SchemeError: it is none.
    """
    from solver.eventhop.labels import LabelScheme

    if labels is None:
        return None
    return LabelScheme.parse(pairs(labels))
