"""``export lm-eval``: the tasks run in EleutherAI's harness."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from benchmarks.export.source import ExportError
from tests.benchmarks.export.test_hf import json_lines

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


@pytest.mark.parametrize("format", ["lm-eval", "inspect", "reasoning-gym"])
def test_labels_are_the_words_of_a_scheme(items: Path, tmp_path: Path, format: str) -> None:
    scheme = "entailed=follows,refuted=impossible,unknown=open,contradictory=impossible"
    hc.export(format, items, tmp_path, labels=scheme, name="ours")  # type: ignore[arg-type]
    (file,) = tmp_path.rglob("test.jsonl")
    for row in json_lines(file):
        word = {"entailed": "follows", "unknown": "open"}.get(row["status"], "impossible")
        assert row["label"] == word
    texts = [path.read_text() for path in tmp_path.rglob("*") if path.suffix in (".json", ".yaml")]
    assert any("impossible: the statements" in text for text in texts)
    assert not any("undefined" in text.lower() for text in texts)
    if format == "lm-eval":
        scoring: dict[str, Any] = {"__file__": str(tmp_path / "scoring.py")}
        exec((tmp_path / "scoring.py").read_text(), scoring)
        doc = json_lines(file)[0] | {"label": "open", "status": "unknown"}
        for answer, right in (("It is Open.", 1.0), ("Answer: follows", 0.0), ("true", 0.0)):
            assert scoring["process_results"](doc, [answer])["acc"] == right


@pytest.mark.parametrize("format", ["pykeen", "processbench", "lm-eval"])
def test_other_data_have_no_scheme(graph: Path, tmp_path: Path, format: str) -> None:
    with pytest.raises(hc.HopcheckError, match="expected eventhop for the labels nli3"):
        hc.export(format, graph, tmp_path, labels="nli3")  # type: ignore[arg-type]


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
