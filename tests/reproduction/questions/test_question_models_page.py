"""The page of models is the one of its figures, and the graph itself answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.reproduction.questions.models import page
from benchmarks.reproduction.questions.tables import KNOWN

RESULTS = Path(__file__).resolve().parents[3] / "benchmarks/results"
VALUES: dict[str, Any] = json.loads((RESULTS / "question-models.json").read_bytes())


def test_the_page_is_written_from_the_figures() -> None:
    assert (RESULTS / "question-models.md").read_text(encoding="utf-8") == page(VALUES)


def test_the_graph_itself_answers_all_questions_about_facts() -> None:
    (known,) = [model for model in VALUES["models"] if model["name"] == KNOWN]
    for kind in ("1-hop", "2-hop", "yes-unknown"):
        assert {figure["value"] for figure in known["parts"][kind].values()} == {1}
