"""``export lm-eval``: the tasks run in EleutherAI's harness."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from benchmarks.export.source import ExportError

EVAL = """
import json, sys
import lm_eval
from lm_eval.models.dummy import DummyLM
from lm_eval.tasks import TaskManager
folder, answers = sys.argv[1], json.loads(sys.argv[2])
class Said(DummyLM):
    prompts = []
    def generate_until(self, requests, disable_tqdm=False):
        Said.prompts += [one.args[0] for one in requests]
        return [answers[one.doc_id] for one in requests]
manager = TaskManager(include_path=folder, include_defaults=False)
found = lm_eval.simple_evaluate(
    Said(), tasks=["ours"], task_manager=manager, bootstrap_iters=0, log_samples=True)
print(json.dumps({"results": found["results"], "prompts": Said.prompts}))
"""


def test_the_group_of_tasks_runs(
    items: Path, tmp_path: Path, outside: Callable[..., str], answered: Any
) -> None:
    hc.export("lm-eval", items, tmp_path / "out", name="ours")
    found = json.loads(outside(EVAL, tmp_path / "out", json.dumps(answered.texts), needs="lm_eval"))
    tasks = ("ours_zero_shot", "ours_five_examples", "ours_cot")
    assert {*found["results"]} == {"ours", *tasks}
    rows, expected = answered.rows, answered.scores
    names = {value: f"acc_{value}" for value in expected} | {
        "accuracy": "acc",
        "macro_f1": "macro_f1",
    }
    for task in tasks:
        made = found["results"][task]
        assert {value: made[f"{name},none"] for value, name in names.items()} == pytest.approx(
            expected
        )
    # The prompts are those of the command `prompts`.
    from benchmarks.eventhop.prompts import Prompter, Variant
    from grammar.eventhop.model import Domain

    texts = [
        Prompter(Domain.TEMPORAL, variant).prompt(row["premise"], row["claim"])
        for variant in Variant
        for row in rows
    ]
    assert sorted(found["prompts"]) == sorted(texts)


def test_the_name_is_that_of_a_package(items: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="lower-case letters"):
        hc.export("lm-eval", items, tmp_path, name="my set")


def test_questions_by_kind_hops_and_label(
    questions: Path, tmp_path: Path, outside: Callable[..., str], answered_questions: Any
) -> None:
    hc.export("lm-eval", questions, tmp_path / "out", name="ours")
    texts = json.dumps(answered_questions.texts)
    found = json.loads(outside(EVAL, tmp_path / "out", texts, needs="lm_eval"))
    assert {*found["results"]} == {"ours", "ours_zero_shot", "ours_cot"}
    ranked = ("mrr", "hits")
    for task in ("ours_zero_shot", "ours_cot"):
        made = {name.partition(",")[0]: value for name, value in found["results"][task].items()}
        expected = {
            name if name.startswith(ranked) else f"acc_{name}".replace("acc_accuracy", "acc"): value
            for name, value in answered_questions.scores.items()
        }
        assert {name: made[name] for name in expected} == pytest.approx(expected)
        assert made["unreadable"] > 0


def test_problems_by_label_family_level_and_hops(
    problems: Path, tmp_path: Path, outside: Callable[..., str], answered_problems: Any
) -> None:
    hc.export("lm-eval", problems, tmp_path / "out", name="ours")
    texts = json.dumps(answered_problems.texts)
    found = json.loads(outside(EVAL, tmp_path / "out", texts, needs="lm_eval"))
    assert {*found["results"]} == {"ours", "ours_zero_shot", "ours_cot"}
    for task in ("ours_zero_shot", "ours_cot"):
        made = {name.partition(",")[0]: value for name, value in found["results"][task].items()}
        expected = {
            f"acc_{name}".replace("acc_accuracy", "acc"): value
            for name, value in answered_problems.scores.items()
        }
        assert {name: made[name] for name in expected} == pytest.approx(expected)
        assert made["unreadable"] == 0.25


def test_graphs_are_refused(graph: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="found graph data, expected eventhop or questions or "):
        hc.export("lm-eval", graph, tmp_path)
