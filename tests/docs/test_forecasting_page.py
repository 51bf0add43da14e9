"""The page on forecasters quotes what was measured."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_quotes_the_trainings() -> None:
    measured = json.loads((ROOT / "benchmarks" / "results" / "forecasters.json").read_bytes())
    page = (ROOT / "docs" / "forecasting.md").read_text(encoding="utf-8")
    for one in measured["models"]:
        curve = ", ".join(f"{value:.2f}" for value in one["validation"])
        assert len(one["validation"]) == len(one["loss"]) == one["epochs"]
        assert (
            f"| `{one['model']}` | {one['epochs']} | {curve} | {one['test']['raw']:.2f} |" in page
        )
        assert f"| {one['mebibytes']} |" in page
