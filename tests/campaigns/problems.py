"""Answers generated problems by brute force: ``python -m tests.campaigns.problems KIND --items N``.

The texts are read by regular expressions of this module alone. Days are counted one by one, free
minutes tried one by one, points walked from one to the next, and arrangements tried one by one.
Exit status: 0, or 1 with the first problems whose label is another answer.
"""

from __future__ import annotations

import argparse
import calendar
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import permutations, product
from typing import Any
from zoneinfo import ZoneInfo

from generators.eventhop.config import Split
from generators.problems.run import KINDS, ProblemSettings, drawn, require_right

MONTHS = list(calendar.month_name)
DAYS = list(calendar.day_name)
ONE = timedelta(days=1)
_BATCH = 100


def _date(text: str) -> date:
    day, month, year = text.split()
    return date(int(year), MONTHS.index(month), int(day))


def _months(day: date, number: int) -> date:
    """So many months on, month by month; then back to a day that there is."""
    year, month = day.year, day.month
    for _ in range(abs(number)):
        month += 1 if number > 0 else -1
        year, month = (year + 1, 1) if month == 13 else (year - 1, 12) if month == 0 else (
            year, month)  # fmt: skip
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _options(text: str) -> tuple[str, dict[str, str]]:
    body, *lines = text.split("\n")
    return body, {line[:3]: line[4:] for line in lines if line.startswith("(")}


def _one(options: Mapping[str, str], answer: str) -> str:
    (label,) = [label for label, text in options.items() if text == answer]
    return label


def _event(sentence: str, days: dict[str, date]) -> None:
    if found := re.fullmatch(r"(.+) (?:takes place|was born) on (\d+ \w+ \d{4})\.", sentence):
        days[found[1]] = _date(found[2])
    elif found := re.fullmatch(
        r"(.+) takes place (\d+) (days|weeks|months) (after|before) (.+)\.", sentence
    ):
        number, start = int(found[2]) * (1 if found[4] == "after" else -1), days[found[5]]
        length = {"days": 1, "weeks": 7}.get(found[3], 0)
        days[found[1]] = start + number * length * ONE if length else _months(start, number)
    elif found := re.fullmatch(
        r"(.+) takes place on the last day of the month of (.+)\.", sentence
    ):
        day = days[found[2]]
        while (day + ONE).month == day.month:
            day += ONE
        days[found[1]] = day
    elif found := re.fullmatch(r"(.+) takes place on the (\w+) (\w+day) after (.+)\.", sentence):
        left, day = ["first", "second", "third", "fourth"].index(found[2]) + 1, days[found[4]]
        while left:
            day += ONE
            left -= day.strftime("%A") == found[3]
        days[found[1]] = day
    else:
        found = re.fullmatch(
            r"A ferry leaves every (\d+) days from (.+) on, and (.+) takes place on the first day "
            r"after (.+) on which it leaves\.",
            sentence,
        )
        assert found is not None, sentence
        day = days[found[2]]
        while day <= days[found[4]]:
            day += int(found[1]) * ONE
        days[found[3]] = day


def _clocks(sentences: Sequence[str], asked: str) -> str:
    shown: dict[str, int] = {}
    for sentence in sentences:
        if found := re.fullmatch(r"Clocks in (\w+) show (\d+):(\d+)\.", sentence):
            shown[found[1]] = 60 * int(found[2]) + int(found[3])
            continue
        found = re.fullmatch(
            r"Clocks in (\w+) are (\d+) hours and (\d+) minutes (ahead of|behind) "
            r"clocks in (\w+)\.",
            sentence,
        )
        assert found is not None, sentence
        ahead = 60 * int(found[2]) + int(found[3])
        shown[found[1]] = shown[found[5]] + (ahead if found[4] == "ahead of" else -ahead)
    found = re.fullmatch(r"What do clocks in (\w+) show at that moment\?", asked)
    assert found is not None, asked
    minute = shown[found[1]] % 1440
    return f"{minute // 60:02}:{minute % 60:02}"


