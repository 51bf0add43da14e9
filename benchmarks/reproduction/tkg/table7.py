"""Table 7 on generated data sets: heuristics, rules, planted patterns, ceilings, with intervals.

Source: synthetic temporal knowledge graphs, Table 7. Tails of all facts in the last tenth of the
time steps are queried, in the raw setting; means over seeds with 95% intervals of Student's t.
Two experiments vary the protocol: which facts the rules may use, and what a context contains.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.metrics.bootstrap import Mean
from benchmarks.metrics.ranking import CUTS, expected_hits
from benchmarks.reproduction.tkg.comparison import TABLE_7, DataSetResult, measure
from benchmarks.tkg.planted import planted_ranks
from benchmarks.tkg.retrieval.context import ContextKey, Heuristic, Instances, evaluate, miss_rank
from generators.tkg.config import Config
from generators.tkg.files import dataset
from generators.tkg.plan import LabelledGraph
from generators.tkg.presets import PUBLISHED, Preset
from generators.tkg.run import generate
from solver.graph.model import Dataset, Ids, Index, Quadruples, Split, expand
from solver.graph.queries import Queries, Ranks
from solver.io.json_lines import read_document
from solver.io.writing import line, make_folder, write_json
from solver.manifest import manifest
from solver.patterns.engine import judge
from solver.patterns.model import PatternFlags
from solver.processes import parallel_stream
from solver.report.charts import Series, bar_chart
from solver.report.model import Report, Section, Table
from solver.rules.application import Application
from solver.rules.mining import mine
from solver.rules.model import MiningSettings
from solver.rules.ranks import filtered_ranks

if TYPE_CHECKING:
    from benchmarks.forecasting.forecaster import Forecaster
    from benchmarks.forecasting.settings import Settings

METHODS = MappingProxyType(
    {
        "F-E": "frequency, entity",
        "F-P": "frequency, pair",
        "R-E": "recency, entity",
        "R-P": "recency, pair",
        "rules": "rules of one and two facts",
        "planted": "planted patterns",
    }
)
"""Methods that are always run, with their names; trained forecasters are added by their model."""

HISTORIES = MappingProxyType(
    {
        "before": "facts before the query",
        "train-valid": "facts of train and valid",
        "train": "facts of train",
        "before-other": "before the query, without the head itself",
        "train-other": "train, without the head itself",
        "train-new": "train, without the head itself and known triples",
    }
)
"""Facts that rules are applied to, for the first experiment.

