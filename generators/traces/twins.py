"""Twins: one chain of thought, word for word, about two premises that differ in one sentence.

About one premise every step is right; about the other one step is the first error. The errors and
their conditions are those of docs/traces.md, section "Generated chains".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from random import Random

from generators.levels import Levels
from generators.traces.chains import (
    Draft,
    Link,
    Step,
    chain,
    detours,
    draft,
    inner,
    left_open,
    proof,
    steps_of,
    summed,
)
from grammar.errors import HopcheckError
from grammar.eventhop.model import Domain, Item, Status
from grammar.traces.model import PointOrder, ordered
from solver.traces.engine import Closure, PremiseClosure, complements

LEVELS: Levels = {
    1: {"hops": (2,), "detours": 0, "irrelevant": 0},
    2: {"hops": (3,), "detours": 0, "irrelevant": 2},
    3: {"hops": (4,), "detours": 1, "irrelevant": 4},
    4: {"hops": (5,), "detours": 2, "irrelevant": 6},
    5: {"hops": (6,), "detours": 4, "irrelevant": 8},
}
"""By level: sentences of a proof, right steps that lead nowhere, sentences that no proof needs."""


class Error(StrEnum):
    """The kinds of a first error."""

    CONVERSE = "converse"
    WRONG_BOUND = "wrong-bound"
    SWAPPED_EVENTS = "swapped-events"
    SIMULTANEITY_DROPPED = "simultaneity-dropped"
    SKIPPED_LINK = "skipped-link"
    AFFIRMED_POSSIBLE = "affirmed-possible"
    STOPPED_EARLY = "stopped-early"


class GenerationError(HopcheckError):
    """Settings for which no twin is found."""

    code = "generation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A chain, and the two premises that it is about.

    Attributes:
        right: the item about which every step is right.
        wrong: the item about which step ``first_error`` is the first error.
        sentence: the sentence in which they differ.
        turned: for each sentence whether its later point is named first.
        steps: the steps.
        error: the kind of the error.
        hops: sentences of the proof that the chain follows, or stops before.
    """

    right: Draft
    wrong: Draft
    sentence: int
    turned: tuple[bool, ...]
    steps: tuple[Step, ...]
    first_error: int
    error: Error
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a chain is like.

    Attributes:
        hops: sentences of its proof.
        detours: right steps that lead nowhere.
        irrelevant: sentences of the premise that its proof does not need; half of them are stated.
    """

    hops: int
    detours: int = 0
    irrelevant: int = 0


_ATTEMPTS = 2_000
_STATUSES = (Status.ENTAILED, Status.ENTAILED, Status.REFUTED, Status.REFUTED, Status.CONTRADICTORY)


def twin(draw: Random, names: Sequence[str], error: Error, shape: Shape) -> Twin:
    """A random twin with a kind of error.

    Raises:
        GenerationError: none was found.
    """
    for _ in range(_ATTEMPTS):
        status = draw.choice(_STATUSES)
        drafted = draft(draw, names, status, hops=shape.hops, irrelevant=shape.irrelevant)
        if drafted is None:
            continue
        decided = _Decided(drafted)
        if decided.premise.status is not status:
            continue
        walks = decided.walks
        if sum(link.sentence is not None for walk in walks for link in walk) != shape.hops:
            continue
        made = _MAKERS[error](draw, decided, shape)
        if made is not None:
            return made
    raise GenerationError(
        f"found no chain with the error {error} and {shape.hops} hops",
        hint="allow more hops, or fewer irrelevant sentences",
    )


class _Decided:
    """A draft with what is derivable from its premise."""

    def __init__(self, drafted: Draft) -> None:
        self.draft = drafted
        unturned = [False] * len(drafted.sentences)
        self.item: Item = drafted.item("draft", Domain.TEMPORAL, unturned)
        self.premise = PremiseClosure(self.item)
        self.closure = Closure(2 * len(drafted.names), steps_of(drafted.sentences))

    @property
    def walks(self) -> list[list[Link]]:
        """The walks of its certificate."""
        return proof(self.item, self.premise, self.draft.names)

    def right(self, step: Step) -> bool:
        """Whether an order follows; steps about the claim are not asked."""
        return step.order is None or self.closure.derives(step.order)

    def open(self, order: PointOrder) -> bool:
        """Whether an order is neither derivable nor denied."""
        derives = self.closure.derives
        return not derives(order) and not any(map(derives, complements(order)))


def _finished(
    draw: Random,
    decided: _Decided,
    wrong: _Decided,
    sentence: int,
    core: Sequence[Step],
    first_error: int,
    error: Error,
    shape: Shape,
) -> Twin | None:
    """A twin of a chain with irrelevant sentences and detours added; None if it is wrong."""
    steps, place_of_error = list(core), first_error
    given = {step.order for step in core}
    both = [
        order
        for order in decided.draft.sentences
        if order in wrong.draft.sentences and order not in given
    ]
    extra = [
        Step(form="premise", order=order, sentence=decided.draft.sentences.index(order))
        for order in both
        if draw.random() < 0.5
    ]
    shared = [order for order in decided.draft.sentences if order in wrong.draft.sentences]
    leads = [order for order in detours(tuple(shared)) if order not in given]
    # A detour must not itself prove what the chain is about to get wrong.
    wrong_order = core[first_error].order
    leads = [order for order in leads if order != wrong_order]
    if len(leads) < shape.detours:
        return None
    extra += [Step(form="so", order=order) for order in draw.sample(leads, shape.detours)]
    for step in extra:
        # The claim and the answer stay at the end.
        orders = [at for at, other in enumerate(steps) if other.order is not None]
        at = draw.randint(0, len(orders))
        steps.insert(at, step)
        place_of_error += at <= place_of_error
    made = Twin(
        right=decided.draft,
        wrong=wrong.draft,
        sentence=sentence,
        turned=tuple(draw.random() < 0.5 for _ in decided.draft.sentences),
        steps=tuple(steps),
        first_error=place_of_error,
        error=error,
        hops=shape.hops,
    )
    # In contradictory premises, a walk may come back to an event: readers do not expect that.
    if any(step.order and step.order.left >> 1 == step.order.right >> 1 for step in steps):
        return None
    before = steps[:place_of_error]
    return made if all(map(decided.right, steps)) and all(map(wrong.right, before)) else None


# --- A sentence stated as another one -------------------------------------------------------------


def _converse(order: PointOrder, _draw: Random) -> PointOrder | None:
    return PointOrder(order.right, "<", order.left) if order.sign == "<" else None


def _wrong_bound(order: PointOrder, draw: Random) -> PointOrder | None:
    p, sign, q = order
    return ordered(*((p ^ 1, sign, q) if draw.random() < 0.5 else (p, sign, q ^ 1)))


def _swapped_events(order: PointOrder, _draw: Random) -> PointOrder | None:
    p, sign, q = order
    swapped = ordered((q & ~1) | (p & 1), sign, (p & ~1) | (q & 1))
    # With the same bounds it would be the converse.
    return swapped if p & 1 != q & 1 or sign == "=" else None


def _simultaneous(order: PointOrder, _draw: Random) -> PointOrder | None:
    return ordered(order.left, "=", order.right) if order.sign == "<" else None


_MISREAD: dict[Error, Callable[[PointOrder, Random], PointOrder | None]] = {
    Error.CONVERSE: _converse,
    Error.WRONG_BOUND: _wrong_bound,
    Error.SWAPPED_EVENTS: _swapped_events,
    Error.SIMULTANEITY_DROPPED: _simultaneous,
}


def _misread(error: Error) -> Callable[[Random, _Decided, Shape], Twin | None]:
    """A sentence of the premise is stated as another one."""

    def make(draw: Random, decided: _Decided, shape: Shape) -> Twin | None:
        core = chain(decided.walks, decided.premise)
        places = [at for at, step in enumerate(core) if step.sentence is not None]
        at = draw.choice(places)
        step = core[at]
        if step.order is None or step.sentence is None:
            return None
        written = _MISREAD[error](step.order, draw)
        if written is None or written in decided.draft.sentences:
            return None
        wrong = _Decided(decided.draft.with_sentence(step.sentence, written))
        if wrong.closure.derives(step.order):
            return None
        return _finished(draw, decided, wrong, step.sentence, core, at, error, shape)

    return make


# --- A step that does not follow ------------------------------------------------------------------


def _skipped_link(draw: Random, decided: _Decided, shape: Shape) -> Twin | None:
    """``p < q`` and ``r < s``, of which the points q and r of one event do not join.

    The right premise has the stronger of two bounds, and the chain states the weaker one.
    """
    core = chain(decided.walks, decided.premise)
    # Of each bound as many: nothing is to be learned from the numbers of starts and ends. What
    # follows so far would not lead on from a weaker start, so that start is the first one.
    bound = draw.randrange(2)
    pairs = [
        (first, second)
        for walk in decided.walks
        for first, second in inner(walk)
        if first.upper == second.lower and first.strict and second.strict
        if first.upper & 1 == bound and (bound or first is walk[0])
    ]
    if not pairs:
        return None
    first, second = draw.choice(pairs)
    if first.upper & 1:
        changed, weaker = second, PointOrder(second.lower ^ 1, "<", second.upper)
    else:
        changed, weaker = first, PointOrder(first.lower, "<", first.upper ^ 1)
    if changed.sentence is None or weaker in decided.draft.sentences:
        return None
    steps = [
        replace(step, order=weaker) if step.sentence == changed.sentence else step for step in core
    ]
    wrong = _Decided(decided.draft.with_sentence(changed.sentence, weaker))
    at = next(
        (
            place
            for place, step in enumerate(steps)
            if step.order is not None and step.form == "so" and wrong.open(step.order)
        ),
        None,
    )
    if at is None:
        return None
    return _finished(draw, decided, wrong, changed.sentence, steps, at, Error.SKIPPED_LINK, shape)


def _variants(draw: Random, order: PointOrder) -> list[PointOrder]:
    """Other sentences about the same two events, in random order."""
    p, q = order.left & ~1, order.right & ~1
    found = {
        ordered(p + first, sign, q + second)
        for first, second, sign in product((0, 1), (0, 1), ("<", ">", "="))
    } - {order}
    made = sorted(found)
    draw.shuffle(made)
    return made


def _ends(walks: Sequence[Sequence[Link]]) -> Iterator[tuple[int, Sequence[Link]]]:
    """The first and the last sentence of each walk, with the walk."""
    for walk in walks:
        sentences = [link.sentence for link in walk if link.sentence is not None]
        if len(sentences) > 1:
            yield sentences[0], walk
            yield sentences[-1], walk


def _affirmed_possible(draw: Random, decided: _Decided, shape: Shape) -> Twin | None:
    """A conclusion about the claim's points that the premise leaves open."""
    walks = decided.walks
    ends = list(_ends(walks))
    if not ends or decided.premise.status is Status.CONTRADICTORY:
        return None
    sentence, walk = draw.choice(ends)
    core = chain(walks, decided.premise, left_out=sentence)
    whole = summed(walk)
    at = next((place for place, step in enumerate(core) if step.order == whole), None)
    if at is None or whole is None:
        return None
    for written in _variants(draw, decided.draft.sentences[sentence]):
        wrong = _Decided(decided.draft.with_sentence(sentence, written))
        if wrong.open(whole) and wrong.premise.status is Status.UNKNOWN:
            return _finished(
                draw, decided, wrong, sentence, core, at, Error.AFFIRMED_POSSIBLE, shape
            )
    return None


def _stopped_early(draw: Random, decided: _Decided, shape: Shape) -> Twin | None:
    """A claim that is left open, though the premise decides it."""
    walks = decided.walks
    links = list(_ends(walks))
    if not links:
        return None
    sentence, _ = draw.choice(links)
    for written in _variants(draw, decided.draft.sentences[sentence]):
        right = _Decided(decided.draft.with_sentence(sentence, written))
        premise = right.premise
        if premise.status is not Status.UNKNOWN or not premise.consistent:
            continue
        whole = {summed(walk) for walk in walks}
        about = [
            step
            for step in chain(walks, decided.premise, left_out=sentence)
            if step.order is not None and step.order not in whole and right.right(step)
        ]
        core = [*about, *left_open(premise, right.draft.names)]
        return _finished(
            draw, right, decided, sentence, core, len(about), Error.STOPPED_EARLY, shape
        )
    return None


_MAKERS: dict[Error, Callable[[Random, _Decided, Shape], Twin | None]] = {
    **{error: _misread(error) for error in _MISREAD},
    Error.SKIPPED_LINK: _skipped_link,
    Error.AFFIRMED_POSSIBLE: _affirmed_possible,
    Error.STOPPED_EARLY: _stopped_early,
}
