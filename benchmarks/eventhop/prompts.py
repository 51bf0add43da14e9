"""Prompts for a language model: task, labels, examples, item, answer format.

The parts are those of EventHopNLI, Table 3; the wording is our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from types import MappingProxyType

from benchmarks.eventhop.cases import read_cases
from grammar.eventhop.model import (
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Label,
    Order,
    Point,
    Policy,
    Relation,
    Status,
    Verdict,
)
from grammar.eventhop.writer import Writer
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName, ItemSettings
from solver.eventhop.labels import LabelScheme


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The wording of a domain's task.

    Attributes:
        task: the task and the meaning of claims.
        names: names in the examples, by their letters in ``benchmarks.eventhop.prompts``.
    """

    task: str
    names: Mapping[str, str]


LABELS = MappingProxyType(
    {
        Label.TRUE: "the statements force the claim",
        Label.FALSE: "the statements rule the claim out, or leave it open",
        Label.UNDEFINED: "the statements contradict each other about what the claim speaks of",
    }
)

STATUSES = MappingProxyType(
    {
        Status.ENTAILED: "the statements force the claim",
        Status.REFUTED: "the statements rule the claim out",
        Status.UNKNOWN: "the statements leave the claim open",
        Status.CONTRADICTORY: LABELS[Label.UNDEFINED],
    }
)


def explained(scheme: LabelScheme | None = None) -> Mapping[str, str]:
    """What each label means: ours, or those of a scheme."""
    if scheme is None:
        return {_name(label): text for label, text in LABELS.items()}
    return {
        word: ", or ".join(
            text for status, text in STATUSES.items() if scheme.words[status] == word
        )
        for word in scheme.order
    }


WITHOUT_REASONING = "Give no reasons. Reply with one line of the form\nAnswer: LABEL"
WITH_REASONING = (
    "Reason step by step: follow the statements from one to the next. Then end your reply with "
    "one line of the form\nAnswer: LABEL"
)
BATCH_WITHOUT_REASONING = (
    "Give no reasons. Reply with one line for each item, of the form\nNUMBER. Answer: LABEL"
)
BATCH_WITH_REASONING = (
    "Reason step by step for each item: follow its statements from one to the next. Then end your "
    "reply with one line for each item, of the form\nNUMBER. Answer: LABEL"
)

