"""Where antecedents hold and what is due, against trying every choice of facts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.asp import Program

Fact = tuple[int, int, int, int]
Step = tuple[int, int, int]
Lags = tuple[tuple[int, int], ...]

SHAPES: tuple[tuple[Step, ...], ...] = (
    ((1, 0, 2), (2, 1, 1)),
    ((1, 0, 1), (1, 0, 1)),
    ((1, 0, 2), (2, 1, 3), (1, 0, 3)),
    ((1, 0, 2), (3, 0, 4), (4, 1, 1)),
    ((1, 0, 2), (2, 1, 1), (1, 0, 2)),
    ((1, 0, 2), (3, 1, 1), (3, 0, 3)),
    ((1, 0, 2), (3, 1, 3), (3, 0, 2)),
    ((2, 0, 1), (1, 0, 1), (2, 1, 2)),
    ((1, 0, 2), (2, 0, 3), (3, 1, 4), (1, 0, 4)),
    ((1, 0, 2), (3, 1, 4), (5, 0, 6), (6, 1, 1)),
    ((1, 0, 2), (3, 1, 3), (4, 0, 4), (4, 1, 2)),
    ((1, 0, 2), (2, 1, 1), (1, 0, 2), (2, 1, 2)),
    ((1, 0, 2), (1, 0, 3), (4, 1, 3), (4, 0, 2)),
    ((1, 0, 2), (3, 0, 2), (3, 1, 4), (4, 0, 1)),
    ((1, 0, 1), (2, 1, 2), (1, 0, 2), (2, 0, 1)),
)
facts = st.sets(
    st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(0, 3), st.integers(0, 4)),
    max_size=10,
)


@st.composite
def patterns(draw: st.DrawFn) -> tuple[tuple[Step, ...], Lags]:
    steps = draw(st.sampled_from(SHAPES))
    lags = [
        (low, low + draw(st.integers(0, 2)))
        for low in draw(st.lists(st.integers(0, 2), min_size=3, max_size=3))
    ]
    return steps, tuple(lags[: len(steps) - 1])


def due(steps: tuple[Step, ...], lags: Lags, held: set[Fact]) -> set[Fact]:
    """Consequences with the time of the last antecedent: every choice of facts is tried."""
    return {
        (bound[steps[-1][0]], steps[-1][1], bound[steps[-1][2]], chosen[-1][3])
        for chosen in product(sorted(held), repeat=len(steps) - 1)
        for bound in bindings(steps, chosen)
        if all(
            low <= late[3] - early[3] <= high
            for (low, high), early, late in zip(lags, chosen, chosen[1:], strict=False)
        )
    }


def bindings(steps: tuple[Step, ...], chosen: tuple[Fact, ...]) -> Iterator[dict[int, int]]:
    bound: dict[int, int] = {}
    for (x, relation, y), (head, name, tail, _) in zip(steps, chosen, strict=False):
        if relation != name or bound.setdefault(x, head) != head:
            return
        if bound.setdefault(y, tail) != tail:
            return
    if len(set(bound.values())) == len(bound):
        yield bound


def program(steps: tuple[Step, ...], lags: Lags) -> str:
    lines = [f"step(7,{n},{x},{r},{y})." for n, (x, r, y) in enumerate(steps, 1)]
    lines += [f"lag(7,{n},{low},{high})." for n, (low, high) in enumerate(lags, 1)]
    return "\n".join([*lines, "closed(7)."])


def asked(encoding: str, predicate: str, text: str) -> set[Fact]:
    atoms = Program(encodings=(encoding,)).unique_model(text)
    return {tuple(map(int, atom.arguments)) for atom in atoms if atom.name == predicate}  # type: ignore


EXAMPLES = pytest.mark.parametrize("examples", [40, pytest.param(150, marks=pytest.mark.slow)])


@EXAMPLES
def test_due_is_what_trying_everything_finds(examples: int) -> None:
    @settings(max_examples=examples)
    @given(pattern=patterns(), held=facts)
    def law(pattern: tuple[tuple[Step, ...], Lags], held: set[Fact]) -> None:
        steps, lags = pattern
        usable = "".join(f"usable({h},{r},{t},{u})." for h, r, t, u in held)
        text = f"{program(steps, lags)} {usable}"
        relation = steps[-1][1]
        found = {(e, relation, f, u) for _, e, f, u in asked("tkg/instances.lp", "due", text)}
        assert found == due(steps, lags, held)

    law()


@EXAMPLES
def test_closure_adds_what_is_due_until_nothing_is(examples: int) -> None:
    @settings(max_examples=examples)
    @given(pattern=patterns(), planted=facts, steps=st.integers(1, 7))
    def law(pattern: tuple[tuple[Step, ...], Lags], planted: set[Fact], steps: int) -> None:
        adds_what_is_due(*pattern, planted, steps)

    law()


def adds_what_is_due(shape: tuple[Step, ...], lags: Lags, planted: set[Fact], steps: int) -> None:
    point = (*lags[:-1], (lags[-1][0], lags[-1][0]))
    held = set(planted)
    while True:
        new = {(h, r, t, u + point[-1][0]) for h, r, t, u in due(shape, point, held)}
        new = {fact for fact in new if fact[3] < steps} - held
        if not new:
            break
        held |= new
    given = "".join(f"planted({h},{r},{t},{u})." for h, r, t, u in planted)
    text = f"{program(shape, point)} {given} horizon({steps})."
    assert asked("tkg/closure.lp", "happens", text) == held


@pytest.mark.parametrize(("steps", "number"), [(12, 6), (11, 6), (2, 1)])
def test_a_reply_is_replied_to_until_time_ends(steps: int, number: int) -> None:
    text = f"step(0,1,1,0,2). step(0,2,2,0,1). lag(0,1,2,2). closed(0). horizon({steps})."
    found = asked("tkg/closure.lp", "happens", f"{text} planted(3,0,5,0).")
    assert len(found) == number
    assert {fact[3] for fact in found} == set(range(0, 2 * number, 2))


def test_patterns_that_are_not_followed_demand_nothing() -> None:
    text = program(SHAPES[0], ((1, 1),)).replace("closed(7).", "")
    assert asked("tkg/instances.lp", "due", f"{text} usable(1,0,2,0).") == set()
