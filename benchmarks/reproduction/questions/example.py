"""A small synthetic graph of harbour towns, used by the documentation and the tests.

``python -m benchmarks.reproduction.questions.example examples/questions/graph`` regenerates it byte
by byte.
Relations are those of the ICEWS ontology, in its spelling; names are invented.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from solver.graph.model import Split
from solver.io.writing import atomic, make_folder
from solver.seeding import seed_of

TOWNS = ("Arvenia", "Belmora", "Cadrith", "Ösvik", "Port_of_the_Kestrels", "Saint-Elm")
PARTIES = (
    *(f"Harbour_Guild_({town})" for town in TOWNS),
    *("Court,_Council_and_Watch_of_Belmora", "Captain_Ida_d'Orlan", "Miller_on_the_Hill"),
    *("Fishers'_Union_of_Ösvik", "Ferry_Company", "The_Almanac"),
)
DAYS = 70
FIRST_DAY = date(2033, 4, 1)
ENDS = {Split.TRAIN: 50, Split.VALID: 58, Split.TEST: DAYS}

_FEUDS = 4
"""Pairs that quarrel and settle, again and again."""

Named = tuple[str, str, str, int]


def facts(seed: int = 0) -> list[Named]:
    """Assemblies, feuds and meetings: subject, relation, object and day, in order of time."""
    draw = np.random.Generator(np.random.PCG64(seed_of(seed, "example of questions")))
    found = [*_assemblies(draw), *_feuds(draw), *_meetings(draw)]
    return sorted({row for row in found if row[3] < DAYS}, key=lambda row: (row[3], row[:3]))


def write_example(folder: Path) -> tuple[Path, ...]:
    """Write one file per split: ``subject relation object date``, separated by tabs."""
    home, begin, written = make_folder(folder), 0, []
    for split, end in ENDS.items():
        written.append(home / f"{split}.tsv")
        with atomic(written[-1]) as file:
            for *names, day in facts():
                if begin <= day < end:
                    when = str(FIRST_DAY + timedelta(day))
                    file.write("\t".join((*names, when)).encode() + b"\n")
        begin = end
    return tuple(written)


def _assemblies(draw: np.random.Generator) -> Iterator[Named]:
    """A town hosts guests, who negotiate with one another by way of it; most make a statement."""
    for day in range(2, DAYS, 5):
        host, *guests = _some(draw, TOWNS, 1) + _some(draw, PARTIES, 5)
        for guest in guests:
            yield host, "Host_a_visit", guest, day
            if draw.random() < 3 / 4:
                yield guest, "Make_statement", host, day
        yield host, "Engage_in_negotiation", guests[0], day
        yield host, "Engage_in_negotiation", guests[1], day


def _feuds(draw: np.random.Generator) -> Iterator[Named]:
    """One accuses, the other answers within days, and they talk; then it begins again."""
    for _ in range(_FEUDS):
        first, second = _some(draw, TOWNS, 2)
        day = int(draw.integers(4))
        while day < DAYS:
            yield first, "Accuse", second, day
            day += 1 + int(draw.integers(2))
            yield second, "Criticize_or_denounce", first, day
            if draw.random() < 1 / 2:
                yield first, "Threaten", second, day + 1
            day += 1 + int(draw.integers(2))
            yield first, "Consult", second, day
            if draw.random() < 2 / 3:
                yield second, "Sign_formal_agreement", first, day + 1
            day += 2 + int(draw.integers(3))


def _meetings(draw: np.random.Generator) -> Iterator[Named]:
    """Anyone consults anyone; some praise, and some make appeals."""
    relations = ("Consult", "Praise_or_endorse", "Make_an_appeal_or_request", "Make_a_visit")
    for day in range(DAYS):
        first, second = _some(draw, PARTIES, 2)
        yield first, relations[int(draw.integers(len(relations)))], second, day


def _some(draw: np.random.Generator, names: tuple[str, ...], count: int) -> list[str]:
    return [names[int(place)] for place in draw.choice(len(names), size=count, replace=False)]


if __name__ == "__main__":
    write_example(Path(sys.argv[1]))
