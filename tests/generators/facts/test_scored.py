"""``forecast`` by the scores of a model: queries, gate, folder and errors."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from generators.facts.gate import FactConstraints, FactFilter
from generators.facts.model import ForecastError, Settings, days_of
from generators.facts.outcome import Outcome, Plan, forecast, queries_of
from grammar.errors import ExitStatus
from solver.cli import run
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Ids, Quadruples
from solver.io.sources import InputError
from solver.rules.provenance import LeakError, Seen
from solver.rules.score_folders import write_scores

from .conftest import FIRST, LAST

DAYS = ("--from", "2031-01-01", "--to", "2031-02-28")
PLAN = Plan(settings=Settings(begin=FIRST, end=LAST))


@pytest.fixture(scope="module")
def dataset(careers: Path) -> Dataset:
    return read_dataset(careers)


@pytest.fixture(scope="module")
def asked(dataset: Dataset) -> Ids:
    return queries_of(dataset, PLAN)


def scored(folder: Path, keys: Ids, dataset: Dataset, seed: int, **more: Seen) -> Path:
    """Random scores of the queries, in parts of 100."""
    source = np.random.default_rng(seed)
    entities = dataset.vocabulary.entities
    parts = (
        (part, source.normal(size=(len(part), entities)).astype(np.float32))
        for part in np.split(keys, range(100, len(keys), 100))
    )
    write_scores(folder, parts, entities=entities, **more)
    return folder


def by_scores(dataset: Dataset, folder: Path, seed: int = 0) -> Outcome:
    settings = Settings(begin=FIRST, end=LAST, seed=seed)
    return forecast(dataset, Plan(settings=settings, scores=folder))


def score_rows(folder: Path) -> dict[tuple[int, int, int], list[float]]:
    found = {}
    for path in sorted(folder.glob("queries-*.npy")):
        values = np.load(str(path).replace("queries-", "scores-"))
        found |= {tuple(k): v for k, v in zip(np.load(path).tolist(), values.tolist(), strict=True)}
    return found


def test_queries_are_distinct_and_of_admissible_subjects(dataset: Dataset, asked: Ids) -> None:
    assert len(np.unique(asked, axis=0)) == len(asked) > 100
    assert queries_of(dataset, PLAN).tobytes() == asked.tobytes()
    days, words = days_of(dataset), dataset.vocabulary
    after = asked[:, 2] - len(days) + 1 + days[-1]
    assert after.min() >= FIRST
    assert after.max() <= LAST
    # Only what is open can end.
    facts = dataset.facts()
    for subject, relation, _ in asked.tolist():
        if words.relation(relation) == "endMemberOf":
            bounds = facts.take(facts.head == subject)
            names = [words.relation(value) for value in bounds.relation.tolist()]
            assert names.count("startMemberOf") > names.count("endMemberOf")


@pytest.mark.parametrize("seed", range(10))
def test_a_fact_has_the_best_object_that_the_gate_admits(
    dataset: Dataset, asked: Ids, seed: int, tmp_path: Path
) -> None:
    folder = scored(tmp_path / "scores", asked, dataset, seed)
    outcome = by_scores(dataset, folder, seed)
    rows, graph = score_rows(folder), outcome.graph
    gate = FactFilter(graph, outcome.kinds, FactConstraints(types={}))
    last, used = -1, set()
    first = len(days_of(dataset)) - 1 - int(days_of(dataset)[-1])
    for each_forecast in outcome.result.forecasts:
        subject, relation, object_, time = each_forecast.fact
        if time != last:
            gate.begin_day(time, Quadruples.of(np.empty((0, 4), np.int64)))
            last = time
        key = (subject, relation, time + graph.first + first)
        assert key not in used
        used.add(key)
        values = np.array(rows[key])
        better = np.flatnonzero(values > values[object_]).tolist()
        assert each_forecast.rank == len(better) + 1
        assert not any(gate.allows(subject, relation, other) for other in better)
        assert gate.allows(subject, relation, object_)
        shares = np.exp(values) / np.exp(values).sum()
        assert each_forecast.confidence == pytest.approx(shares[object_], abs=1e-6)
        gate.add(subject, relation, object_)
    assert not outcome.checked.findings
    # Random scores meet the gate.
    assert 0 < (outcome.figures.first or 0) < outcome.figures.facts
    counts = np.bincount([each_forecast.fact[3] for each_forecast in outcome.result.forecasts])
    quotas = [outcome.reference.quota(day + graph.first, 128) for day in range(len(counts))]
    assert (counts <= quotas).all()
    again = by_scores(dataset, folder, seed)
    assert again.result == outcome.result


def test_the_commands(
    careers: Path, dataset: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    asked, folder, out = (tmp_path / name for name in ("asked", "scores", "future"))
    assert run(["forecast", str(careers), *DAYS, "--queries", "--out", str(asked)]) == 0
    scored(folder, np.load(asked / "queries.npy"), dataset, 0)
    arguments = ["forecast", str(careers), *DAYS, "--scores", str(folder)]
    capfd.readouterr()
    assert run([*arguments, "--out", str(out), "--json"]) == 0
    summary = json.loads(capfd.readouterr().out)
    lines = [json.loads(line) for line in (out / "scores.jsonl").read_text().splitlines()]
    assert summary["facts"] == len(lines) > 10
    assert summary["first_ranked"] == sum(line["rank"] == 1 for line in lines)
    assert {path.name for path in out.iterdir()} == {
        "facts.tsv",
        "history.tsv",
        "manifest.json",
        "report.html",
        "scores.jsonl",
    }
    assert run([*arguments, "--out", str(tmp_path / "again")]) == 0
    assert "objects score highest" in capfd.readouterr().out
    for path in out.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    assert run(["verify", str(out)]) == 0
    facts = (out / "facts.tsv").read_text().splitlines()
    (out / "facts.tsv").write_text("\n".join([*facts, facts[0]]) + "\n")
    assert run(["verify", str(out)]) == ExitStatus.UNREADABLE
    assert run(["verify", str(out), "--unsealed"]) == ExitStatus.VIOLATIONS
    assert run([*arguments, "--published", "--out", str(out)]) == 2
    assert "--scores excludes" in capfd.readouterr().err


def test_a_model_that_saw_the_days_is_refused(dataset: Dataset, asked: Ids, tmp_path: Path) -> None:
    for last, name in ((FIRST, "late"), (FIRST - 1, "early")):
        seen = Seen(
            graph="g",
            sha256="",
            splits=(),
            first=0,
            last=9,
            first_name="2029-01-01",
            last_name=date.fromordinal(last).isoformat(),
        )
        scored(tmp_path / name, asked, dataset, 0, seen=seen)
    by_scores(dataset, tmp_path / "early")
    with pytest.raises(LeakError, match="up to 2031-01-01, expected facts before 2031-01-01"):
        by_scores(dataset, tmp_path / "late")


def test_other_scores_are_refused(dataset: Dataset, asked: Ids, tmp_path: Path) -> None:
    twice = scored(tmp_path / "twice", np.concatenate([asked, asked[:1]]), dataset, 0)
    with pytest.raises(InputError, match="twice, expected it once"):
        by_scores(dataset, twice)
    wrong = asked.copy()
    wrong[3, 1] = 99
    with pytest.raises(InputError, match="r below 6 and a time"):
        by_scores(dataset, scored(tmp_path / "wrong", wrong, dataset, 0))
    early = asked.copy()
    early[:, 2] = 0
    with pytest.raises(ForecastError, match="no facts could be forecast"):
        by_scores(dataset, scored(tmp_path / "early", np.unique(early, axis=0), dataset, 0))
    entities = dataset.vocabulary.entities
    infinite = np.full((len(asked), entities), np.inf, dtype=np.float32)
    write_scores(tmp_path / "infinite", [(asked, infinite)], entities=entities)
    with pytest.raises(InputError, match="entity 0 scores inf"):
        by_scores(dataset, tmp_path / "infinite")
    write_scores(tmp_path / "fewer", [(asked, infinite[:, 1:])], entities=entities - 1)
    with pytest.raises(InputError, match="expected scores of the"):
        by_scores(dataset, tmp_path / "fewer")