def _zoned(sentences: Sequence[str], asked: str) -> str:
    """Minutes of UTC are tried one by one until clocks in the first place show the time."""
    starts: dict[str, datetime] = {}
    for sentence in sentences:
        if found := re.fullmatch(
            r"(.+) starts on (\d+ \w+ \d{4}) at (\d+):(\d+), by clocks in ([\w ]+)\.", sentence
        ):
            day, wall = _date(found[2]), [int(found[3]), int(found[4])]
            moment = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=1)
            fits = []
            for _ in range(3 * 1440):
                seen = moment.astimezone(ZoneInfo(_PLACES[found[5]]))
                fits += [moment] * (seen.date() == day and [seen.hour, seen.minute] == wall)
                moment += timedelta(minutes=1)
            (starts[found[1]],) = fits
            continue
        found = re.fullmatch(
            r"(.+) starts (\d+) hours and (\d+) minutes (after|before) (.+)\.", sentence
        )
        assert found is not None, sentence
        apart = timedelta(hours=int(found[2]), minutes=int(found[3]))
        starts[found[1]] = starts[found[5]] + (apart if found[4] == "after" else -apart)
    found = re.fullmatch(r"What do clocks in ([\w ]+) show when (.+) starts\?", asked)
    assert found is not None, asked
    seen = starts[found[2]].astimezone(ZoneInfo(_PLACES[found[1]]))
    return f"{seen.hour:02}:{seen.minute:02}"


_PLACES = {
    "London": "Europe/London", "Paris": "Europe/Paris", "Athens": "Europe/Athens",
    "Berlin": "Europe/Berlin", "Madrid": "Europe/Madrid", "Chicago": "America/Chicago",
    "Denver": "America/Denver", "Toronto": "America/Toronto", "New York": "America/New_York",
    "Los Angeles": "America/Los_Angeles", "Sydney": "Australia/Sydney", "Tokyo": "Asia/Tokyo",
    "Melbourne": "Australia/Melbourne", "Auckland": "Pacific/Auckland", "Seoul": "Asia/Seoul",
}  # fmt: skip


def _minute(text: str) -> int:
    hour, minute = text.split(":")
    return 60 * int(hour) + int(minute)


def _free(sentences: Sequence[str], asked: str) -> str:
    found = re.fullmatch(r"Between (\S+) and (\S+), when are all of them free\?", asked)
    assert found is not None, asked
    free = set(range(_minute(found[1]), _minute(found[2])))
    for sentence in sentences:
        entry = re.fullmatch(r"\w+ is busy from (\S+) to (\S+)\.", sentence)
        assert entry is not None, sentence
        free -= set(range(_minute(entry[1]), _minute(entry[2])))
    first, last = min(free), max(free) + 1
    assert len(free) == last - first
    return f"from {first // 60:02}:{first % 60:02} to {last // 60:02}:{last % 60:02}"


def _calendar(row: Mapping[str, Any]) -> str:
    body, options = _options(row["question"])
    *sentences, asked = re.split(r"(?<=[.?]) ", body)
    if " starts?" in asked:
        return _one(options, _zoned(sentences, asked))
    if asked.startswith("What do clocks"):
        return _one(options, _clocks(sentences, asked))
    if asked.startswith("Between"):
        return _one(options, _free(sentences, asked))
    days: dict[str, date] = {}
    for sentence in sentences:
        _event(sentence, days)
    if found := re.fullmatch(r"On which (date|day of the week) does (.+) take place\?", asked):
        day = days[found[2]]
        return _one(options, f"{day.day} {MONTHS[day.month]} {day.year}" if found[1] == "date"
                    else DAYS[day.weekday()])  # fmt: skip
    if found := re.fullmatch(r"How many days after (.+) does (.+) take place\?", asked):
        return _one(options, str((days[found[2]] - days[found[1]]).days))
    if found := re.fullmatch(
        r"How many days from Monday to Friday are there from (.+) to (.+), both included\?", asked
    ):
        day, number = days[found[1]], 0
        while day <= days[found[2]]:
            number += day.strftime("%A")[0] != "S"
            day += ONE
        return _one(options, str(number))
    found = re.fullmatch(r"How old, in completed years, is (\w+) on the day of (.+)\?", asked)
    assert found is not None, asked
    years, born = 0, days[found[1]]
    while _months(born, 12 * (years + 1)) <= days[found[2]]:
        years += 1
    return _one(options, str(years))


_STEPS = {"one step": 1, "two steps": 2, "three steps": 3}
_WAYS = {"above": (0, 1), "below": (0, -1), "to the right of": (1, 0), "to the left of": (-1, 0)}


