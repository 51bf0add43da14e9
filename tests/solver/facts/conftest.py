"""A short notation for dated facts and intervals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from solver.facts.model import Bound, DatedFact, IntervalFact

Dated = Callable[..., list[DatedFact]]
Spans = Callable[..., list[IntervalFact]]


@pytest.fixture(scope="session")
def dated() -> Dated:
    """Facts from ``"a start r b 5"``."""

    def make(*texts: str) -> list[DatedFact]:
        facts = []
        for number, text in enumerate(texts):
            subject, bound, relation, object_, day = text.split()
            facts.append(
                DatedFact(
                    subject=subject.replace("~", ""),
                    relation=relation,
                    object=object_.replace("~", ""),
                    bound=Bound(bound),
                    day=int(day),
                    written=relation if bound == "point" else f"{bound}{relation.title()}",
                    where=f"facts.tsv:{number + 1}",
                )
            )
        return facts

    return make


@pytest.fixture(scope="session")
def spans() -> Spans:
    """Intervals from ``"a r b 5 9"``; a dash is an unknown day."""

    def make(*texts: str) -> list[IntervalFact]:
        made = []
        for text in texts:
            subject, relation, object_, *days = text.split()
            start, end = (None if day == "-" else int(day) for day in days)
            made.append(
                IntervalFact(
                    subject=subject, relation=relation, object=object_, start=start, end=end
                )
            )
        return made

    return make
