"""Forecasters learn, repeat themselves, see no future, and go on where they were stopped."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.forecasting.forecaster import FloatArray, ForecastScorer, NeuralForecaster
from benchmarks.forecasting.settings import Model, Settings
from benchmarks.metrics.ranking import mrr
from benchmarks.rules.ranking.models import place
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
from benchmarks.training import Checkpoints, Course, Schedule
from solver.graph.model import Dataset, Quadruples, Split
from solver.graph.queries import Queries, Tie
from solver.io.sources import InputError

from .conftest import ENTITIES, random_graph, regular_graph, settings

pytestmark = pytest.mark.usefixtures("torch")
every_model = pytest.mark.parametrize("model", Model)


def trained(graph: Dataset, wanted: Settings, until: int, *, seed: int = 0) -> NeuralForecaster:
    found = NeuralForecaster(settings=wanted)
    found.fit(graph, until=until, seed=seed)
    return found


def scores_of(forecaster: NeuralForecaster, graph: Dataset, split: Split) -> FloatArray:
    """The scores of the distinct queries of a split, in their order."""
    asked, _ = Queries.of(SplitQueries.of(graph, split).asked)
    scores = np.empty((len(asked), graph.vocabulary.entities), dtype=np.float32)
    for rows, part in forecaster.score(asked):
        scores[rows] = part
    return scores


@every_model
def test_what_can_be_learned_is_learned(model: Model) -> None:
    graph = regular_graph()
    rates = {
        Model.CYGNET: 0.01,
        Model.RE_NET: 0.01,
        Model.RE_GCN: 0.01,
        Model.RE_GCN_COMPLEX: 0.03,
    }
    rate = rates.get(model, 0.1)
    wanted = settings(model, size=16, epochs=20, rate=rate, dropout=0.0, penalty=1e-4)
    forecaster = trained(graph, wanted, 11)
    # All entities are objects of each day alike, which is part of what re-net learns.
    least = math.log(ENTITIES) if model is Model.RE_NET else 0.0
    first, *_, last = forecaster.course.losses
    assert least <= last < (first + least) / 2
    queries = SplitQueries.of(graph, Split.TEST)
    scorer = ForecastScorer(model, forecaster, queries)
    ranks = place(scorer, queries, FilteredAnswers(queries, Filter.RAW))
    assert mrr(ranks.values(Tie.PESSIMISTIC)) > 0.95


@every_model
def test_the_seed_decides(model: Model, graph: Dataset, until: int) -> None:
    first, again, other = (
        scores_of(trained(graph, settings(model), until, seed=seed), graph, Split.TEST)
        for seed in (0, 0, 1)
    )
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


@every_model
def test_later_facts_change_nothing(model: Model) -> None:
    graph = random_graph(2, valid=False)
    test = graph.splits[Split.TEST]
    middle = int(np.unique(test.time)[1])
    changed = replace(
        graph,
        splits={
            Split.TRAIN: graph.splits[Split.TRAIN],
            Split.TEST: Quadruples.joined(
                test.take(test.time < middle),
                Quadruples.of(np.array([[0, 0, 1, middle], [1, 2, 3, middle + 2]])),
            ),
        },
    )
    asked = Queries(
        head=np.arange(6) % 3, relation=np.arange(6), time=np.full(6, middle, dtype=np.int64)
    )
    until = int(graph.splits[Split.TRAIN].time.max()) + 1
    found = [
        b"".join(
            part.tobytes() for _, part in trained(dataset, settings(model), until).score(asked)
        )
        for dataset in (graph, changed)
    ]
    assert found[0] == found[1]


def test_earlier_facts_that_were_not_learned_are_read_by_graph_networks() -> None:
    graph = random_graph(2, valid=False)
    test = graph.splits[Split.TEST]
    last = int(test.time.max())
    fewer = replace(
        graph, splits={**graph.splits, Split.TEST: test.take((test.time == last) | (test.tail > 2))}
    )
    asked = Queries.single(0, 0, last)
    until = int(graph.splits[Split.TRAIN].time.max()) + 1
    found = {
        model: [
            next(iter(trained(dataset, settings(model), until).score(asked)))[1].tobytes()
            for dataset in (graph, fewer)
        ]
        for model in Model
    }
    differing = {model for model, (first, second) in found.items() if first != second}
    assert differing == {Model.RE_NET, Model.RE_GCN, Model.RE_GCN_COMPLEX}


class _StoppedError(Exception):
    """Stands for a signal."""


@every_model
def test_a_stopped_training_ends_with_the_same_weights(
    model: Model, graph: Dataset, until: int, tmp_path: Path
) -> None:
    wanted = settings(model, epochs=4)
    whole = trained(graph, wanted, until)
    steps = 0

    def stop(_: int) -> None:
        nonlocal steps
        steps += 1
        if steps == 9:
            raise _StoppedError

    stopped = NeuralForecaster(settings=wanted, checkpoints=Checkpoints(tmp_path, {}))
    with pytest.raises(_StoppedError):
        stopped.fit(graph, until=until, seed=0, progress=stop)
    resumed = NeuralForecaster(settings=wanted, checkpoints=Checkpoints(tmp_path, {}))
    resumed.fit(graph, until=until, seed=0)
    assert resumed.course == whole.course
    before, after = (scores_of(forecaster, graph, Split.TEST) for forecaster in (whole, resumed))
    assert before.tobytes() == after.tobytes()


@every_model
def test_saved_weights_give_the_same_scores(
    model: Model, graph: Dataset, until: int, tmp_path: Path
) -> None:
    forecaster = trained(graph, settings(model, epochs=1), until)
    forecaster.save(tmp_path)
    loaded = NeuralForecaster.load(tmp_path, graph)
    before, after = (
        scores_of(neural_forecaster, graph, Split.TEST)
        for neural_forecaster in (forecaster, loaded)
    )
    assert before.tobytes() == after.tobytes()
    assert loaded.seen == forecaster.seen
    other = replace(graph, vocabulary=replace(graph.vocabulary, entities=9))
    with pytest.raises(InputError, match="learned 7 entities and 3 relations, expected the 9"):
        NeuralForecaster.load(tmp_path, other)


def test_the_best_epoch_is_kept(graph: Dataset, until: int) -> None:
    forecaster = trained(graph, settings(Model.CYGNET, epochs=6, rate=0.1), until)
    course = forecaster.course
    assert len(course.validation) == len(course.losses) == 6
    assert course.best == int(np.argmax(course.validation)) + 1
    again = trained(graph, settings(Model.CYGNET, epochs=course.best, rate=0.1), until)
    before, after = (
        scores_of(neural_forecaster, graph, Split.TEST) for neural_forecaster in (forecaster, again)
    )
    assert before.tobytes() == after.tobytes()


@pytest.mark.parametrize(
    ("validation", "patience", "over"),
    [((0.1, 0.2), 2, False), ((0.3, 0.2, 0.1), 2, True), ((0.3, 0.2, 0.1), 0, False)],
)
def test_patience(validation: tuple[float, ...], patience: int, over: bool) -> None:
    course = Course(losses=(1.0,) * len(validation), validation=validation)
    assert course.over(Schedule(epochs=9, patience=patience)) is over


def test_splits_have_to_be_in_order_of_time(graph: Dataset, until: int) -> None:
    with pytest.raises(InputError, match="found a fact of valid at time 14, expected none before"):
        trained(graph, settings(Model.COMPLEX), until + 4)
    with pytest.raises(InputError, match="found no facts before time 0"):
        trained(graph, settings(Model.COMPLEX), 0)
