"""Sentences that people write: what they mean, what is refused, and that two readers agree."""

from __future__ import annotations

import itertools
import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ParseError
from grammar.eventhop.model import Domain, SpatialReading
from grammar.eventhop.reader import reader
from grammar.eventhop.words import UnlicensedError, table
from solver.eventhop import check
from solver.eventhop.certificates.lines import texts
from tests.campaigns.sentences import made

HERE = Path(__file__).parent
CLAIMS = {
    Domain.TEMPORAL: "Quorn happens before Rill",
    Domain.SPATIAL: "Quorn is completely west of Rill",
    Domain.LOGICAL: "quorn < rill",
}
SIGNS = {"before": "<", "after": ">", "simultaneous": "="}


def both(premise: str, domain: Domain = Domain.TEMPORAL, claim: str = "") -> check.Texts | None:
    """What both readers read, None if both refuse the text."""
    claim = claim or CLAIMS[domain]
    try:
        first = texts(reader(domain).read("1", premise, claim))
    except ParseError:
        first = None
    try:
        second = check.read_texts(premise, claim, domain.value, "geometric")
    except check.RejectedError:
        second = None
    weak = second is not None and any(row.sign in ("<=", ">=") for row in second.premise)
    assert first == second or (weak and first is None), (premise, claim)
    return first


