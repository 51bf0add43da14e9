"""Tables of single changes to valid facts, and the violations of coherency.lp and schema.lp."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Solve = Callable[..., list[str]]
ENCODINGS = Path(__file__).resolve().parents[2] / "encodings"

# Subject 1, objects 2 and 3, relation 5: two intervals with 2, then one with 3.
SOUND = """
fact(0,1,5,start,2,10). fact(1,1,5,end,2,20). fact(2,1,5,start,2,30). fact(3,1,5,end,2,30).
fact(4,1,5,start,3,40). fact(5,1,6,point,3,41). exclusive(5). window(10,41).
interval(0,10,20). interval(1,30,30).
"""

COHERENCY = {
    "nothing": ("", "", []),
    "a start of what is open": (
        "fact(1,1,5,end,2,20).",
        "fact(1,1,5,start,2,20).",
        ["reopened(1,0)", "reopened(2,1)", "second_open(1,0)", "second_open(2,1)"],
    ),
    "an end of what has ended": (
        "fact(2,1,5,start,2,30).",
        "fact(2,1,5,end,2,30).",
        [
            "duplicate(3,2)",
            "nothing_open(2,1)",
            "nothing_open(3,2)",
            "reclosed(2,1)",
            "reclosed(3,2)",
        ],
    ),
    "a second object": (
        "fact(3,1,5,end,2,30).",
        "",
        ["second_open(4,2)"],
    ),
    "an end of another object": (
        "fact(4,1,5,start,3,40).",
        "fact(4,1,5,start,3,40). fact(6,1,5,end,2,41).",
        ["other_open(6,4)", "reclosed(6,3)"],
    ),
    "a fact twice": (
        "fact(5,1,6,point,3,41).",
        "fact(5,1,6,point,3,41). fact(6,1,6,point,3,41).",
        ["duplicate(6,5)"],
    ),
    "an end before its start": ("interval(0,10,20)", "interval(0,20,10)", ["end_before_start(0)"]),
    "before the window": ("window(10,41).", "window(11,41).", ["outside_window(0)"]),
    "after the window": ("window(10,41).", "window(10,40).", ["outside_window(5)"]),
    "history is not judged": ("window(10,41).", "window(11,41). past(0).", []),
    "an empty object": ("window", "nameless(3). window", ["empty_object(4)", "empty_object(5)"]),
    "a placeholder": ("window", "placeholder(3). window",
                   ["placeholder_object(4)", "placeholder_object(5)"]),
}  # fmt: skip


def violations(solve: Solve, facts: str, name: str = "coherency") -> list[str]:
    return [text[10:-1] for text in solve((f"facts/{name}.lp",), facts, "violation")]


@pytest.mark.parametrize(("old", "new", "expected"), COHERENCY.values(), ids=COHERENCY)
def test_each_change_is_found(solve: Solve, old: str, new: str, expected: list[str]) -> None:
    assert old in SOUND
    assert violations(solve, SOUND.replace(old, new, 1) if old else SOUND) == expected


def test_several_objects_at_a_time_in_relations_that_allow_it(solve: Solve) -> None:
    assert (
        violations(solve, SOUND.replace("fact(3,1,5,end,2,30).", "").replace("exclusive(5).", ""))
        == []
    )


def test_ends_without_a_start(solve: Solve) -> None:
    facts = "fact(0,1,5,end,2,10). exclusive(5)."
    assert solve(("facts/coherency.lp",), facts) == ["unverifiable(0)"]
    assert violations(solve, f"{facts} history(whole).") == ["never_opened(0)"]
    assert violations(solve, f"{facts} past(0). history(whole).") == []


def test_history_counts(solve: Solve) -> None:
    facts = "fact(0,1,5,start,2,1). past(0). fact(1,1,5,start,2,9). fact(2,1,5,start,3,9)."
    assert violations(solve, facts) == ["reopened(1,0)"]
    assert violations(solve, f"{facts} exclusive(5).") == [
        "reopened(1,0)",
        "second_open(1,0)",
        "second_open(2,1)",
    ]
    closed = facts.replace("start,2,1)", "end,2,1)")
    assert violations(solve, closed) == []


def test_facts_without_a_subject_make_no_chain(solve: Solve) -> None:
    facts = "fact(0,1,5,start,2,1). fact(1,1,5,start,2,9). exclusive(5). nameless(1)."
    assert violations(solve, facts) == ["empty_subject(0)", "empty_subject(1)"]


# 0 thing, 1 person, 2 place, 3 city, 4 worker; relation 0 joins persons to places or persons,
# relation 1 cities to persons, relation 2 has no constraints.
SCHEMA = """
class(0..4). subclass(1,0). subclass(2,0). subclass(3,2). subclass(4,1). disjoint(1,2).
signature(0,0). allows(0,0,domain,1). allows(0,0,range,2). allows(0,0,range,1).
signature(1,0). allows(1,0,domain,3). allows(1,0,range,1). signature(2,0). endless(2).
typed(10,4). typed(11,3). typed(12,0).
"""

FITS = {
    "subclass of an allowed class": ("fact(0,10,0,start,11,1).", []),
    "another alternative": ("fact(0,10,0,start,10,1).", []),
    "a wrong subject": ("fact(0,11,0,start,11,1).", ["wrong_domain(0)"]),
    "a wrong object": ("fact(0,11,1,start,11,1).", ["wrong_range(0)"]),
    "both wrong": ("fact(0,10,1,start,11,1).", ["wrong_domain(0)", "wrong_range(0)"]),
    "superclass of an allowed class": ("fact(0,12,0,start,11,1).", ["wrong_domain(0)"]),
    "no constraint": ("fact(0,12,2,point,12,1).", []),
    "unknown": ("fact(0,10,7,start,11,1).", ["unknown_relation(0)"]),
    "of no class": ("fact(0,10,0,start,13,1).", []),
    "disjoint classes": ("typed(12,1). typed(12,3).", ["disjoint_types(12,1,3)"]),
    "an end that cannot be": ("ended(0,2). ended(1,0).", ["cannot_end(0)"]),
    "history": ("fact(0,11,0,start,11,1). past(0).", []),
    "disjoint roles": (
        "fact(0,13,0,start,11,1). fact(1,13,1,start,10,1).",
        ["disjoint_roles(13,(domain,0),(domain,1))"],
    ),
    "roles that one class may fill": ("fact(0,10,0,start,13,1). fact(1,13,1,start,10,1).", []),
    "roles, one without constraint": ("fact(0,13,0,start,11,1). fact(1,13,2,start,10,1).", []),
}  # fmt: skip


@pytest.mark.parametrize(("facts", "expected"), FITS.values(), ids=FITS)
def test_classes(solve: Solve, facts: str, expected: list[str]) -> None:
    found = [violation.replace("((", "(").replace(",(", ",(") for violation in
             violations(solve, SCHEMA + facts, "schema")]  # fmt: skip
    assert found == expected


def test_two_relations_with_the_same_name(solve: Solve) -> None:
    both = "signature(1,1). allows(1,1,domain,4). allows(1,1,range,2)."
    facts = "fact(0,10,1,start,11,1). fact(1,11,1,start,10,1). fact(2,10,1,start,10,1)."
    assert violations(solve, SCHEMA + both + facts, "schema") == ["wrong_signature(2)"]


def test_untyped_entities_are_reported(solve: Solve) -> None:
    facts = "fact(0,10,0,start,13,1). fact(1,14,0,start,15,1). past(1). fact(2,10,0,start,16,1)."
    found = solve(("facts/schema.lp",), f"{SCHEMA}{facts} nameless(16).", "untyped")
    assert found == ["untyped(13)"]


def grounded(facts: list[str], encoding: str, folder: Path) -> int:
    (folder / "facts.lp").write_text("\n".join(facts), encoding="utf-8")
    command = [sys.executable, "-m", "clingo", "--mode=gringo", "--text", "facts.lp"]
    command.append(str(ENCODINGS / "facts" / encoding))
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines()) - len(facts)


@pytest.mark.parametrize("encoding", ["coherency.lp", "schema.lp"])
def test_facts_of_bounded_chains_ground_linearly(encoding: str, tmp_path: Path) -> None:
    def facts(number: int) -> list[str]:
        rows = [
            f"fact({n},{n // 4},5,{('start', 'end')[n % 2]},{n % 3},{n})." for n in range(number)
        ]
        return [*rows, "exclusive(5).", "signature(5,0).", "class(0..1).", "allows(5,0,range,1)."]

    small, middle, large = (grounded(facts(n), encoding, tmp_path) for n in (60, 120, 240))
    assert 0 < large - middle <= 2.05 * (middle - small)
