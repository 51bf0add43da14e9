"""Labels that are dates, years, times or numbers in some form: their values, and the form itself.

A form is the label with a field such as ``$yyyy`` in place of each part: see
``solver.calendar.words.written``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from grammar.calendar.slots import month_number
from grammar.dates import WEEKDAYS
from solver.calendar.words import written

Label: TypeAlias = tuple[str, tuple[int, ...]] | None
"""Operation and arguments of the step that is the label; None if the label has another form."""

_DAY = 24 * 3600
_SIZES = (
    *(("days", _DAY), ("hours", 3600), ("HH", 3600), ("minutes", 60)),
    *(("MM", 60), ("seconds", 1), ("SS", 1)),
)


def read_label(gold: str, patterns: Sequence[str], default: str) -> tuple[str, Label]:
    """The form of a label, and its value.

    Args:
        gold: the label.
        patterns: regular expressions of labels, whose groups have the names of fields.
        default: the form of the answer if the label has none of these.
    """
    for pattern in patterns:
        found = re.fullmatch(pattern, gold)
        if found is None:
            continue
        shown, at = "", 0
        for name in sorted(filter(found.group, found.groupdict()), key=found.start):
            field = "month" if name == "mon" and len(found[name]) > 3 else name
            shown, at = f"{shown}{gold[at : found.start(name)]}${field}", found.end(name)
        shown += gold[at:]
        parts = found.groupdict()
        if "yyyy" in parts:
            month = int(parts["mm"]) if "mm" in parts else month_number(parts["mon"])
            return shown, ("date", (int(parts["yyyy"]), month, int(parts["dd"])))
        value = _number(parts)
        return shown, ("count", (value,)) if written(value, shown) == gold else None
    return default, None


def _number(parts: Mapping[str, str | None]) -> int:
    """The value of a label that is a number."""
    if parts.get("year"):
        year = int(parts["year"] or 0)
        return year if parts["era"] == "AD" else 1 - year
    if parts.get("weekday"):
        return WEEKDAYS.index(parts["weekday"] or "")
    if parts.get("leap"):
        return 366 if parts["leap"] == "Yes" else 365
    if parts.get("thousandths"):
        clock, _, rest = (parts["thousandths"] or "").partition(".")
        hours, minutes, seconds = map(int, clock.split(":"))
        return 1000 * (3600 * hours + 60 * minutes + seconds) + int(rest)
    day = (parts.get("day") or "0").replace("same_day", "0")
    number = int(parts.get("number") or 0) + int(day) * _DAY
    return number + sum(int(parts.get(name) or 0) * size for name, size in _SIZES)
