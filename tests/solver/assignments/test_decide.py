"""Verdicts about assignment puzzles: a brute force over all assignments, and damaged evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import permutations, product
from random import Random
from typing import TypeAlias

import pytest

from grammar.assignments.reader import PuzzleError, reader
from solver.assignments import check
from solver.assignments.decide import WORDS, Problem
from solver.verification.outcomes import Verdict

HEADS = {
    "name": ("has a different name", ("Ida", "Bruno", "Selma", "Otto"), "{}"),
    "boat": (
        "sails a different boat",
        ("dinghy", "ketch", "sloop", "yawl"),
        "the person who sails the {}",
    ),
    "drink": (
        "drinks a different drink",
        ("cider", "cocoa", "mint tea", "plum"),
        "the person who likes {}",
    ),
    "fruit": (
        "likes a different fruit",
        ("plum", "quince", "fig", "pear"),
        "the person who likes {}",
    ),
}
"""Header, things, and description of each category; plum is of two of them."""

FORMS: Mapping[str, tuple[int, Callable[..., bool]]] = {
    "{} is {}": (2, lambda _, a, b: a == b),
    "{} is not {}": (2, lambda _, a, b: a != b),
    "{} is next to {}": (2, lambda _, a, b: abs(a - b) == 1),
    "{} is immediately to the left of {}": (2, lambda _, a, b: a + 1 == b),
    "{} is somewhere to the left of {}": (2, lambda _, a, b: a < b),
    "{} is at one of the ends": (1, lambda n, a: a in (1, n)),
    "{} is somewhere in between {} and {} in that order": (3, lambda _, a, b, c: b < a < c),
}


Clues: TypeAlias = tuple[str, list[list[tuple[str, str]]]]
"""A form with the meanings of each description in it."""


def puzzles(seed: int, number: int) -> Iterator[tuple[str, list[Clues], list[str], int]]:
    """A text, its clues with the meanings of each description, categories, and their size."""
    random = Random(seed)
    for _ in range(number):
        size = random.choice((3, 4))
        chosen = random.choice((["name", "boat"], ["boat", "drink", "fruit"], ["drink", "fruit"]))
        if len(chosen) == 3:
            size = 3
        things = {name: HEADS[name][1][:size] for name in chosen}
        if "drink" in chosen:
            things["drink"] = HEADS["drink"][1][-size:]
        solution = {
            name: dict(zip(names, random.sample(range(1, size + 1), size), strict=True))
            for name, names in things.items()
        }
        clues: list[Clues] = []
        lines: list[str] = []
        while len(clues) < random.choice((2, 4, 6, 8)):
            form, (arity, true) = random.choice(list(FORMS.items()))
            picked = [(name := random.choice(chosen), random.choice(things[name]))
                      for _ in range(arity)]  # fmt: skip
            spots = [solution[name][thing] for name, thing in picked]
            if len(set(picked)) < arity or (not true(size, *spots) and random.random() < 0.9):
                continue
            meanings = [
                [(other, thing) for other in chosen if thing in things[other]]
                for _, thing in picked
            ]
            texts = [HEADS[name][2].format(thing) for name, thing in picked]
            text = form.format(*texts)
            clues.append((form, [list(row) for row in meanings]))
            lines.append(f"Clue {len(clues)}: {text[0].upper()}{text[1:]}.")
        asked = (chosen[0], things[chosen[0]][0])
        named = [(other, asked[1]) for other in chosen if asked[1] in things[other]]
        clues.append(("asked", [named]))
        head = [
            f"There are {size} people next to each other in a row in positions"
            f" {', '.join(map(str, range(1, size + 1)))} who have the following characteristics.",
            *(f"Everyone {HEADS[name][0]}: {', '.join(things[name])}." for name in chosen),
            "Using the clues provided below, answer the question at the end.",
            *lines,
            "",
            f"Question: What position is {HEADS[asked[0]][2].format(asked[1])} at?",
        ]
        yield "\n".join(head), clues, chosen, size


def models(
    clues: Sequence[Clues], things: Mapping[str, Sequence[str]],
    size: int, *, leave: bool,
) -> Iterator[tuple[tuple[tuple[str, str], ...], int]]:  # fmt: skip
    """Meanings of the mentions with several, and the answer, of every model."""
    used = [
        (form, meanings)
        for form, meanings in clues
        if form == "asked" or not (leave and any(len(row) > 1 for row in meanings))
    ]
    rows = [list(permutations(range(1, size + 1))) for _ in things]
    for spots in product(*rows):
        at = {
            (name, thing): place
            for (name, names), row in zip(things.items(), spots, strict=True)
            for thing, place in zip(names, row, strict=True)
        }
        for picked in product(*(row for _, meanings in used for row in meanings)):
            left, true = list(picked), True
            for form, meanings in used[:-1]:
                terms = [left.pop(0) for _ in meanings]
                true = true and FORMS[form][1](size, *(at[term] for term in terms))
            if true:
                unclear = [
                    term
                    for term, row in zip(
                        picked, (row for _, meanings in used for row in meanings), strict=True
                    )
                    if len(row) > 1
                ]
                yield tuple(unclear), at[left[0]]


def things_of(text: str, chosen: Sequence[str]) -> dict[str, list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("Everyone")]
    return {
        name: line.removesuffix(".").partition(": ")[2].split(", ")
        for name, line in zip(chosen, lines, strict=True)
    }


def test_verdicts_are_those_of_a_brute_force() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for text, clues, chosen, size in puzzles(seed=3, number=40):
        things = things_of(text, chosen)
        puzzle = reader("zebra").people(text)
        some = next((answer for _, answer in models(clues, things, size, leave=False)), 1)
        gold = str(some if len(text) % 3 else 1 + some % size)
        problem = Problem(puzzle=puzzle, gold=gold)
        for words in WORDS:
            found = list(models(clues, things, size, leave=words == "unused"))
            answers = {answer for _, answer in found}
            by_meaning: dict[object, set[int]] = {}
            for meanings, answer in found:
                by_meaning.setdefault(meanings, set()).add(answer)
            if not answers:
                wanted = "contradictory"
            elif answers == {int(gold)} or (words == "some" and {int(gold)} in by_meaning.values()):
                wanted = "right"
            else:
                wanted = "wrong" if len(answers) == 1 else "unanswerable"
            outcome = problem.decide({"words": words})
            assert outcome.verdict == wanted, text
            seen[words, wanted] += 1
    assert {verdict for _, verdict in seen} == {"right", "wrong", "unanswerable", "contradictory"}
    assert seen["some", "right"] > seen["either", "right"]


ORDER = """On a quay, there are four boats: a dinghy, a ketch, a sloop, and a yawl. \
The ketch is to the left of the dinghy. The sloop is the second from the right. \
The yawl is the leftmost.
Options:
(A) The ketch is the second from the left
(B) The dinghy is the second from the left
(C) The sloop is the leftmost
(D) The yawl is the rightmost"""


def test_an_order_of_objects() -> None:
    puzzle = reader("logical_deduction").objects(ORDER)
    assert [clue.place for clue in puzzle.clues] == [0, 3, 1]
    outcome = Problem(puzzle=puzzle, gold="(A)").decide({})
    assert (outcome.verdict, outcome.decided) == (Verdict.RIGHT, "(A)")
    assert set(outcome.certificate["refutations"]) == {"(B)", "(C)", "(D)"}
    wrong = Problem(puzzle=puzzle, gold="(C)").decide({})
    assert (wrong.verdict, wrong.decided) == (Verdict.WRONG, "(A)")


@pytest.mark.parametrize(
    ("replaced", "by", "verdict"),
    [
        ("The yawl is the leftmost.", "The yawl is to the left of the sloop.", "unanswerable"),
        ("The yawl is the leftmost.", "The yawl is to the right of the sloop.", "unanswerable"),
        ("The yawl is the leftmost.", "The yawl is the second from the right.", "contradictory"),
        ("(A) The ketch is the second", "(A) The ketch is the third", "no-right-option"),
    ],
)
def test_orders_without_the_label(replaced: str, by: str, verdict: str) -> None:
    puzzle = reader("logical_deduction").objects(ORDER.replace(replaced, by))
    assert Problem(puzzle=puzzle, gold="(A)" if verdict != "wrong" else "(B)").decide(
        {}
    ).verdict == (verdict)


def test_refutations_are_minimal() -> None:
    """Without any of its clues a refuted option is possible."""
    tried = 0
    for text, *_ in puzzles(seed=11, number=12):
        puzzle = reader("zebra").people(text)
        outcome = Problem(puzzle=puzzle, gold="1").decide({})
        read = check.read(outcome.certificate)
        for label, core in outcome.certificate.get("refutations", {}).items():
            clues = [read.clues[number] for number in core]
            assert check.contradict(read, [*clues, read.options[label]], (), {})
            for clue in clues:
                tried += 1
                rest = [other for other in clues if other is not clue]
                assert not check.contradict(read, [*rest, read.options[label]], (), {})
    assert tried > 5


def test_no_other_label_is_proved() -> None:
    puzzle = reader("logical_deduction").objects(ORDER)
    outcome = Problem(puzzle=puzzle, gold="(A)").decide({})
    case = {"verdict": "right", "decided": "(A)", **outcome.certificate}
    assert check.fault_of_case(case, "(A)") is None
    for label in ("(B)", "(C)", "(D)", "(E)", None):
        assert check.fault_of_case(case, label)
    for verdict in Verdict:
        if verdict != "right":
            assert check.fault_of_case({**case, "verdict": verdict.value}, "(A)")


@pytest.mark.parametrize("part", ["models", "refutations", "denials", "text"])
def test_damaged_evidence_is_refused(part: str) -> None:
    puzzle = reader("logical_deduction").objects(ORDER)
    outcome = Problem(puzzle=puzzle, gold="(A)").decide({})
    case = {"verdict": "right", "decided": "(A)", **deepcopy(dict(outcome.certificate))}
    if part == "models":
        case["models"][0]["places"] = [1, 2, 3, 4]
    elif part == "text":
        case["text"] = ORDER.replace("the leftmost.", "the rightmost.")
    else:
        case[part] = {label: [] for label in case[part]}
    assert check.fault_of_case(case, "(A)")


@pytest.mark.parametrize(
    "text",
    [
        ORDER.replace("four boats", "five boats"),
        ORDER.replace("to the left of", "not to the left of"),
        ORDER.replace("The yawl is the leftmost", "The barge is the leftmost"),
        ORDER.replace("second from the right", "fifth from the right"),
        ORDER.partition("\nOptions")[0],
        "",
    ],
)
def test_what_is_not_read(text: str) -> None:
    with pytest.raises(PuzzleError):
        reader("logical_deduction").objects(text)


def test_a_number_of_people_that_is_not_that_of_the_positions() -> None:
    head = "There are {} people next to each other in a row in positions 1, 2, 3"
    for number in ("2147483648", "9" * 5000):
        with pytest.raises(PuzzleError, match="expected"):
            reader("zebra").people(f"{head.format(number)}\nQuestion: What position is Ada at?")
