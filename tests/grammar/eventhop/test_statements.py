"""Premises about events: their meaning, their division, and a second reader, word by word."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import combinations, pairwise, product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from lark.exceptions import UnexpectedInput

from grammar.errors import ParseError
from grammar.eventhop import events, statements
from grammar.eventhop.events import BETWEEN, RELATIONS, phrases
from grammar.eventhop.lexicon import lexicon
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    ClaimRelation,
    Domain,
    Order,
    Relation,
    Status,
)
from grammar.eventhop.reader import reader
from grammar.eventhop.statements import FORMATS, as_points, read
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from tests.campaigns.mutants import faults, plant

READER = reader(Domain.TEMPORAL)
CLAIM = "Breakfast happens before Lunch"
EVENTS, VERBS, WHEN, ORDERS = (
    {phrase: meaning for name, meaning in meanings.items() for phrase in phrases()[name]}
    for meanings in (RELATIONS, events.VERBS, events.WHEN, BETWEEN)
)


def relations(premise: str) -> set[str]:
    item, _ = read(READER, "1", premise, CLAIM)
    return set(map(short, item.premise))


def short(relation: Relation) -> str:
    signs = {Order.BEFORE: "<", Order.AFTER: ">", Order.SIMULTANEOUS: "="}
    left, right = (
        f"{point.event}{'-' if point.bound is Bound.START else '+'}"
        for point in (relation.left, relation.right)
    )
    return f"{left} {signs[relation.order]} {right}"


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        ("Breakfast happened before Lunch", {"Breakfast+ < Lunch-"}),
        ("The end of Breakfast was before the start of Lunch.", {"Breakfast+ < Lunch-"}),
        ("Breakfast ended before Lunch began", {"Breakfast+ < Lunch-"}),
        ("Breakfast began when Lunch ended", {"Breakfast- = Lunch+"}),
        ("Breakfast started at the same time as Lunch started", {"Breakfast- = Lunch-"}),
        (
            "Breakfast happened before Lunch and Lunch overlapped with Tea",
            {"Breakfast+ < Lunch-", "Lunch- < Tea+", "Tea- < Lunch+"},
        ),
        (
            "Breakfast met Lunch, and Bread and Butter happened during Tea. "
            "The end of Tea happened after the end of Lunch",
            {"Breakfast+ = Lunch-", "Tea- < Bread and Butter-", "Bread and Butter+ < Tea+",
             "Tea+ > Lunch+"},
        ),
        ("The lunch started and ended with the tea", {"lunch- = tea-", "lunch+ = tea+"}),
        ("Lunch preceded tea. Tea met supper", {"Lunch+ < tea-", "tea+ = supper-"}),
        ("St. Bees Fair was after Tea", {"St. Bees Fair- > Tea+"}),
    ],
)  # fmt: skip
def test_a_premise_is_read_as_relations_of_points(premise: str, expected: set[str]) -> None:
    assert relations(premise) == expected


MEANINGS = {
    "before": "b < c",
    "after": "a > d",
    "directly before": "b == c",
    "directly after": "a == d",
    "with": "max(a, c) < min(b, d)",
    "the beginning of": "a < c < b < d",
    "the ending of": "c < a < d < b",
    "but started before": "a < c and b == d",
    "but started after": "c < a and b == d",
    "but ended before": "a == c and b < d",
    "but ended after": "a == c and d < b",
    "and ended with": "(a, b) == (c, d)",
    "at the same time as": "(a, b) == (c, d)",
    "around": "a < c and d < b",
    "contained": "a < c and d < b",
    "within": "c < a and b < d",
    "during": "c < a and b < d",
    "preceded": "b < c",
    "met": "b == c",
    "met by": "a == d",
}


@pytest.mark.parametrize("phrase", EVENTS)
def test_each_phrase_means_what_its_words_say_on_every_small_timeline(phrase: str) -> None:
    past = phrase.replace("starts", "started").replace("ends", "ended")
    meaning = MEANINGS[max((end for end in MEANINGS if past.endswith(end)), key=len)]
    found = [relation.split() for relation in EVENTS[phrase].split(", ")]
    for a, b, c, d in product(range(5), repeat=4):
        if not (a < b and c < d):
            continue
        at = {"A-": a, "A+": b, "B-": c, "B+": d}
        compared = [(at[left] > at[right]) - (at[left] < at[right]) for left, _, right in found]
        holds = all(
            "=><"[number] == sign for number, (_, sign, _) in zip(compared, found, strict=True)
        )
        assert holds == eval(meaning, {}, {"a": a, "b": b, "c": c, "d": d}), (a, b, c, d)


SHARED = set(EVENTS) & {
    text
    for words in (ClaimRelation, AllenRelation)
    for word in words
    for text in lexicon(Domain.TEMPORAL).phrases(word)
}


@pytest.mark.parametrize("phrase", sorted(SHARED))
def test_a_claim_in_the_words_of_its_premise_is_entailed(phrase: str) -> None:
    item, _ = read(READER, "1", f"Tea {phrase} Lunch", f"Tea {phrase} Lunch")
    (verdict,) = engine(EngineName.GRAPH).decide([item])
    assert verdict.status is Status.ENTAILED


PHRASES = {*EVENTS, *ORDERS, *(f"{verb} {when}" for verb in VERBS for when in WHEN)}
LONGEST = max(len(phrase.split()) for phrase in PHRASES)


def phrases_in(words: list[str]) -> list[tuple[int, int]]:
    """The phrases between words, from left to right, the longest first."""
    found, at = [], 1
    while at < len(words):
        for size in range(min(LONGEST, len(words) - 1 - at), 0, -1):
            if " ".join(words[at : at + size]) in PHRASES:
                found.append((at, at + size))
                at += size
                break
        else:
            at += 1
    return found


def readings(sentence: str) -> int:
    """The number of ways to divide a sentence of plain names at some of its `and`."""
    words = sentence.split()
    whole = phrases_in(words)
    inside = {n for start, end in whole for n in range(start, end)}
    ands = [n for n, word in enumerate(words) if word == "and" and n not in inside]
    number = 0
    for size in range(len(ands) + 1):
        for cuts in combinations(ands, size):
            edges = [-1, *cuts, len(words)]
            parts = [(a + 1, b) for a, b in pairwise(edges)]
            number += all(reads(words, *part, whole) for part in parts)
    return number


def reads(words: list[str], begin: int, end: int, whole: list[tuple[int, int]]) -> bool:
    inner = [(a, b) for a, b in whole if begin <= a and b <= end]
    if len(inner) != 1:
        return False
    (a, b) = inner[0]
    phrase, left, right = " ".join(words[a:b]), words[begin:a], words[b:end]
    if phrase.split(" ", 1)[0] in VERBS and " " in phrase and phrase.split(" ", 1)[1] in WHEN:
        return bool(left) and len(right) > 1 and right[-1] in VERBS
    return bool(left) and bool(right) and phrase in EVENTS


def test_a_sentence_is_read_if_it_can_be_divided_in_one_way() -> None:
    source = random.Random(5)
    vocabulary = ["and"] * 12 + ["Tea", "Fair", "Kim", "began", "ended", "before", "with", "Bread"]
    counts = []
    for _ in range(300):
        words = []
        for _ in range(source.randint(1, 3)):
            words += source.choices(vocabulary, k=source.randint(1, 5))
            words += source.choice(
                ["happened before", "ended before", "met", "overlapped with", "preceded"]
            ).split()
        words += source.choices(vocabulary, k=source.randint(1, 3))
        sentence = " ".join(words)
        count = readings(sentence)
        counts.append(min(count, 2))
        assert (as_points(sentence) is not None) == (count == 1), sentence
    assert min(counts.count(n) for n in range(3)) >= 20


def test_random_premises_are_read_as_they_were_made() -> None:
    source = random.Random(7)
    names = ["Tea", "Bread and Butter", "the Long Fair", "St. Bees", "Kim’s Day"]
    for _ in range(300):
        sentences, expected = [], []
        for _ in range(source.randint(1, 4)):
            left, right = source.sample(names, 2)
            a, b = (name.removeprefix("the ") for name in (left, right))
            if source.random() < 0.5:
                phrase = source.choice(list(EVENTS))
                sentences.append(f"{left} {phrase} {right}")
                expected += [
                    part.replace("A", "\0").replace("B", b).replace("\0", a)
                    for part in EVENTS[phrase].split(", ")
                ]
            else:
                first, second = source.choices(list(VERBS), k=2)
                when = source.choice(list(WHEN))
                sentences.append(f"{left} {first} {when} {right} {second}")
                expected.append(f"{a}{VERBS[first]} {WHEN[when]} {b}{VERBS[second]}")
        item, premise = read(READER, "1", ". ".join(sentences), "Tea overlaps with St. Bees")
        assert [short(relation) for relation in item.premise] == expected
        assert READER.read("1", premise, "Tea overlaps with St. Bees") == item


@pytest.mark.parametrize(
    "premise",
    [
        "Breakfast hapened before Lunch",
        "Breakfast happens before Lunch",
        "Breakfast happened before Lunch happened before Tea",
        "Breakfast happened before Bread and Butter and Jam met Tea",
        "Breakfast ended before Lunch",
        "Breakfast happened before",
        "the end of Breakfast happened before Lunch",
        "The end of Breakfast hapened before the start of Lunch. Lunch met Tea",
    ],
)
def test_other_premises_are_refused(premise: str) -> None:
    with pytest.raises(ParseError) as refused:
        read(READER, "1", premise, CLAIM)
    named = " of " in premise
    assert (FORMATS in str(refused.value)) != named


def test_a_hostile_text_is_refused_soon() -> None:
    for text in (
        "a and " * 10_000,
        "a met b and and " * 2_000,
        "a met b and and " * 120 + "c",
        "a met b. " * 2_000 + "x",
    ):
        assert as_points(text) is None


def _ands(number: int) -> str:
    """A sentence with so many places to divide it, of which one is right."""
    names = " and ".join(f"x{n}" for n in range(number))
    return f"Tea ended before {names} began and Bo met Cy"


NAMED = "Tea met " + "x" * 200
ODD = """
.
Tea met
met Tea
Q met Tea.
 Tea met  Bo
