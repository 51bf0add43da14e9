"""Compares the reader that is compiled from the Coq proofs with that of ``check.py``.

``python -m tests.campaigns.readers [--texts N] [--seed N] [--node]`` makes premises and claims from
phrases, articles, names and traps: names with words that change a meaning, phrases within names,
stops and spaces where none belongs. What the proved reader reads, ``check.py`` has to read as the
same item; it may read more, as it knows other sentences and names in any alphabet.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import NamedTuple

from solver.eventhop import check
from solver.eventhop.certificates.proved import FORMS, Compiled, compiled, in_node, item_line

PLAIN = (
    *("Siege of Ironhold", "Battle of the Old Mill", "Concert at the Mill", "Foxes Den", "harvest"),
    *("storm", "Storm", "the storm", "Cup", "Cup Final", "Fair 2024", "2024", "Miller's Feast"),
    *("annual fair", "Big van Dyke", "Episode Two", "Rome in 1900", "lunch of the day", "NCAA"),
    *("Family Day", "Jean de la Fontaine", "B", "Q-day", "parade", "Miller’s Feast", "Wolfʼs Den"),
)
TRAPS = (
    *("Harvest never", "Never", "Before Dawn", "the", "The", "The Cup", "the the Cup", "of", "a"),
    *(
        "end of Cup",
        "Start of Cup",
        "A.",
        "St. Louis Fair",
        "March Festival",
        "e12",
        "B2",
        "O'Brien",
    ),
    *("Millers' Feast", "early riser", "Early Fair", "didn't Fair", "run-up", "Fair of"),
    *("in Rome", "Big and Small", "fair ended", "fair held", "fair over", "Opening", "West Side"),
    *(
        "Episode One",
        "before",
        "Fair  Day",
        " Fair",
        "Fair ",
        "Edge of Town",
        "iPod launch",
        "x" * 201,
    ),
    *(
        "A starts and ends with B",
        "Cup happened before the start of Fair",
        "Cup happens before Fair",
    ),
)
RELATIONS = ("precede", "follow", "coincide", "order<", "order=", "order>")
LINKS = (
    *("before", "after", "same", "earlier", "later", "not_later", "not_earlier", "during"),
    *("soon", "once", "by", "when", "while", "until", "together", "throughout"),
)
WORDS = ("mill", "tide", "a", "ab", "mill1", "Mill", "x2", "the")


class Reading(StrEnum):
    """How the two readers read a text."""

    SAME = "the same"
    MORE = "by check.py alone"
    NEITHER = "by neither"
    DIFFERENT = "differently"


class Written(NamedTuple):
    """The texts of an item."""

    domain: str
    spatial: str
    premise: str
    claim: str


def written(count: int, seed: int = 0) -> Iterator[Written]:
    """Random texts, most of them with a trap."""
    draw = random.Random(seed)
    for _ in range(count):
        domain, spatial = draw.choice(FORMS)
        traps = draw.choice((0, 0, 0.05, 0.3))
        of_events = draw.choice((0, 0, 0.5, 1))
        sentences = [
            _sentence(domain, draw, traps, of_events)
            for _ in range(draw.choice((0, 1, 1, 2, 2, 3)))
        ]
        stop = ". " if draw.random() > traps / 4 else draw.choice((".  ", ".", " . ", ".. ", ","))
        premise = stop.join(sentences) + draw.choice(("", "", "."))
        claim = _claim(domain, draw, traps, premise) + draw.choice(("", "", "."))
        yield Written(domain, spatial, _typed(premise, draw, traps), _typed(claim, draw, traps))


def _name(draw: random.Random, traps: float) -> str:
    name = draw.choice(TRAPS if draw.random() < traps else PLAIN)
    return f"{name} {draw.choice(PLAIN)}" if draw.random() < traps / 3 else name


def _sentence(domain: str, draw: random.Random, traps: float, of_events: float = 0.6) -> str:
    if domain != "logical" and draw.random() < of_events:
        return _of_events(domain, draw, traps)
    table = check.PHRASES[domain]
    phrase = draw.choice(draw.choice([table[sign] for sign in "<>="]))
    if domain == "logical":
        ends = ("1", "2") if draw.random() > traps else ("", "1", "2", "3", "12")
        left, right = (draw.choice(WORDS[:4]) + draw.choice(ends) for _ in range(2))
        space = " " if draw.random() > traps else draw.choice(("", "  "))
        return f"{left}{space}{phrase}{space}{right}"
    marks = list(check._prose(domain, "geometric").marks)
    begin, _, last = phrase.partition(" …")
    if draw.random() < 0.3:
        begin = begin.removesuffix(" the")
    mark = draw.choice(marks)
    first = draw.choice(("The ", "the ", "")) + (mark if draw.random() < 0.9 else mark.capitalize())
    article, other = draw.choice(("", "", "the ")), draw.choice(("", "", "the "))
    left, right = _name(draw, traps), _name(draw, traps)
    return f"{first}{article}{left} {begin} {draw.choice(marks)}{other}{right}{last}"


def _of_events(domain: str, draw: random.Random, traps: float) -> str:
    """A sentence about two events: a verb, a conjunction and another verb, or a relation."""
    phrases = _by_kind(domain)

    def phrase(*kinds: str) -> str:
        if draw.random() < traps / 4:
            kinds = tuple(phrases)
        some: list[list[str]] = [phrases[kind] for kind in kinds if kind in phrases]
        return draw.choice(draw.choice(some))

    verbs = ("begin", "end", "whole", "begun", "ended")
    if draw.random() < 0.5:
        between = phrase(*(kind for kind in phrases if kind[0] in "AB" or kind in RELATIONS))
    else:
        between = f"{phrase(*verbs)} {phrase(*LINKS)}"
    last = f" {phrase(*verbs)}" if draw.random() < 0.3 else ""
    first = draw.choice(("The ", "", "", "the "))
    left, right = _name(draw, traps), _name(draw, traps)
    if not first and draw.random() > traps:
        left = left[:1].upper() + left[1:]
    return f"{first}{left} {between} {draw.choice(('', 'the '))}{right}{last}"


@cache
def _by_kind(domain: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text, kind in check._phrases(domain, "geometric")[0].items():
        found.setdefault(kind, []).append(text)
    return found


def _claim(domain: str, draw: random.Random, traps: float, premise: str) -> str:
    if draw.random() < 0.3:
        return _sentence(domain, draw, traps)
    table = check.PHRASES[domain]
    relation = draw.choice([phrase for name in check.CLAIMS for phrase in table[name]])
    if domain == "logical":
        left, right = draw.choice(WORDS), draw.choice(WORDS)
        return f"{left} {relation} {right}"
    known = [name for name in (*PLAIN, *TRAPS) if name in premise]

    def name() -> str:
        return draw.choice(known) if known and draw.random() < 0.7 else _name(draw, traps)

    left = name()
    if draw.random() < 0.2:
        left = left[:1].upper() + left[1:]
    first, article = draw.choice(("", "", "", "The ", "the ")), draw.choice(("", "", "the "))
    return f"{first}{left} {relation} {article}{name()}"


def _typed(text: str, draw: random.Random, traps: float) -> str:
    """The text, in which a character may be another."""
    if not text or draw.random() > traps / 3:
        return text
    place = draw.randrange(len(text))
    return text[:place] + draw.choice((*".,;-' aT1’é\u00a0", "")) + text[place + 1 :]


def compare(texts: list[Written], checker: Compiled) -> dict[Reading, list[Written]]:
    """The texts by how they are read."""
    found: dict[Reading, list[Written]] = {reading: [] for reading in Reading}
    for text, line in zip(texts, checker.readings(texts), strict=True):
        try:
            stated = check.read_texts(text.premise, text.claim, text.domain, text.spatial)
        except check.RejectedError:
            reading = Reading.NEITHER if line is None else Reading.DIFFERENT
        else:
            same = line == item_line(check.Item(stated))
            reading = Reading.MORE if line is None else Reading.SAME if same else Reading.DIFFERENT
        found[reading].append(text)
    return found


def main(arguments: list[str]) -> int:
    """Compare the readers; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--node", action="store_true", help="run the one in JavaScript")
    chosen = parser.parse_args(arguments)
    checker = in_node() if chosen.node else compiled()
    counts, texts = Counter[Reading](), written(chosen.texts, chosen.seed)
    differing: list[Written] = []
    while batch := list(islice(texts, 5_000)):
        found = compare(batch, checker)
        counts += Counter({reading: len(known) for reading, known in found.items()})
        differing += found[Reading.DIFFERENT]
    listed = ", ".join(f"{counts[reading]:,} {reading}" for reading in Reading)
    sys.stdout.write(f"{chosen.texts:,} texts ({checker.name}), read: {listed}\n")
    for text in differing[:5]:
        sys.stdout.write(f"{text}\n")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
