"""Writes texts of groups of facts, each verified by parsing it, and moves texts to another year."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from generators.dataset import DatasetFolder
from generators.levels import Levels
from generators.texts.story import Story, date_in_style
from grammar.dates import (
    WEEKDAYS,
    DateStyle,
    FoundDate,
    WrittenDate,
    find_dates,
    write_relative,
)
from grammar.errors import ParseError, UnwritableError
from grammar.texts.model import (
    Clause,
    FactText,
    Headline,
    Link,
    Naming,
    Sentence,
    TextFact,
    TextStyle,
    clashes,
)
from grammar.texts.phrases import COLUMNS, Phrase, PhraseRow, PhraseTable, phrase_table
from grammar.texts.reader import ABOUT, read_text
from grammar.texts.writer import write_text
from solver.dataset.copies import read
from solver.dataset.seal import Breach, DataSet
from solver.io.sources import MANIFEST
from solver.processes import parallel_map
from solver.seeding import seed_of
from solver.texts.compare import HEADLINE_DAYS, differences
from solver.texts.references import REFERENCES as ENCODING
from solver.texts.references import crosscheck
from solver.texts.settings import PHRASES, REFERENCES, ROWS, TEXTS

Choice = TypeVar("Choice")


HEADLINES = {TextStyle.PLAIN: 0.25, TextStyle.STORY: 0.75}
"""Share of texts with a headline, by style."""


LEVELS: Levels = {
    1: {"style": TextStyle.PLAIN, "indirect": 0.0},
    2: {"style": TextStyle.STORY, "indirect": 0.25},
    3: {"style": TextStyle.STORY, "indirect": 0.5},
    4: {"style": TextStyle.STORY, "indirect": 0.75},
    5: {"style": TextStyle.STORY, "indirect": 1.0},
}
"""By level: how facts are stated, and how much of it indirectly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSettings:
    """Settings of the planned texts.

    Attributes:
        style: how facts are stated.
        dates: date styles to choose from.
        headlines: share of texts with a headline, in [0, 1]; None for that of the style.
        indirect: of stories, factor of the shares of what is referred to, relative, joined or
            denied.
        seed: random seed.
        phrases: admitted phrases, besides those of the grammar.
    """

    style: TextStyle = TextStyle.PLAIN
    dates: tuple[DateStyle, ...] = tuple(DateStyle)
    headlines: float | None = None
    indirect: float = 1.0
    seed: int = 0
    phrases: tuple[PhraseRow, ...] = ()

    @property
    def table(self) -> PhraseTable:
        """All phrases."""
        return phrase_table(self.phrases)


def draft(
    facts: Sequence[TextFact],
    number: int,
    drafting: DraftSettings,
    others: Sequence[TextFact] = (),
) -> FactText:
    """Plan a text.

    Args:
        facts: at least one; ordered by date in a plain text.
        number: number of the text, part of its seed.
        drafting: settings.
        others: facts of another text, which a story may deny.

    Raises:
        UnwritableError: a relation has no phrases.
    """
    source = np.random.Generator(np.random.PCG64(seed_of(drafting.seed, "texts", number)))
    ordered = sorted(facts, key=lambda fact: fact.date)
    style, headline = _one(drafting.dates, source), None
    share = HEADLINES[drafting.style] if drafting.headlines is None else drafting.headlines
    if source.random() < share:
        headline = _headline(ordered, style, source)
    if drafting.style is TextStyle.STORY:
        story = Story(
            table=drafting.table,
            style=style,
            headline=headline,
            others=others,
            source=source,
            indirect=drafting.indirect,
        )
        return story.plan(ordered)
    sentences: list[Sentence] = []
    for fact in ordered:
        before = sentences[-1] if sentences else None
        today = None if headline is None else headline.written_date.date
        phrases = drafting.table.of(fact.relation, ahead=today is not None and fact.date > today)
        sentences.append(_sentence(fact, before, phrases, style, source))
    return FactText(sentences=tuple(sentences), headline=headline)


