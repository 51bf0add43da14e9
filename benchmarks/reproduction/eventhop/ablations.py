"""Measures the ablated reasoners on generated data, for each preset.

``python -m benchmarks.reproduction.eventhop.ablations`` writes
``benchmarks/results/ablations.json``; the same seed gives the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.eventhop.ablations.reasoners import answer
from benchmarks.eventhop.ablations.report import Row, table
from benchmarks.eventhop.cases import Dimension, groups, read_cases
from benchmarks.reproduction import RESULTS
from grammar.errors import HopcheckError
from solver.cli import run
from solver.io.writing import write_json

SEED = 0
SIZE = 2_500
PRESETS = ("strict", "before+after", "only-before", "sorted", "only-before-sorted")
REPORTED = (Dimension.HOPS, Dimension.SIMULTANEITY, Dimension.STATUS, Dimension.EVENTS)
TARGET = RESULTS / "ablations.json"


class UnmadeError(HopcheckError):
    """A failed run of the generator."""

    code = "unmade"


def measure(presets: Sequence[str] = PRESETS, *, size: int = SIZE, seed: int = SEED) -> Any:  # noqa: ANN401
    """Macro-F1 of every reasoner on the test split of each preset, as JSON values."""
    return {
        "seed": seed,
        "size": size,
        "presets": {preset: _measured(preset, size, seed) for preset in presets},
    }


def _measured(preset: str, size: int, seed: int) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        options = ["--preset", preset, "--split", "test", "--test-size", str(size)]
        status = run(["generate", "eventhop", *options, "--seed", str(seed), "--out", folder])
        if status:
            raise UnmadeError(f"generate eventhop --preset {preset} ended with status {status}")
        read = read_cases([str(Path(folder) / "test.jsonl")])
    answers = answer([case.item for case in read.cases], read.decided)
    rows = table(answers, read.decided, groups(read.cases))
    counts = {
        dimension.value: {
            name: figure.items for name, figure in rows[0].by_group[dimension].items()
        }
        for dimension in REPORTED
    }
    return {
        "items": counts,
        "left_out": dict(answers.left_out),
        "macro_f1": {row.reasoner: _figures(row) for row in rows},
    }


def _figures(row: Row) -> dict[str, Any]:
    by = {
        dimension.value: {name: figure.macro_f1 for name, figure in row.by_group[dimension].items()}
        for dimension in REPORTED
    }
    return {"overall": row.overall.macro_f1, **by}


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    write_json(TARGET, measure())
    sys.stderr.write(f"written: {TARGET.name}\n")
