"""Measures the cost of verifying a generated graph, in each mode.

    python -m benchmarks.reproduction.speed.proof [--write]

Graphs have the size of the paper's, some 21,000 facts. Times are process times of one core;
``--write`` writes the results to ``benchmarks/results/tkg-proof.json``.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import numpy as np

from benchmarks.reproduction.speed.clock import Part, machine, milliseconds, write_results
from generators.tkg.config import Closure, Config, Mode
from generators.tkg.files import write_graph
from generators.tkg.presets import Preset, config_of
from generators.tkg.run import generate
from solver.cli.printing import print_json
from solver.tkg.encode import findings
from solver.tkg.engine import joined_findings
from solver.tkg.io import read_generated
from solver.verification.report import Kind
from solver.verification.run import verify

SEED = 1
# Derived instances add to planted ones: fewer are planted to reach the same size.
_SHARES = {"forced": 1.0, "forward": 0.77, "forward without a limit": 0.74, "literal": 0.79}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of verifying one graph; times are medians, in seconds of one core.

    Attributes:
        asp: from facts in memory to findings of the encoding, including the facts' text.
        join: the same for the second engine.
        whole: all of ``verify --kind tkg``, from the files.
    """

    graph: str
    facts: int
    labels: int
    violations: int
    read: float
    asp: float
    join: float
    whole: float


@click.command()
@click.option(
    "--rounds", type=click.IntRange(1), default=5, show_default=True, help="Timing rounds."
)
@click.option("--write", is_flag=True, help="Write benchmarks/results/tkg-proof.json too.")
def main(rounds: int, *, write: bool) -> None:
    """Measure the verification of graphs in each mode."""
    figures = {
        "preset": Preset.ENT_U_REL_U.value,
        "rounds": rounds,
        "machine": machine(),
        "graphs": [asdict(_cost(name, rounds)) for name in _SHARES],
    }
    if write:
        write_results("tkg-proof", figures)
    print_json(figures)


def _cost(name: str, rounds: int) -> Cost:
    config = _config(name)
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        write_graph(folder, generate(config, SEED), config, SEED)
        graph = read_generated(folder)
        doing = [
            Part(name="read", run=lambda: read_generated(folder)),
            Part(name="asp", run=lambda: findings(graph)),
            Part(name="join", run=lambda: joined_findings(graph)),
            Part(name="whole", run=lambda: verify(folder, Kind.TKG), whole=True),
        ]
        taken = milliseconds(doing, rounds=rounds)
        return Cost(
            graph=name,
            facts=len(graph.facts),
            labels=len(graph.labels),
            violations=len(verify(folder, Kind.TKG).findings),
            **{part: round(time / 1000, 3) for part, time in taken.items()},
        )


def _config(name: str) -> Config:
    preset = config_of(Preset.ENT_U_REL_U)
    mode = Mode(name.split(maxsplit=1)[0])
    closure = Closure(depth=None if "without" in name else preset.closure.depth)
    # Presets have one probability for all patterns.
    probability = float(np.multiply(preset.probability, _SHARES[name]))
    return replace(preset, mode=mode, closure=closure, probability=probability)


if __name__ == "__main__":
    main()