def _headline(facts: Sequence[TextFact], style: DateStyle, source: np.random.Generator) -> Headline:
    fact = _one(facts, source)
    near = fact.date.toordinal()
    # Stay within the range of the calendar.
    days = range(
        max(near - HEADLINE_DAYS, date.min.toordinal()),
        min(near + HEADLINE_DAYS, date.max.toordinal()) + 1,
    )
    day = date.min + timedelta(days=_one(days, source) - 1)
    return Headline(
        written_date=date_in_style(day, style),
        title=_one(ABOUT, source),
        name=_one((fact.subject, fact.object), source),
    )


def _sentence(
    fact: TextFact,
    before: Sentence | None,
    phrases: Sequence[Phrase],
    style: DateStyle,
    source: np.random.Generator,
) -> Sentence:
    front = bool(source.integers(2))
    links = [Link.NONE]
    if before is not None and not front:
        days = (fact.date - before.written_date.date).days
        links += [Link.MEANWHILE] if days <= 1 else []
        links.append(Link.LATER if days else Link.SAME_DAY)
    return Sentence(
        subject=fact.subject,
        subject_by=_naming(fact.subject, before),
        phrase=_one(phrases, source),
        object=fact.object,
        object_by=_naming(fact.object, before),
        written_date=date_in_style(fact.date, style),
        front=front,
        link=_one(links, source),
    )


def _naming(entity: str, before: Sentence | None) -> Naming:
    """An entity of the sentence before is not named again."""
    if before is not None and entity == before.subject:
        return Naming.FORMER
    return Naming.LATTER if before is not None and entity == before.object else Naming.NAME


def _one(choices: Sequence[Choice], source: np.random.Generator) -> Choice:
    return choices[int(source.integers(len(choices)))]


