"""The reader of chains of thought: own chains in many hands, and what must not be read."""

from __future__ import annotations

from collections import Counter

import pytest

from grammar.eventhop.model import Domain, Label, SpatialReading
from grammar.eventhop.reader import reader
from grammar.traces.model import PointOrder, ReadStatement, StatementKind
from grammar.traces.reader import TraceReader, steps_of
from solver.traces.engine import PremiseClosure, decide
from tests.grammar.traces.chains import LabelledChain, chains

ITEMS = {
    "temporal": (
        "The end of Bakers' Day happened before the start of Lake Cruise. The start of Verse Night "
        "happened after the end of Lake Cruise",
        "Bakers' Day happens before Verse Night",
    ),
    "spatial": (
        "The eastern edge of Alder Isle is located to the west of the western edge of White Cape. "
        "The western edge of Mirror Lake is located to the east of the western edge of White Cape",
        "Mirror Lake is completely east of Alder Isle",
    ),
    "logical": ("gate2 = hill1. soap1 > hill2", "gate < soap"),
}


def of(domain: str, premise: str, claim: str) -> tuple[PremiseClosure, TraceReader]:
    item = reader(Domain(domain)).read("item", premise, claim)
    closure = PremiseClosure(item)
    return closure, TraceReader(item, SpatialReading.GEOMETRIC, closure.claimed.orders)


def read(domain: str, *steps: str) -> list[ReadStatement]:
    """What the last of some steps states."""
    _, reads = of(domain, *ITEMS[domain])
    return list(reads.read(steps)[-1].statements)


def shown(statements: list[ReadStatement]) -> list[str]:
    """Statements in the letters a, b, c of events."""
    names = [f"{letter}{bound}" for letter in "abc" for bound in "-+"]
    return [
        " ".join(
            filter(
                None,
                (
                    "" if stated.kind is StatementKind.HOLDS else stated.kind.value,
                    " & ".join(f"{names[p]}{sign}{names[q]}" for p, sign, q in stated.orders),
                    stated.label,
                ),
            )
        )
        for stated in statements
    ]


def normal(stated: ReadStatement) -> ReadStatement:
    """A statement with its orders, a conjunction, in one order."""
    return stated._replace(
        orders=tuple(sorted(stated.orders)), instants=tuple(sorted(stated.instants))
    )


def measured(found: list[LabelledChain]) -> tuple[Counter[str], list[str]]:
    """Counts of statements and first errors, and the steps that are read otherwise than meant."""
    counts: Counter[str] = Counter()
    otherwise = []
    for chain in found:
        closure, reads = of(chain.domain, chain.premise, chain.claim)
        steps = reads.read([step.text for step in chain.steps])
        side = "right" if chain.first_error < 0 else "wrong"
        counts[side] += 1
        counts[f"{side} found"] += decide(closure, steps).first_error == chain.first_error
        for step, labelled in zip(steps, chain.steps, strict=True):
            if labelled.statements is None:
                continue
            got = Counter(
                normal(stated)
                for stated in step.statements
                if stated.kind is not StatementKind.UNREAD
            )
            meant = Counter(map(normal, labelled.statements))
            counts["statements"] += meant.total()
            counts["as meant"] += (got & meant).total()
            if got - meant:
                otherwise.append(labelled.text)
    return counts, otherwise


def test_chains_are_read_as_meant_and_their_first_errors_found() -> None:
    counts, otherwise = measured(list(chains("temporal", "spatial", "logical", "hands")))
    assert counts["statements"] > 800
    assert counts["as meant"] >= 0.99 * counts["statements"]
    assert otherwise == []
    assert counts["right found"] == counts["right"] > 90
    assert counts["wrong found"] == counts["wrong"] > 45


def test_chains_that_were_kept_aside() -> None:
    counts, otherwise = measured(list(chains("aside")))
    assert counts["as meant"] >= 0.97 * counts["statements"]
    assert len(otherwise) <= 3
    assert counts["right found"] == counts["right"] == 20
    assert counts["wrong found"] == counts["wrong"] == 18


def test_chains_that_were_labelled_before_the_reader_was_widened() -> None:
    counts, otherwise = measured(list(chains("second", "third")))
    assert counts["statements"] > 550
    assert counts["as meant"] >= 0.98 * counts["statements"]
    assert len(otherwise) <= 2
    assert counts["right found"] == counts["right"] == 63
    assert counts["wrong found"] == counts["wrong"] == 37


