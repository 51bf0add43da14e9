"""Proves the labels of a generated graph correct and complete, from its files alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from grammar.errors import ExitStatus, HopcheckError
from solver.atoms import Finding
from solver.graph.io.integers import line_numbers
from solver.graph.model import Split
from solver.io.sources import InputError
from solver.io.writing import atomic
from solver.manifest import sha256
from solver.tkg.encode import findings, proof_facts
from solver.tkg.engine import JoinResult, joined_findings
from solver.tkg.io import GeneratedGraph, read_generated
from solver.tkg.messages import FindingFormatter, align_labels
from solver.verification.checked import VerifyReport, Violation
from solver.verification.settings import Kind

ENGINES = ("asp", "join")


_CAUSES = (
    "absent_fact",
    "unknown_pattern",
    "unknown_step",
    "wrong_role",
    "two_patterns",
    "labelled_twice",
    "unlabelled",
    "repeated_fact",
    "wrong_relation",
    "outside_lag",
    "two_entities",
    "one_entity",
    "missing_step",
    "unsupported",
    "missing_consequence",
)
"""Order of the report: faults of single labels and facts first, their consequences last."""


class ProofDisagreementError(HopcheckError):
    """The ASP encoding and the join disagree on a graph: one of them is wrong."""

    code = "disagreement"
    exit_status = ExitStatus.DISAGREEMENT


def check(folder: Path) -> VerifyReport:
    """Check a folder written by ``generate tkg``, or in its format.

    Raises:
        InputError: a file is missing or cannot be read.
        ProofDisagreementError: the two engines disagree; their input facts are written to
            ``disagreement-tkg.lp`` in the working directory.
    """
    begun = time.perf_counter()
    graph = read_generated(folder)
    shifted = align_labels(graph)
    checked = graph if shifted is None else replace(graph, labels=shifted.labels)
    found, joined = findings(checked), _joined(checked, folder)
    if found != joined.findings:
        raise _disagreement(checked, found, joined.findings)
    formatter = FindingFormatter(checked, folder, joined.antecedents, shifted)
    declared = graph.declared
    return VerifyReport(
        kind=Kind.TKG,
        noun="facts",
        number=len(graph.facts),
        right=_right(graph),
        files=(str(folder),),
        violations=(
            *formatter.shift(),
            *map(formatter.violation, sorted(found, key=_by_cause)),
            *_order(graph, folder),
            *_digests(graph, folder),
        ),
        figures={
            "mode": declared.mode,
            "labels": len(graph.labels),
            "instances": len(np.unique(graph.labels.instance)),
            "planted_instances": declared.planted,
            "patterns": len(graph.patterns),
            "closed_patterns": sum(one.closed for one in graph.patterns) if declared.closed else 0,
        },
        engines=ENGINES,
        seconds=time.perf_counter() - begun,
    )


def _by_cause(finding: Finding) -> tuple[int, tuple[int, ...]]:
    return _CAUSES.index(finding.code), finding.numbers


def _joined(graph: GeneratedGraph, folder: Path) -> JoinResult:
    try:
        return joined_findings(graph)
    except OverflowError as error:
        message = f"found a graph that is too large for the join ({error})"
        raise InputError(message, where=str(folder)) from None


def _right(graph: GeneratedGraph) -> str:
    right = "every label is correct, and every fact is supported by one"
    return f"{right}; no consequence is missing" if graph.declared.closed else right


def _disagreement(
    graph: GeneratedGraph, asp: list[Finding], join: list[Finding]
) -> ProofDisagreementError:
    kept = Path("disagreement-tkg.lp")
    with atomic(kept) as file:
        file.write(proof_facts(graph).encode())
    (first,) = sorted(set(asp) ^ set(join))[:1]
    engine = "asp" if first in set(asp) else "join"
    violation = f"{first.code}({', '.join(map(str, first.numbers))})"
    message = f"engines disagree: {violation} is found by {engine} alone"
    return ProofDisagreementError(message, hint=f"clingo encodings/tkg/proof.lp {kept} shows it")


def _digests(graph: GeneratedGraph, folder: Path) -> Iterator[Violation]:
    for name, expected in sorted(graph.declared.digests.items()):
        path = folder / name
        found = sha256(path)
        if found is None:
            message = "the file is missing, but the manifest lists it"
            yield Violation(code="missing-file", where=str(path), message=message)
        elif found != expected:
            yield Violation(
                code="digest",
                where=str(path),
                message="the checksum differs from the manifest",
                certificate={"sha256": found, "manifest": expected},
            )


def _order(graph: GeneratedGraph, folder: Path) -> Iterator[Violation]:
    """Facts out of time order, and facts whose time belongs to another split."""
    if graph.unordered is not None:
        error = graph.unordered
        yield Violation(code="time-order", where=error.where, message=error.message)
    declared = graph.declared
    if len(declared.shares) != len(Split):
        return
    bounds = [round(share * declared.steps) for share in np.cumsum((0.0, *declared.shares))]
    for split, begin, end in zip(Split, bounds, bounds[1:], strict=False):
        facts = graph.dataset.splits.get(split)
        if facts is None:
            continue
        wrong = np.flatnonzero((facts.time < begin) | (facts.time >= end))
        if not len(wrong):
            continue
        path = folder / f"{split}.txt"
        numbers = line_numbers(path) if path.is_file() else np.arange(1, len(facts) + 1)
        for row in wrong.tolist():
            message = (
                f"{tuple(facts.rows()[row].tolist())} is in {split}, "
                f"expected times {begin} to {end - 1} there"
            )
            yield Violation(code="wrong-split", where=f"{path}:{numbers[row]}", message=message)
