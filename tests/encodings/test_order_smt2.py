"""The SMT theory alone: it parses, its macros are correct, scripts of items give their status."""

from __future__ import annotations

import re
import subprocess
from importlib.metadata import distribution
from pathlib import Path

import pytest

from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Relation,
    Status,
)
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.eventhop.engines.smt import script
from solver.smt import THEORY, OrderSolver

# The program that is installed with the library.
Z3 = Path(str(distribution("z3-solver").locate_file("../../../bin/z3"))).resolve()


def ask(path: Path) -> list[str]:
    done = subprocess.run([Z3, path], capture_output=True, text=True, check=True, timeout=600)
    return done.stdout.split()


def test_theory_parses_alone_and_sets_the_logic_first() -> None:
    commands = re.findall(r"^\([a-z-]+ \S+", THEORY.read_text(encoding="utf-8"), re.MULTILINE)
    assert commands[0] == "(set-logic QF_IDL)"
    assert {command.split()[0] for command in commands[1:]} == {"(define-fun"}
    assert ask(THEORY) == []


# A macro, the positions of its points, and whether it holds there.
MEANINGS = [
    ("precedes", (0, 1), True),
    ("precedes", (1, 1), False),
    ("coincides", (1, 1), True),
    ("coincides", (0, 1), False),
    ("before", (0, 1), True),
    ("before", (0, 0), False),
    ("before", (1, 0), False),
    ("after", (1, 0), True),
    ("after", (0, 0), False),
    ("after", (0, 1), False),
    ("simultaneous", (2, 2), True),
    ("simultaneous", (2, 3), False),
    *((f"not_after{relaxed}", (0, 1), True) for relaxed in ("", "_relaxed")),
    *((f"not_after{relaxed}", (1, 1), True) for relaxed in ("", "_relaxed")),
    *((f"not_after{relaxed}", (1, 0), False) for relaxed in ("", "_relaxed")),
    *((f"not_before{relaxed}", (1, 0), True) for relaxed in ("", "_relaxed")),
    *((f"not_before{relaxed}", (1, 1), True) for relaxed in ("", "_relaxed")),
    *((f"not_before{relaxed}", (0, 1), False) for relaxed in ("", "_relaxed")),
    ("lasts", (0, 1), True),
    ("lasts", (0, 0), False),
    ("before_relaxed", (0, 0), True),
    ("before_relaxed", (1, 0), False),
    ("after_relaxed", (0, 0), True),
    ("after_relaxed", (0, 1), False),
    ("simultaneous_relaxed", (0, 0), True),
    ("simultaneous_relaxed", (0, 1), False),
    ("lasts_relaxed", (0, 0), True),
    ("lasts_relaxed", (1, 0), False),
    ("claim_before", (0, 1, 1, 2), True),
    ("claim_before", (0, 2, 1, 3), False),
    ("claim_after", (1, 2, 0, 1), True),
    ("claim_after", (0, 1, 1, 2), False),
    ("claim_after", (1, 3, 0, 2), False),
    ("claim_overlaps", (0, 2, 1, 3), True),
    ("claim_overlaps", (0, 1, 1, 2), False),
    ("claim_overlaps", (1, 2, 0, 1), False),
    ("not_both_at", (0, 1, 0), True),
    ("not_both_at", (0, 0, 1), True),
    ("not_both_at", (0, 1, 1), True),
    ("not_both_at", (0, 0, 0), False),
]


@pytest.mark.parametrize(("macro", "places", "holds"), MEANINGS)
def test_meaning_of_macros(macro: str, places: tuple[int, ...], holds: bool) -> None:
    solver = OrderSolver()
    with solver.assuming([f"({macro} {' '.join(map(str, places))})"]):
        assert solver.satisfiable() is holds


def test_every_macro_has_a_case() -> None:
    defined = re.findall(r"\(define-fun (\w+)", THEORY.read_text(encoding="utf-8"))
    covered = {macro for macro, _, _ in MEANINGS} | {f"allen_{word}" for word in AllenRelation}
    # Used inside the other macros.
    assert set(defined) - covered == {"precedes_or_coincides", "guarded"}
    assert {f"claim_{word}" for word in ClaimRelation} | set(Order) <= set(defined)


def test_exactly_one_allen_relation_holds_between_two_events() -> None:
    spells = [(start, end) for start in range(4) for end in range(start + 1, 4)]
    solver = OrderSolver()
    found = set()
    for a in spells:
        for b in spells:
            places = " ".join(map(str, (*a, *b)))
            related = []
            for word in AllenRelation:
                with solver.assuming([f"(allen_{word} {places})"]):
                    if solver.satisfiable():
                        related.append(word)
            assert len(related) == 1, (a, b, related)
            found.add(related[0])
    assert found == set(AllenRelation)


ANSWERS = {
    ("sat", "sat", "unsat"): Status.ENTAILED,
    ("sat", "unsat", "sat"): Status.REFUTED,
    ("sat", "sat", "sat"): Status.UNKNOWN,
}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ([("A", "end", "before", "B", "start")], ClaimRelation.BEFORE),
        ([("A", "end", "before", "B", "start")], AllenRelation.OVERLAPS),
        ([("A", "start", "simultaneous", "B", "start")], AllenRelation.STARTS),
        ([("B", "end", "after", "C", "end")], ClaimRelation.AFTER),
    ],
)
def test_script_of_an_item_gives_its_status(
    tmp_path: Path,
    premise: list[tuple[str, str, str, str, str]],
    claim: ClaimRelation | AllenRelation,
) -> None:
    premise = tuple(
        Relation(
            left=Point(event=e, bound=Bound(x)),
            order=Order(o),
            right=Point(event=f, bound=Bound(y)),
        )
        for e, x, o, f, y in premise
    )
    item = Item(id="1", premise=premise, claim=Claim(left="A", relation=claim, right="B"))
    path = tmp_path / "item.smt2"
    path.write_text(script(item), encoding="utf-8")
    assert ANSWERS[tuple(ask(path))] is engine(EngineName.SMT).decide([item])[0].status


def test_script_names_its_assertions(tmp_path: Path) -> None:
    point = Point(event="A", bound=Bound.START)
    item = Item(
        id="1",
        premise=(Relation(left=point, order=Order.BEFORE, right=point),),
        claim=Claim(left="A", relation=ClaimRelation.BEFORE, right="B"),
    )
    path = tmp_path / "item.smt2"
    text = "(set-option :produce-unsat-cores true)\n" + script(item)
    path.write_text(text.replace("(check-sat)", "(check-sat)(get-unsat-core)", 1))
    assert ask(path) == ["unsat", "(r0)", "unsat", "unsat"]
