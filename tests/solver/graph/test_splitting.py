"""Splits of graphs by time, compared with a brute force."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

import hopcheck as hc
from grammar.errors import ExitStatus
from solver.cli import run
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.graph.splitting import SplitGraph, SplittingError, split_at, split_by_time

Fact = tuple[int, int, int, int]


def graph_of(facts: list[Fact], named: bool = False) -> Dataset:
    """A graph with these facts, perhaps repeated, dealt to splits at random places."""
    rows = Quadruples.of(np.array(facts, dtype=np.int64))
    days = [(date(2030, 1, 1) + timedelta(days=2 * n)).isoformat() for n in range(9)]
    words = Vocabulary(entities=6, relations=3, times=9, time_names=tuple(days) if named else ())
    half = len(facts) // 2
    parts = {Split.TRAIN: rows.take(slice(0, half)), Split.TEST: rows.take(slice(half, None))}
    return Dataset(name="drawn", vocabulary=words, splits=parts)


def drawn(seed: int) -> list[Fact]:
    draw = Random(seed)
    times = draw.sample(range(9), draw.randint(1, 9))
    facts = [
        (draw.randrange(6), draw.randrange(3), draw.randrange(6), draw.choice(times))
        for _ in range(draw.randint(1, 40))
    ]
    return [*facts, *draw.choices(facts, k=draw.randrange(4))]


def parts_of(made: SplitGraph) -> dict[Split, list[Fact]]:
    return {
        split: [(int(h), int(r), int(t), int(time)) for h, r, t, time in part.rows().tolist()]
        for split, part in made.graph.splits.items()
    }


def cut(facts: list[Fact], starts: tuple[int, ...]) -> list[set[Fact]]:
    """The facts between the times at which splits begin."""
    bounds = (-1, *starts, 99)
    return [{fact for fact in facts if low <= fact[3] < high} for low, high in pairwise(bounds)]


@pytest.mark.parametrize("shares", [(0.8, 0.1, 0.1), (0.5, 0.5), (0.1, 0.2, 0.7)])
def test_shares_are_as_near_as_times_allow(shares: tuple[float, ...]) -> None:
    for seed in range(300):
        require_nearest(seed, shares)


def require_nearest(seed: int, shares: tuple[float, ...]) -> None:
    facts = drawn(seed)
    times = sorted({fact[3] for fact in facts})
    if len(times) < len(shares):
        with pytest.raises(SplittingError, match="expected at least one for each"):
            split_by_time(graph_of(facts), shares)
        return
    made = split_by_time(graph_of(facts), shares)
    found = [set(part) for part in parts_of(made).values()]
    every = set(facts)
    assert set().union(*found) == every
    assert sum(map(len, found)) == len(every)
    assert made.repeated == len(facts) - len(every)
    # The first boundary is the best one that leaves times to the others.
    wanted = shares[0] * len(every)
    possible = [cut(facts, (start,))[0] for start in times[1 : len(times) - len(shares) + 2]]
    assert abs(len(found[0]) - wanted) == min(abs(len(part) - wanted) for part in possible)
    for earlier, later in combinations(found, 2):
        assert max(fact[3] for fact in earlier) < min(fact[3] for fact in later)


def test_figures_are_those_of_a_count() -> None:
    for seed in range(300):
        require_figures(seed)


def require_figures(seed: int) -> None:
    facts = drawn(seed)
    starts = tuple(sorted(Random(seed).sample(range(1, 9), 2)))
    expected = cut(facts, starts)
    if not all(expected):
        with pytest.raises(SplittingError, match="found no fact"):
            split_at(graph_of(facts), list(map(str, starts)))
        return
    made = split_at(graph_of(facts), list(map(str, starts)))
    assert [set(part) for part in parts_of(made).values()] == expected
    before: set[Fact] = set()
    for row, part in zip(made.figures.values(), expected, strict=True):
        entities = {end for fact in before for end in (fact[0], fact[2])}
        relations = {fact[1] for fact in before}
        assert row.facts == len(part)
        assert row.new_entities == len({e for f in part for e in (f[0], f[2])} - entities)
        assert row.new_relations == len({fact[1] for fact in part} - relations)
        assert row.unseen == sum(
            not {fact[0], fact[2]} <= entities or fact[1] not in relations for fact in part
        )
        triples = {fact[:3] for fact in before}
        assert row.repeated == sum(fact[:3] in triples for fact in part)
        before |= part


@pytest.mark.parametrize(("at", "first"), [("2030-01-05", 2), ("2030-01-04", 2), ("2030-01-06", 3)])
def test_a_date_without_facts_is_the_next_one(at: str, first: int) -> None:
    facts = [(0, 0, 1, time) for time in range(9)]
    made = split_at(graph_of(facts, named=True), [at])
    assert min(fact[3] for fact in parts_of(made)[Split.TEST]) == first


@pytest.mark.parametrize(
    "wrong", [[], ["1", "2", "3"], ["4", "2"], ["4", "4"], ["x"], ["2030-01-05"]]
)
def test_wrong_times_are_refused(wrong: list[str]) -> None:
    with pytest.raises(SplittingError):
        split_at(graph_of([(0, 0, 1, time) for time in range(9)]), wrong)


@pytest.mark.parametrize("wrong", [(1.0,), (0.5, 0.4), (1.0, 0.0), (0.25,) * 4, (1.2, -0.2)])
def test_wrong_shares_are_refused(wrong: tuple[float, ...]) -> None:
    with pytest.raises(SplittingError, match="add up to 1"):
        split_by_time(graph_of([(0, 0, 1, time) for time in range(9)]), wrong)


def test_the_command_writes_what_is_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "edges.tsv"
    draw = Random(1)
    rows = [
        f"e{draw.randrange(9)}\tmet\te{draw.randrange(9)}\t2031-{1 + n % 12:02}-01"
        for n in range(300)
    ]
    source.write_text("".join(f"{row}\n" for row in ["head\trelation\ttail\ttime", *rows]))
    out = tmp_path / "split"
    words = ["split", str(source), "--shares", ".7,.3", "--out", str(out), "--json"]
    assert run([*words[:3], ".8,.1,.1", *words[4:]]) == ExitStatus.OK
    capsys.readouterr()
    # Over the earlier split, whose valid.txt has to go.
    assert run(words) == ExitStatus.OK
    figures = json.loads(capsys.readouterr().out)
    graph = read_dataset(out)
    assert {*graph.splits} == {Split.TRAIN, Split.TEST}
    assert figures["repeated"] == len(rows) - len(set(rows))
    assert sum(row["facts"] for row in figures["splits"].values()) == len(set(rows))
    counted = Counter(split.value for split, part in graph.splits.items() for _ in range(len(part)))
    assert counted == {name: row["facts"] for name, row in figures["splits"].items()}
    made = hc.split(source, shares=[0.7, 0.3])
    assert made.as_json()["splits"] == figures["splits"]


@pytest.mark.parametrize("words", [["--shares", "x"], ["--shares", ".5,.4"], ["--at", "1999"]])
def test_bad_options_are_one_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "g.tsv"
    source.write_text("head\trelation\ttail\ttime\na\tr\tb\t2031-01-01\nb\tr\ta\t2031-01-02\n")
    out = tmp_path / "out"
    assert run(["split", str(source), *words, "--out", str(out)]) == ExitStatus.UNREADABLE
    assert "Traceback" not in capsys.readouterr().err
    assert not out.exists()
