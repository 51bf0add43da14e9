"""Answers of reasoners to items, in batches of one clingo call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.ablations.reasoners import CLAIM_ONLY, PUBLISHED, REASONERS, Reasoner
from solver.asp import Program
from solver.errors import ExitStatus, HopcheckError
from solver.facts import facts
from solver.model import AllenRelation, Claim, Item, Label
from solver.published import UnpublishedClaimError, published_label

BATCH = 64


class UnansweredError(HopcheckError):
    """An encoding that derives no label, or several, for an item."""

    code = "unanswered"
    exit_status = ExitStatus.DISAGREEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of reasoners.

    Attributes:
        labels: reasoner's name -> its label for each item.
        left_out: reasoner's name -> why it cannot answer these items.
    """

    labels: Mapping[str, tuple[Label, ...]]
    left_out: Mapping[str, str]


def answer(
    items: Sequence[Item],
    decided: Sequence[Label],
    *,
    reasoners: Sequence[Reasoner] = REASONERS,
    progress: Callable[[int], object] | None = None,
) -> Answers:
    """Answer every item with each reasoner.

    Args:
        items: items to answer.
        decided: their decided labels, on which the claim-only reasoner is fitted.
        reasoners: reasoners to run.
        progress: called with the number of items after each reasoner.
    """
    batches = [facts(items[start : start + BATCH]) for start in range(0, len(items), BATCH)]
    given: dict[str, tuple[Label, ...]] = {}
    left_out: dict[str, str] = {}
    for one in reasoners:
        if one.name == PUBLISHED:
            try:
                given[one.name] = tuple(published_label(item) for item in items)
            except UnpublishedClaimError as error:
                left_out[one.name] = str(error)
        else:
            more = usual(items, decided) if one.name == CLAIM_ONLY else ""
            given[one.name] = tuple(_labels(one, batches, more, items))
        if progress is not None:
            progress(len(items))
    return Answers(labels=given, left_out=left_out)


def usual(items: Sequence[Item], decided: Sequence[Label]) -> str:
    """Facts ``usual(R,L)``: the most frequent label of each claim relation.

    Ties go to the first in the order of ``Label``.
    """
    counts: dict[str, Counter[Label]] = {}
    for item, label in zip(items, decided, strict=True):
        counts.setdefault(_relation(item), Counter())[label] += 1
    most = {relation: max(Label, key=count.__getitem__) for relation, count in counts.items()}
    return " ".join(f"usual({relation},{label})." for relation, label in sorted(most.items()))


def _relation(item: Item) -> str:
    """The claim's relation as ``solver.facts`` writes it."""
    if not isinstance(item.claim, Claim):
        return item.claim.order.value
    named = item.claim.relation
    return f"allen({named})" if isinstance(named, AllenRelation) else named.value


def _labels(one: Reasoner, batches: Sequence[str], more: str, items: Sequence[Item]) -> list[Label]:
    program = Program(encodings=(str(one.encoding),), constants=one.constants)
    labels: list[Label] = []
    for start, batch in zip(range(0, len(items), BATCH), batches, strict=True):
        atoms = program.unique_model(f"{batch}\n{more}")
        found = [(atom.arguments[0], atom.arguments[1]) for atom in atoms if atom.name == "label"]
        by_item = dict(found)
        size = min(BATCH, len(items) - start)
        if len(found) != size or len(by_item) != size:
            raise UnansweredError(
                f"{one.encoding} derives {len(found)} labels for {size} items, expected one each",
                where=f"items {start + 1} to {start + size}",
            )
        labels += [Label(str(by_item[index])) for index in range(size)]
    return labels