WORDINGS = MappingProxyType(
    {
        Domain.TEMPORAL: Wording(
            task=(
                "You are given statements about the starts and ends of events, and a claim about "
                "two events. Judge the claim by the statements alone. Every event starts before "
                "it ends. One event happens before another if it ends no later than the other "
                "starts. Two events overlap if each starts before the other ends."
            ),
            names={
                "A": "Lantern Week",
                "B": "Ferry Strike",
                "C": "Kite Fair",
                "D": "Apple Harvest",
            },
        ),
        Domain.SPATIAL: Wording(
            task=(
                "You are given statements about the edges of places, and a claim about two "
                "places. Judge the claim by the statements alone. Every place has its western "
                "edge west of its eastern edge. A place lies completely west of another if its "
                "eastern edge is no further east than the other's western edge. Two places share "
                "a longitude if the western edge of each is west of the other's eastern edge."
            ),
            names={"A": "Osterby", "B": "Fallowmere", "C": "Tarnholt", "D": "Brindlewick"},
        ),
        Domain.LOGICAL: Wording(
            task=(
                "You are given statements that compare numbers, and a claim. Each name stands for "
                "a range: NAME1 is its lower end and NAME2 its upper end, and NAME1 < NAME2 "
                "always holds. Judge the claim by the statements alone. X < Y claims that X2 is "
                "at most Y1, X > Y the same with X and Y exchanged, and X = Y that each range "
                "begins below the end of the other."
            ),
            names={"A": "amber", "B": "birch", "C": "cedar", "D": "delta"},
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An item's texts and its label."""

    premise: str
    claim: str
    label: str


@dataclass(frozen=True, slots=True)
class _Sketch:
    """An abbreviated item: ``A+ < B-`` for "the end of A before the start of B"."""

    premise: tuple[str, ...]
    left: str
    relation: ClaimRelation
    right: str


# Entailed, refuted, unknown, contradictory, and an overlap; with ties, converses and durations.
_SKETCHES = (
    _Sketch(("C+ < B-", "A+ = C-", "B+ > D+"), "A", ClaimRelation.BEFORE, "B"),
    _Sketch(("D- > A+", "B+ < D+", "C+ < A-"), "D", ClaimRelation.BEFORE, "C"),
    _Sketch(("A- < B-", "C- = B+"), "A", ClaimRelation.BEFORE, "B"),
    _Sketch(("B+ < C-", "D- < C+", "C- = B-"), "C", ClaimRelation.AFTER, "B"),
    _Sketch(("A- < D-", "B- < A+", "D- < B+"), "B", ClaimRelation.OVERLAPS, "A"),
)
_ORDERS = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
_BOUNDS = {"-": Bound.START, "+": Bound.END}


def examples(domain: Domain, scheme: LabelScheme | None = None) -> list[Example]:
    """The five examples in the wording of a domain; places in the geometric reading."""
    names = WORDINGS[domain].names
    items = [
        Item(
            id=str(number),
            premise=tuple(_relation(text, names) for text in sketch.premise),
            claim=Claim(
                left=names[sketch.left], relation=sketch.relation, right=names[sketch.right]
            ),
            domain=domain,
        )
        for number, sketch in enumerate(_SKETCHES, start=1)
    ]
    return _worded(items, Writer(domain), scheme)


def _worded(items: Sequence[Item], writer: Writer, scheme: LabelScheme | None) -> list[Example]:
    verdicts = engine(EngineName.GRAPH).decide(items)
    made = []
    for item, verdict in zip(items, verdicts, strict=True):
        text = writer.write(item)
        label = _label(verdict, scheme)
        made.append(Example(premise=text.premise, claim=text.claim, label=label))
    return made


def _label(verdict: Verdict, scheme: LabelScheme | None) -> str:
    return verdict.label if scheme is None else scheme.label(verdict, Policy.LOCAL)


def _relation(text: str, names: Mapping[str, str]) -> Relation:
    left, order, right = text.split()
    return Relation(left=_point(left, names), order=_ORDERS[order], right=_point(right, names))


def _point(text: str, names: Mapping[str, str]) -> Point:
    return Point(event=names[text[0]], bound=_BOUNDS[text[1]])


class Variant(StrEnum):
    """Kind of prompt.

    ``zero-shot``: task, labels and item. ``five-examples``: five labelled examples before the
    item. ``cot``: no examples, but reasoning before the answer.
    """

    ZERO_SHOT = "zero-shot"
    FIVE_EXAMPLES = "five-examples"
    COT = "cot"


class Prompter:
    """Writes the prompts of one domain.

    Args:
        domain: domain of the wording.
        variant: kind of prompt.
        shown: the examples, by default five of our own; only ``five-examples`` has any.
        scheme: the labels instead of ours.

    Attributes:
        opening: the text before the item.
    """

    def __init__(
        self,
        domain: Domain,
        variant: Variant,
        shown: Sequence[Example] | None = None,
        scheme: LabelScheme | None = None,
    ) -> None:
        self._reasons = variant is Variant.COT
        parts = [
            WORDINGS[domain].task,
            "Labels:\n" + "\n".join(f"{name}: {text}." for name, text in explained(scheme).items()),
        ]
        if variant is Variant.FIVE_EXAMPLES:
            parts.append("Examples:")
            parts += [
                f"{_item(e.premise, e.claim)}\nAnswer: {e.label if scheme else _name(e.label)}"
                for e in (examples(domain, scheme) if shown is None else shown)
            ]
        self._task = "\n\n".join(parts)
        form = WITH_REASONING if self._reasons else WITHOUT_REASONING
        self.opening = f"{self._task}\n\n{form}"

    def prompt(self, premise: str, claim: str) -> str:
        """The prompt for an item."""
        return f"{self.opening}\n\n{_item(premise, claim)}\n"

    def batch(self, texts: Sequence[tuple[str, str]]) -> str:
        """The prompt for several items, premise and claim of each, numbered from 1."""
        form = BATCH_WITH_REASONING if self._reasons else BATCH_WITHOUT_REASONING
        items = (f"Item {number}\n{_item(*text)}" for number, text in enumerate(texts, 1))
        return "\n\n".join((self._task, form, *items)) + "\n"


def read_examples(
    paths: Sequence[str], scheme: LabelScheme | None = None
) -> dict[Domain, list[Example]]:
    """The items of files as examples, with their decided labels, by domain.

    Raises:
        HopcheckError: a file cannot be read, or none of its rows can be parsed.
    """
    found: dict[Domain, list[Example]] = {}
    for case in read_cases(paths, ItemSettings(labels=scheme)).cases:
        record = case.record
        label = _label(case.verdict, scheme)
        example = Example(premise=record.premise, claim=record.claim, label=label)
        found.setdefault(case.item.domain, []).append(example)
    return found


def drawn(pool: Sequence[Example], seed: int, item: str) -> list[Example]:
    """Five examples for a prompt, drawn without replacement; fewer if there are fewer.

    Args:
        pool: examples of one domain.
        seed: random seed.
        item: id of the prompt, which has its own draw.
    """
    source = Random(f"{seed}\0{item}")
    return source.sample(list(pool), min(_DRAWN, len(pool)))


_DRAWN = 5


def _item(premise: str, claim: str) -> str:
    return f"Statements: {premise}\nClaim: {claim}"


def _name(label: str) -> str:
    return label.capitalize()
