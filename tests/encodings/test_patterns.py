"""Encodings of patterns, asked alone: what their files promise, and how large they ground."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.asp import Program

ENCODINGS = Path(__file__).resolve().parents[2] / "encodings"
FOLDER = ENCODINGS / "patterns"
Solve = Callable[..., list[str]]

CHAIN = ((1, 1, 2), (2, 2, 3), (3, 3, 4), (1, 4, 4))


def steps(pattern: int | str, triples: tuple[tuple[int, int, int], ...]) -> str:
    return "\n".join(
        f"triple({pattern},{s},{h},{r},{t})." for s, (h, r, t) in enumerate(triples, start=1)
    )


def test_the_last_step_is_the_consequence() -> None:
    atoms = Program(encodings=("patterns/triples.lp",)).unique_model(steps(0, CHAIN))
    assert [atom.arguments for atom in atoms if atom.name == "consequence"] == [(0, 4)]
    assert sorted(atom.arguments for atom in atoms if atom.name == "head") == [
        (0, 1, 1), (0, 2, 2), (0, 3, 3), (0, 4, 1),
    ]  # fmt: skip


# Steps, and what Algorithm 11 finds wrong with them as edges; the order counts for not_adjacent.
CYCLES = [
    (((1, 1, 2), (2, 1, 3), (3, 1, 1)), ""),
    (((1, 1, 2), (3, 1, 2), (1, 1, 3)), ""),
    (((1, 1, 2), (2, 1, 1)), ""),
    (((1, 1, 2), (1, 2, 2)), ""),
    (((1, 1, 2), (3, 1, 4), (2, 1, 3), (4, 1, 1)), "not_adjacent"),
    (((1, 1, 2), (2, 1, 3), (1, 1, 3), (1, 1, 4)), "degree_not_two"),
    (((1, 1, 2), (2, 1, 3), (3, 1, 4)), "not_adjacent degree_not_two edges_unlike_entities"),
    (((1, 1, 2), (2, 1, 1), (3, 1, 4), (4, 1, 3)), "not_adjacent not_one_piece"),
    (((1, 1, 1), (2, 1, 2)), "not_adjacent not_one_piece"),
    (((1, 1, 1), (1, 1, 1)), "degree_not_two edges_unlike_entities"),
    (((1, 1, 2), (2, 1, 3)), "degree_not_two edges_unlike_entities"),
]


@pytest.mark.parametrize(("triples", "broken"), CYCLES)
def test_the_cycle_check_stands_alone(
    solve: Solve, triples: tuple[tuple[int, int, int], ...], broken: str
) -> None:
    files = ("patterns/triples.lp", "patterns/steps.lp", "patterns/cycle.lp")
    assert solve(files, steps(0, triples), "breaks") == [
        f"breaks(0,{rule})" for rule in sorted(broken.split())
    ]


def test_patterns_of_a_batch_do_not_mix(solve: Solve) -> None:
    triples = [rows for rows, _ in CYCLES]
    alone = [
        atom.replace("(0,", f"({number},", 1)
        for number, triple in enumerate(triples)
        for atom in solve(("patterns/classification.lp",), steps(0, triple))
    ]
    batch = "\n".join(steps(number, triple) for number, triple in enumerate(triples))
    assert solve(("patterns/classification.lp",), batch) == sorted(alone)


def rules(folder: Path, facts: str, name: str) -> int:
    """Ground rules beyond the facts given."""
    (folder / "facts.lp").write_text(facts, encoding="utf-8")
    command = [sys.executable, "-m", "clingo", "--mode=gringo", "--text", "--warn=none"]
    done = subprocess.run(
        [*command, "facts.lp", str(FOLDER / name)],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return len(done.stdout.splitlines()) - len(facts.splitlines())


@pytest.mark.parametrize("name", ["classification.lp", "subpatterns.lp"])
def test_each_pattern_grounds_the_same(tmp_path: Path, name: str) -> None:
    none, *some = (
        rules(tmp_path, "\n".join(steps(p, CHAIN) for p in range(n)), name) for n in (0, 4, 8, 16)
    )
    each = (some[0] - none) // 4
    assert [found - none for found in some] == [4 * each, 8 * each, 16 * each]
    assert 0 < each < 1_500


def test_a_pattern_has_fifteen_parts() -> None:
    program = Program(encodings=("patterns/subpatterns.lp",))
    atoms = program.unique_model(steps(0, CHAIN))
    assert len([atom for atom in atoms if atom.name == "normal_form"]) == 3 + 6 + 6
