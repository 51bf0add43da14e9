"""Items of a benchmark file, each with the verdict that the engines agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from benchmarks.nli.distance import contradiction_distances
from solver.errors import HopcheckError
from solver.model import Claim, Item, Label, Verdict
from solver.reading import read_records
from solver.records import Record
from solver.verify.eventhop import Verifier
from solver.verify.outcome import Outcome
from solver.verify.settings import Settings

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
        distance: from the claim to the nearest contradiction (``benchmarks.nli.distance``).
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


def read_cases(paths: Sequence[str], settings: Settings | None = None) -> Cases:
    """Read and decide the items of files; ``-`` is standard input.

    Args:
        paths: files in any format that ``verify`` reads.
        settings: settings of the verifier; the policy has to be ``local``.

    Raises:
        InputError: a file cannot be read.
        NoCasesError: no row of the files can be parsed.
        DisagreementError: the engines disagree on an item.
    """
    records = chain.from_iterable(read_records(path) for path in paths)
    verifier = Verifier(settings or Settings())
    cases: list[Case] = []
    unparsed: list[str] = []
    for shard in iter(lambda: list(islice(records, _SHARD)), []):
        outcomes = list(verifier.outcomes(shard))
        cases += _cases(outcomes)
        unparsed += [
            one.error or f"item {one.record.id}" for one in outcomes if one.verdict is None
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
        (one.record, one.item, one.verdict, one.hops)
        for one in outcomes
        if isinstance(one.record, Record) and one.item is not None and one.verdict is not None
    ]
    distances = contradiction_distances(
        [item for _, item, _, _ in read], [verdict.consistent for _, _, verdict, _ in read]
    )
    for (record, item, verdict, hops), distance in zip(read, distances, strict=True):
        yield Case(record=record, item=item, verdict=verdict, hops=hops, distance=distance)


def gold_labels(read: Cases) -> tuple[Label, ...]:
    """The gold labels in the files.

    Raises:
        UnlabelledError: an item has none.
    """
    bare = next((case.record for case in read.cases if case.record.label is None), None)
    if bare is not None:
        raise UnlabelledError(
            f"item {bare.id} has no gold label", where=bare.place.at(), hint="use --gold decided"
        )
    return tuple(case.record.label for case in read.cases if case.record.label is not None)
