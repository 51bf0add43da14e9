"""Draws problems of the calendar: chains of dated events, clocks in other places, free times.

The answers are computed with ``datetime``, apart from the engines that check them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from string import ascii_uppercase
from zoneinfo import ZoneInfo

from generators.eventhop.config import Split, names
from generators.problems.model import Draft, Option, around, in_turn, needed
from grammar.calendar.zones import zones
from grammar.dates import MONTHS, WEEKDAYS
from grammar.eventhop.model import Domain

_OCCASIONS = {
    Split.TRAIN: ("Fair", "Regatta", "Concert", "Parade", "Auction", "Marathon"),
    Split.TEST: ("Carnival", "Derby", "Gala", "Recital", "Jubilee", "Banquet"),
}
_PEOPLE = {
    Split.TRAIN: ("Ada", "Bruno", "Clara", "Dario", "Edith", "Felix", "Greta", "Hugo", "Ines"),
    Split.TEST: ("Jonas", "Klara", "Leon", "Mira", "Nils", "Olga", "Paul", "Rosa", "Selma"),
}
_PLACES = {
    Split.TRAIN: ("London", "Paris", "Athens", "Chicago", "Denver", "Toronto", "Sydney", "Tokyo"),
    Split.TEST: ("Berlin", "Madrid", "New York", "Los Angeles", "Auckland", "Melbourne", "Seoul"),
}
_ORDINALS = ("first", "second", "third", "fourth")
_OPTIONS = 5
_STEPS: Mapping[int, tuple[int, int]] = {1: (1, 1), 2: (2, 1), 3: (3, 2), 4: (4, 3), 5: (6, 4)}
"""By level: sentences that lead from the first one to the answer, and others."""
_WINDOW, _SLOT = (8 * 60, 18 * 60), 30


def _towns(split: Split) -> list[str]:
    return [name.capitalize() for name in names(split, Domain.LOGICAL)]


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _months_later(day: date, months: int) -> date:
    """The same day of another month, or the last one of a month that lacks it."""
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, _last(year, month + 1)))


def _last(year: int, month: int) -> int:
    after = date(year + month // 12, month % 12 + 1, 1)
    return (after - timedelta(days=1)).day


@dataclass(slots=True)
class _Events:
    """Events with their days, the sentences about them, and the events that these refer to."""

    draw: Random
    free: list[str]
    named: list[str] = field(default_factory=list)
    days: list[date] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    parents: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, day: date, sentence: str, *parents: int, name: str = "") -> int:
        """Add an event; ``{x}`` of its sentence is its name."""
        name = name or self.free.pop()
        self.named.append(name)
        self.days.append(day)
        self.sentences.append(sentence.replace("{x}", name))
        self.parents.append(parents)
        return len(self.days) - 1

    def first(self) -> int:
        """Add an event on a date."""
        day = date(1960, 1, 1) + timedelta(days=self.draw.randrange(25_000))
        return self.add(day, f"{{x}} takes place on {_day(day)}.")

    def days_off(self, event: int, low: int = 2, high: int = 60) -> int:
        """Add an event some days from another one."""
        number, sign = self.draw.randint(low, high), self.draw.choice((1, -1))
        side = "after" if sign > 0 else "before"
        return self.add(
            self.days[event] + sign * timedelta(days=number),
            f"{{x}} takes place {number} days {side} {self.named[event]}.",
            event,
        )

    def later(self, event: int, low: int, high: int, *, weeks: bool = False) -> int:
        """Add an event some weeks after another one, in weeks or in days."""
        number = self.draw.randint(low, high) if weeks else self.draw.randint(7 * low, 7 * high)
        unit, length = ("weeks", 7) if weeks else ("days", 1)
        sentence = f"{{x}} takes place {number} {unit} after {self.named[event]}."
        return self.add(self.days[event] + timedelta(days=length * number), sentence, event)

    def any_step(self, event: int, *, weekdays: bool) -> int:
        """Add an event by a sentence of any kind."""
        draw, day, name = self.draw, self.days[event], self.named[event]
        kind = draw.choice(("days", "weeks", "months", "bound", *(("nth",) if weekdays else ())))
        sign = draw.choice((1, -1))
        side = "after" if sign > 0 else "before"
        match kind:
            case "weeks":
                number = draw.randint(2, 12)
                moved = day + sign * timedelta(days=7 * number)
                return self.add(moved, f"{{x}} takes place {number} weeks {side} {name}.", event)
            case "months":
                number = draw.randint(2, 14)
                moved = _months_later(day, sign * number)
                return self.add(moved, f"{{x}} takes place {number} months {side} {name}.", event)
            case "bound":
                moved = day.replace(day=_last(day.year, day.month))
                sentence = f"{{x}} takes place on the last day of the month of {name}."
                return self.add(moved, sentence, event)
            case "nth":
                number, weekday = draw.randint(1, 4), draw.randrange(7)
                ahead = (weekday - day.weekday() - 1) % 7 + 1
                sentence = (
                    f"{{x}} takes place on the {_ORDINALS[number - 1]} {WEEKDAYS[weekday]} "
                    f"after {name}."
                )
                return self.add(day + timedelta(days=ahead + 7 * (number - 1)), sentence, event)
        return self.days_off(event)

    def recurring(self, start: int, after: int) -> int:
        """Add the first event after another one of those that recur from a third one on."""
        length = self.draw.randint(3, 19)
        begun, last = self.days[start], self.days[after]
        cycles = max(0, (last - begun).days // length + 1)
        day = begun + timedelta(days=cycles * length)
        sentence = (
            f"A ferry leaves every {length} days from {self.named[start]} on, and {{x}} takes place"
            f" on the first day after {self.named[after]} on which it leaves."
        )
        return self.add(day, sentence, start, after)

    def chain(self, steps: int, *, weekdays: bool = True) -> int:
        """Add a first event and some that follow from each other; returns the last one."""
        event = self.first()
        for _ in range(steps):
            event = self.any_step(event, weekdays=weekdays)
        return event

    def distract(self, number: int, *, weekdays: bool = True) -> None:
        """Add events that follow from others, and to which nothing leads."""
        for _ in range(number):
            self.any_step(self.draw.randrange(len(self.days)), weekdays=weekdays)

    def text(self) -> str:
        """The sentences, each after those that it refers to."""
        return " ".join(self.sentences[n] for n in in_turn(self.draw, self.parents))


def _events(draw: Random, split: Split) -> _Events:
    towns = draw.sample(_towns(split), 20)
    return _Events(draw=draw, free=[f"{town} {draw.choice(_OCCASIONS[split])}" for town in towns])


def _choice(
    draw: Random, text: str, values: Sequence[int], right: int, written: Callable[[int], str]
) -> tuple[str, str, tuple[Option, ...]]:
    """The text with options in random order, the label of the right one, and all of them."""
    shown = draw.sample(list(values), len(values))
    lines, options, gold = [], [], ""
    for letter, value in zip(ascii_uppercase, shown, strict=False):
        answer, rank = written(value), sorted(values).index(value)
        lines.append(f"({letter}) {answer}")
        mentioned = sum(word in text for word in answer.split())
        traits = (f"letter {letter}", f"rank {rank}", f"mentioned {mentioned}")
        options.append(Option(label=f"({letter})", traits=traits))
        if value == right:
            gold = f"({letter})"
    return "\n".join([text, "Options:", *lines]), gold, tuple(options)


def _drafted(
    draw: Random,
    events: _Events,
    asked: tuple[int, ...],
    question: str,
    values: Sequence[int],
    right: int,
    written: Callable[[int], str],
) -> Draft:
    hops = needed(events.parents, *asked)
    text, gold, options = _choice(draw, f"{events.text()} {question}", values, right, written)
    return Draft(
        fields={"question": text},
        gold=gold,
        hops=hops,
        options=options,
        names=tuple(events.named),
    )


def _ordinal(number: int) -> str:
    return _day(date.fromordinal(number))


def _offset(draw: Random, split: Split, level: int) -> Draft:
    events, (steps, others) = _events(draw, split), _STEPS[level]
    # By a number of days at last, so that neither weekday nor day of the month is given away.
    last = events.days_off(events.chain(steps - 1))
    events.distract(others)
    right = events.days[last].toordinal()
    question = f"On which date does {events.named[last]} take place?"
    values = around(draw, right, (1, 2, 3, 7), _OPTIONS)
    return _drafted(draw, events, (last,), question, values, right, _ordinal)


def _weekday(draw: Random, split: Split, level: int) -> Draft:
    events, (steps, others) = _events(draw, split), _STEPS[level]
    last = events.days_off(events.chain(steps - 1, weekdays=False))
    events.distract(others, weekdays=False)
    question = f"On which day of the week does {events.named[last]} take place?"
    right = events.days[last].weekday()
    return _drafted(draw, events, (last,), question, range(7), right, WEEKDAYS.__getitem__)


def _duration(draw: Random, split: Split, level: int) -> Draft:
    steps, others = _STEPS[level]
    while True:
        events = _events(draw, split)
        # In weeks where no other step leads there, so that the answer is not stated.
        last = events.later(events.chain(steps - 1), 6, 13, weeks=steps == 1)
        right = (events.days[last] - events.days[0]).days
        if right > 40:
            break
    events.distract(others)
    question = f"How many days after {events.named[0]} does {events.named[last]} take place?"
    values = around(draw, right, (1, 2, 3, 7), _OPTIONS)
    return _drafted(draw, events, (0, last), question, values, right, str)


def _business_days(draw: Random, split: Split, level: int) -> Draft:
    steps, others = _STEPS[level]
    while True:
        events = _events(draw, split)
        last = events.later(events.chain(steps - 1), 5, 13)
        span = [events.days[0] + timedelta(days=n)
                for n in range((events.days[last] - events.days[0]).days + 1)]  # fmt: skip
        right = sum(day.weekday() < 5 for day in span)
        if right > 20:
            break
    events.distract(others)
    question = (
        f"How many days from Monday to Friday are there from {events.named[0]} to "
        f"{events.named[last]}, both included?"
    )
    values = around(draw, right, (1, 2, 3), _OPTIONS)
    return _drafted(draw, events, (0, last), question, values, right, str)


def _age(draw: Random, split: Split, level: int) -> Draft:
    events, (steps, others) = _events(draw, split), _STEPS[level]
    last = events.days_off(events.chain(steps - 1))
    years, day = draw.randint(18, 80), events.days[last]
    # Near a birthday as often as not.
    born = _months_later(day, -12 * years) + timedelta(days=draw.randint(-300, 300))
    person = events.add(born, f"{{x}} was born on {_day(born)}.", name=draw.choice(_PEOPLE[split]))
    months = 12 * (day.year - born.year) + day.month - born.month
    right = (months - (_months_later(born, months) > day)) // 12
    for _ in range(others):
        events.any_step(draw.choice([n for n in range(len(events.days)) if n != person]),
                        weekdays=True)  # fmt: skip
    question = (
        f"How old, in completed years, is {events.named[person]} on the day of "
        f"{events.named[last]}?"
    )
    values = around(draw, right, (1, 2), _OPTIONS)
    return _drafted(draw, events, (person, last), question, values, right, str)


def _recurring(draw: Random, split: Split, level: int) -> Draft:
    steps, others = _STEPS[level]
    while True:
        events = _events(draw, split)
        after = events.chain(steps)
        start = draw.randrange(after)
        # Else it would be the first day of all.
        if events.days[start] < events.days[after]:
            break
    last = events.recurring(start, after)
    events.distract(others)
    right = events.days[last].toordinal()
    question = f"On which date does {events.named[last]} take place?"
    values = around(draw, right, (1, 2, 3, 7), _OPTIONS)
    return _drafted(draw, events, (last,), question, values, right, _ordinal)


def _time_zones(draw: Random, split: Split, level: int) -> Draft:
    steps, others = _STEPS[level]
    towns = draw.sample(_towns(split), steps + others + 1)
    minute = 5 * draw.randrange(288)
    shown, parents = [minute], list[tuple[int, ...]]([()])
    sentences = [f"Clocks in {towns[0]} show {minute // 60:02}:{minute % 60:02}."]
    for n in range(1, steps + others + 1):
        before = n - 1 if n <= steps else draw.randrange(n)
        hours, minutes = draw.randint(2, 11), draw.choice((0, 15, 30, 45))
        sign = draw.choice((1, -1))
        shown.append(shown[before] + sign * (60 * hours + minutes))
        parents.append((before,))
        side = "ahead of" if sign > 0 else "behind"
        sentences.append(
            f"Clocks in {towns[n]} are {hours} hours and {minutes} minutes {side} clocks in "
            f"{towns[before]}."
        )
    order = in_turn(draw, parents)
    asked = f"What do clocks in {towns[steps]} show at that moment?"
    text = " ".join([*(sentences[n] for n in order), asked])
    values = around(draw, shown[steps], (15, 30, 45, 60, 90), _OPTIONS)

    def written(value: int) -> str:
        return f"{value // 60 % 24:02}:{value % 60:02}"

    text, gold, options = _choice(draw, text, values, shown[steps], written)
    return Draft(
        fields={"question": text},
        gold=gold,
        hops=needed(parents, steps),
        options=options,
        names=tuple(towns),
    )


def _zones(draw: Random, split: Split, level: int) -> Draft:
    """What clocks of one place show when something starts that clocks of another place date."""
    steps, others = _STEPS[level]
    events, (place, other) = _events(draw, split), draw.sample(_PLACES[split], 2)
    zone, moments = ZoneInfo(zones()[place]), list[datetime]()
    while not moments:
        # As often as not in a month in which clocks are changed somewhere.
        month = draw.choice((3, 4, 10, 11)) if draw.random() < 0.5 else draw.randint(1, 12)
        day = date(draw.randint(1996, 2022), month, draw.randint(1, 28))
        minute = 5 * draw.randrange(288)
        time = datetime(day.year, month, day.day, minute // 60, minute % 60, tzinfo=zone)
        moment = time.astimezone(UTC)
        # Clocks show this time once.
        once = time.utcoffset() == time.replace(fold=1).utcoffset()
        if once and moment.astimezone(zone) == time:
            moments.append(moment)
    events.add(day, f"{{x}} starts on {_day(day)} at {_clock(minute)}, by clocks in {place}.")
    for n in range(1, steps + others):
        before = n - 1 if n < steps else draw.randrange(n)
        hours, minutes = draw.randint(2, 30), 5 * draw.randrange(12)
        sign = draw.choice((1, -1))
        moments.append(moments[before] + sign * timedelta(hours=hours, minutes=minutes))
        side = "after" if sign > 0 else "before"
        sentence = (
            f"{{x}} starts {hours} hours and {minutes} minutes {side} {events.named[before]}."
        )
        events.add(day, sentence, before)
    shown = moments[steps - 1].astimezone(ZoneInfo(zones()[other]))
    right = 60 * shown.hour + shown.minute
    question = f"What do clocks in {other} show when {events.named[steps - 1]} starts?"
    values = around(draw, right, (15, 30, 45, 60, 90), _OPTIONS)
    draft = _drafted(
        draw, events, (steps - 1,), question, values, right, lambda value: _clock(value % (24 * 60))
    )
    return replace(draft, names=(*draft.names, place, other))


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def _meeting(draw: Random, split: Split, level: int) -> Draft:
    """When several people are free, where everybody is free once only."""
    # The place of the right time among the others does not depend on what can be drawn.
    before = draw.randrange(_OPTIONS)
    while True:
        people = draw.sample(_PEOPLE[split], level + 1)
        low, high = _WINDOW
        slots = (high - low) // _SLOT
        length = draw.randint(1, 3)
        start = draw.randrange(1, slots - length)
        busy = {person: [False] * slots for person in people}
        guard = draw.choice(people)
        for slot in range(slots):
            if start <= slot < start + length:
                continue
            guard = draw.choice(people) if draw.random() < 0.4 else guard
            busy[guard][slot] = True
            for person in people:
                busy[person][slot] |= draw.random() < 0.2
        entries = [(person, *span) for person, row in busy.items() for span in _spans(row)]
        ends = {0, *(end for _, _, end in entries)}
        starts = {slots, *(first for _, first, _ in entries)}
        right = (start, start + length)
        spans = [(a, b) for a in sorted(ends) for b in sorted(starts) if b > a]
        sides = [[span for span in spans if span < right]] * before
        sides += [[span for span in spans if span > right]] * (_OPTIONS - 1 - before)
        others = set[tuple[int, int]]()
        for side in sides:
            # Lengths are as those of the right one.
            wanted = draw.randint(1, 3)
            fitting = [span for span in side if span[1] - span[0] == wanted and span not in others]
            others.update(draw.sample(fitting, min(len(fitting), 1)))
        if len(others) == _OPTIONS - 1:
            break
    draw.shuffle(entries)

    def at(slot: int) -> str:
        return _clock(low + _SLOT * slot)

    sentences = [f"{person} is busy from {at(a)} to {at(b)}." for person, a, b in entries]
    asked = f"Between {_clock(low)} and {_clock(high)}, when are all of them free?"
    offered = [right, *others]
    numbers = {span: n for n, span in enumerate(sorted(offered))}
    spelled = {n: f"from {at(a)} to {at(b)}" for (a, b), n in numbers.items()}
    text, gold, options = _choice(
        draw, " ".join([*sentences, asked]), list(spelled), numbers[right], spelled.__getitem__
    )
    return Draft(
        fields={"question": text},
        gold=gold,
        hops=len(entries),
        options=options,
        names=tuple(people),
    )


def _spans(row: Sequence[bool]) -> list[tuple[int, int]]:
    """The runs of slots that are busy."""
    spans: list[tuple[int, int]] = []
    for slot, taken in enumerate(row):
        if taken and spans and spans[-1][1] == slot:
            spans[-1] = (spans[-1][0], slot + 1)
        elif taken:
            spans.append((slot, slot + 1))
    return spans


FAMILIES: Mapping[str, Callable[[Random, Split, int], Draft]] = {
    "offset": _offset,
    "weekday": _weekday,
    "duration": _duration,
    "age": _age,
    "business-days": _business_days,
    "meeting": _meeting,
    "recurring": _recurring,
    "time-zones": _time_zones,
    "zones": _zones,
}
"""What a problem is about, and what draws one of a split and a level."""
