"""The ``asp`` engine of chains of thought: verdicts by ``encodings/traces/verdicts.lp``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grammar.eventhop.model import Item, Label, Policy
from grammar.traces.model import ReadStatement, ReadStep, StatementKind
from solver.asp import Program
from solver.encodings import Fact, FactTable
from solver.eventhop.engines.asp import At, encode_items
from solver.traces.model import StepVerdict

VERDICTS = "traces/verdicts.lp"
BATCH = 32
"""Traces in one call of clingo."""

_BOUNDS = ("start", "end")
_ORDERS = {"<": "before", "<=": "not_after", "=": "simultaneous"}
_JUDGED = frozenset(StatementKind) - {
    StatementKind.UNREAD,
    StatementKind.ASSUMED,
    StatementKind.WITHDRAWS,
}


class StatementFact(Fact, predicate="statement"):
    """A statement of a chain of thought."""

    item: int
    number: int
    kind: str


class StatesFact(Fact, predicate="states"):
    """An order of a statement."""

    item: int
    number: int
    place: int
    left: At
    order: str
    right: At


class PutsFact(Fact, predicate="puts"):
    """The instant of a point on a timeline."""

    item: int
    number: int
    point: At
    instant: int


class AnswersFact(Fact, predicate="answers"):
    """The label of an answer."""

    item: int
    number: int
    label: Label


class WithdrawnFact(Fact, predicate="withdrawn"):
    """A statement that is taken back."""

    item: int
    number: int


def _at(point: int) -> str:
    return f"at({point >> 1},{_BOUNDS[point & 1]})"


def encode_traces(
    traces: Sequence[tuple[Item, Sequence[ReadStep], frozenset[tuple[int, int]]]],
) -> FactTable:
    """Items with the statements about them; statements are numbered through all steps.

    Args:
        traces: for each the item, its steps, and the withdrawn statements as (step, statement).
    """
    rows: dict[type[Fact], list[str]] = {
        kind: [] for kind in (StatementFact, StatesFact, PutsFact, AnswersFact, WithdrawnFact)
    }
    for index, (_, steps, withdrawn) in enumerate(traces):
        for number, place, stated in _numbered(steps):
            if stated.kind not in _JUDGED:
                continue
            rows[StatementFact].append(f"{index},{number},{stated.kind.replace('-', '_')}")
            if place in withdrawn:
                rows[WithdrawnFact].append(f"{index},{number}")
            for order, (p, sign, q) in enumerate(stated.orders):
                written = f"{_at(p)},{_ORDERS[sign]},{_at(q)}"
                rows[StatesFact].append(f"{index},{number},{order},{written}")
            # Only the order of the instants counts.
            ranks = {at: rank for rank, at in enumerate(sorted({at for _, at in stated.instants}))}
            rows[PutsFact] += (
                f"{index},{number},{_at(p)},{ranks[at]}" for p, at in stated.instants
            )
            if stated.label is not None:
                rows[AnswersFact].append(f"{index},{number},{stated.label}")
    items = encode_items([item for item, _, _ in traces])
    return FactTable(rows=dict(items.rows) | rows, text=items.text)


def _numbered(
    steps: Sequence[ReadStep],
) -> Iterator[tuple[int, tuple[int, int], ReadStatement]]:
    number = 0
    for place, step in enumerate(steps):
        for index, stated in enumerate(step.statements):
            yield number, (place, index), stated
            number += 1


def decide_traces(
    traces: Sequence[tuple[Item, Sequence[ReadStep], frozenset[tuple[int, int]]]],
    policy: Policy,
) -> list[dict[tuple[int, int], StepVerdict]]:
    """For each trace the verdicts of its judged statements, by (step, statement).

    Answers are judged under ``local`` and ``global`` alone.
    """
    shown = policy if policy is not Policy.PUBLISHED else Policy.LOCAL
    program = Program(encodings=(VERDICTS,), constants={"policy": shown.value})
    found: list[dict[tuple[int, int], StepVerdict]] = []
    for begin in range(0, len(traces), BATCH):
        batch = traces[begin : begin + BATCH]
        places = [{number: place for number, place, _ in _numbered(steps)} for _, steps, _ in batch]
        verdicts: list[dict[tuple[int, int], StepVerdict]] = [{} for _ in batch]
        for atom in program.unique_model(encode_traces(batch)):
            if atom.name == "verdict":
                index, number, verdict = atom.arguments
                index, number = int(str(index)), int(str(number))
                verdicts[index][places[index][number]] = StepVerdict(str(verdict))
        found += verdicts
    return found
