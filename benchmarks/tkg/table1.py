"""The presets of several seeds beside the paper's Table 1.

The acceptance is for means over the seeds; single graphs spread as the number of planted instances
does, which is binomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from benchmarks.speed.clock import milliseconds
from benchmarks.speed.figures import machine
from benchmarks.speed.parts import Part
from generators.tkg.comparison import COLUMNS, cells, figures, written
from generators.tkg.config import Config
from generators.tkg.modes import Mode
from generators.tkg.presets import config_of
from generators.tkg.published import PUBLISHED, Preset, PublishedRow
from generators.tkg.run import generate
from solver.tkg.statistics import graph_statistics

_ROUNDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A preset.

    Attributes:
        row: what the paper reports.
        found: figures of each seed's graph, by the names of the statistics.
        forced: median process time of one generation in memory, in ms; so for ``forward``, in
            which consequences are followed as well.
    """

    preset: Preset
    row: PublishedRow
    found: tuple[dict[str, float], ...]
    forced: float
    forward: float

    @property
    def means(self) -> dict[str, float]:
        """The means over the seeds."""
        return {name: mean(one[name] for one in self.found) for name in COLUMNS}


def compared(seeds: Sequence[int]) -> list[Compared]:
    """Generate every preset with each seed."""
    found = []
    for preset, row in PUBLISHED.items():
        config = config_of(preset)
        graphs = tuple(_figures(config, seed) for seed in seeds)
        times = _times(config)
        found.append(
            Compared(
                preset=preset,
                row=row,
                found=graphs,
                forced=times[Mode.FORCED],
                forward=times[Mode.FORWARD],
            )
        )
    return found


def as_json(found: Sequence[Compared]) -> dict[str, Any]:
    """JSON values; times are rounded."""
    rows = {
        one.preset.value: {
            "paper": figures(one.row),
            "means": {name: round(value, 4) for name, value in one.means.items()},
            "seeds": [{name: round(v, 4) for name, v in graph.items()} for graph in one.found],
            "milliseconds": {"forced": round(one.forced, 1), "forward": round(one.forward, 1)},
        }
        for one in found
    }
    return {"machine": machine(), "rounds": _ROUNDS, "presets": rows}


def table(found: Sequence[Compared]) -> str:
    """Three lines a preset in Markdown: the paper, the mean over the seeds, least and most."""
    # A bar would end the cell.
    heads = [head.replace("|", "\\|") for head in COLUMNS.values()]
    lines = [f"| preset | | {' | '.join(heads)} |", f"|{'---|' * (len(heads) + 2)}"]
    for one in found:
        ranges = [
            "–".join(
                written(name, ends([graph[name] for graph in one.found])) for ends in (min, max)
            )
            for name in COLUMNS
        ]
        size = len(one.found)
        lines += [
            f"| {one.preset.value} | paper | {' | '.join(cells(figures(one.row)))} |",
            f"| | mean of {size} seeds | {' | '.join(cells(one.means))} |",
            f"| | least–most | {' | '.join(ranges)} |",
        ]
    return "\n".join(lines) + "\n"


def _figures(config: Config, seed: int) -> dict[str, float]:
    told = graph_statistics(generate(config, seed).facts).as_json()
    return {name: told[name] for name in COLUMNS}


def _times(config: Config) -> dict[Mode, float]:
    parts = []
    for mode in (Mode.FORCED, Mode.FORWARD):
        chosen = replace(config, mode=mode)

        def run(chosen: Config = chosen) -> None:
            generate(chosen, 0)

        parts.append(Part(name=mode.value, run=run))
    taken = milliseconds(parts, rounds=_ROUNDS)
    return {mode: taken[mode.value] for mode in (Mode.FORCED, Mode.FORWARD)}