def test_chains_in_the_manner_of_language_models() -> None:
    counts, otherwise = measured(list(chains("fourth")))
    assert counts["statements"] == 126
    assert counts["as meant"] >= 125
    assert otherwise == []
    assert counts["right found"] == counts["right"] == 14
    assert counts["wrong found"] == counts["wrong"] == 6


def test_chains_in_other_hands() -> None:
    counts, otherwise = measured(list(chains("fifth")))
    assert counts["statements"] == 97
    assert counts["as meant"] >= 95
    assert otherwise == []
    assert counts["right found"] == counts["right"] == 12
    assert counts["wrong found"] == counts["wrong"] == 5


READ = [
    ("temporal", "BD ends before LC starts.", ["a+<b-"]),
    ("temporal", "Lake Cruise doesn't start until Bakers' Day has ended.", ["a+<=b-"]),
    ("temporal", "Neither Lake Cruise nor Verse Night starts before Bakers' Day ends.",
     ["does-not-hold b-<a+", "does-not-hold c-<a+"]),
    ("temporal", "Bakers' Day is not necessarily before Verse Night.", ["not-derivable a+<=c-"]),
    ("temporal", "Bakers' Day might end before or after Verse Night starts.",
     ["possible a+<c-", "possible c-<a+"]),
    ("temporal", "Bakers' Day might not end before Verse Night starts.", ["possible c-<=a+"]),
    ("temporal", "If Verse Night starts first, then Bakers' Day ends after Lake Cruise starts.",
     ["assumed", "assumed b-<a+"]),
    ("temporal", "We cannot tell which of Bakers' Day and Verse Night came first.",
     ["left-open a+<=c-"]),
    ("temporal", "The claim is not supported by the premise.", ["not-derivable a+<=c-"]),
    ("temporal", "The premise is free of contradictions.", ["premise-consistent"]),
    ("temporal", "The premise is not consistent.", ["premise-contradictory"]),
    ("temporal", "Wait, that is wrong.", ["withdraws"]),
    ("temporal", "Bakers' Day ends before Lake Cruise starts (see 1), so True.",
     ["a+<b-", "answer true"]),
    ("temporal", "$\\text{end}(\\text{Bakers' Day}) \\le \\text{start}(\\text{Verse Night})$",
     ["a+<=c-"]),
    ("temporal", "| end of Bakers' Day | before | start of Lake Cruise |", ["a+<b-"]),
    ("temporal", "During Lake Cruise, Verse Night ended.", ["b-<c+ & c+<b+"]),
    ("spatial", "Alder Isle and White Cape share no longitude.",
     ["does-not-hold a-<b+ & b-<a+"]),
    ("spatial", "The eastern edges of Alder Isle and White Cape are on the same longitude.",
     ["a+=b+"]),
    ("logical", "hill2 < soap1 -> gate2 < soap1", ["b+<c-", "a+<c-"]),
    ("logical", "gate < soap is derivable but not gate2 = soap1", ["a+<=c-", "unread"]),
    ("logical", "gate = soap is false.", ["does-not-hold a-<c+ & c-<a+"]),
    ("temporal", "We can't conclude that the claim is true.", ["not-derivable a+<=c-"]),
    ("temporal", "It is unclear whether the claim holds.", ["left-open a+<=c-"]),
    ("temporal", "Suppose the claim is false.", ["assumed a+<=c-"]),
    ("temporal", "This contradicts the claim that Bakers' Day happens before Verse Night.",
     ["does-not-hold a+<=c-"]),
    ("temporal", "This already establishes the claim.", ["a+<=c-"]),
    ("temporal", "The claim is unsupported.", ["not-derivable a+<=c-"]),
    ("temporal", "Nobody knows, but this is consistent with the claim.", []),
    ("temporal", "There is no overlap between Bakers' Day and Verse Night.",
     ["does-not-hold a-<c+ & c-<a+"]),
    ("temporal", "Lake Cruise ends before Verse Night starts, and so does Bakers' Day.",
     ["b+<c-", "a+<c-"]),
    ("temporal", "Bakers' Day ends before Lake Cruise starts and hence before Lake Cruise ends.",
     ["a+<b-", "a+<b+"]),
    ("temporal", "Verse Night is after Bakers' Day, not before it.",
     ["a+<=c-", "does-not-hold c+<=a-"]),
    ("temporal", "Bakers' Day ends, then Lake Cruise starts.", ["a+<b-"]),
    ("temporal", "Lake Cruise happens between Bakers' Day and Verse Night.", ["a+<=b-", "b+<=c-"]),
    ("temporal", "Bakers' Day could end before Lake Cruise starts, but need not.",
     ["possible a+<b-", "not-derivable a+<b-"]),
    ("temporal", "Bakers' Day ends before the start of Lake Cruise, and Lake Cruise starts first.",
     ["a+<b-", "unread"]),
    ("temporal", "None of the sentences relates Bakers' Day to Verse Night.", ["left-open a+<=c-"]),
    ("temporal", "bd.end < lc_start", ["a+<b-"]),
    ("temporal", "Bakers' Day's end is before Lake Cruise's start and that of Verse Night.",
     ["a+<b-", "a+<c-"]),
    ("spatial", "Alder Isle's eastern edge is on either side of White Cape's western edge.",
     ["unread"]),
    ("spatial", "Alder Isle's eastern edge could be on either side of White Cape's western edge.",
     ["possible a+<b-", "possible b-<a+"]),
    ("logical", "gate < soap requires gate2 <= soap1.", ["assumed a+<=c-", "assumed a+<=c-"]),
    ("logical", "Both gate2 < soap1 and soap1 < gate2 are possible.",
     ["possible a+<c-", "possible c-<a+"]),
    ("logical", "Neither gate2 < soap1 nor soap1 < gate2 follows.",
     ["not-derivable a+<c-", "not-derivable c-<a+"]),
    ("logical", "gate2 < soap1 and soap1 < gate2 cannot both hold.", ["unread"]),
    ("logical", "¬(soap1 < gate2)", ["does-not-hold c-<a+"]),
    ("logical", "gate2 < soap1 follows from hill2 < soap1.", ["a+<c-", "b+<c-"]),
    ("logical", "The upper end of gate is below the lower end of soap.", ["a+<c-"]),
    ("logical", "soap's lower bound is greater than hill's upper bound.", ["b+<c-"]),
    ("temporal", "Bakers' Day starts at the end of Lake Cruise.", ["a-=b+"]),
    ("temporal", "Bakers' Day ends at the same moment Lake Cruise begins.", ["a+=b-"]),
    ("temporal", "Verse Night starts after Lake Cruise ends, hence after Bakers' Day starts.",
     ["b+<c-", "a-<c-"]),
    ("temporal", "The claim that Bakers' Day happens before Verse Night is correct.",
     ["a+<=c-", "answer true"]),
    ("temporal", "The claim that Verse Night happens before Bakers' Day is true.", ["c+<=a-"]),
    ("temporal", "If the claim that Verse Night happens before Bakers' Day is true, we stop.",
     ["assumed c+<=a-"]),
    ("temporal", "We need to check whether the claim that Bakers' Day happens before Verse Night "
     "is true.", ["assumed a+<=c-"]),
    ("temporal", "It is unclear whether the claim that Bakers' Day happens before Verse Night is "
     "true.", ["left-open a+<=c-"]),
    ("temporal", "The claim that Bakers' Day happens before Verse Night is not entailed.",
     ["not-derivable a+<=c-"]),
    ("temporal", "If Verse Night ends before Bakers' Day starts, then the claim that Verse Night "
     "happens before Bakers' Day is true.", ["assumed c+<a-", "assumed c+<=a-"]),
    ("temporal", "Suppose the claim that Verse Night happens before Bakers' Day is true.",
     ["assumed c+<=a-"]),
    ("temporal", "We cannot say that the claim that Bakers' Day happens before Verse Night is "
     "true.", ["not-derivable a+<=c-"]),
    ("temporal", "The statement that Bakers' Day happens before Verse Night follows.",
     ["a+<=c-"]),
    ("temporal", "The claim that Bakers' Day happens before Verse Night is about two events.",
     ["assumed"]),
    ("temporal", "The start of each event precedes its end, so Bakers' Day starts first.",
     ["unread"]),
    ("temporal", "Bakers' Day must end before Lake Cruise can start.", ["a+<b-"]),
    ("temporal", "As far as I can tell, Bakers' Day ends before Lake Cruise begins.", ["a+<b-"]),
    ("temporal", "None of this tells us how Bakers' Day and Verse Night are ordered.",
     ["left-open a+<=c-"]),
    ("temporal", "All statements hold, but Bakers' Day is not before Verse Night.",
     ["assumed a+<=c-"]),
    ("temporal", "Lake Cruise is irrelevant here.", []),
    ("spatial", "Each place's western edge is west of its eastern edge.", []),
    ("spatial", "The eastern edge of Alder Isle and the western edge of White Cape share the same "
     "longitude.", ["a+=b-"]),
]  # fmt: skip


