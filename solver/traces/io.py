"""Reads chains of thought: JSON Lines with the texts of an item and the steps about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from grammar.errors import HopcheckError, ParseError
from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Domain, Label, Policy, SpatialReading
from grammar.eventhop.reader import reader
from grammar.traces.reader import steps_of
from solver.io.columns import column
from solver.io.json_lines import BrokenRow, JsonDecoder
from solver.io.sources import Place, open_input
from solver.traces.model import DeclaredTrace, StepVerdict, Trace
from solver.traces.settings import TraceSettings
from solver.verification.report import Unreadable

_LABELS = {
    **{label.value: label for label in Label},
    "impossible": Label.UNDEFINED,
    "contradictory": Label.UNDEFINED,
}


class StepRow(msgspec.Struct, frozen=True):
    """A step of a row."""

    text: Annotated[str, column("the step", example="1. A ends before B starts.")]
    verdict: Annotated[
        str | None,
        column("its verdict, if it is declared", example="follows"),
    ] = None


class TraceRow(msgspec.Struct, frozen=True):
    """A row of a file of chains of thought; other fields are ignored."""

    premise: Annotated[str, column("the premise")]
    claim: Annotated[str, column("the claim")]
    id: Annotated[str | int | None, column("id; by default the number of the line")] = None
    domain: Annotated[str | None, column("wording; by default detected", example="temporal")] = None
    spatial: Annotated[
        str | None,
        column("which edge of a place is its start", example="geometric"),
    ] = None
    policy: Annotated[str | None, column("when a label is undefined", example="local")] = None
    steps: Annotated[list[StepRow | str] | None, column("the steps, as objects or texts")] = None
    trace: Annotated[
        str | None,
        column("instead of steps: one text, with a step on each line"),
    ] = None
    label: Annotated[
        str | bool | None,
        column("the gold label, if it is declared", example="true"),
    ] = None
    first_error: Annotated[
        int | None,
        column("index of the first wrong step, -1 for none, if it is declared"),
    ] = None


_DECODER = JsonDecoder(
    TraceRow, hint='a row has "premise", "claim" and "steps" (or "trace"), each step a "text"'
)


def read_traces(path: str, settings: TraceSettings) -> Iterator[DeclaredTrace | Unreadable]:
    """The chains of a file; rows that cannot be read do not end reading.

    Raises:
        InputError: the file cannot be read.
    """
    with open_input(path, "chains of thought as JSON Lines") as source:
        for row in _DECODER.rows(source):
            if isinstance(row, BrokenRow):
                yield Unreadable.of(row.error)
                continue
            try:
                yield declared(row.value, row.place, settings)
            except HopcheckError as error:
                # A place within a premise or a claim is one of the row.
                message = f"{error.where}: {error.message}" if error.where else error.message
                yield Unreadable(where=row.place.at(), message=message)


def declared(
    row: TraceRow,
    place: Place,
    settings: TraceSettings,
    fields: Mapping[str, Any] | None = None,
) -> DeclaredTrace:
    """A row as a trace, with what it declares.

    Args:
        row: the row.
        place: its place.
        settings: what holds where the row states nothing.
        fields: all of its fields, if it is a row of a data set.

    Raises:
        HopcheckError: a field has an unknown value, or a text cannot be read.
    """
    if (row.steps is None) == (row.trace is None):
        raise _field("steps", "both" if row.steps is not None else "neither", "steps or trace")
    name = str(place.line) if row.id is None else str(row.id)
    domain = detect(row.premise, row.claim)
    if row.domain is not None:
        domain = _member(Domain, "domain", row.domain)
    spatial = settings.spatial
    if row.spatial is not None:
        spatial = _member(SpatialReading, "spatial", row.spatial)
    policy = settings.policy if row.policy is None else _member(Policy, "policy", row.policy)
    label = None
    if row.label is not None:
        label = _LABELS.get(str(row.label).strip().lower())
        if label is None:
            raise _field("label", repr(row.label), "true, false or undefined")
    try:
        item = reader(domain, spatial).read(name, row.premise, row.claim)
    except ParseError as error:
        raise HopcheckError(
            f"{error.part} of trace {name}: {error.message}", hint=error.hint
        ) from None
    steps = [step if isinstance(step, StepRow) else StepRow(text=step) for step in row.steps or ()]
    texts = tuple(step.text for step in steps) if row.trace is None else steps_of(row.trace)
    first = row.first_error
    if first is not None and not -1 <= first < len(texts):
        raise _field("first_error", str(first), f"-1 to {len(texts) - 1}")
    return DeclaredTrace(
        id=name,
        where=place.at(),
        premise=row.premise,
        claim=row.claim,
        trace=Trace(item=item, texts=texts, policy=policy, spatial=spatial),
        label=label,
        first_error=first,
        verdicts=tuple(_verdicts(step.verdict) for step in steps),
        fields=fields,
    )


def _verdicts(text: str | None) -> tuple[StepVerdict, ...]:
    """The verdicts that a row allows for a step: ``contradicts/carried``."""
    if text is None:
        return ()
    return tuple(_member(StepVerdict, "verdict", part) for part in text.split("/"))


def _member(kind: Any, field: str, value: str) -> Any:  # noqa: ANN401 - a member of the enum
    try:
        return kind(value.strip().lower())
    except ValueError:
        raise _field(field, repr(value), ", ".join(kind)) from None


def _field(name: str, found: str, expected: str) -> HopcheckError:
    return HopcheckError(f"{name}: found {found}, expected {expected}")