The The Tea met the Bo
Lunch preceded tea. Tea met supper
Tea met lunch. lunch met Tea
tea met Bo. Bo met Tea
The Lunch met Tea. Bo met lunch
Lunch met Bo and tea met lunch
Tea met Bo, and tea met Cy
St. Bees was after Tea
K. Fair met Tea. Tea met U. Fair
k. Fair met Tea. Tea met Bo
Tea met Dr. Bo. Cy met Ed
Tea met X. Bo met Cy
Tea met Xy. Bo met Cy
Tea met St. Bo met Cy
Tea met Bo, and Cy met Di and Ed
Tea met Bo and Cy, and Di met Ed
Tea met Bo and Cy met Di
Tea met Bo and Cy and Di met Ed
Tea met Bo and Cy, and met Di
Tea met Bo and met Di
Tea , met Bo
Tea met Bo,
Tea met ,Bo
start of Tea met Bo
Tea met start of Bo
Tea ended before Bo
The end of Tea met the start of Bo
The end of Tea was before Bo
"""
ENDS = (("start", "end"), ("End", "start"))
PREMISES = [
    *(f"Tea {phrase} Lunch" for phrase in list(EVENTS)[::6]),
    *(f"Tea {verb} {when} Bo {verb}" for verb, when in product(VERBS, WHEN)),
    *(
        f"The {name} of Tea {phrase} the {other} of Lunch. Bo met Cy"
        for phrase in sorted(PHRASES - set(EVENTS))[::5]
        for name, other in ENDS
    ),
    *(NAMED, f"{NAMED}x", f"{NAMED[8:]} met Tea", f"x{NAMED[8:]} met Tea", _ands(20), _ands(21)),
    *ODD.splitlines(),
]
TEXTS = [
    *((Domain.TEMPORAL, premise, CLAIM) for premise in PREMISES),
    *((domain, premise, claim)
      for domain in (Domain.TEMPORAL, Domain.SPATIAL)
      for premise in ("Tea met Bo", "Tea mat Bo", "The start of Tea mat Bo",
                      "The end of Tea happened before the start of Bo")
      for claim in (CLAIM, "Breakfast eats Lunch")),
]  # fmt: skip
HARMLESS = {
    # Its group begins where it begins.
    "yield body[begin : stop.start(0) + len(stop[1])]",
    # These change the speed alone.
    "MOST = 2_000",
    "verbs = tuple(text for name in VERBS for text in phrases()[name])",
    'if len(sentence) > MOST or (" and " not in sentence and not sentence.endswith(verbs)):',
    "return list(dict.fromkeys(found))[:2]",
    "node = open_nodes[-1]",
    # One part or three.
    "found = [(*(one[0] if len(one) > 1 else ()), one[-1]) for one in product(*parts)]",
}
ENDLESS = "open_nodes += inner"
"""A line without which the parser does not end."""


def outcome(module: ModuleType, domain: Domain, premise: str, claim: str) -> object:
    try:
        return module.read(reader(domain), "1", premise, claim)
    except ParseError as error:
        return str(error)


def unnoticed(
    module: ModuleType, call: Callable[[ModuleType, Any], object], cases: list[Any]
) -> set[str]:
    """The lines of a module with a fault that no case notices; annotations are not evaluated."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    lines = source.splitlines()
    expected = [call(module, case) for case in cases]
    found = set()
    for number in range(faults(source)):
        tree, place = plant(source, number)
        at = re.search(r"\d+", place)
        line = lines[int(at[0] if at else 0) - 1].strip()
        if line == ENDLESS:
            continue
        changed = ModuleType(module.__name__)
        try:
            exec(compile(tree, "planted.py", "exec"), changed.__dict__)
            noticed = any(
                call(changed, case) != right
                for case, right in zip(reversed(cases), reversed(expected), strict=True)
            )
        except Exception:
            noticed = True
        if not noticed and not line.startswith("def "):
            found.add(line)
    return found