Answers that equal the head are counted as wrong for the last three, and those of a triple of train
or valid for the last one.
"""

CONTEXTS = MappingProxyType(
    {
        "head": "25 facts with the query's head",
        "head-all": "all facts with the query's head",
        "either": "25 facts with the query's head at either end",
        "either-all": "all facts with the query's head at either end",
        "same-time": "25 facts with the query's head, those of its time too",
    }
)
"""Contexts of the second experiment; the first is naive-entity."""

PRINTED_RULES: Mapping[Preset, tuple[float, float, float]] = MappingProxyType(
    {
        Preset.ONLY_1_HOP: (0.018, 0.071, 0.154),
        Preset.ONLY_2_HOP: (0.026, 0.090, 0.177),
        Preset.ONLY_3_HOP: (0.029, 0.097, 0.197),
        Preset.LAG_1_3: (0.024, 0.096, 0.191),
        Preset.LAG_1_5: (0.026, 0.086, 0.171),
        Preset.LAG_1_8: (0.027, 0.093, 0.190),
        Preset.ENT_GAMMA_REL_GAMMA: (0.009, 0.012, 0.013),
        Preset.ENT_GAMMA_REL_U: (0.010, 0.011, 0.011),
        Preset.ENT_U_REL_GAMMA: (0.009, 0.011, 0.011),
        Preset.ENT_U_REL_U: (0.010, 0.010, 0.010),
    }
)
"""Hits@1, 3 and 10 of TLogic in Table 7."""

PRINTED_NAIVE: Mapping[Preset, tuple[float, float]] = MappingProxyType(
    {
        Preset.ONLY_1_HOP: (0.851, 0.808),
        Preset.ONLY_2_HOP: (0.810, 0.724),
        Preset.ONLY_3_HOP: (0.740, 0.692),
        Preset.LAG_1_3: (0.762, 0.740),
        Preset.LAG_1_5: (0.790, 0.734),
        Preset.LAG_1_8: (0.815, 0.755),
        Preset.ENT_GAMMA_REL_GAMMA: (0.942, 0.627),
        Preset.ENT_GAMMA_REL_U: (0.943, 0.559),
        Preset.ENT_U_REL_GAMMA: (0.938, 0.506),
        Preset.ENT_U_REL_U: (0.950, 0.493),
    }
)
"""Hits@10 of GPT-J-6B in Table 7, prompted by naive-entity and by naive-pair."""

_NEURAL = ("cygnet", "re-net")
_MIDDLE = 3
"""The k of Hits@k that Table 2 has."""

PRINTED_NEURAL: Mapping[Preset, tuple[float, float]] = MappingProxyType(
    {
        Preset.ONLY_1_HOP: (0.420, 0.545),
        Preset.ONLY_2_HOP: (0.377, 0.416),
        Preset.ONLY_3_HOP: (0.291, 0.348),
        Preset.LAG_1_3: (0.327, 0.409),
        Preset.LAG_1_5: (0.334, 0.400),
        Preset.LAG_1_8: (0.365, 0.401),
        Preset.ENT_GAMMA_REL_GAMMA: (0.213, 0.338),
        Preset.ENT_GAMMA_REL_U: (0.210, 0.267),
        Preset.ENT_U_REL_GAMMA: (0.146, 0.219),
        Preset.ENT_U_REL_U: (0.127, 0.262),
    }
)
"""Hits@3 of CyGNet and of RE-NET in Table 2."""

_Figures = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A data set of Table 7.

    Attributes:
        hits: Hits@1, 3 and 10 by method, in the order of columns.
        histories: Hits@3 of rules by the facts that they are applied to.
        contexts: shares of answers that are in the context of consequences, by context.
        groups: Hits@3 by group, such as ``shape: inverse``, and method; with the facts per seed.
        heuristics: heuristics with bounds of ties, and the ceilings of the strategies.
    """

    preset: Preset
    hits: Mapping[str, tuple[Mean, Mean, Mean]]
    histories: Mapping[str, Mean]
    contexts: Mapping[str, Mean]
    groups: Mapping[str, Mapping[str, Mean]]
    heuristics: DataSetResult

    def ceiling(self, strategy: str) -> float:
        """Share of the consequences whose answer is in the context of a strategy."""
        return next(
            ceiling.reachable
            for ceiling in self.heuristics.ceilings
            if ceiling.strategy == strategy
        )

    @property
    def impossible(self) -> tuple[str, ...]:
        """Naive strategies whose printed Hits@10 exceeds their ceiling here."""
        names = ("naive-entity", "naive-pair")
        printed = PRINTED_NAIVE.get(self.preset, ())
        return tuple(
            name
            for name, value in zip(names, printed, strict=False)
            if value > self.ceiling(name) + 0.005
        )


@dataclass(slots=True, kw_only=True)
class _Run:
    """Figures of one graph."""

    hits: dict[str, tuple[float, ...]] = field(default_factory=dict)
    histories: _Figures = field(default_factory=dict)
    contexts: _Figures = field(default_factory=dict)
    groups: dict[str, _Figures] = field(default_factory=dict)


