"""The published rules on ICEWS14 give the published program's ranks; clingo finds the same."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np
import pytest

from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Index, Split, expand
from solver.graph.queries import Queries, Tie
from solver.rules.application import Application
from solver.rules.encode import reach_by_logic
from solver.rules.history import History, reach
from solver.rules.io import read_rules
from solver.rules.ranks import filtered_ranks


@pytest.fixture(scope="module")
def icews14(shared: Path) -> Dataset:
    return read_dataset(shared / "data" / "icews14")


@pytest.mark.parametrize(
    ("lengths", "mrr"),
    [("1", 0.40737), pytest.param("123", 0.43019, marks=pytest.mark.slow)],
)
def test_ranks_are_the_published_programs(
    lengths: str, mrr: float, icews14: Dataset, shared: Path
) -> None:
    folder = shared / "data" / "icews14"
    size = icews14.vocabulary
    rules = read_rules(
        folder / f"tlogic_rules_len{lengths}_seed12.json.gz", relations=size.relations
    )
    facts = icews14.facts(Split.TEST).both_ways(size.relations)
    application = Application(rules, icews14.facts(), size, learned=icews14.facts(Split.TRAIN))
    queries, numbers = Queries.of(facts)
    ranks = filtered_ranks(application.candidates(queries), numbers, facts, size.entities)
    assert abs((1 / ranks.values(Tie.OPTIMISTIC)).mean() - mrr) <= 0.0005
    with gzip.open(folder / "tlogic_ranks_seed12.tsv.gz") as file:
        published = np.loadtxt(file)
    assert (published[:, :4] == facts.rows()).all()
    first = 4 if lengths == "1" else 7
    for column, found in enumerate(map(ranks.values, Tie), first):
        assert (found == published[:, column]).mean() >= 0.999


@pytest.mark.parametrize(
    "stretches",
    [
        pytest.param((200, 500, 1000, 2000), id="few"),
        pytest.param((200, 500, *[1000] * 8, *[2000] * 10), id="many", marks=pytest.mark.slow),
    ],
)
def test_clingo_finds_what_joins_find(
    icews14: Dataset, shared: Path, stretches: tuple[int, ...]
) -> None:
    """For ten random queries after each random stretch of so many facts."""
    size = icews14.vocabulary
    path = shared / "data" / "icews14" / "tlogic_rules_len123_seed12.json.gz"
    rules = read_rules(path, relations=size.relations).at_least(confidence=0.01, body_support=2)
    by_head = Index.of(rules.head)
    graph = icews14.facts()
    chance = random.Random(7)
    reached = 0
    for facts in stretches:
        begin = chance.randrange(len(graph) - facts - 400)
        after = graph.take(slice(begin + facts, begin + facts + 400)).both_ways(size.relations)
        asked, _ = Queries.of(after.take(np.array(chance.sample(range(len(after)), 10))))
        history = History.of(graph.take(slice(begin, begin + facts)), size)
        begins, ends = by_head.ranges(asked.relation)
        query, rows = expand(begins, ends)
        table = rules.take(by_head.order[rows])
        until = history.between(0, int(asked.time.min()))
        asked = Queries(
            head=asked.head, relation=asked.relation, time=np.full(len(asked), asked.time.min())
        )
        fast = reach(until, asked.head[query], table.body, table.same)
        slow = reach_by_logic(history, asked, query, table)
        for array, other in zip(
            (fast.asker, fast.entity, fast.time), (slow.asker, slow.entity, slow.time), strict=True
        ):
            assert array.tolist() == other.tolist()
        reached += len(fast.asker)
    assert reached > 50 * len(stretches)
