"""A small graph with known rules and invented names, for the examples of the documentation.

``python -m benchmarks.reproduction.example_graph examples/tkg`` writes it, always with the same
bytes.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator

import numpy as np

from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.seeding import seed_of

ENTITIES = (
    *("Arvenia", "Belmora", "Cadrith", "Dunmarch", "Elsovar", "Fenwold", "Galdria", "Hestia Bay"),
    *("Ilmarch", "Jorvale", "Kestrin", "Lormouth", "Mirandel", "Northmere", "Ostreva Bay"),
    *("Pellworth", "Quillan", "Rossmere", "Sundahl", "Tervany"),
)
RELATIONS = ("threatens", "sanctions", "visits", "hosts", "negotiates", "signs", "allies", "blames")
DAYS = 80
FIRST_DAY = datetime.date(2031, 3, 1)
ENDS = {Split.TRAIN: 60, Split.VALID: 70, Split.TEST: DAYS}

_STARTS = 3
"""Number of stories that begin each day."""


def facts(seed: int = 0) -> Quadruples:
    """Generate stories of two or three entities, with known rules between their facts.

    A visit is hosted a day later; a threat leads to a sanction in two of three cases; negotiations
    lead to a signature in one of two; an ally of the sanctioned entity blames the sanctioning one.
    """
    draw = np.random.Generator(np.random.PCG64(seed_of(seed, "example graph")))
    found = [fact for day in range(DAYS) for _ in range(_STARTS) for fact in _story(draw, day)]
    rows = np.array([fact for fact in found if fact[3] < DAYS], dtype=np.int64)
    return Quadruples.of(rows).distinct()


def dataset() -> Dataset:
    """The graph with its names, split by time."""
    graph = facts()
    splits = {}
    begin = 0
    for split, end in ENDS.items():
        splits[split] = graph.take((graph.time >= begin) & (graph.time < end))
        begin = end
    vocabulary = Vocabulary(
        entities=len(ENTITIES),
        relations=len(RELATIONS),
        times=DAYS,
        entity_names=ENTITIES,
        relation_names=RELATIONS,
        time_names=tuple(str(FIRST_DAY + datetime.timedelta(day)) for day in range(DAYS)),
    )
    return Dataset(name="tkg", vocabulary=vocabulary, splits=splits)


def _story(draw: np.random.Generator, day: int) -> Iterator[tuple[int, int, int, int]]:
    # Neighbours in the list of names interact more often than others.
    first = int(draw.integers(len(ENTITIES)))
    second, third = ((first + int(step)) % len(ENTITIES) for step in draw.permutation(5)[:2] + 1)
    number = {name: place for place, name in enumerate(RELATIONS)}
    later = day + int(draw.integers(1, 4))
    match int(draw.integers(3)):
        case 0:
            yield first, number["visits"], second, day
            yield second, number["hosts"], first, day + 1
        case 1:
            yield first, number["negotiates"], second, day
            if draw.random() < 1 / 2:
                yield first, number["signs"], second, later
        case _:
            yield first, number["threatens"], second, day
            if draw.random() < 2 / 3:
                yield first, number["sanctions"], second, later
                yield second, number["allies"], third, later
                yield third, number["blames"], first, later + 1


if __name__ == "__main__":
    dataset().write(sys.argv[1])
