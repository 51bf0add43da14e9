"""Groundings grow as stated in the headers."""

from __future__ import annotations

import re
from pathlib import Path

import clingo
import pytest

from benchmarks.reproduction.encoding_index import header

ENCODINGS = Path(__file__).resolve().parents[2] / "encodings"
FILES = sorted((ENCODINGS / "temporal").rglob("*.lp"))
# Groundings of cubic size take seconds beyond this.
SIZES = (2, 4, 8)
GROWING = {"relations", "events", "points", "steps", "members"}


def power(path: Path) -> int:
    """The exponent of the chain length that the header states."""
    grounds = header(path.read_text(encoding="utf-8")).grounds
    stated = re.match(r"O\((.*?)\) per", grounds)
    return max(map(_power_of_product, stated[1].split("+"))) if stated else 0


def _power_of_product(product: str) -> int:
    """Factors bounded by the claim or by a constant do not count."""
    factors = [factor.strip() for factor in product.split("*")]
    grown = [re.fullmatch(r"(\w+)(?:\^(\d))?", factor) for factor in factors]
    return sum(int(m[2] or 1) for m in grown if m and m[1] in GROWING)


def chain(relations: int) -> list[str]:
    """A premise of one chain, with the inputs that files take from each other."""
    facts = [f"claim(0,before,0,{relations}).", f"query(0,0,{relations}).", "examined(0)."]
    facts += [f"claimed_point(0,at({e},{x}))." for e in (0, relations) for x in ("start", "end")]
    for e in range(relations + 1):
        facts += [f"event(0,{e}).", f"step(0,at({e},start),at({e},end),strict)."]
    for n in range(relations):
        p, q = f"at({n},end)", f"at({n + 1},start)"
        facts += [f"relation(0,{n},{p},before,{q}).", f"precedes(0,{p},{q})."]
        facts += [f"step(0,{p},{q},strict)."]
    return facts


def together(relations: int) -> list[str]:
    """A premise whose starts are all simultaneous, as a chain."""
    facts = [f"event(0,{e})." for e in range(relations + 1)]
    pairs = ((f"at({n},start)", f"at({n + 1},start)") for n in range(relations))
    sentences = [f"relation(0,{n},{p},simultaneous,{q})." for n, (p, q) in enumerate(pairs)]
    return [*facts, *sentences, "examined(0)."]


def taken(path: Path, facts: list[str]) -> list[str]:
    """The facts whose predicates are inputs in the header of a file."""
    names = {signature.name for signature in header(path.read_text(encoding="utf-8")).inputs}
    return [fact for fact in facts if fact.partition("(")[0] in names]


class Counter(clingo.Observer):
    """Counts ground rules; a fact is one."""

    def __init__(self) -> None:
        self.rules = 0

    def rule(self, *_: object) -> None:
        self.rules += 1

    def weight_rule(self, *_: object) -> None:
        self.rules += 1

    def minimize(self, *_: object) -> None:
        self.rules += 1


def rules(facts: list[str], *encodings: Path) -> int:
    """The number of ground rules beyond the facts given."""
    control, counter = clingo.Control(["--warn=none"]), Counter()
    control.register_observer(counter)
    control.add("base", [], "\n".join(facts))
    for path in encodings:
        control.load(str(path))
    control.ground([("base", [])])
    return counter.rules - len(facts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ENCODINGS).as_posix())
def test_grounds_as_stated(path: Path) -> None:
    small, middle, large = (rules(taken(path, chain(n)), path) for n in SIZES)
    if power(path) == 0:
        assert small == middle == large
        return
    assert middle > small > 0
    growth = (large - middle) / (middle - small)
    assert growth <= 2 ** power(path)
    # The bound must be tight, except for ablations.
    assert growth > 2 ** (power(path) - 1) or "ablations" in path.parts


def test_a_class_of_simultaneous_points_grounds_linearly() -> None:
    files = [ENCODINGS / "temporal" / name for name in ("order.lp", "consistency.lp")]
    small, middle, large = (rules(together(n), *files) for n in (20, 40, 80))
    assert (large - middle) == 2 * (middle - small) > 0


def test_the_table_of_relations_is_constant() -> None:
    path = ENCODINGS / "temporal" / "allen.lp"
    stated = header(path.read_text(encoding="utf-8")).grounds
    assert stated.startswith(f"to {rules([], path)} facts")


def test_walks_are_followed_from_claimed_points_only() -> None:
    """Points unrelated to the claim add only their steps."""
    path = ENCODINGS / "temporal" / "order.lp"
    claimed = ["event(0,a).", "claimed_point(0,at(a,start))."]
    away = [fact for fact in chain(20) if fact.startswith(("event", "relation"))]
    parts = [rules(facts, path) for facts in (claimed, away)]
    # The facts of the file itself are in both.
    assert rules(claimed + away, path) == sum(parts) - rules([], path)
