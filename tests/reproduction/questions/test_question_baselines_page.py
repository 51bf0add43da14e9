"""The page of baselines is the one of its figures, and the figures meet the targets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.reproduction.questions.baselines import FIGURES, page

RESULTS = Path(__file__).resolve().parents[3] / "benchmarks/results"
VALUES: dict[str, Any] = json.loads((RESULTS / "question-baselines.json").read_bytes())


def value(kind: str, split: str, baseline: str) -> float:
    (row,) = [
        record
        for record in VALUES["rows"]
        if (record["questions"], record["split"]) == (kind, split)
        and baseline in record["baseline"]
    ]
    return float(row["value"])


def test_the_page_is_written_from_the_figures() -> None:
    assert (RESULTS / "question-baselines.md").read_text(encoding="utf-8") == page(VALUES)


def test_only_the_oracle_knows() -> None:
    for split in ("valid", "test"):
        assert all(value(kind, split, "oracle") == 1 for kind in FIGURES)
        majority = value("yes-unknown", split, "most frequent label")
        assert value("yes-unknown", split, "transductive probe") <= majority + 0.03
        assert value("fact-reasoning", split, "recency") <= 0.30
