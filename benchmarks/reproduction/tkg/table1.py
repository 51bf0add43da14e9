"""Compares the presets, over several seeds, with the paper's Table 1.

The acceptance criterion is on means over the seeds; single graphs vary with the number of planted
instances, which is binomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from benchmarks.reproduction.speed.clock import Part, machine, milliseconds
from generators.tkg.config import Config, Mode
from generators.tkg.files import COLUMNS, cells, figures, format_figure
from generators.tkg.presets import PUBLISHED, Preset, PublishedRow, config_of
from generators.tkg.run import generate
from solver.graph.statistics import graph_statistics

_ROUNDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetComparison:
    """A preset compared with its published row.

    Attributes:
        row: published statistics.
        found: statistics of each seed's graph, by name.
        forced: median process time of one generation in memory, in ms.
        forward: the same with forward closure.
    """

    preset: Preset
    row: PublishedRow
    found: tuple[dict[str, float], ...]
    forced: float
    forward: float

    @property
    def means(self) -> dict[str, float]:
        """Means over the seeds."""
        return {name: mean(record[name] for record in self.found) for name in COLUMNS}


def compare_presets(seeds: Sequence[int]) -> list[PresetComparison]:
    """Generate every preset with each seed."""
    found = []
    for preset, row in PUBLISHED.items():
        config = config_of(preset)
        graphs = tuple(_figures(config, seed) for seed in seeds)
        times = _times(config)
        found.append(
            PresetComparison(
                preset=preset,
                row=row,
                found=graphs,
                forced=times[Mode.FORCED],
                forward=times[Mode.FORWARD],
            )
        )
    return found


def as_json(found: Sequence[PresetComparison]) -> dict[str, Any]:
    """The comparison as JSON values; times are rounded."""
    rows = {
        comparison.preset.value: {
            "paper": figures(comparison.row),
            "means": {name: round(value, 4) for name, value in comparison.means.items()},
            "seeds": [
                {name: round(v, 4) for name, v in graph.items()} for graph in comparison.found
            ],
            "milliseconds": {
                "forced": round(comparison.forced, 1),
                "forward": round(comparison.forward, 1),
            },
        }
        for comparison in found
    }
    return {"machine": machine(), "rounds": _ROUNDS, "presets": rows}


def table(found: Sequence[PresetComparison]) -> str:
    """Markdown table with three lines per preset: paper, mean over the seeds, range."""
    # A bar would end the cell.
    heads = [head.replace("|", "\\|") for head in COLUMNS.values()]
    lines = [f"| preset | | {' | '.join(heads)} |", f"|{'---|' * (len(heads) + 2)}"]
    for comparison in found:
        ranges = [
            "–".join(
                format_figure(name, ends([graph[name] for graph in comparison.found]))
                for ends in (min, max)
            )
            for name in COLUMNS
        ]
        size = len(comparison.found)
        lines += [
            f"| {comparison.preset.value} | paper | {' | '.join(cells(figures(comparison.row)))} |",
            f"| | mean of {size} seeds | {' | '.join(cells(comparison.means))} |",
            f"| | least–most | {' | '.join(ranges)} |",
        ]
    return "\n".join(lines) + "\n"


def _figures(config: Config, seed: int) -> dict[str, float]:
    statistics = graph_statistics(generate(config, seed).facts).as_json()
    return {name: statistics[name] for name in COLUMNS}


def _times(config: Config) -> dict[Mode, float]:
    parts = []
    for mode in (Mode.FORCED, Mode.FORWARD):
        chosen = replace(config, mode=mode)

        def run(chosen: Config = chosen) -> None:
            generate(chosen, 0)

        parts.append(Part(name=mode.value, run=run))
    taken = milliseconds(parts, rounds=_ROUNDS)
    return {mode: taken[mode.value] for mode in (Mode.FORCED, Mode.FORWARD)}
