"""Table 7 on a small data set."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.metrics.bootstrap import Mean
from benchmarks.reproduction.tkg.table7 import (
    CONTEXTS,
    HISTORIES,
    METHODS,
    TableRow,
    as_json,
    forecast_ranks,
    measure_rows,
    report,
)
from generators.tkg.config import Config
from generators.tkg.plan import LabelledGraph
from generators.tkg.presets import Preset, config_of
from generators.tkg.run import generate
from solver.graph.model import Dataset, Ids, Quadruples
from solver.graph.queries import Queries


@pytest.fixture(scope="module")
def row() -> TableRow:
    small = replace(
        config_of(Preset.ENT_U_REL_U), entities=120, relations=12, patterns=(4, 4, 0), steps=60
    )
    (row,) = measure_rows({Preset.ENT_U_REL_U: small}, 2, lengths=(1,), jobs=2)
    return row


def test_an_interrupted_run_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(
        config_of(Preset.ENT_U_REL_U), entities=40, relations=8, patterns=(3, 2, 0), steps=20
    )
    configs, work = {Preset.ENT_U_REL_U: small}, tmp_path / "work"

    def stop(_: int) -> None:
        if len(list(work.glob("*.json"))) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_rows(configs, 3, lengths=(1,), work=work, progress=stop)
    made: list[int] = []

    def counted(config: Config, seed: int) -> LabelledGraph:
        made.append(seed)
        return generate(config, seed)

    monkeypatch.setattr("benchmarks.reproduction.tkg.table7.generate", counted)
    whole = measure_rows(configs, 3, lengths=(1,))
    assert measure_rows(configs, 3, lengths=(1,), work=work) == whole
    assert made == [0, 1, 2, 2]
    # Another run finishes the second graph meanwhile.
    other_work = tmp_path / "other"

    def finish_second(_: int) -> None:
        for path in work.glob("ent-u-rel-u-1-*.json"):
            shutil.copy(path, other_work)

    assert measure_rows(configs, 3, lengths=(1,), work=other_work, progress=finish_second) == whole
    made.clear()
    # Another configuration has other files.
    other = {Preset.ENT_U_REL_U: replace(small, steps=21)}
    assert measure_rows(other, 1, lengths=(1,), work=work) != measure_rows(
        configs, 1, lengths=(1,), work=work
    )
    assert made == [0]


def test_means_have_the_interval_of_students_t() -> None:
    found = Mean.of([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (found.value, found.half) == (3, pytest.approx(2.776 * 2.5**0.5 / 5**0.5))
    assert Mean.of([0.5]) == Mean(value=0.5, half=0)


def test_heuristics_are_those_of_the_comparison(row: TableRow) -> None:
    means = {name: hit.expected for name, hit in row.heuristics.hits.items()}
    for (heuristic, shared, cut), value in means.items():
        method = f"{heuristic[0].upper()}-{shared[0].upper()}"
        assert row.hits[method][(1, 3, 10).index(cut)].value == pytest.approx(value)


def test_rules_need_the_facts_just_before_a_query(row: TableRow) -> None:
    histories = {name: mean.value for name, mean in row.histories.items()}
    assert set(histories) == set(HISTORIES)
    assert histories["before"] == row.hits["rules"][1].value
    assert histories["train"] < 0.6 * histories["before"]
    assert histories["train-new"] <= histories["train-other"] < histories["train"]
    assert histories["train-other"] < 0.1 < histories["before-other"] < histories["before"]
    assert histories["train"] <= histories["train-valid"] <= histories["before"]


def test_planted_patterns_bound_the_rules_on_consequences(row: TableRow) -> None:
    groups = row.groups
    ends = groups["role: consequence"]
    assert ends["planted"].value > ends["rules"].value
    assert ends["planted"].value > 0.8
    assert groups["role: antecedent only"]["planted"].value < 0.3
    facts = sum(groups[f"hops: {hops}"]["facts"].value for hops in (1, 2))
    assert facts == pytest.approx(ends["facts"].value)
    lags = [record for name, record in groups.items() if name.startswith("lag: ")]
    assert sum(lag["facts"].value for lag in lags) == pytest.approx(ends["facts"].value)
    weighed = sum(lag["facts"].value * lag["rules"].value for lag in lags)
    assert weighed / ends["facts"].value == pytest.approx(ends["rules"].value, abs=0.02)


def test_wider_contexts_reach_more_answers(row: TableRow) -> None:
    reach = {name: mean.value for name, mean in row.contexts.items()}
    assert set(reach) == set(CONTEXTS)
    assert reach["head"] <= reach["head-all"] <= reach["either-all"]
    assert reach["either"] <= reach["either-all"]
    # The first context is that of naive-entity; its ceiling is weighted by prompts.
    assert reach["head"] == pytest.approx(row.ceiling("naive-entity"), abs=0.02)


def test_printed_cells_above_their_ceiling_are_marked(row: TableRow) -> None:
    assert row.ceiling("naive-entity") < 0.9
    assert "naive-entity" in row.impossible
    page = report([row])
    cells = [cell for section in page.sections for table in section.tables for row_ in table.rows
             for cell in row_]  # fmt: skip
    assert "0.950, above the ceiling" in cells
    assert any("figure7" in section.plots for section in page.sections)
    values = as_json([row])["ent-u-rel-u"]
    assert set(values["hits"]) == set(METHODS)
    assert values["above_ceiling"] == list(row.impossible)
    assert np.isfinite([history["mean"] for history in values["histories"].values()]).all()


class Invented:
    """A forecaster of invented scores with ties."""

    def fit(self, graph: Dataset, **given: object) -> None:
        raise NotImplementedError

    def score(self, queries: Queries) -> Iterator[tuple[Ids, NDArray[np.float32]]]:
        for time, rows in queries.by_time():
            source = np.random.default_rng(time)
            yield rows, source.integers(0, 4, (len(rows), 9)).astype(np.float32)


@pytest.mark.parametrize("seed", range(5))
def test_ranks_of_a_forecaster_are_counted(seed: int) -> None:
    source = np.random.default_rng(seed)
    asked = Quadruples.of(source.integers(0, [9, 2, 9, 4], (40, 4)))
    queries, _ = Queries.of(asked)
    scores = {}
    for rows, found in Invented().score(queries):
        for row, values in zip(rows.tolist(), found.tolist(), strict=True):
            made_row = queries.head[row], queries.relation[row], queries.time[row]
            scores[tuple(map(int, made_row))] = values
    ranks = forecast_ranks(Invented(), asked)
    for n, (head, relation, tail, time) in enumerate(asked.rows().tolist()):
        values = scores[head, relation, time]
        assert ranks.better[n] == sum(value > values[tail] for value in values)
        assert ranks.tied[n] == values.count(values[tail])


@pytest.mark.usefixtures("torch")
def test_forecasters_have_a_column() -> None:
    from benchmarks.forecasting.settings import Model, Settings

    small = replace(
        config_of(Preset.ENT_U_REL_U), entities=30, relations=8, patterns=(3, 0, 0), steps=20
    )
    models = Model.CYGNET, Model.RE_NET
    settings = [replace(Settings.of(model), size=8, epochs=2) for model in models]
    configs = {Preset.ENT_U_REL_U: small}
    (row,) = measure_rows(configs, 1, lengths=(1,), forecasters=settings)
    assert tuple(row.hits) == (*METHODS, *models)
    tables = [table for section in report([row]).sections for table in section.tables]
    assert tables[0].columns[-2:] == tables[-1].columns[-2:] == models
    assert row.hits["cygnet"][2].value > 10 / 30
    printed = {cells[1]: cells[-2:] for cells in tables[0].rows if cells[0] == "printed"}
    assert printed == {"@1": ("", ""), "@3": ("0.127", "0.262"), "@10": ("", "")}


def test_the_command_prints_the_tables_of_a_data_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], row: TableRow
) -> None:
    from benchmarks.reproduction.tkg import table7
    from solver.cli import run

    asked: list[tuple[dict[Preset, Config], int]] = []

    def measured(configs: dict[Preset, Config], seeds: int, **_: object) -> list[TableRow]:
        asked.append((configs, seeds))
        return [row]

    monkeypatch.setattr(table7, "measure_rows", measured)
    assert run(["reproduce", "table7", "--preset", "ent-u-rel-u", "--seeds", "2"]) == 0
    assert asked == [({Preset.ENT_U_REL_U: config_of(Preset.ENT_U_REL_U)}, 2)]
    shown = capsys.readouterr().out
    assert "What a context contains" in shown
    assert "shape: inverse" in shown or "shape: self_entailment" in shown
    assert run(["reproduce", "table7", "--json"]) == 0
    assert '"above_ceiling"' in capsys.readouterr().out
    assert len(asked[1][0]) == 10