def _positions(row: Mapping[str, Any]) -> str:
    counted = "(one step|two steps|three steps)"
    ways: dict[tuple[str, str], tuple[int, int]] = {}
    for sentence in row["story"]:
        found = re.fullmatch(
            rf"The (\w+) is {counted} (above|below|to the right of|to the left of)"
            rf"(?: and {counted} (to the right of|to the left of))? the (\w+)\.",
            sentence,
        )
        assert found is not None, sentence
        east, north = (_STEPS[found[2]] * part for part in _WAYS[found[3]])
        if found[4]:
            assert found[4] == found[2]
            more = _WAYS[found[5]]
            east, north = east + _STEPS[found[4]] * more[0], north + _STEPS[found[4]] * more[1]
        ways[found[1], found[6]] = east, north
        ways[found[6], found[1]] = -east, -north
    asked = re.fullmatch(
        r"(?:Where is the (\w+), seen from the (\w+)(?:: [\w-]+ or [\w-]+)?"
        r"|Is the (\w+) further (up|down|to the right|to the left) than the (\w+))\?",
        row["question"],
    )
    assert asked is not None, row["question"]
    subject, other = asked[1] or asked[3], asked[2] or asked[5]
    spots = {other: (0, 0)}
    for _ in row["story"]:
        for (thing, seen), (east, north) in ways.items():
            if seen in spots:
                spots.setdefault(thing, (spots[seen][0] + east, spots[seen][1] + north))
    east, north = spots[subject]
    if asked[4]:
        high = {"up": north, "down": -north, "to the right": east, "to the left": -east}[asked[4]]
        return "yes" if high > 0 else "no"
    row_name = "upper" if north > 0 else "lower" if north < 0 else ""
    side = "right" if east > 0 else "left" if east < 0 else ""
    if row_name and side:
        return f"{row_name}-{side}"
    return side or {"upper": "above", "lower": "below"}[row_name]


def _assignments(row: Mapping[str, Any]) -> str:
    lists = [found.split(", ") for found in re.findall(r"Everyone [^:]+: (.+)\.", row["puzzle"])]
    things = [thing for listed in lists for thing in listed]
    clues = [_clue(text, things) for text in re.findall(r"Clue \d+: (.+)\.", row["puzzle"])]
    asked = re.search(r"Question: What position is (.+) at\?", row["puzzle"])
    assert asked is not None
    target, people = asked[1].split()[-1], len(lists[0])
    answers = set()
    for chosen in product(permutations(range(1, people + 1)), repeat=len(lists)):
        place = {
            thing: at
            for listed, order in zip(lists, chosen, strict=True)
            for thing, at in zip(listed, order, strict=True)
        }
        if all(clue(place, people) for clue in clues):
            answers.add(place[target])
    (answer,) = answers
    return str(answer)


def _clue(text: str, things: Sequence[str]) -> Callable[[Mapping[str, int], int], bool]:
    """What a clue says; its things are the words of it that are things, in their order."""
    named = [word for word in re.findall(r"\w+", text) if word in things]
    first, *rest = named
    if "at one of the ends" in text:
        return lambda place, people: place[first] in (1, people)
    if "in between" in text:
        left, right = rest
        return lambda place, _: place[left] < place[first] < place[right]
    (second,) = rest
    if "immediately to the left" in text:
        return lambda place, _: place[second] - place[first] == 1
    if "immediately to the right" in text:
        return lambda place, _: place[first] - place[second] == 1
    if "somewhere to the left" in text:
        return lambda place, _: place[first] < place[second]
    if "somewhere to the right" in text:
        return lambda place, _: place[first] > place[second]
    if "next to" in text:
        return lambda place, _: abs(place[first] - place[second]) == 1
    if " is not " in text:
        return lambda place, _: place[first] != place[second]
    assert " is " in text, text
    return lambda place, _: place[first] == place[second]


ANSWERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "calendar": _calendar,
    "positions": _positions,
    "assignments": _assignments,
}


def differences(kind: str, items: int, seed: int, *, decided: bool = False) -> Iterator[str]:
    """Problems whose label the brute force does not find.

    Args:
        kind: of the problems.
        items: their number.
        seed: their seed.
        decided: whether the engines decide them as well.
    """
    settings, waiting = ProblemSettings(kind=kind, test=items, seed=seed), list[Any]()
    for index in range(items):
        row, _ = drawn(settings, Split.TEST, index)
        answer = ANSWERS[kind](row)
        if answer != row["gold"]:
            yield f"{row['id']}: gold {row['gold']}, by brute force {answer}"
        waiting.append(row)
        if decided and (len(waiting) == _BATCH or index == items - 1):
            require_right(kind, waiting)
            waiting.clear()


def main() -> int:
    """Run the campaign; the exit status is 1 if a label is another answer."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decided", action="store_true", help="let the engines decide them too")
    given = parser.parse_args()
    found = list(differences(given.kind, given.items, given.seed, decided=given.decided))
    sys.stdout.writelines(f"{line}\n" for line in found[:20])
    sys.stdout.write(f"{given.items:,} problems of {given.kind}: {len(found):,} differences\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
