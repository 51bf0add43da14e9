"""Proves the labels of a generated graph correct and complete, from its files alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from solver.encodings import ViolationAtom
from solver.extras import available
from solver.graph.io.folder import line_numbers
from solver.io.remote import Folder, changed_files
from solver.io.sources import InputError
from solver.tkg.codes import CODES, FindingFormatter, align_labels
from solver.tkg.consistency import contradictions, not_reproduced
from solver.tkg.encode import ENCODINGS, PROOF, findings, proof_facts
from solver.tkg.engine import JoinResult, joined_findings
from solver.tkg.io import PARQUET, GeneratedGraph, facts_file, read_generated
from solver.tkg.settings import GraphSettings
from solver.verification.report import Finding, Kind, Unreadable, VerifyReport
from solver.verification.run import DisagreementError, difference, found_alone
from solver.verification.verifier import Execution, RunResult

ENGINES = ("asp", "join")

_CAUSES = tuple(CODES)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFolder:
    """A folder written by ``generate tkg``, or in its format."""

    folder: Path
    graph: GeneratedGraph


class GraphVerifier:
    """Proves that each label is correct and each fact supported, and that none is missing."""

    kind: ClassVar[str] = Kind.TKG

    def __init__(self, execution: Execution, settings: GraphSettings | None = None) -> None:
        self._settings = settings or GraphSettings()
        self._columns = execution.columns
        self._read: list[GraphFolder] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[GraphFolder | Unreadable]:
        """Read the folders.

        Raises:
            InputError: a file is missing or cannot be read.
        """
        labelled = self._settings.labelled
        if labelled is not None:
            place = Path(labelled)
            graph = read_generated(place, self._columns, map(Path, source))
            self._read.append(GraphFolder(folder=place, graph=graph))
            yield self._read[-1]
            return
        for path in map(Path, source):
            folder = GraphFolder(folder=path, graph=read_generated(path, self._columns))
            self._read.append(folder)
            yield folder

    def decide(self, rows: Iterable[GraphFolder]) -> Iterator[Finding]:
        """Compare both engines, order and checksums with the manifest, and files with each other.

        Raises:
            DisagreementError: the two engines disagree.
        """
        for row in rows:
            yield from _findings(row.graph, row.folder)
            if self._settings.regenerate:
                yield from not_reproduced(row.folder)

    def report(self, run: RunResult) -> VerifyReport:
        """The report, with the counts of labels, instances and patterns."""
        graphs = [folder.graph for folder in self._read]
        return VerifyReport(
            rows=sum(len(graph.facts) for graph in graphs),
            passed=_passed(graphs),
            metrics=_metrics(graphs),
            engines=ENGINES,
            config={"engines": list(ENGINES), "regenerate": self._settings.regenerate},
            encodings=ENCODINGS,
            equal=tuple(self._equal(run)),
        )

    def _equal(self, run: RunResult) -> Iterator[str]:
        """Folders whose Parquet file has the facts of their text files."""
        differing = {finding.where for finding in run.findings if finding.code == "parquet-differs"}
        for read in self._read:
            path = read.folder / PARQUET
            if available("pyarrow") and path.is_file() and str(path) not in differing:
                yield f"{PARQUET} and the text files"


def _metrics(graphs: Sequence[GeneratedGraph]) -> dict[str, str | int]:
    return {
        "mode": ", ".join(dict.fromkeys(graph.declared.mode for graph in graphs)),
        "labels": sum(len(graph.labels) for graph in graphs),
        "instances": sum(len(np.unique(graph.labels.instance)) for graph in graphs),
        "planted_instances": sum(graph.declared.planted for graph in graphs),
        "patterns": sum(len(graph.patterns) for graph in graphs),
        "closed_patterns": sum(
            pattern.closed
            for graph in graphs
            if graph.declared.closed
            for pattern in graph.patterns
        ),
    }


def _passed(graphs: Sequence[GeneratedGraph]) -> str:
    passed = "every label is correct, and every fact is supported by one"
    closed = all(graph.declared.closed for graph in graphs)
    return f"{passed}; no consequence is missing" if closed else passed


def _findings(graph: GeneratedGraph, folder: Path) -> Iterator[Finding]:
    shifted = align_labels(graph)
    checked = graph if shifted is None else replace(graph, labels=shifted.labels)
    found, joined = findings(checked), _joined(checked, folder)
    different = difference(ENGINES, found, joined.findings)
    if different is not None:
        raise DisagreementError(
            found_alone(*different),
            name=Kind.TKG,
            program=proof_facts(checked),
            encodings=(PROOF,),
        )
    formatter = FindingFormatter(checked, folder, joined.antecedents, shifted)
    yield from formatter.shift()
    yield from map(formatter.finding, sorted(found, key=_by_cause))
    yield from _order(graph, folder)
    yield from _digests(graph, folder)
    yield from contradictions(graph, folder)


def _by_cause(finding: ViolationAtom) -> tuple[int, tuple[int, ...]]:
    return _CAUSES.index(CODES[finding.code].name), finding.numbers


def _joined(graph: GeneratedGraph, folder: Path) -> JoinResult:
    try:
        return joined_findings(graph)
    except OverflowError as error:
        message = f"found a graph that is too large for the join ({error})"
        raise InputError(message, where=str(folder)) from None


def _digests(graph: GeneratedGraph, folder: Path) -> Iterator[Finding]:
    for path, expected, found in changed_files(Folder(str(folder)), graph.declared.digests):
        if found is None:
            yield CODES["missing-file"].finding(path)
        else:
            yield CODES["digest"].finding(path, {"sha256": found, "manifest": expected})


def _order(graph: GeneratedGraph, folder: Path) -> Iterator[Finding]:
    """Facts out of time order, and facts whose time belongs to another split."""
    if graph.unordered is not None:
        error = graph.unordered
        yield CODES["time-order"].finding(error.where, error=error.message)
    for split, begin, end in graph.declared.bounds():
        facts = graph.dataset.splits.get(split)
        if facts is None:
            continue
        wrong = np.flatnonzero((facts.time < begin) | (facts.time >= end))
        if not len(wrong):
            continue
        path = facts_file(folder, split)
        numbers = (
            line_numbers(path)
            if path.is_file() and path.suffix == ".txt"
            else np.arange(1, len(facts) + 1)
        )
        for row in wrong.tolist():
            fact = tuple(facts.rows()[row].tolist())
            where = f"{path}:{numbers[row]}"
            yield CODES["wrong-split"].finding(
                where, fact=fact, split=split, begin=begin, end=end - 1
            )
