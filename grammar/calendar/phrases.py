"""Phrase tables: sentences about the calendar with slots, and what they mean as steps of a chain.

A table is a TOML file. Each phrase has a text, in which ``{date}`` is a slot of that sort and
``{date:a}`` one with a name, ``<a|an>`` is a choice and ``[the ]`` what may be missing, and its
meaning in the notation of ``means.lark``. A text is read if it is a sequence of phrases, without a
word left over, in one way or in several with the same meaning.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from grammar.calendar.slots import (
    SLOTS,
    Duration,
    clock,
    date_parts,
    month_number,
    number,
    read_duration,
    read_length,
    read_offset,
    second_of_day,
    weekday_number,
)
from grammar.calendar.steps import Stated, Step
from grammar.calendar.zones import zones
from grammar.errors import HopcheckError

_HERE = Path(__file__).parent
_DAY_NAME = re.compile(rf"({SLOTS['weekday']}),? ", re.IGNORECASE)
_MOST_READINGS = 64


class PhraseError(HopcheckError):
    """A table that cannot be read, or a text that its phrases do not read."""

    code = "phrase"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A phrase of a table.

    Attributes:
        text: as in the table.
        pattern: matches its texts; the groups are numbered slots.
        slots: the sort and the name of each group.
        means: its statements.
        tag: what else the table says of it, such as a relation.
    """

    text: str
    pattern: re.Pattern[str]
    slots: tuple[tuple[str, str], ...]
    means: tuple[Tree[Token], ...]
    tag: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A text that is a phrase: the phrase, the text of each slot by its name, and the whole."""

    phrase: Phrase
    slots: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseTable:
    """The phrases of a set.

    Attributes:
        phrases: by their role, such as ``premise`` and ``question``.
        holidays: the meaning of each holiday of a ``year``, by its name in lower case.
        events: a name of each event, by each of its names in lower case.
    """

    phrases: Mapping[str, tuple[Phrase, ...]]
    holidays: Mapping[str, Tree[Token]]
    events: Mapping[str, str]


@dataclass(slots=True, kw_only=True)
class Chain:
    """The steps that phrases mean.

    Attributes:
        steps: in order.
        names: the steps that have a name.
        stated: what the text states about steps.
        same: pairs of steps that have one name.
        phrases: the phrases that were used.
    """

    steps: list[Step] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    stated: list[Stated] = field(default_factory=list)
    same: list[tuple[int, int]] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)

    def add(self, op: str, *arguments: int | str, name: str = "") -> int:
        """Add a step; returns its number."""
        self.steps.append(Step(name=name, op=op, arguments=arguments))
        return len(self.steps) - 1


@cache
def _parser() -> Lark:
    return Lark((_HERE / "means.lark").read_text(encoding="utf-8"), parser="lalr")


def _meaning(text: str, where: str) -> Tree[Token]:
    try:
        return _parser().parse(text)
    except UnexpectedInput as error:
        message = f"found the meaning {text!r}, which is wrong at column {error.column}"
        raise PhraseError(message, where=where, hint="see means.lark") from None


@cache
def phrase_table(path: str | Path) -> PhraseTable:
    """Read a table; a name without a folder is that of a table of this package.

    Raises:
        PhraseError: it cannot be read.
    """
    file = Path(path) if Path(path).parent != Path() else _HERE / path
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PhraseError(f"cannot be read: {error}", where=str(path)) from None
    phrases: dict[str, list[Phrase]] = {}
    for row in content.get("phrase", ()):
        texts = row.get("text")
        for text in texts if isinstance(texts, list) else [texts]:
            phrase = _phrase({**row, "text": text}, str(path))
            phrases.setdefault(row.get("role", "premise"), []).append(phrase)
    return PhraseTable(
        phrases={role: tuple(found) for role, found in phrases.items()},
        holidays={
            name.lower(): _meaning(f"day = {text}", str(path))
            for name, text in content.get("holidays", {}).items()
        },
        events={
            name.lower(): event
            for event, names in content.get("events", {}).items()
            for name in names
        },
    )


def _phrase(row: Mapping[str, Any], where: str) -> Phrase:
    text = row.get("text")
    if not isinstance(text, str):
        raise PhraseError(f"found the phrase {row!r}, expected one with a text", where=where)
    pattern, slots = _compiled(text, where)
    means = tuple(_meaning(meaning, where) for meaning in row.get("means", ()))
    return Phrase(text=text, pattern=pattern, slots=slots, means=means, tag=str(row.get("is", "")))


_PARTS = re.compile(
    r"\{(?P<sort>\w+)(?::(?P<name>\w+))?\}|(?P<sign>[<>|\[\]])|(?P<words>[^{}<>|\[\]]+)"
)


def _compiled(text: str, where: str) -> tuple[re.Pattern[str], tuple[tuple[str, str], ...]]:
    """The regular expression of a phrase; letters of its words may be capital or not."""
    parts, slots = list[str](), list[tuple[str, str]]()
    for part in _PARTS.finditer(text):
        sort, name = part["sort"], part["name"] or part["sort"]
        if part["words"]:
            words = re.escape(part["words"]).replace(r"\ ", r"\s+").replace("'", "['’]")
            parts.append(f"(?i:{words})")
        elif part["sign"]:
            parts.append({"<": "(?:", ">": ")", "|": "|", "[": "(?:", "]": ")?"}[part["sign"]])
        elif sort not in SLOTS:
            raise PhraseError(f"found the slot {sort!r} in {text!r}", where=where,
                              hint=f"known: {', '.join(SLOTS)}")  # fmt: skip
        elif part["name"] and (sort, name) in slots:
            parts.append(f"(?P=s{slots.index((sort, name))})")
        else:
            case = "" if sort in ("name", "holiday") else "(?i:"
            parts.append(f"(?P<s{len(slots)}>{case}{SLOTS[sort]}{')' if case else ''})")
            slots.append((sort, name))
    return re.compile("".join(parts)), tuple(slots)


def matches(table: PhraseTable, role: str, text: str) -> Iterator[Match]:
    """The phrases of a role that a whole text is."""
    words = " ".join(text.split())
    for phrase in table.phrases.get(role, ()):
        found = phrase.pattern.fullmatch(words)
        if found is not None:
            slots = {name: text for name, (_, text) in _slots(phrase, found).items()}
            yield Match(phrase=phrase, slots=slots, text=words)


def _slots(phrase: Phrase, found: re.Match[str]) -> dict[str, tuple[str, str]]:
    """The sort and the text of each slot by its name, of the slots that a match uses."""
    return {
        name: (sort, found[f"s{number}"])
        for number, (sort, name) in enumerate(phrase.slots)
        if found[f"s{number}"] is not None
    }


def meaning(
    table: PhraseTable, match: Match, given: Mapping[str, tuple[str, str]] | None = None
) -> Chain:
    """The steps that one phrase means.

    Args:
        table: with the holidays.
        match: the phrase in its text.
        given: sort and text of slots that the phrase lacks.

    Raises:
        PhraseError: a slot has no value.
    """
    found = match.phrase.pattern.fullmatch(match.text)
    assert found is not None
    return _meant(table, [(match.phrase, found)], None, given)


def read(table: PhraseTable, role: str, text: str, chain: Chain | None = None) -> Chain:
    """Read a text as a sequence of phrases of a role.

    Args:
        table: the phrases.
        role: such as ``premise``.
        text: the text.
        chain: what was read before, which the result continues.

    Raises:
        PhraseError: no sequence of phrases is the text, or several are and mean different things.
    """
    words = " ".join(text.split())
    phrases = table.phrases.get(role, ())
    chains: list[Chain] = []
    fault = PhraseError(f"found {words!r}, which no phrase of the table reads")
    for found in _sequences(phrases, words, 0):
        try:
            chains.append(_meant(table, found, chain))
        except PhraseError as error:
            fault = error
        if len(chains) > _MOST_READINGS:
            break
    different = {repr((each.steps, each.names, each.stated, each.same)) for each in chains}
    if not chains:
        raise fault
    if len(different) > 1:
        raise PhraseError(f"found {words!r}, which has {len(different)} meanings")
    return chains[0]


Found = tuple[Phrase, re.Match[str]]


def _sequences(phrases: Sequence[Phrase], text: str, start: int) -> Iterator[list[Found]]:
    if start == len(text):
        yield []
        return
    for phrase in phrases:
        match = phrase.pattern.match(text, start)
        # A phrase ends at the end of a sentence, and the next one begins behind a blank.
        if match is None or match.end() == start:
            continue
        end = match.end()
        if end < len(text) and text[end] != " ":
            continue
        for rest in _sequences(phrases, text, min(end + 1, len(text))):
            yield [(phrase, match), *rest]


def _meant(
    table: PhraseTable,
    found: Sequence[Found],
    before: Chain | None,
    given: Mapping[str, tuple[str, str]] | None = None,
) -> Chain:
    chain = Chain() if before is None else Chain(
        steps=list(before.steps), names=dict(before.names), stated=list(before.stated),
        same=list(before.same), phrases=list(before.phrases),
    )  # fmt: skip
    for phrase, match in found:
        chain.phrases.append(phrase.text)
        meaning = _Meaning(table, chain, {**(given or {}), **_slots(phrase, match)})
        for statement in phrase.means:
            meaning.run(statement)
    return chain


class _Meaning:
    """Adds the steps of statements to a chain.

    Args:
        table: with the holidays.
        chain: the chain.
        slots: the sort and the text of each slot.
    """

    def __init__(
        self, table: PhraseTable, chain: Chain, slots: Mapping[str, tuple[str, str]]
    ) -> None:
        self._table, self._chain, self._slots = table, chain, slots
        self._calls: Mapping[str, Callable[..., int]] = {
            "later": self._moved,
            "earlier": self._moved,
            "holiday": self._holiday,
        }

    def run(self, statement: Tree[Token]) -> None:
        """Add what a statement says."""
        name, expression = str(statement.children[0]), statement.children[1]
        assert isinstance(expression, Tree)
        if statement.data == "stated":
            weekday = self._chain.add("weekday", self._chain.names[name], name=f"weekday of {name}")
            value, text = self._number(expression), self._text(expression)
            self._chain.stated.append(Stated(step=weekday, value=value, text=text))
            return
        if statement.data == "named":
            name = self._slots[name][1]
        step = self._step(expression, name)
        known = self._chain.names.get(name)
        if known is not None and known != step:
            self._chain.same.append((known, step))
        self._chain.names.setdefault(name, step)

    def _step(self, expression: Tree[Token], name: str = "") -> int:
        """The step of an expression; a new one is called ``name``."""
        shown = name.replace("_", " ")
        match expression.data:
            case "name":
                return self._chain.names[self._known(str(expression.children[0]))]
            case "slot":
                sort, text = self._slots[str(expression.children[0])]
                if sort == "name":
                    return self._chain.names[self._known(text)]
                return self._date(expression, shown)
            case "call":
                function, *arguments = expression.children
                return self._called(str(function), arguments, shown)
        return self._chain.add("count", self._number(expression), name=shown)

    def _known(self, name: str) -> str:
        if name not in self._chain.names:
            raise PhraseError(f"found no {name.replace('_', ' ')} in the text, expected one")
        return name

    def _date(self, slot: Tree[Token], shown: str) -> int:
        """The step of a date; its weekday is a stated fact."""
        parts = self._value(slot)
        if not isinstance(parts, tuple) or len(parts) != 3:
            raise PhraseError(f"found {self._text(slot)!r}, expected a date")
        step = self._chain.add("date", *parts, name=shown)
        named = _DAY_NAME.match(self._text(slot))
        if named is not None:
            weekday = self._chain.add("weekday", step, name=f"weekday of {shown}")
            self._chain.stated.append(
                Stated(step=weekday, value=weekday_number(named[1]), text=self._text(slot))
            )
        return step

    def _called(self, function: str, arguments: Sequence[Any], shown: str) -> int:
        if function in self._calls:
            return self._calls[function](function, arguments, shown)
        signature = _SIGNATURES[function]
        values = [
            self._step(argument) if kind == "step"
            else str(argument.children[0]) if kind == "word"
            else self._zone(argument) if kind == "zone"
            else self._number(argument)
            for kind, argument in zip(signature, arguments, strict=True)
        ]  # fmt: skip
        return self._chain.add(function, *values, name=shown)

    def _moved(self, function: str, arguments: Sequence[Any], shown: str) -> int:
        """A step that is a duration later or earlier than another one: months first, then days."""
        start, slot = self._step(arguments[0]), arguments[1]
        duration = self._value(slot)
        assert isinstance(duration, Duration)
        sign = 1 if function == "later" else -1
        amounts = dict(duration.amounts)
        months = 12 * amounts.pop("year", 0) + amounts.pop("month", 0)
        days, rest = divmod(amounts.pop("minute", 0) + 60 * amounts.pop("hour", 0), 24 * 60)
        days += amounts.pop("day", 0)
        if rest or amounts:
            raise PhraseError(f"found {duration.text!r}, expected whole days, months or years")
        if months:
            start = self._chain.add("shift", start, "month", sign * months, name=shown)
        if days or not months:
            start = self._chain.add("shift", start, "day", sign * days, name=shown)
        return start

    def _holiday(self, _: str, arguments: Sequence[Any], shown: str) -> int:
        """The day of a holiday in a year."""
        name, year = self._text(arguments[0]).lower(), self._number(arguments[1])
        words = re.sub("['’]", "'", name)
        if words not in self._table.holidays:
            raise PhraseError(f"found the holiday {name!r}, expected one of the table")
        inner = _Meaning(self._table, self._chain, {"year": ("year", str(year))})
        expression = self._table.holidays[words].children[1]
        assert isinstance(expression, Tree)
        return inner._step(expression, shown)

    def _zone(self, slot: Tree[Token]) -> str:
        """The name in the time-zone database of the place of a slot."""
        place = self._text(slot)
        if place not in zones():
            raise PhraseError(f"found {place!r}, expected a place of the time-zone database")
        return zones()[place]

    def _number(self, expression: Tree[Token]) -> int:
        children: list[Any] = expression.children
        match expression.data:
            case "integer":
                return int(children[0])
            case "negative":
                return -self._number(children[0])
            case "plus":
                return self._number(children[0]) + self._number(children[1])
            case "minus":
                return self._number(children[0]) - self._number(children[1])
            case "times":
                return self._number(children[0]) * self._number(children[1])
            case "quotient":
                return self._number(children[0]) // self._number(children[1])
            case "slot":
                value = self._value(expression)
                if isinstance(value, int):
                    return value
        raise PhraseError(f"found {expression.data} where a number is expected")

    def _text(self, slot: Tree[Token]) -> str:
        return self._slots[str(slot.children[0])][1]

    def _value(self, slot: Tree[Token]) -> int | tuple[int, ...] | Duration | str:
        sort, text = self._slots[str(slot.children[0])]
        value = slot_value(sort, text)
        if len(slot.children) == 1:
            return value
        part = str(slot.children[1])
        assert isinstance(value, tuple)
        return value[_SLOT_PARTS[sort].index(part)]


_SLOT_PARTS = {
    "date": ("year", "month", "day"),
    "day_first": ("year", "month", "day"),
    "month_day": ("month", "day"),
    "month_of_year": ("year", "month"),
}
_SIGNATURES = {
    "date": ("number", "number", "number"),
    "month": ("number", "number"),
    "count": ("number",),
    "shift": ("step", "word", "number"),
    "nth": ("step", "number", "number"),
    "bound": ("step", "word", "number"),
    "palindrome": ("number",),
    "weekday": ("step",),
    "elapsed": ("step", "step", "word"),
    "cycle": ("step", "number"),
    "either": ("step", "step"),
    "ratio": ("step", "number", "number"),
    "size": ("step",),
    "recur": ("step", "number", "step"),
    "within": ("step", "step", "number", "number"),
    "upto": ("step", "step", "number"),
    "utc": ("step", "zone"),
    "local": ("step", "zone"),
}


def slot_value(sort: str, text: str) -> int | tuple[int, ...] | Duration | str:
    """The value of a slot.

    Raises:
        PhraseError: the text has none, as 25:00 as a clock time.
    """
    value: int | tuple[int, ...] | Duration | str | None = text
    match sort:
        case "date":
            value = date_parts(_DAY_NAME.sub("", text, count=1))
        case "day_first":
            value = date_parts(text, day_first=True)
        case "month_day":
            value = _month_day(text)
        case "month_of_year":
            found = re.fullmatch(r"(\w+)\W+(?:of )?(\d{4})", text)
            value = None if found is None else (int(found[2]), month_number(found[1]))
        case "month":
            value = month_number(text)
        case "weekday":
            value = weekday_number(text)
        case "clock":
            value = clock(text)
        case "second":
            value = second_of_day(text)
        case "length":
            value = read_length(text)
        case "offset":
            value = read_offset(text)
        case "astronomical":
            value = int(text.removesuffix(" CE"))
        case "year" | "number" | "ordinal" | "count":
            value = number(text)
        case "duration":
            value = read_duration(text)
    if value is None:
        raise PhraseError(f"found {text!r}, expected a {sort}")
    return value


def _month_day(text: str) -> tuple[int, int] | None:
    """Month and day of ``9/7``, ``Mar 12`` or ``12th of March``."""
    digits = re.fullmatch(r"(\d+)/(\d+)", text)
    if digits is not None:
        return int(digits[1]), int(digits[2])
    words = re.findall(r"[A-Za-z]{3,}|\d+", re.sub(r"(?i)\bthe\b|\bof\b", "", text))
    named = next((word for word in words if word[0].isalpha()), None)
    day = next((word for word in words if word[0].isdigit()), None)
    return None if named is None or day is None else (month_number(named), int(day))
