"""Asks reasoners for their answers, many items in one call of clingo."""

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
    """An item to which an encoding gives no label, or more than one: the encoding is wrong."""

    code = "unanswered"
    exit_status = ExitStatus.DISAGREEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What reasoners answer.

    Attributes:
        of: reasoner's name -> its label for each item.
        left_out: reasoner's name -> why it cannot answer these items.
    """

    of: Mapping[str, tuple[Label, ...]]
    left_out: Mapping[str, str]


def answer(
    items: Sequence[Item],
    decided: Sequence[Label],
    *,
    reasoners: Sequence[Reasoner] = REASONERS,
    progress: Callable[[int], object] | None = None,
) -> Answers:
    """Ask each reasoner about every item.

    Args:
        items: what to answer.
        decided: their labels, from which the claim-only reasoner takes what is usual.
        reasoners: whom to ask.
        progress: takes the number of items after each reasoner.
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
    return Answers(of=given, left_out=left_out)


def usual(items: Sequence[Item], decided: Sequence[Label]) -> str:
    """Facts ``usual(R,L)``: the most frequent label of each claim relation.

    Of labels as frequent as each other, the first in the order of ``Label``.
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
        said = dict(found)
        size = min(BATCH, len(items) - start)
        if len(found) != size or len(said) != size:
            raise UnansweredError(
                f"{one.encoding} gives {len(found)} labels for {size} items, expected one each",
                where=f"items {start + 1} to {start + size}",
            )
        labels += [Label(str(said[index])) for index in range(size)]
    return labels