def measure_rows(
    configs: Mapping[Preset, Config],
    seeds: int,
    *,
    lengths: tuple[int, ...] = (1, 2),
    forecasters: Sequence[Settings] = (),
    jobs: int = 1,
    work: Path | None = None,
    progress: Callable[[int], object] | None = None,
) -> list[TableRow]:
    """Generate data sets with seeds 0, 1, ... and run all methods and experiments.

    Args:
        configs: the configuration of each data set.
        seeds: number of seeds.
        lengths: lengths of the mined rules.
        forecasters: neural forecasters to train on each graph.
        jobs: number of worker processes; the figures do not depend on it.
        work: folder of the figures of finished graphs, which are not computed again.
        progress: called with 1 after each graph.

    Raises:
        HopcheckError: the folder cannot be written, or a file of it cannot be read.
    """
    asked = [(preset, config, seed) for preset, config in configs.items() for seed in range(seeds)]
    run = partial(_measured, lengths=lengths, forecasters=tuple(forecasters))
    files = [_file(work, row, run) for row in asked]
    # Looked up once: another run may write to the folder.
    finished = [path is not None and path.exists() for path in files]
    left = [row for row, known in zip(asked, finished, strict=True) if not known]
    new = parallel_stream(run, left, jobs, lifetime=len(asked))
    runs: list[_Run] = []
    for path, known in zip(files, finished, strict=True):
        if path is not None and known:
            runs.append(read_document(path, _Run, "graph's figures"))
        else:
            runs.append(next(new))
            if path is not None:
                write_json(path, runs[-1])
        if progress is not None:
            progress(1)
    return [
        _row(preset, runs[place * seeds : (place + 1) * seeds], measure(preset, config, seeds))
        for place, (preset, config) in enumerate(configs.items())
    ]


def _file(work: Path | None, asked: tuple[Preset, Config, int], run: partial[_Run]) -> Path | None:
    """The file of the figures of a graph, named after all that they depend on."""
    if work is None:
        return None
    preset, config, seed = asked
    depends = manifest(config=run.keywords | {"graph": config.as_json()}, seed=seed)
    digest = hashlib.sha256(line(depends)).hexdigest()
    return make_folder(work) / f"{preset}-{seed}-{digest[:12]}.json"


def _measured(
    asked: tuple[Preset, Config, int], *, lengths: tuple[int, ...], forecasters: Sequence[Settings]
) -> _Run:
    preset, config, seed = asked
    graph = generate(config, seed)
    made = dataset(graph, config, preset)
    trained = {
        forecaster.model.value: _trained(forecaster, made, seed) for forecaster in forecasters
    }
    return _run(graph, made, lengths, trained)


def _row(preset: Preset, runs: Sequence[_Run], heuristics: DataSetResult) -> TableRow:
    return TableRow(
        preset=preset,
        hits={method: _three([run.hits[method] for run in runs]) for method in runs[0].hits},
        histories={name: Mean.of([run.histories[name] for run in runs]) for name in HISTORIES},
        contexts={name: Mean.of([run.contexts[name] for run in runs]) for name in CONTEXTS},
        groups=_grouped(runs),
        heuristics=heuristics,
    )


def _three(found: Sequence[tuple[float, ...]]) -> tuple[Mean, Mean, Mean]:
    first, second, third = (Mean.of(values) for values in zip(*found, strict=True))
    return first, second, third


def _grouped(runs: Sequence[_Run]) -> dict[str, dict[str, Mean]]:
    names = sorted({group for run in runs for group in run.groups})
    return {
        group: {
            method: Mean.of([run.groups[group][method] for run in runs if group in run.groups])
            for method in ("facts", *runs[0].hits)
        }
        for group in names
    }


def _trained(settings: Settings, made: Dataset, seed: int) -> Forecaster:
    """A forecaster of the facts of train; those of valid select its epoch."""
    from benchmarks.forecasting.forecaster import NeuralForecaster
    from benchmarks.training import Device, select_device

    found = NeuralForecaster(settings=settings, device=str(select_device(Device.AUTO)))
    found.fit(made, until=int(made.splits[Split.TRAIN].time.max()) + 1, seed=seed)
    return found


def forecast_ranks(forecaster: Forecaster, asked: Quadruples) -> Ranks:
    """Rank the tails of facts among all entities by a forecaster's scores, raw."""
    queries, numbers = Queries.of(asked)
    better = np.empty(len(asked), dtype=np.int64)
    tied = np.empty(len(asked), dtype=np.int64)
    facts = Index.of(numbers)
    for part, scores in forecaster.score(queries):
        row, place = expand(*facts.ranges(part))
        rows = facts.order[place]
        own = scores[row, asked.tail[rows]][:, None]
        better[rows] = (scores[row] > own).sum(axis=1)
        tied[rows] = (scores[row] == own).sum(axis=1)
    return Ranks(better=better, tied=tied)


