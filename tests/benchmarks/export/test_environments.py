"""Environments of chains of thought: each runs in its tool, and pays proofs alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hopcheck as hc
from benchmarks.export.traces import ENVIRONMENTS
from generators.traces.run import TraceSettings, generate
from hopcheck.rewards import progress
from solver.cli import run
from solver.probes.probe import ProbeLevel

COMMON = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
rows = [json.loads(line) for line in Path(sys.argv[1], "ours", "test.jsonl").open()]
lazy = [f"{row['premise']}.\\nAnswer: {row['label'].capitalize()}" for row in rows]
"""
VERIFIERS = (
    COMMON
    + """
import asyncio
from types import SimpleNamespace
import ours, verifiers.v1 as vf
assert issubclass(ours.Taskset, vf.Taskset) and issubclass(ours.Task, vf.Task)
tasks = list(ours.Taskset(ours.Config(id="ours")))
assert [task.data.prompt for task in tasks] == [row["prompt"] for row in rows]
assert [task.data.idx for task in tasks] == list(range(len(rows)))
for task, row, copied in zip(tasks, rows, lazy):
    assert asyncio.run(task.validate(None)) is True
    for text, wanted in ((row["proof"], 1.0), (copied, 0.0), ("Hm.", 0.0)):
        trace = SimpleNamespace(last_reply=text)
        assert asyncio.run(task.progress(trace)) == wanted, text
    broken = task.with_data(proof=copied.replace(row["label"].capitalize(), "Perhaps"))
    assert asyncio.run(broken.validate(None)) is False
assert [hook.__name__ for hook in tasks[0].hooks("reward")] == ["progress"]
print("checked")
"""
)
OPENENV = (
    COMMON
    + """
from fastapi.testclient import TestClient
import ours
from ours.server import app
game = ours.ChainEnvironment()
for seed in range(10):
    asked = game.reset(seed=seed)
    assert not asked.done and asked.prompt == game.reset(seed=seed).prompt
    row = next(row for row in rows if row["prompt"] == asked.prompt)
    paid = game.step(ours.Chain(text=row["proof"]))
    assert paid.done and paid.reward == 1.0 and game.state.step_count == 1
    game.reset(seed=seed)
    assert game.step(ours.Chain(text=lazy[rows.index(row)])).reward == 0.0
with TestClient(app) as client:
    answer = client.post("/reset", json={"seed": 1}).json()
    assert answer["observation"]["prompt"] in [row["prompt"] for row in rows]
    reply = client.post("/step", json={"action": {"text": "Hm."}}).json()
    assert reply["done"] is True and reply["reward"] == 0.0
print("checked")
"""
)
INSPECT = (
    COMMON
    + """
import json, sys, tiktoken
class Words:
    def encode(self, text, **_): return text.split()
tiktoken.get_encoding = lambda name: Words()  # the real one is fetched from the network
from inspect_ai import eval
from inspect_ai.model import ModelOutput, get_model
import ours
for texts, wanted in (([row["proof"] for row in rows], 1.0), (lazy, 0.0)):
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in texts]
    model = get_model("mockllm/model", custom_outputs=outputs)
    serial = {"max_connections": 1, "max_samples": 1, "display": "none"}
    log, = eval(ours.chains(), model=model, log_dir=sys.argv[1], **serial)
    assert log.status == "success", log.error
    scores = {
        score.name: metric.value for score in log.results.scores
        for name, metric in score.metrics.items() if name in ("accuracy", "mean")
    }
    assert scores["answer"] == 1.0 and scores["progress"] == wanted, scores
    assert wanted == 0.0 or scores["faithful"] == 1.0
print("checked")
"""
)
GYM = (
    COMMON
    + """
import ours, reasoning_gym
data = reasoning_gym.create_dataset("ours", size=10, seed=7)
assert list(data) == list(reasoning_gym.create_dataset("ours", size=10, seed=7))
longer = reasoning_gym.create_dataset("ours", size=30, seed=7)
assert [longer[place] for place in range(10)] == list(data)
for one in data:
    assert {*one} == {"question", "answer", "metadata"}
    assert data.score_answer(one["answer"], one) == 1.0
    row = next(row for row in rows if row["prompt"] == one["question"])
    for answer in (None, "", lazy[rows.index(row)]):
        assert data.score_answer(answer, one) == 0.0
print("checked")
"""
)
TRL = """
import inspect, sys
from pathlib import Path
import trl
from hopcheck.rewards import progress
source = Path(inspect.getsourcefile(trl), "..", "trainer", "grpo_trainer.py").resolve().read_text()
assert 'reward_kwargs["log_metric"]' in source
premise = ("the end of A happened before the start of B. the end of B happened before the start "
           "of C. the end of C happened before the start of D")
logged = []
rewards = progress(
    prompts=[[{"role": "user", "content": "?"}]] * 2,
    completions=[[{"role": "assistant", "content": text}] for text in (
        "A ends before C starts.\\nA ends before D starts.\\nAnswer: True", "Answer: True")],
    completion_ids=[[1], [2]], premise=[premise] * 2, claim=["A happens before D"] * 2,
    label=["true"] * 2, domain=["temporal"] * 2, trainer_state=None, log_extra=print,
    log_metric=lambda name, value: logged.append((name, value)), environments=None,
)
assert rewards == [1.0, 0.0] and ("progress/paid", 0.5) in logged
print("checked")
"""