def orders(premise: str, domain: Domain = Domain.TEMPORAL) -> list[str]:
    """The relations of a premise, as ``storm+ < parade-``."""
    read = both(premise, domain)
    assert read is not None, premise
    return [
        f"{row.left[0]}{'-+'[row.left[1]]} {row.sign} {row.right[0]}{'-+'[row.right[1]]}"
        for row in read.premise
    ]


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        ("A ended before B started.", ["A+ < B-"]),
        ("Lunch starts when Breakfast ends.", ["Lunch- = Breakfast+"]),
        ("The parade took place before the storm.", ["parade+ < storm-"]),
        ("By the time lunch ended, tea had begun", ["tea- <= lunch+"]),
        ("Lunch began once tea ended", ["Lunch- >= tea+"]),
        ("Lunch started no later than the end of tea", ["Lunch- <= tea+"]),
        ("Lunch lasted throughout tea", ["Lunch- <= tea-", "Lunch+ >= tea+"]),
        ("A.start <= B.end", ["A- <= B+"]),
        ("A ended no later than B did", ["A+ <= B+"]),
        ("A started no earlier than B", ["A- >= B-"]),
        ("A outlasted B did", ["A+ > B+"]),
        ("Throughout B, A was in force", ["A- <= B-", "A+ >= B+"]),
        ("Phase one ended before phase two began", ["Phase one+ < phase two-"]),
        ("A followed B", ["A- > B+"]),
        ("A was followed by B", ["A+ < B-"]),
        ("A was preceded by B", ["A- > B+"]),
        ("A came after B", ["A- > B+"]),
        ("After the storm, the parade happened", ["parade- > storm+"]),
        ("After the storm, the parade began", ["parade- > storm+"]),
        ("Before B started, A had ended", ["A+ < B-"]),
        ("Before B started, A happened", ["A+ < B-"]),
        ("When A ended, B began", ["B- = A+"]),
        ("A and B started at the same time", ["A- = B-"]),
        ("A, B and C ended together", ["A+ = B+", "B+ = C+"]),
        ("A ended as B began", ["A+ = B-"]),
        ("As soon as B had ended, A began", ["A- = B+"]),
        ("A occurred during B", ["A- > B-", "A+ < B+"]),
        ("A started during B", ["A- > B-", "A- < B+"]),
        ("During B, A ended", ["A+ > B-", "A+ < B+"]),
        ("A took place while B was under way", ["A- > B-", "A+ < B+"]),
        ("While B was going on, A began", ["A- > B-", "A- < B+"]),
        ("A was still going on when B began", ["A- < B-", "A+ > B-"]),
        ("A overlapped with B", ["A- < B+", "B- < A+"]),
        ("A and B overlapped", ["A- < B+", "B- < A+"]),
        ("A lasted until B began", ["A+ = B-"]),
        ("A lasted until after B began", ["A+ > B-"]),
        ("A lasted until after B", ["A+ > B+"]),
        ("A was in progress at the start of B", ["A- < B-", "A+ > B-"]),
        ("At the end of B, A was in progress", ["A- < B+", "A+ > B+"]),
        ("At the end of B, A had begun", ["A- <= B+"]),
        ("At the start of B, A was over", ["A+ <= B-"]),
        ("Until B began, A went on", ["A+ = B-"]),
        ("A was under way when B took place", ["A- < B-", "A+ > B+"]),
        ("When B took place, A was under way", ["A- < B-", "A+ > B+"]),
        ("A ended before B, and so did C", ["A+ < B-", "C+ < B-"]),
        ("A and B preceded C, as did D", ["A+ < C-", "B+ < C-", "D+ < C-"]),
        ("During the war, there was a famine", ["famine- > war-", "famine+ < war+"]),
        ("A began before, and ended after, B", ["A- < B-", "B+ < A+"]),
        ("A started later and ended earlier than B", ["B- < A-", "A+ < B+"]),
        ("A was in place for the whole of B", ["A- <= B-", "A+ >= B+"]),
        ("When the curfew started, the market had ended", ["market+ <= curfew-"]),
        ("The market began when the curfew had ended", ["market- >= curfew+"]),
        ("First came A, then B, and then C", ["A+ < B-", "B+ < C-"]),
        ("A was followed by B and then by C", ["A+ < B-", "B+ < C-"]),
        ("A, B and C took place in that order", ["A+ < B-", "B+ < C-"]),
        ("A ended, and then B began", ["A+ < B-"]),
        ("A took place between B and C", ["A- > B+", "A+ < C-"]),
        ("There was a raffle before lunch", ["raffle+ < lunch-"]),
        ("After the end of the match the party began", ["party- > match+"]),
        ("A began and ended before B began", ["A- < B-", "A+ < B-"]),
        ("A began before B but ended after it", ["A- < B-", "A+ > B+"]),
        ("After the soup came the salad", ["salad- > soup+"]),
        ("A took place before B, and B before C", ["A+ < B-", "B+ < C-"]),
        ("The whole race took place before lunch", ["race+ < lunch-"]),
        ("A ran from the start of B to the end of C", ["A- = B-", "A+ = C+"]),
        ("The ends of A and B coincided", ["A+ = B+"]),
        ("The end of A came before that of B", ["A+ < B+"]),
        ("After both the race and the picnic started, A began", ["A- > race-", "A- > picnic-"]),
        ("After the race and the picnic ended, A began", ["A- > race+", "A- > picnic+"]),
        ("A, which ended before B started, began after C ended", ["A- > C+", "A+ < B-"]),
        ("A preceded B, which ended when C began", ["A+ < B-", "B+ = C-"]),
        ("A and B both ended before C started", ["A+ < C-", "B+ < C-"]),
        ("A ended before B and C", ["A+ < B-", "A+ < C-"]),
        ("A started after B but before C", ["A- > B+", "A- < C-"]),
        ("A started after B but before C ended", ["A- > B+", "A- < C+"]),
        ("A came first, and B followed", ["A+ < B-"]),
        ("After B ended, but before C began, A took place", ["A- > B+", "A+ < C-"]),
        ("Between B and C, A took place", ["A- > B+", "A+ < C-"]),
        ("The order was: A, B, C", ["A+ < B-", "B+ < C-"]),
        ("A, B and C all ended before D", ["A+ < D-", "B+ < D-", "C+ < D-"]),
        ("A started before B started and ended after C ended", ["A- < B-", "A+ > C+"]),
        ("A ended before B started but after C began", ["A+ < B-", "A+ > C-"]),
        ("A happened before B and C ended before D started", ["A+ < B-", "C+ < D-"]),
        ("A happened before B, and B happened before C", ["A+ < B-", "B+ < C-"]),
        ("A began before B began. It ended before B ended", ["A- < B-", "A+ < B+"]),
        ("The storm's end precedes the parade's start", ["storm+ < parade-"]),
        ("A.end < B.start", ["A+ < B-"]),
        ("A.end < B.start = C.end", ["A+ < B-", "B- = C+"]),
        ("A meets B", ["A+ = B-"]),
        ("A contains B", ["A- < B-", "B+ < A+"]),
        ("The beginning of A came before the conclusion of B", ["A- < B+"]),
        ("The end of A and the start of B were before the start of C", ["A+ < C-", "B- < C-"]),
        ("A ended earlier than B", ["A+ < B+"]),
        ("A ended before B did", ["A+ < B+"]),
        ("A started after B", ["A- > B+"]),
        ("A ended and B began at the same time", ["A+ = B-"]),
        ("A began and ended during B", ["A- > B-", "A+ < B+"]),
        ('The end of "Before Sunset" happened before the start of B', ["Before Sunset+ < B-"]),
        ("Breakfast ended before lunch began. After breakfast, tea began.",
         ["breakfast+ < lunch-", "tea- > breakfast+"]),
    ],
)  # fmt: skip
def test_sentences_about_events(premise: str, expected: list[str]) -> None:
    assert orders(premise) == expected


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        ("Dune Park's eastern edge is west of Elm's western edge", ["Dune Park+ < Elm-"]),
        ("Dune Park ends further west than Fern Gate", ["Dune Park+ < Fern Gate+"]),
        ("Dune Park and Fern Gate begin at the same longitude", ["Dune Park- = Fern Gate-"]),
        ("Ox lies entirely to the east of Elm", ["Ox- > Elm+"]),
        ("Ox.west < Elm.east", ["Ox- < Elm+"]),
        ("West of the mill is Ox", ["Ox+ < mill-"]),
        ("From west to east come Ox, Elm and Ash", ["Ox+ < Elm-", "Elm+ < Ash-"]),
        ("Ox starts east of where Elm ends", ["Ox- > Elm+"]),
    ],
)  # fmt: skip
def test_sentences_about_places(premise: str, expected: list[str]) -> None:
    assert orders(premise, Domain.SPATIAL) == expected


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        ("gate2 = hill1 < hill2 < soap1", ["gate+ = hill-", "hill- < hill+", "hill+ < soap-"]),
        ("gate.end < hill.start and hill2 < soap1", ["gate+ < hill-", "hill+ < soap-"]),
        ("plum meets pear, and pear contains fig",
         ["plum+ = pear-", "pear- < fig-", "pear+ > fig+"]),
    ],
)  # fmt: skip
def test_symbols(premise: str, expected: list[str]) -> None:
    read = sorted(orders(premise, Domain.LOGICAL))
    flipped = {"fig+ < pear+": "pear+ > fig+"}
    assert sorted(flipped.get(row, row) for row in read) == sorted(expected)


