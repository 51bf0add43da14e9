"""The shortest right chain about any item, in words: its proof, as a model should write it."""

from __future__ import annotations

from random import Random

from generators.traces.chains import right_chain
from generators.traces.wording import Wording
from grammar.eventhop.model import Item, Policy
from solver.seeding import seed_of
from solver.traces.decide import decided
from solver.traces.engine import PremiseClosure
from solver.traces.model import Support, Trace


def proved_chain(item: Item, claim: str, *, seed: int = 0) -> tuple[str, ...] | None:
    """The steps of a right chain; None if a proof has a step that cannot be said or read.

    Args:
        item: the premise and the claim; places in the geometric reading.
        claim: the claim as it is written.
        seed: random seed of the words.
    """
    premise = PremiseClosure(item, Policy.LOCAL)
    draw = Random(seed_of(seed, "right chain", item.id))
    steps = right_chain(premise)
    texts = tuple(Wording(draw, item.domain).steps(item, premise.events, steps, claim))
    verdict = decided(Trace(item=item, texts=texts)).verdict
    right = verdict.first_error < 0 and verdict.support is Support.SUPPORTED
    return texts if right else None
