"""Tables 5 to 7: ranks of queries as answers, means over seeds, and the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.predictions import Predictions, match_predictions
from benchmarks.questions.inputs import Batch, QuestionSet
from benchmarks.questions.scores import evaluate
from benchmarks.reproduction.questions.entrants import BenchmarkData
from benchmarks.reproduction.questions.tables import PUBLISHED, gain_name, one_hop_ranks, report
from benchmarks.rules.ranking.files import ScoreFolder
from benchmarks.rules.ranking.models import place
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, JoinError, SplitQueries
from grammar.questions.model import QuestionKind
from solver.cli import run
from solver.graph.model import Split
from solver.graph.queries import Queries, Tie
from solver.questions.names import Labels
from solver.rules.application import write_ranks
from solver.rules.score_folders import write_scores

pytestmark = pytest.mark.measuring
EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "questions" / "graph"


def bench_of(made: Any) -> BenchmarkData:
    asked = tuple(made.asked())
    ids = tuple(question.id for question in made.questions)
    return BenchmarkData(
        folder=Path(),
        labels=Labels.of(made.dataset.vocabulary),
        questions=QuestionSet(ids=ids, texts=(), asked=asked),
        gold=made.questions,
    )


@pytest.mark.parametrize("seed", range(3))
def test_ranks_of_queries_are_those_of_questions(
    world: Callable[[int], Any], tmp_path: Path, seed: int
) -> None:
    """Ranked by the same scores, questions have the ranks that files of queries have."""
    made = world(seed)
    words, queries = made.dataset.vocabulary, SplitQueries.of(made.dataset, Split.TEST)
    asked, _ = Queries.of(queries.asked)
    keys = np.stack([asked.head, asked.relation, asked.time], axis=1)
    source = np.random.default_rng(seed)
    scores = source.permuted(
        np.tile(np.arange(words.entities, dtype=np.float32), (len(keys), 1)), axis=1
    )
    write_scores(tmp_path / "scores", [(keys, scores)], entities=words.entities)
    folder = ScoreFolder(str(tmp_path / "scores"), queries, model="random")
    ranks = place(folder, queries, FilteredAnswers(queries, Filter.TIME_AWARE))
    write_ranks(tmp_path / "ranks.txt", queries.asked, ranks.values(Tie.REALISTIC))

    bench = bench_of(made)
    batch = Batch.of(bench.questions.asked, np.arange(len(bench.questions.asked)), words.relations)
    row = {tuple(key): n for n, key in enumerate(keys.tolist())}
    columns = batch.one_hop.head, batch.one_hop.relation, batch.one_hop.time
    starts = zip(*(column.tolist() for column in columns), strict=True)
    some = [made.questions[n] for n in batch.places[QuestionKind.ONE_HOP].tolist()]
    answers = {
        value.id: tuple(words.entity(int(n)) for n in np.argsort(-scores[row[start]]))
        for value, start in zip(some, starts, strict=True)
    }
    predictions = Predictions(name="", answers=answers, places=dict.fromkeys(answers, ""))
    expected = evaluate(some, match_predictions(predictions, [*answers], "question"))
    assert len({question.ranks for question in expected}) > 3
    for path in ("scores", "ranks.txt"):
        assert tuple(one_hop_ranks(str(tmp_path / path), bench, queries)) == expected


def test_questions_about_another_graph_are_refused(
    world: Callable[[int], Any], tmp_path: Path
) -> None:
    made, other = world(0), world(1)
    queries = SplitQueries.of(other.dataset, Split.TEST)
    write_ranks(tmp_path / "ranks.txt", queries.asked, np.ones(len(queries)))
    with pytest.raises(JoinError, match="a 1-hop question of no query of test"):
        one_hop_ranks(str(tmp_path / "ranks.txt"), bench_of(made), queries)


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five seeds are a mean; a model without a kind of questions has a dash there."""
    data = ["--data", str(EXAMPLE)]
    files = []
    for seed in map(str, range(5)):
        out = tmp_path / f"{seed}.jsonl"
        by = ["--observe", "past", "--by", "chance", "--seed", seed, "--out", str(out)]
        assert run(["answer", str(folder), *data, *by]) == 0
        files.append(f"five={out}")
    short = tmp_path / "short.jsonl"
    lines = (tmp_path / "0.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    short.write_text("".join(line for line in lines if "1-hop" in line), encoding="utf-8")
    capsys.readouterr()
    given = [*files, f"short={short}"]
    options = [part for name in given for part in ("--predictions", name)]
    assert run(["reproduce", "questions", str(folder), *data, *options, "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    models = {model["name"]: model for model in values["models"]}
    scores = []
    for seed in map(str, range(5)):
        file = str(tmp_path / f"{seed}.jsonl")
        assert run(["score", "questions", file, "--questions", str(folder), "--json"]) == 0
        scores.append(json.loads(capsys.readouterr().out)["parts"])
    for part, figure in (("1-hop", "mrr"), ("2-hop", "hits10"), ("fact-reasoning", "accuracy")):
        found = models["five"]["parts"][part][figure]
        given_ = [score[part]["figures"][figure]["value"] for score in scores]
        assert found["value"] == pytest.approx(np.mean(given_), abs=1e-6)
        spread = 2.776 * np.std(given_, ddof=1) / 5**0.5
        assert found["high"] - found["value"] == pytest.approx(spread, abs=2e-6)
        assert found["value"] - found["low"] == pytest.approx(spread, abs=2e-6)
    one_hop = scores[0]["1-hop"]["figures"]["mrr"]
    assert models["short"]["parts"]["1-hop"]["mrr"] == pytest.approx(one_hop, abs=1e-6)
    assert set(models["short"]["parts"]) == {"1-hop"}
    gain = one_hop["value"] - models["frequency"]["parts"]["1-hop"]["mrr"]["value"]
    gains = models["short"]["gains"]
    assert gains[gain_name(QuestionKind.ONE_HOP, "frequency")]["value"] == pytest.approx(
        gain, abs=1e-5
    )
    assert set(gains) == {gain_name(QuestionKind.ONE_HOP, "frequency")}
    of_label = gain_name(QuestionKind.YES_UNKNOWN, "chance")
    label = [score["yes-unknown"]["figures"]["accuracy"]["value"] for score in scores]
    chance = models["chance"]["parts"]["yes-unknown"]["accuracy"]["value"]
    assert models["five"]["gains"][of_label]["value"] == pytest.approx(
        np.mean(label) - chance, abs=1e-5
    )
    for name in ("oracle (observes the day itself)", "multi-hop scores of the graph itself"):
        assert models[name]["parts"]["1-hop"]["mrr"]["value"] == 1
    [entities, labels, gained, ages, known, printed] = [
        section.tables[0] for section in report(values).sections
    ]
    rows = {row[0]: row for row in entities.rows}
    assert rows["short"][4] == "–"
    of_gains = {row[0]: row for row in gained.rows}
    assert of_gains["short"][1].startswith(f"{100 * gain:.2f}")
    assert set(of_gains["short"][2:]) == {"–"}
    assert "five (5 seeds)" in rows
    assert "short" not in {row[0] for row in (*labels.rows, *ages.rows)}
    assert len(known.rows) == 2
    assert len(printed.rows) == len(PUBLISHED)
    assert run(["reproduce", "questions", str(folder), *data, "--ranks", "x"]) == 2
    assert "expected NAME=PATH" in capsys.readouterr().err
