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
        assert (
            f"| `{measurement['model']}` | {measurement['epochs']} | {curve} | "
            f"{measurement['test']['raw']:.2f} |" in page
        )
        assert f"| {measurement['mebibytes']} |" in page