def _run(
    graph: LabelledGraph,
    made: Dataset,
    lengths: tuple[int, ...],
    trained: Mapping[str, Forecaster],
) -> _Run:
    facts, words, asked = made.facts(), made.vocabulary, made.splits[Split.TEST]
    begin = len(facts) - len(asked)
    found = evaluate(facts, asked, words)
    ranks = {
        f"{heuristic[0].upper()}-{shared[0].upper()}": found[heuristic, shared]
        for heuristic in Heuristic
        for shared in (ContextKey.ENTITY, ContextKey.PAIR)
    }
    settings = MiningSettings(lengths=lengths, splits=(Split.TRAIN, Split.VALID))
    rules = mine(made, settings).rules
    known = {
        "before": facts,
        "train-valid": made.facts(Split.TRAIN, Split.VALID),
        "train": made.facts(Split.TRAIN),
    }
    other = asked.head != asked.tail
    seen = {tuple(row[:3]) for row in known["train-valid"].rows().tolist()}
    new = np.array([tuple(row[:3]) not in seen for row in asked.rows().tolist()])
    run = _Run()
    for name, history in known.items():
        applied = Application(rules, history, words, learned=known["train-valid"])
        placed = ranked(applied, asked, words.entities)
        right = expected_hits(placed, 3)
        run.histories[name] = float(right.mean())
        run.histories[f"{name}-other"] = float((right * other).mean())
        if name == "train":
            run.histories["train-new"] = float((right * other * new).mean())
        if name == "before":
            ranks["rules"] = placed
    ranks["planted"] = planted_ranks(
        graph.plan.patterns,
        facts,
        words,
        asked,
        until=int(asked.time.min()),
        miss=miss_rank(words),
        raw=True,
    )
    ranks |= {name: forecast_ranks(forecaster, asked) for name, forecaster in trained.items()}
    hits = {
        method: np.stack([expected_hits(ranks[method], cut) for cut in CUTS])
        for method in (*METHODS, *trained)
    }
    run.hits = {method: tuple(values.mean(axis=1).tolist()) for method, values in hits.items()}
    instances = Instances.of(graph.labels, facts)
    groups = _groups(graph, instances, facts, begin)
    for group, rows in groups.items():
        run.groups[group] = {"facts": float(len(rows))} | {
            method: float(values[1, rows].mean()) for method, values in hits.items()
        }
    ends = groups.get("role: consequence", np.empty(0, np.int64))
    run.contexts = _reached(facts, ends + begin)
    return run


def ranked(applied: Application, asked: Quadruples, entities: int) -> Ranks:
    """The filtered ranks of the tails of some facts by rules."""
    queries, numbers = Queries.of(asked)
    own_arange = np.arange(len(asked), dtype=np.int64)
    return filtered_ranks(applied.candidates(queries).take(numbers), own_arange, asked, entities)


def _groups(
    graph: LabelledGraph, instances: Instances, facts: Quadruples, begin: int
) -> dict[str, Ids]:
    """Rows of the queried facts by role, hops, shape and lag, from 0."""
    verdicts = judge(
        [planted_pattern.template for planted_pattern in graph.plan.patterns], PatternFlags()
    )
    groups: dict[str, list[int]] = {}
    for row in range(begin, len(facts)):
        instance = instances.of_consequence(row)
        if instance is None:
            groups.setdefault("role: antecedent only", []).append(row - begin)
            continue
        pattern = int(instances.pattern[instance])
        before = facts.time[instances.antecedents_of(instance)]
        lag = int(facts.time[row] - before.max()) if len(before) else 0
        shapes = verdicts[pattern].shapes
        for group in (
            "role: consequence",
            f"hops: {graph.plan.patterns[pattern].hops}",
            f"lag: {lag}",
            *(f"shape: {shape}" for shape in shapes),
        ):
            groups.setdefault(group, []).append(row - begin)
    return {group: np.array(rows, dtype=np.int64) for group, rows in groups.items()}