_PART = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The facts of one text.

    Attributes:
        where: ``file:line`` of the first.
    """

    where: str
    facts: tuple[TextFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedText:
    """A text and its facts, in text order.

    Attributes:
        group: the group it was written from.
        headline: ISO date of its headline, if any.
        writer: ``template``, or the name of a model.
    """

    group: Group
    text: str
    facts: tuple[TextFact, ...]
    headline: str | None = None
    writer: str = "template"

    def as_json(self) -> dict[str, Any]:
        """A line of ``texts.jsonl``."""
        return {
            "where": self.group.where,
            "text": self.text,
            "facts": rows(self.facts),
            "headline": self.headline,
            "writer": self.writer,
        }


def rows(facts: Sequence[TextFact]) -> list[list[str]]:
    """Facts as lists of four strings."""
    return [[fact.subject, fact.relation, fact.object, fact.date.isoformat()] for fact in facts]


_Numbered = tuple[int, Group, Sequence[TextFact]]
"""The number of a text, its facts, and those of the next text."""


def write(
    groups: Sequence[Group],
    drafting: DraftSettings,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Iterator[GeneratedText]:
    """Write the texts of groups, in order; the result does not depend on the number of processes.

    Raises:
        UnwritableError: a name is empty, or a relation has no phrases.
    """
    numbered = [
        (number, group, groups[(number + 1) % len(groups)].facts)
        for number, group in enumerate(groups)
    ]
    parts = [numbered[first : first + _PART] for first in range(0, len(numbered), _PART)]
    for part in parallel_map(partial(_part, drafting), parts, jobs):
        yield from part
        if progress is not None:
            progress(len(part))


def _part(drafting: DraftSettings, part: Sequence[_Numbered]) -> list[GeneratedText]:
    found = [_written(group, number, drafting, others) for number, group, others in part]
    crosscheck([read for _, read in found])
    return [text for text, _ in found]


def _written(
    group: Group, number: int, drafting: DraftSettings, others: Sequence[TextFact]
) -> tuple[GeneratedText, FactText]:
    """A text, and as it is read."""
    planned = draft(group.facts, number, drafting, others)
    text = write_text(planned, drafting.table)
    read = read_text(text, drafting.table)
    if any(differences(planned.facts, read.facts)) or any(clashes(read)):
        raise UnwritableError(f"{text!r} parses as other facts", where=group.where)
    headline = planned.headline
    generated = GeneratedText(
        group=group,
        text=text,
        facts=planned.facts,
        headline=None if headline is None else headline.written_date.date.isoformat(),
    )
    return generated, read


def write_texts(
    folder: Path,
    texts: Sequence[GeneratedText],
    *,
    config: Mapping[str, object],
    sources: Sequence[str],
    seed: int,
    left_out: Sequence[str],
    phrases: Sequence[PhraseRow] = (),
    more: Mapping[str, object] | None = None,
) -> dict[str, int]:
    """Write all files and return their counts.

    Line i of the references has the facts of line i of the texts, in text order.

    Args:
        folder: created if missing.
        texts: the texts.
        config: options, for the manifest.
        sources: files of the facts and of additional phrases.
        seed: random seed.
        left_out: one message for each fact without a text.
        phrases: additional phrases of the texts; a file of them if there are any.
        more: further entries of the manifest.

    Raises:
        OutputError: a file cannot be written.
    """
    home = DatasetFolder(folder)
    write_pairs(home, [(generated_text.text, generated_text.facts) for generated_text in texts])
    home.add_lines(ROWS, (text.as_json() for text in texts))
    if phrases:
        rows_of_phrases = [
            COLUMNS,
            *((phrase.relation, phrase.past, phrase.ahead) for phrase in phrases),
        ]
        home.add_text(PHRASES, "".join("\t".join(row) + "\n" for row in rows_of_phrases))
    else:
        home.remove(PHRASES)
    counts = {
        "texts": len(texts),
        "facts": sum(len(text.facts) for text in texts),
        "headlines": sum(text.headline is not None for text in texts),
        "left_out": len(left_out),
    }
    home.finish(
        config=config,
        seed=seed,
        encodings=(ENCODING,) if config.get("style") == TextStyle.STORY else (),
        inputs=sources,
        more={"counts": counts, "left_out": list(left_out)} | dict(more or {}),
    )
    return counts


def write_pairs(folder: DatasetFolder, pairs: Sequence[tuple[str, Sequence[TextFact]]]) -> None:
    """Write texts and, aligned by line, their facts as Python literals.

    Raises:
        OutputError: a file cannot be written.
    """
    folder.add_text(TEXTS, "".join(f"{text}\n" for text, _ in pairs))
    folder.add_text(REFERENCES, "".join(f"{rows(facts)}\n" for _, facts in pairs))


_WEEKDAY = re.compile(r"[A-Za-z]+")
_YEAR = re.compile(r"[0-9]{4}")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAY = re.compile(r"(?<![0-9])29(?![0-9])")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftedText:
    """A text in another year.

    Attributes:
        ours: whether the whole text was parsed; else only its dates were replaced.
    """

    text: str
    facts: tuple[TextFact, ...]
    ours: bool


def shift_text(text: str, facts: tuple[TextFact, ...], years: int) -> ShiftedText:
    """Move a text and its facts by a number of years.

    29 February becomes 28 February in common years.

    Raises:
        UnwritableError: a date would be outside the calendar.
    """
    later = tuple(replace(fact, date=shift_date(fact.date, years)) for fact in facts)
    try:
        read = read_text(text)
    except ParseError:
        return ShiftedText(text=_shift_dates(text, facts, years), facts=later, ours=False)
    return ShiftedText(text=write_text(_shift_sentences(read, years)), facts=later, ours=True)


def shift_date(day: date, years: int) -> date:
    """The same day of another year.

    Raises:
        UnwritableError: the year is outside the calendar.
    """
    year = day.year + years
    if not MINYEAR <= year <= MAXYEAR:
        raise UnwritableError(f"found the year {year}, expected {MINYEAR} to {MAXYEAR}")
    leap_day = (day.month, day.day) == (2, 29) and not isleap(year)
    return day.replace(year=year, day=28 if leap_day else day.day)


def _shift_sentences(read: FactText, years: int) -> FactText:
    headline, last, report = read.headline, None, None
    if headline is not None:
        day = _shifted(headline.written_date, years, None, None)
        headline, last, report = replace(headline, written_date=day), day.date, day.date
    sentences: list[Sentence] = []
    for clauses in read.by_sentence():
        main = next(clause for clause in clauses if clause.clause in (Clause.MAIN, Clause.DENIED))
        main_day = shift_date(main.written_date.date, years)
        for clause in clauses:
            written = _shifted(
                clause.written_date, years, last if clause is main else main_day, report
            )
            sentences.append(replace(clause, written_date=written))
        last = None if main.denial is not None else sentences[-1].written_date.date
    return replace(read, sentences=tuple(sentences), headline=headline)


def _shifted(
    written: WrittenDate, years: int, last: date | None, report: date | None
) -> WrittenDate:
    """A date in another year; a relative one in the same words, where they still mean it."""
    day = shift_date(written.date, years)
    if not written.relative:
        return date_in_style(day, written.style)
    words = write_relative(day, last, report)
    return replace(
        written, date=day, relative=written.relative if written.relative in words else words[0]
    )


def _shift_dates(text: str, facts: tuple[TextFact, ...], years: int) -> str:
    """Replace each full date that is not part of a name."""
    names = {name for fact in facts for name in (fact.subject, fact.object) if name}
    kept = [span.span() for name in names for span in re.finditer(re.escape(name), text)]
    parts, end = [], 0
    for find_date in find_dates(text):
        within = any(first <= find_date.start and find_date.end <= last for first, last in kept)
        if find_date.date is not None and not within:
            parts += [text[end : find_date.start], _rewritten(find_date, find_date.date, years)]
            end = find_date.end
    return "".join((*parts, text[end:]))


def _rewritten(found_date: FoundDate, day: date, years: int) -> str:
    later = shift_date(day, years)
    if _ISO.search(found_date.text):
        written = _ISO.sub(later.isoformat(), found_date.text)
    else:
        written = _YEAR.sub(f"{later.year:04}", found_date.text)
        if later.day != day.day:
            written = _DAY.sub(str(later.day), written)
    if found_date.weekday is None:
        return written
    weekday = _WEEKDAY.match(written)
    if weekday is None:
        return written
    name = WEEKDAYS[later.weekday()]
    name = name if len(weekday[0]) > len("Thurs") else name[: len("Mon")]
    if weekday[0].isupper():
        name = name.upper()
    return name + written[weekday.end() :]


def disagreements(dataset: DataSet) -> Iterator[Breach]:
    """Counts of the manifest that differ from the texts and their facts.

    Raises:
        HopcheckError: a file cannot be read.
        KeyError, TypeError: an entry is missing or malformed.
    """
    manifest, where = dataset.manifest, dataset.folder.path(MANIFEST)
    if ROWS not in dataset.outputs and "counts" not in manifest:
        return
    rows = [row.values for row in read(dataset.folder.path(ROWS))]
    counts = {
        "texts": len(rows),
        "facts": sum(len(row["facts"]) for row in rows),
        "headlines": sum(row["headline"] is not None for row in rows),
        "left_out": len(manifest["left_out"]),
    }
    for name in sorted(counts.keys() | manifest["counts"].keys()):
        found, expected = manifest["counts"].get(name), counts.get(name)
        if found != expected:
            yield Breach(where=where, message=f"found {found} {name}, expected {expected}")
    writers = {row["writer"] for row in rows}
    if manifest["config"]["writer"] == "template" and writers != {"template"}:
        message = f"found the writers {', '.join(sorted(writers))}, expected template"
        yield Breach(where=dataset.folder.path(ROWS), message=message)
