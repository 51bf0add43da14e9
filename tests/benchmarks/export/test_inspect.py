"""``export inspect``: the package runs in inspect_ai with its mock model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc

EVAL = """
import json, sys, tiktoken
class Words:
    def encode(self, text, **_): return text.split()
tiktoken.get_encoding = lambda name: Words()  # the real one is fetched from the network
from inspect_ai import eval
from inspect_ai.model import ModelOutput, get_model
task, answers, logs = sys.argv[1:]
outputs = [ModelOutput.from_content("mock", one) for one in json.loads(answers)]
model = get_model("mockllm/model", custom_outputs=outputs)
[log] = eval(task, model=model, log_dir=logs, display="none", max_connections=1)
assert log.status == "success", log.error
found = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
texts = [sample.input for sample in log.samples]
print(json.dumps({"metrics": found, "prompts": texts}))
"""


def test_metrics_by_label_status_and_hops(
    items: Path, tmp_path: Path, outside: Callable[..., str], answered: Any
) -> None:
    hc.export("inspect", items, tmp_path / "out", name="ours")
    task = tmp_path / "out" / "ours" / "tasks.py"
    stated = outside(
        EVAL, f"{task}@cot", json.dumps(answered.texts), tmp_path / "logs", needs="inspect_ai"
    )
    found = json.loads(stated)
    rows, expected = answered.rows, answered.scores
    assert {value: found["metrics"][value] for value in expected} == expected
    assert {*found["metrics"]} - {*expected} == {"stderr"}
    assert f"Statements: {rows[0]['premise']}\nClaim: {rows[0]['claim']}\n" in found["prompts"][0]


def test_questions_by_kind_hops_and_label(
    questions: Path, tmp_path: Path, outside: Callable[..., str], answered_questions: Any
) -> None:
    hc.export("inspect", questions, tmp_path / "out", name="ours")
    task = f"{tmp_path / 'out' / 'ours' / 'tasks.py'}@zero_shot"
    texts = json.dumps(answered_questions.texts)
    found = json.loads(outside(EVAL, task, texts, tmp_path / "logs", needs="inspect_ai"))
    assert found["metrics"].pop("stderr") > 0
    assert found["metrics"] == pytest.approx(answered_questions.scores)
    assert f"Question: {answered_questions.rows[0]['text']}\n" in found["prompts"][0]


def test_problems_by_label_family_level_and_hops(
    problems: Path, tmp_path: Path, outside: Callable[..., str], answered_problems: Any
) -> None:
    hc.export("inspect", problems, tmp_path / "out", name="ours")
    task = f"{tmp_path / 'out' / 'ours' / 'tasks.py'}@zero_shot"
    texts = json.dumps(answered_problems.texts)
    found = json.loads(outside(EVAL, task, texts, tmp_path / "logs", needs="inspect_ai"))
    assert found["metrics"].pop("stderr") > 0
    assert found["metrics"] == pytest.approx(answered_problems.scores)


def test_the_package_has_the_prompts_of_the_command(items: Path, tmp_path: Path) -> None:
    files = hc.export("inspect", items, tmp_path)
    made = json.loads((tmp_path / "hopcheck_items" / "prompts.json").read_text())
    assert {*made} == {"zero-shot", "five-examples", "cot"}
    written = {file.relative_to(tmp_path).as_posix() for file in files}
    listed = json.loads((tmp_path / "manifest.json").read_text())["outputs"]
    assert {*listed} == written - {"manifest.json"}
    assert "hopcheck_items/test.jsonl" in listed