def _reached(facts: Quadruples, rows: Ids) -> _Figures:
    """Share of answers that are a head or tail in each context; facts are sorted by time."""
    ends = np.concatenate((facts.head, facts.tail))
    of = np.concatenate((np.arange(len(facts)), np.arange(len(facts))))
    order = np.lexsort((of, ends))
    by_end, of_end = ends[order], of[order]
    head_order = np.argsort(facts.head, kind="stable")
    by_head = facts.head[head_order]
    counts = dict.fromkeys(CONTEXTS, 0)
    for row in rows.tolist():
        head, answer, time = int(facts.head[row]), int(facts.tail[row]), facts.time[row]
        low, high = np.searchsorted(by_head, head), np.searchsorted(by_head, head, side="right")
        own = head_order[low:high]
        low, high = np.searchsorted(by_end, head), np.searchsorted(by_end, head, side="right")
        either = np.unique(of_end[low:high])
        contexts = {
            "head": own[facts.time[own] < time][-25:],
            "head-all": own[facts.time[own] < time],
            "either": either[facts.time[either] < time][-25:],
            "either-all": either[facts.time[either] < time],
            "same-time": own[(facts.time[own] <= time) & (own != row)][-25:],
        }
        for name, shown in contexts.items():
            named = (facts.head[shown] == answer) | (facts.tail[shown] == answer)
            counts[name] += bool(named.any())
    return {name: count / max(len(rows), 1) for name, count in counts.items()}


def as_json(found: Sequence[TableRow]) -> dict[str, Any]:
    """All figures as JSON values."""
    return {
        table_row.preset.value: {
            "seeds": table_row.heuristics.seeds,
            "hits": {
                method: dict(zip(map(str, CUTS), (m.as_json() for m in means), strict=True))
                for method, means in table_row.hits.items()
            },
            "printed_rules": PRINTED_RULES.get(table_row.preset),
            "printed_neural": PRINTED_NEURAL.get(table_row.preset),
            "histories": {name: mean.as_json() for name, mean in table_row.histories.items()},
            "contexts": {name: mean.as_json() for name, mean in table_row.contexts.items()},
            "ceilings": {
                c.strategy.value: round(c.reachable, 5) for c in table_row.heuristics.ceilings
            },
            "printed_naive": PRINTED_NAIVE.get(table_row.preset),
            "above_ceiling": list(table_row.impossible),
            "groups": {
                group: {method: mean.as_json() for method, mean in row.items()}
                for group, row in table_row.groups.items()
            },
        }
        for table_row in found
    }


def report(found: Sequence[TableRow]) -> Report:
    """The table, the experiments, Figures 5 to 7, and results by shape, hops and lag."""
    return Report(
        title="Table 7 on generated data sets",
        lead=f"{found[0].heuristics.seeds} seeds; means with 95% intervals of Student's t. "
        "Tails of all facts in the last tenth of the time, raw, ties at random.",
        facts={},
        sections=(
            Section(title="Hits@1, 3, 10", tables=(_hits_table(found),)),
            Section(title="Retrieval ceilings, and printed cells", tables=(_ceiling_table(found),)),
            Section(title="Facts that rules are applied to, Hits@3", tables=(_histories(found),)),
            Section(title="What a context contains", tables=(_contexts(found),)),
            *_figures(found),
            Section(title="By role, shape, hops and lag, Hits@3", tables=(_group_table(found),)),
        ),
    )


