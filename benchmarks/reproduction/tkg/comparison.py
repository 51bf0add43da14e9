"""Compares the heuristics on generated data sets with Table 7, as means over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from benchmarks.metrics.ranking import CUTS
from benchmarks.tkg.retrieval.context import (
    ContextKey,
    Heuristic,
    Hits,
    Instances,
    evaluate,
    hits_of,
    rows_of,
)
from benchmarks.tkg.retrieval.prompts import Ceiling, Composer, Strategy, ceiling
from benchmarks.tkg.retrieval.scoring import CEILING_COLUMNS, ceiling_cells
from generators.tkg.config import Config
from generators.tkg.files import dataset
from generators.tkg.presets import PUBLISHED, Preset
from generators.tkg.run import generate
from solver.graph.model import Split

Column = tuple[Heuristic, ContextKey, int]
"""A heuristic over a context, and the k of Hits@k."""

COLUMNS: tuple[Column, ...] = tuple(
    (heuristic, shared, cut)
    for heuristic in Heuristic
    for shared in (ContextKey.ENTITY, ContextKey.PAIR)
    for cut in CUTS
)


def _row(*figures: float) -> Mapping[Column, float]:
    return MappingProxyType(dict(zip(COLUMNS, figures, strict=True)))


TABLE_7: Mapping[Preset, Mapping[Column, float]] = MappingProxyType(
    {
        Preset.ONLY_1_HOP: _row(
            0.327, 0.448, 0.551, 0.194, 0.249, 0.293, 0.246, 0.379, 0.508, 0.098, 0.207, 0.281
        ),
        Preset.ONLY_2_HOP: _row(
            0.243, 0.360, 0.473, 0.139, 0.196, 0.234, 0.165, 0.273, 0.412, 0.079, 0.153, 0.221
        ),
        Preset.ONLY_3_HOP: _row(
            0.172, 0.298, 0.436, 0.100, 0.148, 0.194, 0.125, 0.213, 0.338, 0.056, 0.108, 0.176
        ),
        Preset.LAG_1_3: _row(
            0.235, 0.358, 0.485, 0.140, 0.191, 0.230, 0.149, 0.255, 0.410, 0.059, 0.144, 0.219
        ),
        Preset.LAG_1_5: _row(
            0.223, 0.338, 0.457, 0.131, 0.182, 0.222, 0.137, 0.240, 0.384, 0.071, 0.145, 0.212
        ),
        Preset.LAG_1_8: _row(
            0.248, 0.363, 0.482, 0.148, 0.207, 0.259, 0.164, 0.259, 0.406, 0.078, 0.160, 0.223
        ),
        Preset.ENT_GAMMA_REL_GAMMA: _row(
            0.204, 0.245, 0.270, 0.023, 0.034, 0.035, 0.081, 0.174, 0.263, 0.019, 0.034, 0.035
        ),
        Preset.ENT_GAMMA_REL_U: _row(
            0.214, 0.273, 0.296, 0.016, 0.024, 0.024, 0.120, 0.224, 0.292, 0.015, 0.024, 0.024
        ),
        Preset.ENT_U_REL_GAMMA: _row(
            0.133, 0.203, 0.248, 0.014, 0.019, 0.019, 0.081, 0.164, 0.247, 0.014, 0.019, 0.019
        ),
        Preset.ENT_U_REL_U: _row(
            0.145, 0.218, 0.274, 0.006, 0.008, 0.009, 0.099, 0.189, 0.272, 0.006, 0.008, 0.009
        ),
    }
)
"""Rows of Table 7 by data set; there is none for ICEWS14-Synth."""


TOLERANCE = 0.02
"""Maximum mean absolute error for Ent-U Rel-U."""

_ROUNDED = 0.0005
_SHORT = {"frequency": "F", "recency": "R", "entity": "E", "pair": "P"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSetResult:
    """Results on a data set.

    Attributes:
        seeds: number of seeds.
        hits: means over the seeds, for tail queries on the test split.
        spread: standard deviations of the expected hits over the seeds.
        ceilings: retrieval ceilings by strategy, on consequences of the test split.
    """

    preset: Preset
    seeds: int
    hits: Mapping[Column, Hits]
    spread: Mapping[Column, float]
    ceilings: tuple[Ceiling, ...]

    @property
    def error(self) -> float | None:
        """Mean absolute error over the twelve figures of Table 7; None if it has no row."""
        if self.preset not in TABLE_7:
            return None
        printed = TABLE_7[self.preset]
        return float(np.mean([abs(self.hits[c].expected - printed[c]) for c in COLUMNS]))

    @property
    def within(self) -> int | None:
        """Number of printed figures within the bounds of tie-breaking, to three decimals."""
        if self.preset not in TABLE_7:
            return None
        bounds = ((TABLE_7[self.preset][column], self.hits[column]) for column in COLUMNS)
        return sum(
            hit.pessimistic - _ROUNDED <= printed <= hit.optimistic + _ROUNDED
            for printed, hit in bounds
        )


def measure(preset: Preset, config: Config, seeds: int) -> DataSetResult:
    """Generate a data set with seeds 0, 1, ... and evaluate it."""
    hits: list[Mapping[Column, Hits]] = []
    ceilings: list[tuple[Ceiling, ...]] = []
    for seed in range(seeds):
        graph = generate(config, seed)
        made = dataset(graph, config, preset)
        ties = evaluate(graph.facts, made.splits[Split.TEST], made.vocabulary)
        by_context = {kind: hits_of(tie) for kind, tie in ties.items()}
        hits.append({(h, shared, cut): by_context[h, shared][cut] for h, shared, cut in COLUMNS})
        instances = Instances.of(graph.labels, graph.facts)
        composer = Composer(made, instances)
        rows = rows_of(made, Split.TEST, instances).tolist()
        ceilings.append(
            tuple(
                ceiling((composer.compose(row, strategy) for row in rows), graph.facts, strategy)
                for strategy in Strategy
            )
        )
    return DataSetResult(
        preset=preset,
        seeds=seeds,
        hits={column: _mean_hits([hit[column] for hit in hits]) for column in COLUMNS},
        spread={
            column: float(np.std([hit[column].expected for hit in hits])) for column in COLUMNS
        },
        ceilings=tuple(_mean_ceiling(parts) for parts in zip(*ceilings, strict=True)),
    )


def _mean_hits(found: Sequence[Hits]) -> Hits:
    means = {name: float(np.mean([getattr(hits, name) for hits in found])) for name in _BOUNDS}
    return Hits(**means)


_BOUNDS = ("expected", "pessimistic", "optimistic")


def _mean_ceiling(parts: Sequence[Ceiling]) -> Ceiling:
    """Mean over the prompts of all seeds."""
    counts = np.array([part.prompts for part in parts], dtype=np.float64)
    values = {
        name: float(np.array([getattr(part, name) for part in parts]) @ counts / counts.sum())
        for name in asdict(parts[0])
        if name not in ("strategy", "prompts")
    }
    return Ceiling(strategy=parts[0].strategy, prompts=int(counts.sum()), **values)


def as_json(found: Sequence[DataSetResult]) -> dict[str, Any]:
    """All figures as JSON values."""
    return {
        "tolerance": TOLERANCE,
        "data_sets": {
            result.preset.value: {
                "seeds": result.seeds,
                "mean_absolute_error": result.error,
                "printed_within_ties": result.within,
                "hits": {
                    _name(column): asdict(result.hits[column])
                    | {
                        "deviation": result.spread[column],
                        "printed": TABLE_7.get(result.preset, {}).get(column),
                    }
                    for column in COLUMNS
                },
                "ceilings": {c.strategy.value: asdict(c) for c in result.ceilings},
            }
            for result in found
        },
    }


def tables(found: Sequence[DataSetResult]) -> str:
    """All figures as a Markdown page."""
    seeds = found[0].seeds
    lines = [
        f"Heuristics over the last 25 facts, tails of all facts in the last tenth of the time, "
        f"{seeds} seeds; printed (Table 7) / here. Ties are broken at random.",
        "",
        "| data set | error | " + " | ".join(map(_name, COLUMNS)) + " |",
        "|---" + "|---:" * (len(COLUMNS) + 1) + "|",
    ]
    for result in found:
        error = "–" if result.error is None else f"{result.error:.4f}"
        cells = " | ".join(_cell(result, column) for column in COLUMNS)
        lines.append(f"| {PUBLISHED[result.preset].name} | {error} | {cells} |")
    lines += [
        "",
        "Bounds of tie-breaking: pessimistic - optimistic; and how many of the twelve printed "
        "figures lie within.",
        "",
        "| data set | printed within | " + " | ".join(map(_name, COLUMNS)) + " |",
        "|---" + "|---:" * (len(COLUMNS) + 1) + "|",
    ]
    for result in found:
        bounds = (result.hits[column] for column in COLUMNS)
        cells = " | ".join(f"{hit.pessimistic:.3f}-{hit.optimistic:.3f}" for hit in bounds)
        within = "–" if result.within is None else result.within
        lines.append(f"| {PUBLISHED[result.preset].name} | {within} | {cells} |")
    lines += [
        "",
        "Retrieval ceilings, consequences in the last tenth of the time, in percent.",
        "",
        "| data set | strategy | " + " | ".join(CEILING_COLUMNS) + " |",
        "|---|---" + "|---:" * len(CEILING_COLUMNS) + "|",
    ]
    for result in found:
        for ceil in result.ceilings:
            cells = " | ".join(ceiling_cells(ceil))
            lines.append(f"| {PUBLISHED[result.preset].name} | {ceil.strategy} | {cells} |")
    return "\n".join(lines) + "\n"


def _name(column: Column) -> str:
    heuristic, shared, cut = column
    return f"{_SHORT[heuristic]}-{_SHORT[shared]}@{cut}"


def _cell(result: DataSetResult, column: Column) -> str:
    here = f"{result.hits[column].expected:.3f}"
    printed = TABLE_7.get(result.preset)
    return here if printed is None else f"{printed[column]:.3f} / {here}"
