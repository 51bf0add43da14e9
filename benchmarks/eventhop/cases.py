"""Items of a benchmark file, each with the verdict that the engines agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice

from grammar.errors import HopcheckError
from grammar.eventhop.model import Claim, Item, Label, Order, Policy, Verdict
from solver.asp import Program
from solver.eventhop.dataset import event_distance
from solver.eventhop.engines import ItemSettings
from solver.eventhop.engines.asp import encode_items
from solver.eventhop.io import read_records
from solver.eventhop.labels import LabelScheme
from solver.eventhop.outcomes import ItemDecider, Outcome
from solver.eventhop.records import Record

CONSISTENT = "consistent"
APART = "apart"
FARTHEST = 3
_BATCH = 64


def contradiction_distances(items: Sequence[Item], consistent: Sequence[bool]) -> list[str]:
    """For each item, the number of sentences between its claim and the nearest contradiction.

    Args:
        items: premises and claims.
        consistent: whether each premise is consistent; these get ``CONSISTENT``.

    Returns:
        ``0``, ``1``, ``2``, ``3 and more``; ``APART`` where the two are unconnected.
    """
    program = Program(encodings=("temporal/cycles.lp",), constants={"farthest": FARTHEST})
    found = [CONSISTENT if flag else APART for flag in consistent]
    asked = [place for place, flag in enumerate(consistent) if not flag]
    for start in range(0, len(asked), _BATCH):
        places = asked[start : start + _BATCH]
        for atom in program.unique_model(encode_items([items[place] for place in places])):
            index, distance = atom.arguments
            if isinstance(index, int) and isinstance(distance, int):
                found[places[index]] = _name(distance)
    return found


def _name(distance: int) -> str:
    return str(distance) if distance < FARTHEST else f"{FARTHEST} and more"


_SHARD = 256


class NoCasesError(HopcheckError):
    """Files without any readable item."""

    code = "no-cases"


class UnlabelledError(HopcheckError):
    """Items without gold labels."""

    code = "unlabelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An item with its verdict.

    Attributes:
        record: the row of the item; its ``label`` is the file's gold label.
        verdict: the engines' verdict under the policy ``local``.
        hops: premise relations on the shortest chain that proves the status; None for unknown.
        distance: from the claim to the nearest contradiction (``benchmarks.eventhop.cases``).
    """

    record: Record
    item: Item
    verdict: Verdict
    hops: int | None
    distance: str

    @property
    def relation(self) -> str:
        """The relation of the claim."""
        claim = self.item.claim
        return claim.relation.value if isinstance(claim, Claim) else f"point {claim.order.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """The items of some files.

    Attributes:
        cases: the items, in the order of the files.
        unparsed: a message for each row that cannot be parsed.
    """

    cases: tuple[Case, ...]
    unparsed: tuple[str, ...]

    @property
    def decided(self) -> tuple[Label, ...]:
        """The decided label of each case."""
        return tuple(case.verdict.label for case in self.cases)


def read_cases(paths: Sequence[str], settings: ItemSettings | None = None) -> Cases:
    """Read and decide the items of files; ``-`` is standard input.

    Args:
        paths: files in any format that ``verify`` reads.
        settings: settings of the verifier; the policy has to be ``local``.

    Raises:
        InputError: a file cannot be read.
        NoCasesError: no row of the files can be parsed.
        DisagreementError: the engines disagree on an item.
    """
    chosen = settings or ItemSettings()
    records = chain.from_iterable(read_records(path, mapping=chosen.columns) for path in paths)
    verifier = ItemDecider(chosen)
    cases: list[Case] = []
    unparsed: list[str] = []
    for shard in iter(lambda: list(islice(records, _SHARD)), []):
        outcomes = list(verifier.outcomes(shard))
        cases += _cases(outcomes)
        unparsed += [
            outcome.error or f"item {outcome.record.id}"
            for outcome in outcomes
            if outcome.verdict is None
        ]
    if not cases:
        raise NoCasesError(
            "none of the rows can be parsed as an item, expected at least one",
            where=", ".join(paths),
            hint=unparsed[0] if unparsed else "",
        )
    return Cases(cases=tuple(cases), unparsed=tuple(unparsed))


def _cases(outcomes: Sequence[Outcome]) -> Iterator[Case]:
    read = [
        (outcome.record, outcome.item, outcome.verdict, outcome.hops)
        for outcome in outcomes
        if isinstance(outcome.record, Record)
        and outcome.item is not None
        and outcome.verdict is not None
    ]
    distances = contradiction_distances(
        [item for _, item, _, _ in read], [verdict.consistent for _, _, verdict, _ in read]
    )
    for (record, item, verdict, hops), distance in zip(read, distances, strict=True):
        yield Case(record=record, item=item, verdict=verdict, hops=hops, distance=distance)


class Gold(StrEnum):
    """Source of the gold labels: decided by the engines, or the files."""

    DECIDED = "decided"
    FILE = "file"


def gold_labels(
    read: Cases, gold: Gold = Gold.FILE, scheme: LabelScheme | None = None
) -> tuple[str, ...]:
    """The gold labels of the items, in the words of a scheme if there is one.

    Raises:
        UnlabelledError: an item has none in its file.
    """
    if gold is Gold.DECIDED:
        if scheme is not None:
            return tuple(scheme.label(case.verdict, Policy.LOCAL) for case in read.cases)
        return read.decided
    bare = next((case.record for case in read.cases if case.record.label is None), None)
    if bare is not None:
        raise UnlabelledError(
            f"item {bare.id} has no gold label", where=bare.place.at(), hint="use --gold decided"
        )
    return tuple(str(case.record.label) for case in read.cases if case.record.label is not None)


class Dimension(StrEnum):
    """Dimensions by which items are grouped."""

    EVENTS = "events"
    RELATIONS = "relations"
    RATIO = "relations per event"
    HOPS = "hops"
    STATUS = "status"
    CLAIM = "claim"
    SIMULTANEITY = "simultaneity"
    CONTRADICTION = "contradiction distance"
    DISTANCE = "event distance"


STANDARD = tuple(dimension for dimension in Dimension if dimension is not Dimension.DISTANCE)
"""The dimensions of all reports but that of ``compare``."""


NO_HOPS = "none"
_MOST_HOPS = 8
_SIZES = (3, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The items of one group, by their positions."""

    dimension: Dimension
    name: str
    members: tuple[int, ...]