@pytest.mark.parametrize(
    "premise",
    [
        "Tide overlapped with Mill did",
        "Tide contained Mill did",
        "A overlaps B",
        "A started after B and before C",
        "After the race and the picnic started, the set began",
        "A ended before the race and the picnic ended",
        "A preceded B. It ended before C",
        "It ended before C started",
        "The middle of A came before B",
        "The end of A happened before the middle of B",
        "The Arts and Crafts Fair ended before lunch started",
        "Did A end before B started?",
        "A happened when B happened",
        "A ended before the",
        'The "Fair" Race ended before B started',
        "A ended  before B started",
        "A, which ended before B, C started",
        "the is directly east of is strictly west of Ox",
    ],
)
def test_what_has_no_meaning_or_two_is_refused(premise: str) -> None:
    assert both(premise) is None
    assert both(premise, Domain.SPATIAL) is None


def test_an_adverbial_has_one_meaning_with_each_verb_wherever_it_is() -> None:
    page = (HERE.parents[2] / "docs" / "eventhop-texts.md").read_text(encoding="utf-8")
    head, _, *rows = (
        line.strip("| ").split(" | ")
        for line in page.split("that*:")[1].splitlines()
        if "|" in line
    )
    verbs = [cell.strip("`") for cell in head]
    cells = 0
    for adverbial, *meanings in itertools.takewhile(lambda row: len(row) == 5, rows):
        words = adverbial.strip("`")
        for verb, meaning in zip(verbs, meanings, strict=True):
            predicate = verb.removeprefix("A ")
            for premise in (
                f"{verb} {words}",
                f"{words[0].upper()}{words[1:]}, {verb}",
                f"It was {words} that A {predicate}",
            ):
                read = both(premise)
                # At the end of B, A had ended by then, not there.
                if (words, predicate) != ("at the end of B", "had ended"):
                    found = ", ".join(orders(premise)) if read else "–"
                    assert found == meaning.strip("`"), premise
                    cells += 1
    assert cells > 150


