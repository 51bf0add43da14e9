"""What is told of a text that cannot be read: where, what was found, what was expected."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import pytest

from grammar.errors import ParseError
from grammar.reader import Reader, reader
from solver.errors import ExitStatus
from solver.model import Domain

CLAIMS = {
    Domain.TEMPORAL: "Mill Quarrel happens before Tide",
    Domain.SPATIAL: "Mill Wood is completely west of Low Fen",
    Domain.LOGICAL: "mill < tide",
}
PREMISES = {
    Domain.TEMPORAL: "The start of Mill Quarrel happened before the end of Tide",
    Domain.SPATIAL: "western edge of Mill Wood is westwards of eastern edge of Low Fen",
    Domain.LOGICAL: "mill1 < tide2",
}
POINT = 'a point such as "start of X" or "end of X"'
EDGE = 'a point such as "western edge of X" or "eastern edge of X"'
SYMBOL = 'a point such as "mill1" or "mill2"'
NAME = "a name of at most 200 characters on one line"
RELATION = 'a name and a relation such as "happened before the"'
SENTENCE_END = "the end of the sentence"
TEXT_END = "the end of the text"
ABBREVIATION = "within a name, a full stop may follow an abbreviation, as in St. Mary's Fair"

POINT_CLAIM = 'a claim about points has a phrase of a premise, such as "happened before the"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    column: int
    found: str
    expected: str
    hint: str = ""
    line: int = 1


def meant(phrase: str, *, column: int, found: str) -> Told:
    return Told(
        column=column,
        found=found,
        expected=f'a relation such as "{phrase}"',
        hint=f'did you mean "{phrase}"?',
    )


PREMISE_ERRORS = [
    ("Hello", Told(column=1, found='"Hello"', expected=POINT)),
    (".", Told(column=1, found='"."', expected=POINT)),
    (
        "The start of Tide hapened before the end of Snow",
        meant("happened before the", column=19, found='"hapened before"'),
    ),
    (
        "The start of Tide Happened Before the end of Snow",
        meant("happened before the", column=19, found='"Happened Before"'),
    ),
    (
        "The start of Tide took place at the same time the end of Snow",
        meant(
            "took place at the same time as the",
            column=19,
            found='"took place at the same time"',
        ),
    ),
    (
        "The start of Tide ensued onse the end of Snow had happened",
        meant("ensued once the … had happened", column=19, found='"ensued onse"'),
    ),
    (
        "The start of Tide hugged the end of Snow",
        Told(column=14, found='"Tide hugged the end of Snow"', expected=RELATION),
    ),
    (
        "The start of Tide",
        Told(column=14, found='"Tide"', expected=RELATION),
    ),
    (
        "The start of Tide happened before Snow",
        Told(column=35, found='"Snow"', expected=POINT),
    ),
    (
        "The start of Tide happened before the",
        Told(column=38, found=TEXT_END, expected=POINT),
    ),
    (
        "The start of Tide happened before the strat of Snow",
        Told(column=39, found='"strat of Snow"', expected=POINT),
    ),
    (
        "The start of Tide happened before the end of",
        Told(column=45, found=TEXT_END, expected=NAME),
    ),
    (
        "The start of happened before the end of Snow",
        Told(column=14, found='"happened before the end of Snow"', expected=NAME),
    ),
    (
        "The start of  Tide happened before the end of Snow",
        Told(column=14, found='"Tide happened before the end of Snow"', expected=NAME),
    ),
    (
        "The start of the the Tide happened before the end of Snow",
        Told(column=14, found='"the the Tide happened before the end of…"', expected=NAME),
    ),
    (
        f"The start of {'x' * 201} happened before the end of Snow",
        Told(column=14, found=f'"{"x" * 40}…"', expected=NAME),
    ),
    (
        f"The start of Tide happened before the end of {'x' * 201}",
        Told(column=46, found=f'"{"x" * 40}…"', expected=NAME),
    ),
    (
        "The start of Tide\nWalk happened before the end of Snow",
        Told(column=18, found='"Walk happened before the end of Snow"', expected=NAME),
    ),
    (
        "The start of Tide happened before the end of Snow happened after the end of Hail",
        Told(column=51, found='"happened after the end of Hail"', expected=SENTENCE_END),
    ),
    (
        "The start of Tide ensued once the end of Snow",
        Told(column=46, found=TEXT_END, expected='"had happened"'),
    ),
    (
        "The end of Tide came before the end of Snow. The end of Snow hugs the end of Hail. "
        "The end of Hail came before the end of Tide",
        Told(column=57, found='"Snow hugs the end of Hail"', expected=RELATION),
    ),
    (
        "The end of Tide came before the end of Snow.\nThe end of Snow came befor the end of Hail.",
        Told(
            line=2,
            column=17,
            found='"came befor"',
            expected='a relation such as "came before the"',
            hint='did you mean "came before the"?',
        ),
    ),
    (
        "\n\n  The end of Tide come before the end of Snow",
        Told(
            line=3,
            column=19,
            found='"come before"',
            expected='a relation such as "came before the"',
            hint='did you mean "came before the"?',
        ),
    ),
    (
        "The end of Tide came before the end of Snow. Something else came before the end of Hail",
        Told(
            column=46,
            found='"Something else came before the end of…"',
            expected="a point at the start of the sentence",
            hint=ABBREVIATION,
        ),
    ),
    (
        "The end of Tide came before the end of St. Orla came before the end of Hail",
        Told(column=49, found='"came before the end of Hail"', expected=SENTENCE_END),
    ),
    (
        "The end of Tide came before the end of Snow. Something else",
        Told(
            column=46,
            found='"Something else"',
            expected="a point at the start of the sentence",
            hint=ABBREVIATION,
        ),
    ),
    (
        "The end of Tide came before the end of Snow The end of Snow came before the end of Hail",
        Told(column=61, found='"came before the end of Hail"', expected=SENTENCE_END),
    ),
    (
        "The end of \x1b[31mTide\0 hugs it",
        Told(column=12, found='"\\x1b[31mTide\\x00 hugs it"', expected=RELATION),
    ),
]


def error(domain: Domain, premise: str, claim: str, read: Reader | None = None) -> ParseError:
    with pytest.raises(ParseError) as raised:
        (read or reader(domain)).read("1", premise, claim)
    return raised.value


def check(raised: ParseError, part: str, told: Told) -> None:
    assert (raised.line, raised.column) == (told.line, told.column)
    assert raised.found == told.found
    assert raised.expected == told.expected
    assert raised.hint == told.hint
    assert raised.part == part
    assert raised.where == f"{part}:{told.line}:{told.column}"
    assert raised.message == f"found {told.found}, expected {told.expected}"
    assert raised.exit_status is ExitStatus.UNREADABLE
    assert "\n" not in str(raised)


@pytest.mark.parametrize(("premise", "told"), PREMISE_ERRORS)
def test_what_is_wrong_with_a_premise(premise: str, told: Told) -> None:
    check(error(Domain.TEMPORAL, premise, CLAIMS[Domain.TEMPORAL]), "premise", told)


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        (
            "",
            Told(
                column=1, found=TEXT_END, expected='a name and a relation such as "happens before"'
            ),
        ),
        (
            "Tide Snow",
            Told(
                column=1,
                found='"Tide Snow"',
                expected='a name and a relation such as "happens before"',
            ),
        ),
        ("Tide hapens before Snow", meant("happens before", column=6, found='"hapens before"')),
        (
            "  Tide overlaps wiht Snow",
            meant("overlaps with", column=8, found='"overlaps wiht"'),
        ),
        (
            "Tide starts with but ends befor Snow",
            meant("starts with but ends before", column=6, found='"starts with but ends befor"'),
        ),
        (
            "happens before Snow",
            Told(column=1, found='"happens before Snow"', expected=NAME),
        ),
        ("Tide happens before", Told(column=20, found=TEXT_END, expected=NAME)),
        (
            "Tide happens before the the Snow",
            Told(column=21, found='"the the Snow"', expected=NAME),
        ),
        (
            f"{'x' * 201} happens before Snow",
            Told(column=1, found=f'"{"x" * 40}…"', expected=NAME),
        ),
        (
            f"Tide happens before {'x' * 201}",
            Told(column=21, found=f'"{"x" * 40}…"', expected=NAME),
        ),
        (
            "Tide happens before Snow overlaps with Hail",
            Told(column=26, found='"overlaps with Hail"', expected="the end of the claim"),
        ),
        (
            "Tide happens before Snow. Hail falls",
            Told(
                column=27,
                found='"Hail falls"',
                expected="a point at the start of the sentence",
                hint=ABBREVIATION,
            ),
        ),
        (
            "The start of Tide hapened before the end of Snow",
            meant("happened before the", column=19, found='"hapened before"'),
        ),
        (
            "The start of Mill Quarrel happens before the end of Tide",
            Told(
                column=1,
                found='"The start of Mill Quarrel"',
                expected="an event",
                hint=POINT_CLAIM,
            ),
        ),
        (
            "Snow happens before the end of the Tide",
            Told(
                column=21,
                found='"end of the Tide"',
                expected="an event",
                hint=POINT_CLAIM,
            ),
        ),
    ],
)
def test_what_is_wrong_with_a_claim(claim: str, told: Told) -> None:
    check(error(Domain.TEMPORAL, PREMISES[Domain.TEMPORAL], claim), "claim", told)


@pytest.mark.parametrize(
    ("premise", "told"),
    [
        (
            "The start of Mill Wood happened before the end of Low Fen",
            Told(column=1, found='"The start of Mill Wood happened before…"', expected=EDGE),
        ),
        (
            "western edge of Mill Wood is westward of eastern edge of Low Fen",
            meant("is westwards of", column=27, found='"is westward of"'),
        ),
        (
            "western edge of Mill Wood is westwards of Low Fen",
            Told(column=43, found='"Low Fen"', expected=EDGE),
        ),
    ],
)
def test_what_is_wrong_with_a_spatial_premise(premise: str, told: Told) -> None:
    check(error(Domain.SPATIAL, premise, CLAIMS[Domain.SPATIAL]), "premise", told)


@pytest.mark.parametrize(
    ("premise", "told"),
    [
        ("mill1 ! tide2", Told(column=7, found='"! tide2"', expected='"<", ">" or "="')),
        ("mill1 << tide2", Told(column=8, found='"< tide2"', expected=SYMBOL)),
        ("mill < tide2", Told(column=1, found='"mill < tide2"', expected=SYMBOL)),
        ("mill3 < tide2", Told(column=1, found='"mill3 < tide2"', expected=SYMBOL)),
        ("mill1 < tide2. tide1 <", Told(column=23, found=TEXT_END, expected=SYMBOL)),
        ("mill1 < tide2 < snow1", Told(column=15, found='"< snow1"', expected=SENTENCE_END)),
        (
            "mill1 < tide2 tide1 < snow1",
            Told(column=15, found='"tide1 < snow1"', expected=SENTENCE_END),
        ),
        (
            "mill1 < tide2.\ntide1 & snow1",
            Told(line=2, column=7, found='"& snow1"', expected='"<", ">" or "="'),
        ),
        (
            f"{'x' * 201}1 < tide2",
            Told(
                column=1,
                found=f'"{"x" * 40}…"',
                expected=SYMBOL,
                hint="a name has at most 200 characters",
            ),
        ),
    ],
)
def test_what_is_wrong_with_a_logical_premise(premise: str, told: Told) -> None:
    check(error(Domain.LOGICAL, premise, CLAIMS[Domain.LOGICAL]), "premise", told)


RELATIONS = '"<", ">", "=" or a word such as "meets"'
BOTH = "two events or two points, as the premise knows them"
BOTH_HINT = "events: mill < tide, mill meets tide; points: mill1 < tide2"


@pytest.mark.parametrize(
    ("premise", "claim", "told"),
    [
        ("", "", Told(column=1, found=TEXT_END, expected='an event such as "mill"')),
        ("", "< tide", Told(column=1, found='"< tide"', expected='an event such as "mill"')),
        ("", "mill tide", Told(column=6, found='"tide"', expected=RELATIONS)),
        ("", "mill < ", Told(column=7, found=TEXT_END, expected='an event such as "mill"')),
        (
            "",
            "mill < tide < sun",
            Told(column=13, found='"< sun"', expected="the end of the claim"),
        ),
        (
            "mill1 < tide2",
            "mill1 < tide",
            Told(column=1, found='"mill1" and "tide"', expected=BOTH, hint=BOTH_HINT),
        ),
        (
            "mill1 < tide2",
            "mill1 meets tide2",
            Told(column=1, found='"mill1" and "tide2"', expected=BOTH, hint=BOTH_HINT),
        ),
        (
            "mill11 < tide12. mill1 < tide1",
            "mill1 < tide1",
            Told(column=1, found='"mill1" and "tide1"', expected=BOTH, hint=BOTH_HINT),
        ),
    ],
)
def test_what_is_wrong_with_a_logical_claim(premise: str, claim: str, told: Told) -> None:
    check(error(Domain.LOGICAL, premise, claim), "claim", told)


@pytest.mark.parametrize(
    ("domain", "claim", "told"),
    [
        (Domain.TEMPORAL, "Tide happens after the Tide", (20, '"Tide"')),
        (Domain.TEMPORAL, "The Tide happens after Tide", (24, '"Tide"')),
        (Domain.SPATIAL, "Fen is completely west of Fen.", (27, '"Fen"')),
        (Domain.LOGICAL, "tide = tide", (8, '"tide"')),
    ],
)
def test_a_claim_of_an_event_about_itself_is_wrong_where_it_is_not_allowed(
    domain: Domain, claim: str, told: tuple[int, str]
) -> None:
    column, name = told
    expected = Told(
        column=column,
        found=f"the event {name} again",
        expected="a claim about two different events",
    )
    strict = reader(domain, self_claims=False)
    check(error(domain, PREMISES[domain], claim, strict), "claim", expected)
    assert reader(domain).read("1", PREMISES[domain], claim).claim is not None


def test_an_error_survives_the_way_between_processes() -> None:
    raised = error(Domain.TEMPORAL, "Hello", "")
    again = pickle.loads(pickle.dumps(raised))
    assert isinstance(again, ParseError)
    assert str(again) == str(raised)
    assert (again.part, again.line, again.column) == (raised.part, raised.line, raised.column)
