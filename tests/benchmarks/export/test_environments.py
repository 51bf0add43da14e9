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
TRL = (
    COMMON
    + """
from datasets import load_dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer
from hopcheck.rewards import progress
file, cache = str(Path(sys.argv[1], "ours", "test.jsonl")), str(Path(sys.argv[1], "cache"))
data = load_dataset("json", data_files=file, split="train", cache_dir=cache)
words = {word for row in rows for word in (row["prompt"] + " " + row["proof"]).split()}
known = {word: place for place, word in enumerate(["<pad>", "<end>", "<odd>", *sorted(words)])}
plain = Tokenizer(models.WordLevel(known, unk_token="<odd>"))
plain.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
shape = GPT2Config(vocab_size=len(known), n_embd=16, n_layer=1, n_head=1, bos_token_id=1,
                   eos_token_id=1, pad_token_id=0)
trainer = GRPOTrainer(
    GPT2LMHeadModel(shape), reward_funcs=progress, train_dataset=data,
    processing_class=PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="<pad>", eos_token="<end>"),
    args=GRPOConfig(
        str(Path(sys.argv[1], "out")), per_device_train_batch_size=4, num_generations=2,
        max_completion_length=8, max_steps=2, logging_steps=1, report_to="none", use_cpu=True,
        bf16=False, save_strategy="no"),
)
paid = []
def spied(prompts, completions, **columns):
    # A model that has learnt nothing writes no proofs: every other one is put in its place.
    proofs = [[{"role": "assistant", "content": proof}] for proof in columns["proof"]]
    mixed = [proofs[n] if n % 2 else text for n, text in enumerate(completions)]
    paid.append(progress(prompts, mixed, **columns))
    return paid[-1]
trainer.reward_funcs[0] = spied
trainer.train()
logged = [log for log in trainer.state.log_history if "reward" in log]
assert paid == [[0.0, 1.0, 0.0, 1.0]] * 2, paid
assert [log["reward"] for log in logged] == [0.5, 0.5], logged
assert [log["progress/paid"] for log in logged] == [0.5, 0.5], logged
sys.stdout.flush()
print("\\nchecked")
"""
)


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


def test_trl_trains_with_the_reward(
    chains: Path, tmp_path: Path, outside: Callable[..., str]
) -> None:
    hc.export("verifiers", chains, tmp_path, name="ours")
    assert outside(TRL, tmp_path, needs="trl").endswith("\nchecked\n")


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