@pytest.mark.parametrize(("domain", "text", "stated"), READ)
def test_sentences_are_read(domain: str, text: str, stated: list[str]) -> None:
    assert shown(read(domain, text)) == stated


UNREAD = [
    "Bakers' Day probably ended before Lake Cruise started.",
    "Bakers' Day ended immediately before Lake Cruise started.",
    "Bakers' Day or Lake Cruise ended before Verse Night started.",
    "Bakers' Day ended before Lake Cruise started or after Verse Night ended.",
    "Bakers' Day ends before Lake Cruise starts unless it rains.",
    "It is a lie that Bakers' Day ends before Lake Cruise starts.",
    "Allegedly, Bakers' Day ends before Lake Cruise starts.",
    "Bakers' Day frobs Lake Cruise.",
    "Bakers' Day ends before Lake Cruise starts, and it ends before it starts, or so they say.",
    "Not only Bakers' Day ended before Lake Cruise started.",
    "Bakers' Day ended at Lake Cruise.",
    "Half of Bakers' Day ended before Lake Cruise started.",
    "In the novel, Bakers' Day ends before Lake Cruise starts.",
    "The market (Bakers' Day) ended (wrongly dated) before Lake Cruise started.",
    # Known not to be read: where something ends relative to another, sequences of whole events
    # without verbs, and participles.
    "It is open where Bakers' Day ends relative to Lake Cruise.",
    "Order: Bakers' Day, Lake Cruise, Verse Night.",
    "Bakers' Day lasts longer than Lake Cruise, beginning earlier and ending later.",
]