@pytest.mark.parametrize("clause", ["which ended before", "held before", "having ended before"])
def test_clauses_within_clauses_are_read_once(clause: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One read again for each place that it may have would take 5 to the power of 12 steps."""
    calls, real = Counter[str](), check.WrittenPremise._verb

    def counted(self: check.WrittenPremise, at: int) -> Iterator[check.Verb]:
        calls["verb"] += 1
        return real(self, at)

    monkeypatch.setattr(check.WrittenPremise, "_verb", counted)
    both("A ended before " + f", {clause} ".join(f"E{n}" for n in range(12)))
    assert 10 < calls["verb"] < 200


def test_the_table_of_the_page_is_true() -> None:
    page = (HERE.parents[2] / "docs" / "eventhop-texts.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| `(\w[-+] [<=>]+ [^`]+)` \|$", page, re.MULTILINE)
    assert len(rows) > 55
    for premise, meaning in rows:
        assert ", ".join(orders(premise)) == meaning, premise


def _lists(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).open(encoding="utf-8")]


def _normal(rows: Iterator[tuple[str, str, str]]) -> frozenset[tuple[str, str, str]]:
    """Relations in one direction, names in lower case."""
    found = set()
    for left, sign, right in rows:
        first, second = left.lower(), right.lower()
        if sign.startswith(">") or (sign == "=" and second < first):
            first, second = second, first
        found.add((first, sign.replace(">", "<"), second))
    return frozenset(found)


def test_no_sentence_of_the_list_is_misread() -> None:
    """240 sentences with meanings, written without a look at the grammar."""
    counts: Counter[str] = Counter()
    for row in _lists("natural.jsonl"):
        read = both(row["premise"], Domain(row["domain"]))
        if read is None:
            counts["refused"] += not row.get("ambiguous")
            continue
        meanings = [row["orders"], *(row.get("alternatives") or [])]
        found = _normal(
            (f"{'start' if p[1] == 0 else 'end'} of {p[0]}", sign,
             f"{'start' if q[1] == 0 else 'end'} of {q[0]}")
            for p, sign, q in read.premise
        )  # fmt: skip
        assert found in [_normal(map(tuple, meaning)) for meaning in meanings], row
        counts["read"] += 1
    assert counts["read"] / counts.total() > 0.8


def test_no_sentence_with_an_operator_word_is_decided() -> None:
    for row in _lists("operators.jsonl"):
        assert both(row["premise"], Domain(row["domain"]), row["claim"]) is None, row


@pytest.mark.parametrize("word", ["never", "immediately", "probably", "or", "without", "allegedly"])
def test_the_word_and_its_place_are_named(word: str) -> None:
    premise = f"The end of Harvest {word} happened after the start of Winter Fair"
    with pytest.raises(UnlicensedError, match=f'found "{word}" between "Harvest" and') as raised:
        reader(Domain.TEMPORAL).read("1", premise, "Harvest happens before Winter Fair")
    assert (raised.value.part, raised.value.column) == ("premise", 20)
    assert "--names" in raised.value.hint
    listed = {f"Harvest {word}"}
    read = reader(Domain.TEMPORAL).read("1", premise, "A happens before B", names=listed)
    assert read.premise[0].left.event == f"Harvest {word}"
    again = check.read_texts(premise, "A happens before B", "temporal", "geometric", {*listed})
    assert again == texts(read)


def test_a_name_with_words_before_or_after_another_one_is_refused() -> None:
    premise = "The end of Fair happened before the start of Old Fair"
    assert both(premise) is None
    assert both(premise.replace("Old Fair", "Old Race")) is not None
    assert both("The race ended before the Old Fair began. The fair ended before lunch") is None


def test_the_checker_has_the_same_words() -> None:
    found: dict[str, Any] = {
        domain: {
            name: {meaning: words.split("|") for meaning, words in value.items()}
            if isinstance(value, dict)
            else value.split("|")
            for name, value in rows.items()
        }
        for domain, rows in check.SENTENCES.items()
    }
    rows = tomllib.loads((HERE.parents[2] / "grammar/eventhop/sentences.toml").read_text())
    operators, names, slots = (rows.pop(name) for name in ("operators", "names", "slots"))
    assert found == rows
    assert {name: words.split("|") for name, words in check.SLOTS.items()} == slots
    words = {name: value.split() for name, value in check.NAMES.items()}
    assert sorted(words.pop("operators")) == sorted(
        word for some in operators.values() for word in some
    )
    assert words == names


def test_a_phrase_has_one_category() -> None:
    for domain in (Domain.TEMPORAL, Domain.SPATIAL):
        rows = dict(table()[domain])
        meanings = rows.pop("relations")
        nouns = {*rows.pop("start"), *rows.pop("finish")}
        every = Counter(text for some in (*rows.values(), *meanings.values()) for text in some)
        assert [text for text, number in every.items() if number > 1] == []
        assert not nouns & {"start of", "end of"}


@pytest.mark.parametrize("number", [500, pytest.param(40_000, marks=pytest.mark.slow)])
def test_both_readers_read_random_sentences_alike(number: int) -> None:
    source = random.Random(34)
    read = sum(both(made(source)) is not None for _ in range(number))
    assert number / 20 < read < number


@pytest.mark.parametrize("control", ["\x00", "\x1b", "\x1c", "\x1f", "\x7f"])
def test_control_characters_are_refused(control: str) -> None:
    """Python takes U+001C for a blank, other languages do not."""
    name = f"D{control}Day"
    for premise, claim in ((f"{name} ended before A began", CLAIMS[Domain.TEMPORAL]),
                           ("", f"A happens before {name}")):  # fmt: skip
        assert both(premise, claim=claim) is None
    with pytest.raises(
        ParseError, match=f"premise:1:2: found the control character U.00{ord(control):02X}"
    ):
        reader(Domain.TEMPORAL).read("1", f"{name} ended before A began", CLAIMS[Domain.TEMPORAL])


def test_places_in_the_published_reading_have_no_starts() -> None:
    spatial = SpatialReading.PUBLISHED
    premise = "Ox's eastern edge is west of Elm's western edge"
    item = reader(Domain.SPATIAL, spatial).read("1", premise, CLAIMS[Domain.SPATIAL])
    assert str(item.premise[0]) == "start of Ox before end of Elm"
    assert check.read_texts(premise, CLAIMS[Domain.SPATIAL], "spatial", "published") == texts(item)
    for other in (
        "Ox begins where Elm ends",
        "Ox is strictly west of Elm",
        "Ox extends from the western edge of Elm to the eastern edge of Ash",
    ):
        with pytest.raises(ParseError):
            reader(Domain.SPATIAL, spatial).read("1", other, CLAIMS[Domain.SPATIAL])
        with pytest.raises(check.RejectedError):
            check.read_texts(other, CLAIMS[Domain.SPATIAL], "spatial", "published")