def _hits_table(found: Sequence[TableRow]) -> Table:
    """Printed figures are in a row of their own."""
    cells = []
    methods = tuple(found[0].hits)
    heuristics = [(h, s) for s in (ContextKey.ENTITY, ContextKey.PAIR) for h in Heuristic]
    for row in found:
        for place, cut in enumerate(CUTS):
            here = [str(row.hits[method][place]) for method in methods]
            cells.append((PUBLISHED[row.preset].name, f"@{cut}", *here))
            if row.preset in TABLE_7:
                printed = {
                    f"{h[0].upper()}-{s[0].upper()}": f"{TABLE_7[row.preset][h, s, cut]:.3f}"
                    for h, s in heuristics
                }
                printed["rules"] = f"{PRINTED_RULES[row.preset][place]:.3f}"
                if cut == _MIDDLE:
                    neural = zip(_NEURAL, PRINTED_NEURAL[row.preset], strict=True)
                    printed |= {name: f"{value:.3f}" for name, value in neural}
                cells.append(("printed", f"@{cut}", *(printed.get(m, "") for m in methods)))
    return Table(columns=("data set", "", *methods), rows=tuple(cells))


def _ceiling_table(found: Sequence[TableRow]) -> Table:
    names = [ceiling.strategy.value for ceiling in found[0].heuristics.ceilings]
    cells = []
    for row in found:
        naive = PRINTED_NAIVE.get(row.preset)
        printed = ("", "") if naive is None else tuple(f"{value:.3f}" for value in naive)
        marked = [
            f"{value}, above the ceiling" if name in row.impossible else value
            for name, value in zip(("naive-entity", "naive-pair"), printed, strict=True)
        ]
        ceilings = [f"{row.ceiling(name):.3f}" for name in names]
        cells.append((PUBLISHED[row.preset].name, *ceilings, *marked))
    columns = ("data set", *names, "printed naive-entity @10", "printed naive-pair @10")
    return Table(columns=columns, rows=tuple(cells))


def _histories(found: Sequence[TableRow]) -> Table:
    cells = []
    for row in found:
        printed = PRINTED_RULES.get(row.preset)
        shown = "" if printed is None else f"{printed[1]:.3f}"
        cells.append((PUBLISHED[row.preset].name, *map(str, row.histories.values()), shown))
    columns = ("data set", *HISTORIES.values(), "printed")
    return Table(columns=columns, rows=tuple(cells))


def _contexts(found: Sequence[TableRow]) -> Table:
    cells = tuple((PUBLISHED[row.preset].name, *map(str, row.contexts.values())) for row in found)
    return Table(columns=("data set", *CONTEXTS.values()), rows=cells)


def _group_table(found: Sequence[TableRow]) -> Table:
    cells = tuple(
        (
            PUBLISHED[table_row.preset].name,
            group,
            f"{row['facts'].value:,.0f}",
            *(str(row[method]) for method in table_row.hits),
        )
        for table_row in found
        for group, row in table_row.groups.items()
    )
    return Table(columns=("data set", "group", "facts", *found[0].hits), rows=cells)


_VARIATIONS = MappingProxyType(
    {
        "Figure 5: by hops": (Preset.ONLY_1_HOP, Preset.ONLY_2_HOP, Preset.ONLY_3_HOP),
        "Figure 6: by lag": (Preset.LAG_1_3, Preset.LAG_1_5, Preset.LAG_1_8),
        "Figure 7: by distribution": (
            Preset.ENT_GAMMA_REL_GAMMA,
            Preset.ENT_GAMMA_REL_U,
            Preset.ENT_U_REL_GAMMA,
            Preset.ENT_U_REL_U,
        ),
    }
)


def _figures(found: Sequence[TableRow]) -> list[Section]:
    sections = []
    for number, (title, presets) in enumerate(_VARIATIONS.items(), start=5):
        rows = [row for row in found if row.preset in presets]
        if not rows:
            continue
        series = [
            Series(
                name=method,
                values=tuple(row.hits[method][1].value for row in rows),
                low=tuple(row.hits[method][1].value - row.hits[method][1].half for row in rows),
                high=tuple(row.hits[method][1].value + row.hits[method][1].half for row in rows),
            )
            for method in rows[0].hits
        ]
        names = [PUBLISHED[row.preset].name for row in rows]
        drawn = bar_chart(names, series, axis="Hits@3")
        sections.append(Section(title=title, plots={f"figure{number}": drawn}))
    return sections
