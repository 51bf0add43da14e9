"""Plans the text of a group of facts: phrases, date styles, connectives and headline, by a seed.

Source: future facts, section 4; the paper's sections 3.3.1 and 3.3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

import numpy as np

from grammar.dates import DateStyle, WrittenDate
from grammar.fact_parser import TITLES
from grammar.fact_phrases import phrase_table
from grammar.fact_text import FactText, Headline, Link, Sentence, TextFact
from solver.fact_texts.mentions import HEADLINE_DAYS
from solver.seeding import seed_of

Choice = TypeVar("Choice")
_PLAIN = (DateStyle.WORDS, DateStyle.ISO)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSettings:
    """Settings of the planned texts.

    Attributes:
        styles: date styles to choose from.
        headlines: share of texts with a headline, in [0, 1].
        seed: random seed.
    """

    styles: tuple[DateStyle, ...] = tuple(DateStyle)
    headlines: float = 0.25
    seed: int = 0


def draft(facts: Sequence[TextFact], number: int, drafting: DraftSettings) -> FactText:
    """Plan a text.

    Args:
        facts: at least one; ordered by date in the text.
        number: number of the text, part of its seed.
        drafting: settings.

    Raises:
        UnwritableError: a relation has no phrases.
    """
    source = np.random.Generator(np.random.PCG64(seed_of(drafting.seed, "texts", number)))
    ordered = sorted(facts, key=lambda one: one.date)
    headline = None
    if source.random() < drafting.headlines:
        headline = _headline(ordered, drafting, source)
    sentences: list[Sentence] = []
    for fact in ordered:
        before = sentences[-1].written_date.date if sentences else None
        today = None if headline is None else headline.written_date.date
        sentences.append(_sentence(fact, before, today, drafting, source))
    return FactText(sentences=tuple(sentences), headline=headline)


def date_in_style(day: date, style: DateStyle) -> WrittenDate:
    """A date with its true weekday, if the style includes one."""
    return WrittenDate(date=day, style=style, weekday=None if style in _PLAIN else day.weekday())


def _headline(
    facts: Sequence[TextFact], drafting: DraftSettings, source: np.random.Generator
) -> Headline | None:
    near = _one(facts, source).date.toordinal()
    # Stay within the range of the calendar.
    days = range(
        max(near - HEADLINE_DAYS, date.min.toordinal()),
        min(near + HEADLINE_DAYS, date.max.toordinal()) + 1,
    )
    day = date.min + timedelta(days=_one(days, source) - 1)
    return Headline(
        written_date=date_in_style(day, _one(drafting.styles, source)), title=_one(TITLES, source)
    )


def _sentence(
    fact: TextFact,
    before: date | None,
    today: date | None,
    drafting: DraftSettings,
    source: np.random.Generator,
) -> Sentence:
    ahead = today is not None and fact.date > today
    front = bool(source.integers(2))
    links = [Link.NONE]
    if before is not None and not front:
        links += [Link.MEANWHILE, Link.SAME_DAY if fact.date == before else Link.LATER]
    return Sentence(
        subject=fact.subject,
        phrase=_one(phrase_table().of(fact.relation, ahead=ahead), source),
        object=fact.object,
        written_date=date_in_style(fact.date, _one(drafting.styles, source)),
        front=front,
        link=_one(links, source),
    )


def _one(choices: Sequence[Choice], source: np.random.Generator) -> Choice:
    return choices[int(source.integers(len(choices)))]