def test_a_planted_fault_in_the_rewriting_is_noticed() -> None:
    """The certificates of these items do not repeat it."""
    assert unnoticed(statements, lambda module, text: outcome(module, *text), TEXTS) <= HARMLESS


@pytest.mark.slow
def test_a_planted_fault_in_the_reading_of_sentences_is_noticed() -> None:
    sentences = dict.fromkeys(part for _, premise, _ in TEXTS for part in premise.split(". "))
    found = unnoticed(events, lambda module, text: module.statements(text), [*sentences])
    assert found <= HARMLESS


def mixed(source: random.Random) -> str:
    """A sentence of one to three statements, some of them faulty."""
    parts: list[str] = []
    for number in range(source.choice([1, 1, 2, 2, 3])):
        if number:
            parts.append(source.choice([" and ", " and ", ", and "]))
        left, right = (
            " ".join(source.choices(SCRAPS, k=source.choice([1, 1, 2, 3]))) for _ in "AB"
        )
        form = source.randrange(3)
        if form == 0:
            parts.append(f"{left} {source.choice([*EVENTS])} {right}")
        elif form == 1:
            first, second = source.choices([*VERBS], k=2)
            parts.append(f"{left} {first} {source.choice([*WHEN])} {right} {second}")
        else:
            mark, other = source.choices(["the end of", "The start of", "End of"], k=2)
            parts.append(f"{mark} {left} {source.choice([*ORDERS])} {other} {right}")
    return "".join(parts)


SCRAPS = (
    *("Tea", "Bread and Butter", "and") * 4, "began", "before", "the", "The", "was",
    "start of", "Bread, and", "y,", ",", "with", "x" * 199,
)  # fmt: skip


def test_the_fast_parsers_read_as_the_grammar_of_all_readings() -> None:
    source = random.Random(4)
    counts = [0, 0, 0]
    for _ in range(200):
        sentence = mixed(source)
        try:
            tree = events._parser("sentence").parse(sentence)
        except UnexpectedInput:
            found = []
        else:
            found = events._readings(sentence, tree)
        counts[len(found)] += 1
        expected = found[0] if len(found) == 1 else None
        assert events.statements(sentence) == expected, sentence
    assert min(counts) > 5
