"""The page on forecasters quotes what was measured."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_quotes_the_trainings() -> None:
    measured = json.loads((ROOT / "benchmarks" / "results" / "forecasters.json").read_bytes())
    page = (ROOT / "docs" / "forecasting.md").read_text(encoding="utf-8")
    for measurement in measured["models"]:
        curve = ", ".join(f"{value:.2f}" for value in measurement["validation"])
        assert len(measurement["validation"]) == len(measurement["loss"]) == measurement["epochs"]
        (row,) = (
            line
            for line in page.splitlines()
            if line.startswith(f"| `{measurement['model']}` | one")
        )
        cells = row.strip("| ").split(" | ")
        raw, aware = (f"{measurement['test'][name]:.2f}" for name in ("raw", "time-aware"))
        assert cells[1:5] == [measurement["setting"], str(measurement["epochs"]), curve, raw]
        assert cells[6:] == [aware, str(measurement["mebibytes"])]
