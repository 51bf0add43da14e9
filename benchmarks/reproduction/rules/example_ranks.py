"""Generates the files of ``examples/ranks``: a small graph with ranks, scores and weights.

    python -m benchmarks.reproduction.rules.example_ranks examples/ranks

The graph is the diary of a port with repeated and unique events. The ranks are those of the two
forms of Recurrency and of a random scorer; the weights are Temp-Inv.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
import numpy as np

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.ranking.groups import temporal_inverse
from benchmarks.rules.ranking.models import Scorer, place
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
from benchmarks.rules.ranking.recurrency import Form, Recurrency, Settings
from solver.graph.model import Dataset, Ids, Quadruples, Split, Vocabulary
from solver.graph.queries import Tie
from solver.io.writing import atomic, write_json
from solver.rules.application import write_ranks
from solver.seeding import seed_of

ENTITIES = (
    *("Ada", "Bruno", "Cleo", "Doris", "Egon", "the mill", "the bakery", "the ferry"),
    *("the lighthouse", "the market", "the pilot", "the smithy"),
)
RELATIONS = ("calls", "pays", "repairs", "visits")
DAYS = {Split.TRAIN: (0, 40), Split.VALID: (40, 48), Split.TEST: (48, 56)}
_A_DAY = 4
_HABITS = 18
_DECAY = 0.02


class Dice:
    """A baseline with random scores."""

    model = "dice"

    def __init__(self, queries: SplitQueries) -> None:
        source = np.random.Generator(np.random.PCG64(seed_of("ranks", "dice")))
        self._scores = source.random((len(queries), queries.entities))

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries."""
        return self._scores[rows]


def graph() -> Dataset:
    """Generate facts of eight weeks, most of them from a few recurring ones."""
    source = np.random.Generator(np.random.PCG64(seed_of("ranks", "graph")))
    size = (len(ENTITIES), len(RELATIONS), len(ENTITIES))

    def drawn() -> tuple[int, int, int]:
        head, relation, tail = (int(source.integers(number)) for number in size)
        return (head, relation, tail) if head != tail else drawn()

    habits = [drawn() for _ in range(_HABITS)]
    chance = 1 / np.arange(1, _HABITS + 1)
    splits = {}
    for split, (first, last) in DAYS.items():
        facts = set()
        for day in range(first, last):
            for _ in range(_A_DAY):
                usual = source.random() < 0.7
                chosen = int(source.choice(_HABITS, p=chance / chance.sum()))
                facts.add((*(habits[chosen] if usual else drawn()), day))
        splits[split] = Quadruples.of(np.array(sorted(facts), dtype=np.int64)).by_time()
    vocabulary = Vocabulary(
        entities=len(ENTITIES), relations=len(RELATIONS), times=DAYS[Split.TEST][1]
    )
    return Dataset(name="graph", vocabulary=vocabulary, splits=splits)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    """Write the example files."""
    dataset = graph()
    for part in ("graph", "valid"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for split, facts in dataset.splits.items():
        _write(folder / "graph" / f"{split}.txt", facts.rows().tolist())
    for name, values in (("entity2id", ENTITIES), ("relation2id", RELATIONS)):
        write_json(folder / "graph" / f"{name}.json", {text: n for n, text in enumerate(values)})
    queries = SplitQueries.of(dataset, Split.TEST)
    strict, relaxed = _scorers(queries)
    for scorer in (strict, relaxed, Dice(queries)):
        placed = place(scorer, queries, FilteredAnswers(queries, Filter.TIME_AWARE))
        ranks = placed.values(Tie.REALISTIC)
        write_ranks(folder / f"{scorer.model}.ranks.txt", queries.asked, ranks)
    for path, some in (
        (folder, queries),
        (folder / "valid", SplitQueries.of(dataset, Split.VALID)),
    ):
        for scorer in _scorers(some):
            _write(path / f"{scorer.model}.scores.txt", _scores(scorer, some))
    sk = np.round(temporal_inverse(queries, decay=_DECAY), 3).tolist()
    rows = queries.event().rows().tolist()
    _write(folder / "strikingness.txt", [[*row, cell] for row, cell in zip(rows, sk, strict=True)])


def _scorers(queries: SplitQueries) -> tuple[Recurrency, Recurrency]:
    strict, relaxed = (
        Recurrency(queries, Settings(form=form, decay=_DECAY))
        for form in (Form.STRICT, Form.RELAXED)
    )
    strict.model, relaxed.model = Form.STRICT.value, Form.RELAXED.value
    return strict, relaxed


def _scores(scorer: Scorer, queries: SplitQueries) -> Iterable[list[float]]:
    """Yield rows ``s r t candidate score`` of each distinct query, for positive scores.

    If there is none, candidate 0 is listed with score 0: every query needs a row.
    """
    rows = queries.asked.rows()
    _, first = np.unique(rows[:, [0, 1, 3]], axis=0, return_index=True)
    for number, scores in zip(np.sort(first), scorer.block(np.sort(first)), strict=True):
        head, relation, _, time = rows[number].tolist()
        for candidate in np.flatnonzero(scores > 0).tolist() or [0]:
            yield [head, relation, time, candidate, round(float(scores[candidate]), 6)]


def _write(path: Path, rows: Iterable[Iterable[float]]) -> None:
    with atomic(path) as file:
        for row in rows:
            file.write("\t".join(f"{cell:.15g}" for cell in row).encode() + b"\n")


if __name__ == "__main__":
    main()
