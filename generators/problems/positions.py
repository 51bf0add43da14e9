"""Draws stories about positions: steps on a grid from one thing to another.

Each sentence says where either thing is from the other one, so that its words alone say nothing;
the question names two opposite answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from generators.eventhop.config import Split
from generators.problems.model import Draft, Option

_THINGS = {
    Split.TRAIN: (
        *("mill", "barn", "well", "tower", "chapel", "orchard", "bakery", "smithy", "stable"),
        *("quarry", "bridge", "market", "garden", "library", "school", "fountain", "hut"),
    ),
    Split.TEST: (
        *("inn", "forge", "pond", "castle", "abbey", "vineyard", "brewery", "kiln", "dairy"),
        *("harbour", "ferry", "bazaar", "meadow", "museum", "theatre", "statue", "lodge"),
    ),
}
_LENGTHS = ("one step", "two steps", "three steps")
_DIRECTIONS = {
    "above": (0, 1), "to the right of": (1, 0), "below": (0, -1), "to the left of": (-1, 0),
    "above and {n} to the right of": (1, 1), "below and {n} to the right of": (1, -1),
    "below and {n} to the left of": (-1, -1), "above and {n} to the left of": (-1, 1),
}  # fmt: skip
_LABELS = {
    (0, 1): "above", (1, 1): "upper-right", (1, 0): "right", (1, -1): "lower-right",
    (0, -1): "below", (-1, -1): "lower-left", (-1, 0): "left", (-1, 1): "upper-left",
}  # fmt: skip
_SIDES = {"up": (1, 1), "down": (1, -1), "to the right": (0, 1), "to the left": (0, -1)}
_STEPS: Mapping[int, tuple[int, int]] = {1: (1, 1), 2: (2, 1), 3: (3, 2), 4: (5, 3), 5: (8, 4)}
"""By level: sentences that lead from one thing of the question to the other, and others."""


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _story(
    draw: Random, split: Split, level: int
) -> tuple[list[str], list[str], tuple[int, int], int]:
    """Sentences, things, the way from the first to the last asked about, and the hops."""
    steps, others = _STEPS[level]
    things = draw.sample(_THINGS[split], steps + others + 1)
    spots, sentences = [(0, 0)], list[str]()
    for n in range(1, steps + others + 1):
        before = n - 1 if n <= steps else draw.randrange(n)
        length = draw.randint(1, 3)
        words, (east, north) = draw.choice(list(_DIRECTIONS.items()))
        spots.append((spots[before][0] + length * east, spots[before][1] + length * north))
        subject, other = n, before
        if draw.random() < 0.5:
            words = next(w for w, side in _DIRECTIONS.items() if side == (-east, -north))
            subject, other = before, n
        counted = _LENGTHS[length - 1]
        sentences.append(
            f"The {things[subject]} is {counted} {words.format(n=counted)} the {things[other]}."
        )
    draw.shuffle(sentences)
    return sentences, things, spots[steps], steps


def _drafted(
    sentences: list[str], question: str, gold: str, labels: tuple[str, ...], hops: int,
    things: list[str],
) -> Draft:  # fmt: skip
    options = tuple(
        Option(label=label, traits=(f"place {place}", f"answer {label}"))
        for place, label in enumerate(labels)
    )
    fields = {"story": sentences, "question": question}
    return Draft(fields=fields, gold=gold, hops=hops, options=options, names=tuple(things))


def _where(draw: Random, split: Split, level: int) -> Draft:
    while True:
        sentences, things, (east, north), hops = _story(draw, split, level)
        if (east, north) != (0, 0):
            break
    signs = _sign(east), _sign(north)
    gold, opposite = _LABELS[signs], _LABELS[-signs[0], -signs[1]]
    shown = draw.sample([gold, opposite], 2)
    subject, other = things[_STEPS[level][0]], things[0]
    question = f"Where is the {subject}, seen from the {other}: {shown[0]} or {shown[1]}?"
    return _drafted(sentences, question, gold, (shown[0], shown[1]), hops, things)


def _side(draw: Random, split: Split, level: int) -> Draft:
    words, (axis, side) = draw.choice(list(_SIDES.items()))
    while True:
        sentences, things, way, hops = _story(draw, split, level)
        if way[axis]:
            break
    subject, other = things[_STEPS[level][0]], things[0]
    question = f"Is the {subject} further {words} than the {other}?"
    gold = "yes" if _sign(way[axis]) == side else "no"
    return _drafted(sentences, question, gold, ("yes", "no"), hops, things)


FAMILIES: Mapping[str, Callable[[Random, Split, int], Draft]] = {"where": _where, "side": _side}
"""What a story is asked about, and what draws one of a split and a level."""
