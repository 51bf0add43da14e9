"""Words the premise, the claim and the steps of a chain."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from generators.traces.chains import Step, relation
from grammar.eventhop.model import Domain, Item
from grammar.eventhop.writer import Text, Writer
from grammar.traces.model import Orders

_OPENINGS = {
    "premise": ("", "", "We know that ", "We are given that "),
    "so": ("So ", "Therefore ", "Hence ", "It follows that "),
    "entailed": ("So ", "Therefore ", "Hence "),
    "refuted": ("So it is not the case that ", "Therefore it is not true that "),
    "unknown": ("It is left open whether ", "So we cannot tell whether "),
}
_CONTRADICTORY = "So the claim is contradictory"


class Wording:
    """Words the texts of one item; the same words for the same draw.

    Args:
        draw: source of randomness.
        domain: the wording.
    """

    def __init__(self, draw: Random, domain: Domain) -> None:
        self._draw, self._domain = draw, domain
        self._writer = Writer(domain, phrases=draw.choice)
        self._plain = Writer(domain, phrases=self._plainly)

    def _plainly(self, phrases: tuple[str, ...]) -> str:
        """A phrase that chains use: one piece, and no modal verb, which would make it a guess."""
        return self._draw.choice(
            [phrase for phrase in phrases if "…" not in phrase and not phrase.startswith("can ")]
        )

    def item(self, item: Item) -> Text:
        """The texts of an item."""
        return self._writer.write(item)

    def sentences(self, item: Item, names: Sequence[str], orders: Orders) -> list[str]:
        """A sentence for each order."""
        if not orders:
            return []
        turned = [self._draw.random() < 0.5 for _ in orders]
        stated = Item(
            id=item.id,
            premise=tuple(
                relation(names, order, turned=turn)
                for order, turn in zip(orders, turned, strict=True)
            ),
            claim=item.claim,
            domain=self._domain,
        )
        return self._plain.write(stated).premise.split(". ")

    def steps(
        self, item: Item, names: Sequence[str], steps: Sequence[Step], claim: str
    ) -> list[str]:
        """The text of each step."""
        orders = tuple(step.order for step in steps if step.order is not None)
        worded = iter(self.sentences(item, names, orders))
        return [self._step(step, next(worded) if step.order else "", claim) for step in steps]

    def _step(self, step: Step, sentence: str, claim: str) -> str:
        if step.form.startswith("answer "):
            return f"Answer: {step.form.removeprefix('answer ').capitalize()}"
        if step.form == "contradictory":
            return f"{_CONTRADICTORY}."
        if step.form.startswith("timeline "):
            return f"{step.form.removeprefix('timeline ')}."
        opening = self._draw.choice(_OPENINGS[step.form])
        clause = sentence or claim
        if opening and clause.startswith("The "):
            clause = f"the {clause[4:]}"
        return f"{opening}{clause}."
