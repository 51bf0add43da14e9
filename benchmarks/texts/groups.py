"""Scores by relation and by date style of the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.texts.elements import Mode
from benchmarks.texts.extraction import NONE, Extraction
from benchmarks.texts.scores import Score, plain
from grammar.dates import find_dates
from solver.io.sources import InputError, lines, open_input

UNREAD = "(unreadable)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A stratum of pairs: of one relation, or of texts of one style."""

    name: str
    pairs: int
    scores: Mapping[Mode, Score]


def by_relation(extraction: Extraction) -> tuple[Group, ...]:
    """Groups by the reference's relation, the largest first.

    An unmatched candidate counts for its own relation.
    """
    names = []
    for item, candidate, reference in zip(
        extraction.item.tolist(),
        extraction.candidate.tolist(),
        extraction.reference.tolist(),
        strict=True,
    ):
        facts = extraction.items[item]
        fact = facts.references[reference] if reference != NONE else facts.candidates[candidate]
        names.append(UNREAD if fact is None else fact[1])
    return _grouped(extraction, names)


def by_style(extraction: Extraction, styles: Sequence[str]) -> tuple[Group, ...]:
    """Groups by the style of the item's text, the largest first."""
    return _grouped(extraction, [styles[item] for item in extraction.item.tolist()])


def _grouped(extraction: Extraction, names: Sequence[str]) -> tuple[Group, ...]:
    members: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        members.setdefault(name, []).append(place)
    groups = [
        Group(name=name, pairs=len(some), scores=plain(extraction.pairs[np.array(some)]))
        for name, some in members.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.pairs, group.name)))


NO_DATE = "no full date"


def style(text: str) -> str:
    """The style of the first full date of a text, as in ``Month D, YYYY, long weekday``."""
    found = next(find_dates(text), None)
    if found is None:
        return NO_DATE
    words = found.text.split()
    weekday = "no"
    if found.weekday is not None:
        weekday = "long" if words.pop(0).lower().rstrip(".,").endswith("day") else "short"
    first = next(word for word in words if word.lower() != "the")
    if "-" in first:
        return f"ISO, {weekday} weekday"
    form = "D Month YYYY" if first[0].isdigit() else "Month D, YYYY"
    return f"{form}, {weekday} weekday"


def read_styles(path: str, count: int) -> tuple[str, ...]:
    """Read the styles of texts, one text per line, plain or gzip.

    Raises:
        InputError: the file cannot be read, or does not have ``count`` lines.
    """
    with open_input(path, "a file of texts") as source:
        read = tuple(lines(source))
    broken = next((line.error for line in read if line.error), None)
    if broken is not None:
        raise InputError(broken.message, where=broken.where, hint=broken.hint)
    if len(read) != count:
        raise InputError(
            f"found {len(read):,} texts, expected one for each of the {count:,} lines of the "
            "references",
            where=str(path),
        )
    return tuple(style(line.text) for line in read)