@pytest.fixture(scope="module")
def chains(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "chains"
    generate(TraceSettings(test=14, hops=(3, 4)), folder, probes=ProbeLevel.NONE)
    return folder


@pytest.mark.parametrize("tool", ENVIRONMENTS)
def test_the_items_pay_their_proofs_and_no_copies(tool: str, chains: Path, tmp_path: Path) -> None:
    arguments = ["export", tool, str(chains), "--name", "ours", "--out", str(tmp_path)]
    assert run(arguments, program="hopcheck") == 0
    rows = [json.loads(line) for line in (tmp_path / "ours" / "test.jsonl").open()]
    assert len(rows) > 14
    for row in rows:
        columns = {name: [row[name]] * 2 for name in ("premise", "claim", "domain")}
        lazy = f"{row['premise']}.\nAnswer: {row['label'].capitalize()}"
        assert progress(["", ""], [row["proof"], lazy], **columns) == [1.0, 0.0]
        assert row["premise"] in row["prompt"]
    for file in (tmp_path / "ours").glob("*.py"):
        compile(file.read_text(), str(file), "exec")


@pytest.mark.parametrize(
    ("tool", "package", "code"),
    [
        ("verifiers", "verifiers", VERIFIERS),
        ("openenv", "openenv", OPENENV),
        ("inspect", "inspect_ai", INSPECT),
        ("reasoning-gym", "reasoning_gym", GYM),
    ],
)
def test_it_runs_in_its_tool(
    tool: str, package: str, code: str, chains: Path, tmp_path: Path, outside: Callable[..., str]
) -> None:
    hc.export(tool, chains, tmp_path, name="ours")
    assert outside(code, tmp_path, needs=package) == "checked\n"


def test_trl_calls_the_reward(outside: Callable[..., str]) -> None:
    assert outside(TRL, needs="trl") == "checked\n"


def test_items_that_two_sentences_prove_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = str(tmp_path / "report")
    chain = tmp_path / "chain.jsonl"
    row = {"premise": "a2 < b1", "claim": "a < b", "steps": [{"text": "a2 < b1. Answer: True"}]}
    chain.write_text(json.dumps(row) + "\n")
    assert run(["verify", "--kind", "traces", str(chain), "--report", report]) == 0
    capsys.readouterr()
    arguments = ["export", "verifiers", f"{report}/items.jsonl", "--out", str(tmp_path / "out")]
    assert run(arguments) != 0
    assert "more than two sentences" in capsys.readouterr().err
