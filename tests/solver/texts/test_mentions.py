"""Mentions of names and dates in texts of any origin."""

from __future__ import annotations

from datetime import date

import pytest

from grammar.dates import find_dates
from grammar.texts.model import TextFact
from solver.texts.compare import Fault, mention_faults, mentions, normalise

FACT = TextFact(
    subject="Ada Brook", relation="startMemberOf", object="Northmill F. C.", date=date(2026, 3, 1)
)
GOOD = "Ada Brook has signed for Northmill F. C., effective Sunday, March 1st, 2026."


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (GOOD, []),
        ("February 27th, 2026: Sports. " + GOOD, []),
        # A weak check by design: a longer name contains the shorter one.
        (GOOD.replace("Ada Brook", "Ada Brooke-Hill"), []),
        (GOOD.replace("Ada Brook", "Adah Brook"), [Fault.SUBJECT]),
        (GOOD.replace("F. C.", "FC"), [Fault.OBJECT]),
        (GOOD.replace(", 2026", ""), [Fault.DATE]),
        (GOOD.replace("1st", "2nd").replace("Sunday, ", ""), [Fault.DATE]),
        (
            GOOD.replace("March 1st", "April 1st").replace("Sunday, ", ""),
            [Fault.DATE, Fault.EXTRA_DATE],
        ),
        (GOOD.replace("Sunday", "Monday"), [Fault.WEEKDAY]),
        (GOOD + " Her contract ends on 30 June 2028.", [Fault.EXTRA_DATE]),
        (GOOD + " Until February 30, 2027.", [Fault.NO_DATE]),
        ("February 1st, 2026: Sports. " + GOOD, [Fault.EXTRA_DATE]),
    ],
)
def test_faults_of_texts(text: str, faults: list[Fault]) -> None:
    assert sorted(mention_fault.fault for mention_fault in mention_faults(text, (FACT,))) == sorted(
        faults
    )


@pytest.mark.parametrize(
    ("written", "meant", "weekday"),
    [
        ("March 1, 2026", date(2026, 3, 1), None),
        ("Sun, Mar. 1st, 2026", date(2026, 3, 1), 6),
        ("1 March 2026", date(2026, 3, 1), None),
        ("Sunday the 1st of March, 2026", date(2026, 3, 1), 6),
        ("SUNDAY, MARCH 1, 2026", date(2026, 3, 1), 6),
        ("Thurs, 2026-03-05", date(2026, 3, 5), 3),
        ("Sept 9, 2026", date(2026, 9, 9), None),
        ("2026-02-30", None, None),
    ],
)
def test_dates_are_found(written: str, meant: date | None, weekday: int | None) -> None:
    (found,) = find_dates(f"It began on {written}, they say.")
    assert (found.text, found.date, found.weekday) == (written, meant, weekday)


@pytest.mark.parametrize("text", ["March 1st", "May 2026", "12026-01-01", "2026-01-012", "in 2026"])
def test_incomplete_dates_are_ignored(text: str) -> None:
    assert not list(find_dates(text))


def test_names_may_contain_dates() -> None:
    fact = TextFact(
        subject="Treaty of May 5, 1990", relation="follows", object="Pact", date=date(2026, 3, 1)
    )
    text = "The Treaty of May 5, 1990 followed on the Pact on March 1, 2026."
    assert not list(mention_faults(text, (fact,)))


def test_names_are_normalised() -> None:
    assert normalise("Queen' s Park F U002E C") == normalise("Queen’s Park F.C.")
    plain = normalise("Tomas Reed rowed for the Ålesund national team (A).")
    assert mentions(plain, "Tomas Reed ( rower, born May 1990)")
    assert mentions(plain, "Alesund national team generic instance")
    assert not mentions(plain, "Ålesund U0028 Norway U0029")
    assert not mentions(plain, "( )")
