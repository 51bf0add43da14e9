"""Test of Time, arithmetic: dates, durations, eras, time zones, orders, meetings, trick questions.

The wordings are in ``grammar/calendar/tot.toml``. Before they are read, dates in digits are put in
one notation, and years of an era are numbered through: 1 is 1 AD.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from benchmarks.audits.forms import Label, read_label
from benchmarks.audits.model import AuditTask, Convention, ItemRead, Reading, Row, UnreadError
from grammar.calendar.phrases import (
    Chain,
    Match,
    PhraseError,
    matches,
    meaning,
    phrase_table,
)
from grammar.calendar.slots import Sort, month_number, read_length, read_time, second_of_day
from grammar.calendar.steps import Step
from grammar.dates import MONTHS, WEEKDAYS
from solver.calendar.decide import decide
from solver.calendar.model import Entrant, Entry, Order, Problem, Starts, Value
from solver.verification.outcomes import Outcome

_TABLE = "tot.toml"
_MONTH = "|".join((*MONTHS, *(name[:3] for name in MONTHS), "Sept"))
_TAIL = re.compile(
    r"\s*(?:If a (?:date/)?time is at a lower granularity|You can assume the time between"
    r"|If the question cannot be answered, reply|If the information provided is not enough"
    r"|(?:Return|Format|Share) your answer|Answer (?:with time|the amount|in days\))"
    r"|\(Answer in days|[Rr]eport(?:ing)? (?:the |as a )).*",
    re.DOTALL,
)
"""The text about the form of the answer, and conventions that the phrases follow anyway."""
_EARLIEST = "assume the earliest value"
_DIGITS = re.compile(r"\b(\d{1,2})([-/])(\d{1,2})\2(\d{1,4}\b(?: CE)?|-\d+ CE)")
_NAMED = re.compile(rf"\b(\d{{4}})-({_MONTH})-(\d{{1,2}})\b")
_ERA = re.compile(r"\b(\d{1,4}) (BC|AD)\b")
_WINDOW = (9 * 60, 17 * 60)
_NOON = 12 * 60


def _fault(row: Row, message: str) -> UnreadError:
    return UnreadError(message, where=row.where)


def _plain(row: Row, text: str, zero: bool) -> str:
    """The question without the text about its answer, its dates and years in one notation."""
    text = _NAMED.sub(lambda day: f"{day[1]}-{month_number(day[2]):02}-{day[3]}", text)

    def numbered(year: re.Match[str]) -> str:
        number = int(year[1])
        return f"{number if year[2] == 'AD' else (-number if zero else 1 - number)} CE"

    text = _ERA.sub(numbered, _TAIL.sub("", text))
    day_first = _day_first(text)

    def dated(day: re.Match[str]) -> str:
        first, second, year = int(day[1]), int(day[3]), day[4]
        if first > 12 or (second <= 12 and day_first):
            first, second = second, first
        elif second <= 12 and first != second and day_first is None:
            if year.endswith(" CE"):
                return f"{year}~"
            raise _fault(row, f"found the date {day[0]}, which may be two days")
        return f"{year}-{first}-{second}"

    return _DIGITS.sub(dated, text)


def _day_first(text: str) -> bool | None:
    """Whether the days in digits have the month behind the day; None if nothing shows it."""
    orders = {
        int(day[1]) > 12 for day in _DIGITS.finditer(text) if max(int(day[1]), int(day[3])) > 12
    }
    return orders.pop() if len(orders) == 1 else None


_FORMS: Mapping[str, tuple[str, ...]] = {
    "era": (r"(?P<year>\d+) (?P<era>AD|BC)",),
    "weekday": (rf"(?P<weekday>{'|'.join(WEEKDAYS)})",),
    "number": (r"(?P<number>-?\d+)",),
    "date": (
        r"(?P<mm>\d\d)/(?P<dd>\d\d)/(?P<yyyy>\d{4})",
        r"(?P<yyyy>\d{4})-(?P<mm>\d\d)-(?P<dd>\d\d)",
        rf"(?P<dd>\d\d) (?P<mon>{_MONTH}),? (?P<yyyy>\d{{4}})",
        rf"(?P<mon>{_MONTH}) (?P<dd>\d\d),? (?P<yyyy>\d{{4}})",
    ),
    "length": (
        r"(?:'days': (?P<days>\d+), )?['\"](?:hours|[HAX])['\"]: (?P<hours>\d+)(?:\.0)?"
        r"(?:, ['\"](?:minutes|[MBY])['\"]: (?P<minutes>\d+)(?:\.0)?)?"
        r"(?:, ['\"](?:seconds|[SCZ])['\"]: (?P<seconds>\d+)(?:\.0)?)?",
    ),
    "moment": (
        r"'day': '(?P<day>same_day|[+-]\d+)', "
        r"'time': '(?P<HH>\d\d):(?P<MM>\d\d)(?::(?P<SS>\d\d))?'",
    ),
}
"""The forms of answers: fields of labels, between brackets and behind the name of the answer."""
_DEFAULTS = {
    "era": "{'answer': '$year $era'}",
    "weekday": "{'answer': '$weekday'}",
    "number": "{'answer': $number}",
    "date": "{'answer': '$yyyy-$mm-$dd'}",
    "length": "{'hours': $hours, 'minutes': $minutes, 'seconds': $seconds}",
    "moment": "{'day': '$day', 'time': '$HH:$MM:$SS'}",
}
_HEAD = r"\{(?:['\"]\w+['\"]: )?['\"]?"


def _label(gold: str, form: str, day_first: bool | None) -> tuple[str, Label]:
    """The form of the label as a text with fields, and its value as a step."""
    forms = _FORMS[form]
    if form == "date":
        order = (r"(?P<dd>\d\d)", r"(?P<mm>\d\d)")
        first, second = order if day_first else order[::-1]
        forms = (*forms, rf"{first}-{second}-(?P<yyyy>\d{{4}})")
    return read_label(gold, [rf"{_HEAD}{each}['\"]?\}}" for each in forms], _DEFAULTS[form])


def _chained(row: Row, found: Match, gold: str, zero: bool) -> Problem:
    """The problem of a phrase with a meaning of its own."""
    chain, form = meaning(phrase_table(_TABLE), found), found.phrase.tag
    if form == "days":
        return _of_weekdays(row, chain, gold)
    shown, label_value = _label(gold, form, _day_first(row.text("question")))
    if form == "era" and zero:
        shown = shown.replace("$year $era", "$counted")
        years = re.search(r"(\d+) (AD|BC)", gold)
        if years is not None:
            label_value = "count", (int(years[1]) * (1 if years[2] == "AD" else -1),)
    steps, label = list(chain.steps), -1
    if label_value is not None:
        label = len(steps)
        op, arguments = label_value
        steps.append(Step(name="the label", op=op, arguments=arguments))
    return Problem(
        question=Value(
            step=chain.names["answer"], written=shown, label=label, void=_void(row, gold)
        ),
        gold=gold,
        steps=tuple(steps),
        same=tuple(chain.same),
    )


def _void(row: Row, gold: str) -> str:
    """The answer that there is none, if the question offers it."""
    if "unanswerable" not in row.text("question"):
        return ""
    return gold if "unanswerable" in gold else "{'answer': 'unanswerable'}"


def _names(row: Row, gold: str, known: Sequence[str]) -> tuple[str, tuple[int, ...] | None]:
    """The form of a label that is a name or a list of names, and the numbers of these."""
    try:
        ((key, answer),) = ast.literal_eval(gold).items()
    except (ValueError, SyntaxError, AttributeError):
        return "{'answer': $names}", None
    single = isinstance(answer, str)
    shown = f"{{'{key}': '$name'}}" if single else f"{{'{key}': $names}}"
    if answer == "equal" and "equal" not in known:
        return shown, tuple(range(len(known)))
    names = [answer] if single else answer
    if not isinstance(names, list) or len(set(map(str, names))) < len(names):
        return shown, None
    if not all(name in known for name in names):
        return shown, None
    if shown.replace("$names", repr(names)).replace("$name", str((*names, "")[0])) != gold:
        raise _fault(row, f"found the label {gold}, expected {shown}")
    return shown, tuple(known.index(name) for name in names)


def _of_weekdays(row: Row, chain: Chain, gold: str) -> Problem:
    """The question on which weekdays a moment can be."""
    steps = list(chain.steps)
    zero = len(steps)
    steps += [Step(name=name, op="count", arguments=(n,)) for n, name in enumerate(WEEKDAYS)]
    shown, label = _names(row, gold, WEEKDAYS)
    question = Order(
        entrants=tuple(
            Entrant(name=name, step=zero + n, finer=zero) for n, name in enumerate(WEEKDAYS)
        ),
        pick="at",
        limit=(chain.names["answer"], zero),
        label=label,
        written=shown,
    )
    return Problem(question=question, gold=gold, steps=tuple(steps))


_CE = re.compile(
    rf"(?:(?P<mon>{_MONTH}) (?P<d>\d+),? |(?P<d2>\d+) (?P<mon2>{_MONTH}),? )?"
    r"(?P<year>-?\d+) CE(?P<open>~?)"
    r"|(?P<year3>-?\d+) CE-(?P<m3>\d+)-(?P<d3>\d+)"
)


class _Moments:
    """Moments of a question as pairs of steps.

    Args:
        row: the item.
        earliest: whether a moment of lower granularity is its first second.
    """

    def __init__(self, row: Row, earliest: bool) -> None:
        self.steps: list[Step] = []
        self._row, self._earliest = row, earliest
        self._days: dict[tuple[int, ...], str] = {}

    def add(self, text: str) -> tuple[int, int]:
        """Add the steps of a moment; returns their numbers."""
        words = re.sub(r"^(?:on|in|at) ", "", text.strip().rstrip(",. "))
        found = _CE.fullmatch(words)
        if found is not None:
            year = int(found["year"] or found["year3"])
            month = found["mon"] or found["mon2"]
            number = month_number(month) if month else int(found["m3"] or 1)
            day = int(found["d"] or found["d2"] or found["d3"] or 1)
            # A day that may be two is compared with others by its year alone.
            grain = f"open {len(self._days)}" if found["open"] else ""
            grain = grain or ("day" if month or found["m3"] else "year")
            self._seen(grain, (year, number, day))
            return self._pair(words, ("count", (year,)), ("count", (100 * number + day,)))
        day_text, _, time_text = words.partition(" at ")
        second = second_of_day(time_text or day_text) if _is_clock(time_text or day_text) else None
        if second is not None and not time_text:
            return self._pair(words, ("count", (0,)), ("count", (second,)))
        # A date with a clock time that is not separated by a word: the limit of some questions.
        split = re.fullmatch(r"(\d{4}-\d{1,2}-\d{1,2}) (\d.*)", day_text)
        if split is not None and _is_clock(split[2]):
            day_text, second = split[1], second_of_day(split[2])
        time = read_time(day_text)
        if time is None or (time_text and second is None):
            raise _fault(self._row, f"found the time {text!r}")
        year, month_of, day_of = (*time.parts, 1, 1)[:3]
        if time.sort not in (Sort.DATE, Sort.MONTH_OF_YEAR, Sort.YEAR):
            raise _fault(self._row, f"found the time {text!r}")
        self._seen("second" if time_text else time.sort.value, (year, month_of, day_of))
        return self._pair(words, ("date", (year, month_of, day_of)), ("count", (second or 0,)))

    def _seen(self, grain: str, day: tuple[int, int, int]) -> None:
        """Moments of two granularities can be compared only if their years differ."""
        same_year = {seen for known, seen in self._days.items() if known[0] == day[0]}
        if not self._earliest and same_year - {grain}:
            raise _fault(self._row, "found times of two granularities in one year")
        self._days[day] = grain

    def _pair(self, name: str, *steps: tuple[str, tuple[int, ...]]) -> tuple[int, int]:
        self.steps += [
            Step(name=name if not n else "the time of day", op=op, arguments=arguments)
            for n, (op, arguments) in enumerate(steps)
        ]
        return len(self.steps) - 2, len(self.steps) - 1


def _is_clock(text: str) -> bool:
    form = r"\d{1,2}(?::\d\d){0,2} ?[AP]M|\d{1,2}(?::\d\d){1,2}(?: \(24hr\))?"
    return re.fullmatch(form, text, re.IGNORECASE) is not None


def _ordered(row: Row, found: Match, gold: str) -> Problem:
    """The question which of several moments come first, or the like."""
    slots = found.slots
    moments = _Moments(row, _EARLIEST in row.text("question"))
    if "names" in slots:
        names = [name.strip() for name in slots["names"].split(",")]
        times = [re.sub("^ *and ", "", time) for time in slots["times"].split(";")]
    else:
        numbers = [name[1:] for name in slots if re.fullmatch(r"a\d", name)]
        names = [slots[f"a{number}"] for number in numbers]
        times = [slots[f"m{number}"] for number in numbers]
    if len(names) != len(times) or len(set(names)) < len(names):
        raise _fault(row, f"found {len(names)} names and {len(times)} times")
    placed = [moments.add(time) for time in times]
    limit = moments.add(slots["limit"]) if "limit" in slots else None
    ops = {moments.steps[step].op for step, _ in placed}
    if len(ops) > 1:
        raise _fault(row, "found times with and without days")
    shown, label = _names(row, gold, names)
    question = Order(
        entrants=tuple(
            Entrant(name=name, step=step, finer=finer)
            for name, (step, finer) in zip(names, placed, strict=True)
        ),
        pick=found.phrase.tag.removeprefix("order "),
        limit=limit,
        label=label,
        written=shown,
        void=_void(row, gold),
    )
    return Problem(question=question, gold=gold, steps=tuple(moments.steps))


def _minute(row: Row, text: str) -> int:
    """A clock time of working hours, from 8 in the morning to 7 in the evening."""
    if text == "noon":
        return _NOON
    hour, _, minute = text.partition(":")
    if not 1 <= int(hour) <= 12 or int(minute or 0) > 59:
        raise _fault(row, f"found the time {text}")
    return 60 * (int(hour) + (12 if int(hour) < 8 else 0)) + int(minute or 0)


def _meeting(row: Row, found: Match, gold: str) -> Problem:
    """The question how many starts a meeting can have."""
    slots, entries, (opens, closes) = found.slots, list[Entry](), _WINDOW
    people = [name for name in slots if re.fullmatch(r"p\d", name)]
    names = [slots[name] for name in people]
    free = slots.get("free")
    present = re.split(r", and |, | and ", slots["all"].strip()) if "all" in slots else names
    if (
        sorted(present) != sorted(names)
        or len(set(names)) < len(names)
        or (free is not None and free not in names)
    ):
        raise _fault(row, f"found the people {present} and {names}")
    for name, person in zip(people, names, strict=True):
        text = slots[f"s{name[1:]}"]
        pairs = re.findall(r"(noon|\d[\d:]*) to ?(noon|\d[\d:]*)", text)
        spans = sorted((_minute(row, start), _minute(row, end)) for start, end in pairs)
        ends = [end for _, end in spans]
        if any(not opens <= start < end <= closes for start, end in spans) or any(
            end > start for end, (start, _) in zip(ends, spans[1:], strict=False)
        ):
            raise _fault(row, f"found the times {text!r}")
        if found.phrase.tag == "free":
            bounds = [opens, *(minute for span in spans for minute in span), closes]
            spans = [(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True) if a < b]
        if person != free:
            entries += [
                Entry(person=person, start=start, end=end, text=f"{found.phrase.tag}: {text}")
                for start, end in spans
            ]
    shown, number = _label(gold, "number", None)
    length = int(slots["count"]) if "count" in slots else read_length(slots["length"]) // 60
    question = Starts(
        window=_WINDOW,
        entries=tuple(entries),
        length=length,
        grid=30,
        label=-1 if number is None else number[1][0],
        written=shown,
    )
    return Problem(question=question, gold=gold)


def _problem(row: Row, zero: bool) -> tuple[Problem, str]:
    question, gold = row.text("question"), row.text("label")
    text = _plain(row, question, zero)
    problems: dict[str, tuple[Problem, str]] = {}
    fault = _fault(row, f"found {' '.join(text.split())!r}, which no phrase of the table reads")
    for found in matches(phrase_table(_TABLE), "premise", text):
        tag = found.phrase.tag
        try:
            if tag.startswith("order "):
                problem = _ordered(row, found, gold)
            elif tag in ("free", "busy"):
                problem = _meeting(row, found, gold)
            else:
                problem = _chained(row, found, gold, zero)
        except UnreadError as error:
            fault = error
        except PhraseError as error:
            fault = _fault(row, error.message)
        else:
            problems.setdefault(repr(problem), (problem, found.phrase.text))
    if len(problems) > 1:
        raise _fault(row, f"found a question with {len(problems)} meanings")
    if not problems:
        raise fault
    return next(iter(problems.values()))


def _read(row: Row) -> ItemRead:
    read = {name: _problem(row, name == "counted") for name in _YEAR_ZERO.values}
    (_, template) = read["none"]
    problems = {name: problem for name, (problem, _) in read.items()}
    return ItemRead(problem=problems, gold=row.text("label"), templates=(template,))


def _decide(items: Sequence[ItemRead], reading: Reading) -> Sequence[Outcome]:
    return decide([item.problem[reading["year-zero"]] for item in items])


def _correct(_: Row, outcome: Outcome) -> dict[str, object]:
    return {"label": outcome.decided}


def _recognises(rows: Sequence[Row]) -> bool:
    return all({"question", "label", "question_type"} <= row.fields.keys() for row in rows)


_YEAR_ZERO = Convention(
    name="year-zero",
    values={
        "none": "1 BC is followed by 1 AD",
        "counted": "there is a year 0 between 1 BC and 1 AD",
    },
    source="eras are counted without a year zero (ISO 8601 numbers 1 BC as 0)",
)

ARITHMETIC = AuditTask(
    name="arithmetic",
    kind="calendar",
    title="dates, durations, eras, time zones, orders and meetings",
    recognises=_recognises,
    read=_read,
    decide=_decide,
    correct=_correct,
    conventions=(_YEAR_ZERO,),
    versions={
        "0e6619532ae647d274aebb69eee4bc26fed0ba3c361ea6b56c532e07149f4542": (
            "Test of Time, arithmetic, test, 2024"
        ),
    },
)