@pytest.mark.parametrize("text", UNREAD)
def test_what_no_rule_knows_is_unread(text: str) -> None:
    kinds = {stated.kind for stated in read("temporal", text)}
    assert StatementKind.UNREAD in kinds
    assert StatementKind.HOLDS not in kinds or "and it ends" in text


def test_a_pronoun_has_one_antecedent() -> None:
    before = "Bakers' Day ends before Lake Cruise starts."
    assert shown(read("temporal", before, "It starts before Lake Cruise ends.")) == ["a-<b+"]
    assert shown(read("temporal", before, "It ends before Verse Night starts.")) == ["unread"]
    # Itself, or the event before.
    assert shown(read("temporal", before, "Bakers' Day starts before it starts.")) == ["unread"]
    assert shown(read("temporal", before, "They do not overlap.")) == [
        "does-not-hold a-<b+ & b-<a+"
    ]


def test_a_withdrawal_may_name_its_step() -> None:
    closure, reads = of("temporal", *ITEMS["temporal"])
    steps = (
        "1. Verse Night ends before Lake Cruise starts.",
        "2. Bakers' Day ends before Lake Cruise starts.",
        "3. Wait, step 1 is wrong.",
    )
    verdict = decide(closure, reads.read(steps))
    assert [step.verdict for step in verdict.steps] == ["withdrawn", "restated", "none"]
    verdict = decide(closure, reads.read((*steps[:2], "3. Wait, that is wrong.")))
    assert [step.verdict for step in verdict.steps] == ["contradicts", "withdrawn", "none"]


def test_abbreviations_are_defined_by_the_text() -> None:
    steps = ("Let X = Bakers' Day and Y = Lake Cruise.", "X ends before Y starts.")
    assert shown(read("temporal", *steps)) == ["a+<b-"]
    assert shown(read("temporal", steps[1])) == []


def test_a_timeline_and_an_answer_have_their_values() -> None:
    (stated,) = read("temporal", "Bakers' Day 0 to 1, Lake Cruise [2, 3], Verse Night: 4-5.5")
    assert stated.instants == ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5.5))
    (stated,) = read("temporal", "\\boxed{Impossible}")
    assert stated == ReadStatement(StatementKind.ANSWER, label=Label.UNDEFINED)


def test_placeholders_in_a_text_are_no_events() -> None:
    assert shown(read("temporal", "\ue000 ends before \ue001 starts.\x00")) == []


def test_steps_are_the_lines_of_a_text() -> None:
    assert steps_of("a\n\n  b \r\nc\n") == ("a", "b", "c")
    _, reads = of("temporal", *ITEMS["temporal"])
    assert reads.read(()) == ()


@pytest.mark.parametrize(
    "text", ["and " * 400, "Bakers' Day and " * 200, "not " * 300 + "Lake Cruise"]
)
def test_long_sentences_are_unread_in_bounded_time(text: str) -> None:
    assert all(stated.kind is StatementKind.UNREAD for stated in read("temporal", text))


def test_orders_have_one_form() -> None:
    (stated,) = read("logical", "hill1 = gate2")
    assert stated.orders == (PointOrder(1, "=", 2),)
