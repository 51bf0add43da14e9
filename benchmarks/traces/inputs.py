"""Chains to score, and predictions about them: texts of a model, first errors, or step scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

from benchmarks.predictions import (
    ANSWERS,
    IDS,
    MatchedPredictions,
    PredictionError,
    PredictionRow,
    Predictions,
    match_predictions,
    read_predictions,
    without_thoughts,
)
from benchmarks.traces.prompts import critique_of
from grammar.errors import HopcheckError
from grammar.eventhop.model import Verdict
from solver.eventhop.certificates.make import certify, hops
from solver.io.json_lines import BrokenRow, JsonDecoder
from solver.io.sources import InputError, open_input
from solver.traces.decide import DecidedTrace, crosschecked
from solver.traces.io import TraceRow, declared
from solver.traces.model import DeclaredTrace
from solver.traces.settings import TraceSettings

BATCH = 32
TRACES = ("trace", "steps", *ANSWERS)
_HINT = 'a row has "id" and "trace" or "critique" (texts), "first_error", or "scores" (a list)'


class ScoredRow(TraceRow, frozen=True):
    """A row of chains, with the groups by which scores are broken down."""

    twin: str | None = None
    error: str | None = None
    hops: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A chain or an item to score.

    Attributes:
        declared: the row.
        result: its verdicts by both engines.
        twin: its twin; its id if there is none.
        error: the kind of its first error, if it is known.
        hops: sentences on the shortest proof; None if the status is unknown.
    """

    declared: DeclaredTrace
    result: DecidedTrace
    twin: str
    error: str | None
    hops: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Critique:
    """What a critic says of a chain.

    Attributes:
        first_error: index of the first wrong step, -1 for none; None if scores are given.
        scores: for each step how right it is.
        reply: whether it is the text of a model, which may name no step, or one that there is not.
    """

    first_error: int | None = None
    scores: tuple[float, ...] | None = None
    reply: bool = False

    def first(self, threshold: float) -> int:
        """The first step that is wrong, or whose score is below a threshold; -1 for none.

        A reply that names no step has another number, which no chain has.
        """
        if self.scores is None:
            return NAMES_NONE if self.first_error is None else self.first_error
        return next((n for n, score in enumerate(self.scores) if score < threshold), -1)


NAMES_NONE = -2

Prediction: TypeAlias = Critique | str
"""What a critic says, or the text of a model's own chain."""


def read_cases(paths: Sequence[str]) -> list[Case]:
    """Read chains, and decide them by both engines.

    Raises:
        HopcheckError: a file or a row cannot be read, or the engines disagree.
    """
    rows: list[tuple[ScoredRow, DeclaredTrace]] = []
    for path in paths:
        with open_input(path, "chains of thought as JSON Lines") as source:
            for read in _DECODER.rows(source):
                if isinstance(read, BrokenRow):
                    raise read.error
                try:
                    rows.append((read.value, declared(read.value, read.place, TraceSettings())))
                except HopcheckError as error:
                    raise InputError(error.message, where=read.place.at()) from None
    if not rows:
        raise InputError("found no chain, expected some", where=", ".join(paths))
    results = [
        result
        for begin in range(0, len(rows), BATCH)
        for result in crosschecked([row.trace for _, row in rows[begin : begin + BATCH]])
    ]
    return [
        Case(
            declared=row,
            result=result,
            twin=given.twin or row.id,
            error=given.error,
            hops=given.hops if given.hops is not None else _hops(result),
        )
        for (given, row), result in zip(rows, results, strict=True)
    ]


_DECODER = JsonDecoder(ScoredRow, hint='a row has "premise", "claim" and, for critics, "steps"')


def _hops(result: DecidedTrace) -> int | None:
    premise = result.premise
    verdict = Verdict(status=premise.status, consistent=premise.consistent, label=premise.label)
    return hops(certify(premise.item, verdict))


def read_answers(path: str, cases: Sequence[Case]) -> MatchedPredictions[Prediction]:
    """Read predictions, and match them with chains.

    Raises:
        HopcheckError: the file cannot be read, or no prediction is about a chain.
        PredictionError: critiques and texts are mixed.
    """
    read: Predictions[Prediction] = read_predictions(path, _decode, strict=False)
    kinds = {isinstance(answer, str): name for name, answer in read.answers.items()}
    if len(kinds) > 1:
        message = f"found texts and critiques, such as {kinds[True]!r} and {kinds[False]!r}"
        raise PredictionError(f"{message}, expected one of the two", where=path, hint=_HINT)
    matched = match_predictions(read, [case.declared.id for case in cases], "chain")
    for case, answer in zip(cases, matched.answers, strict=True):
        if isinstance(answer, Critique):
            _require_steps(case, answer, read.places[case.declared.id])
    return matched


def _require_steps(case: Case, critique: Critique, where: str) -> None:
    """Require that a critique is about the steps of its chain."""
    steps = len(case.declared.trace.texts)
    if critique.scores is not None and len(critique.scores) != steps:
        message = f"found {len(critique.scores)} scores, expected {steps}, one for each step"
        raise PredictionError(message, where=where)
    first = critique.first_error
    if first is not None and not critique.reply and not -1 <= first < steps:
        message = f"first_error: found {first}, expected -1 to {steps - 1}"
        raise PredictionError(message, where=where)


def _decode(row: PredictionRow) -> tuple[str, Prediction]:
    values = row.values
    if not isinstance(values, Mapping):
        raise PredictionError("found no object, expected one", where=row.where, hint=_HINT)
    name = next((values[key] for key in IDS if key in values), None)
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise PredictionError("found no id, expected a text or number", where=row.where, hint=_HINT)
    return str(name), _prediction(values, row)


def _prediction(values: Mapping[str, Any], row: PredictionRow) -> Prediction:
    scores, first = values.get("scores"), values.get("first_error")
    if scores is not None:
        if not _numbers(scores):
            message = "scores: expected a list of finite numbers"
            raise PredictionError(message, where=row.where, hint=_HINT)
        return Critique(scores=tuple(map(float, scores)))
    if first is not None:
        if not isinstance(first, int) or isinstance(first, bool):
            message = f"first_error: found {first!r}, expected a whole number"
            raise PredictionError(message, where=row.where, hint=_HINT)
        return Critique(first_error=first)
    if isinstance(values.get("critique"), str):
        return Critique(first_error=critique_of(without_thoughts(values["critique"])), reply=True)
    for field in TRACES:
        value = values.get(field)
        if isinstance(value, str):
            return without_thoughts(value)
        if field == "steps" and isinstance(value, list):
            return "\n".join(_texts(value, row))
    raise PredictionError("found no trace, first_error or scores", where=row.where, hint=_HINT)


def _numbers(value: object) -> TypeGuard[list[float]]:
    return isinstance(value, list) and all(
        isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)
        for number in value
    )


def _texts(steps: Sequence[object], row: PredictionRow) -> Iterator[str]:
    for step in steps:
        text = step.get("text") if isinstance(step, Mapping) else step
        if not isinstance(text, str):
            message = "steps: expected texts, or objects with a text"
            raise PredictionError(message, where=row.where, hint=_HINT)
        yield text