def minimal_groups(cases: Sequence[Case]) -> tuple[tuple[int, ...], ...]:
    """The positions of the items of each group that the files name."""
    found: dict[tuple[str, str], list[int]] = {}
    for position, case in enumerate(cases):
        if case.record.group is not None:
            found.setdefault((case.record.place.file, case.record.group), []).append(position)
    return tuple(map(tuple, found.values()))


def groups(cases: Sequence[Case], dimensions: Sequence[Dimension] = STANDARD) -> tuple[Group, ...]:
    """All non-empty groups, by dimension and in ascending order."""
    made: list[Group] = []
    for dimension in dimensions:
        members: dict[tuple[float, str], list[int]] = {}
        for position, case in enumerate(cases):
            members.setdefault(_place(dimension, case), []).append(position)
        made += [
            Group(dimension=dimension, name=name, members=tuple(members[rank, name]))
            for rank, name in sorted(members)
        ]
    return tuple(made)


def _place(dimension: Dimension, case: Case) -> tuple[float, str]:
    """Sort key and name of the group of a case."""
    relations = len(case.item.premise)
    match dimension:
        case Dimension.EVENTS:
            return _size(_events(case))
        case Dimension.RELATIONS:
            return _size(relations)
        case Dimension.RATIO:
            return _ratio(relations, _events(case))
        case Dimension.HOPS:
            return _hops(case.hops)
        case Dimension.STATUS:
            return (0, case.verdict.status.value)
        case Dimension.CLAIM:
            return (0, case.relation)
        case Dimension.SIMULTANEITY:
            tied = any(r.order is Order.SIMULTANEOUS for r in case.item.premise)
            return (0, "with =") if tied else (0, "without =")
        case Dimension.CONTRADICTION:
            return (0, case.distance)
        case Dimension.DISTANCE:
            return _hops(event_distance(case.item))


def _events(case: Case) -> int:
    """Number of events in the premise, counted as in ``verify``."""
    return len({p.event for r in case.item.premise for p in (r.left, r.right)})


def _size(number: int) -> tuple[float, str]:
    """Bins that end at the sizes of EventHopNLI."""
    below = -1
    for size in _SIZES:
        if number <= size:
            return (size, str(size) if size - below == 1 else f"{below + 1}-{size}")
        below = size
    return (below + 1, f"over {below}")


def _ratio(relations: int, events: int) -> tuple[float, str]:
    ratio = relations / events if events else 0.0
    if ratio < 0.75:
        return (0.5, "under 0.75")
    return (1, "0.75 to 1.5") if ratio < 1.5 else (2, "1.5 and more")


def _hops(hops: int | None) -> tuple[float, str]:
    if hops is None:
        return (_MOST_HOPS + 2, NO_HOPS)
    return (hops, str(hops)) if hops <= _MOST_HOPS else (_MOST_HOPS + 1, f"over {_MOST_HOPS}")
