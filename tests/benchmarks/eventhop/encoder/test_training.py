"""Training: it learns, it resumes where it was interrupted, and the same seed learns the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import log_softmax

from benchmarks.eventhop.encoder import training
from benchmarks.training import Checkpoints
from generators.eventhop.config import Config, Shape, Split
from generators.eventhop.run import generate
from grammar.errors import ExitStatus

Command = Callable[..., int]

pytestmark = pytest.mark.usefixtures("models")
slow = pytest.mark.slow
TINY = (
    *("--tiny", "bert", "--pieces", "word", "--length", "64"),
    *("--gold", "file", "--device", "cpu", "--batch", "12"),
)
SHORT = (*TINY, "--rate", "1e-3", "--steps", "12", "--every", "4", "--patience", "0")


def weights(folder: Path) -> bytes:
    return (folder / "model" / "model.safetensors").read_bytes()


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated") / "data"
    shape = Shape(events=8, relations=8)
    sizes = {Split.TRAIN: 48, Split.TEST: 24}
    generate(Config(seed=3, sizes=sizes, shapes=(shape,)), folder)
    return folder


@pytest.mark.parametrize("kind", ["bert", pytest.param("deberta", marks=slow)])
def test_a_few_steps_lower_the_loss(generated: Path, tmp_path: Path, kind: str) -> None:
    """Of 12 generated items, learned by heart: chance has a loss of log 3."""
    import torch

    from benchmarks.eventhop.encoder.data import declared_pairs, tokenize_pairs, train_files
    from benchmarks.eventhop.encoder.model import Architecture, logits, small_encoder
    from benchmarks.eventhop.encoder.training import Recipe
    from benchmarks.tokenizers import Pieces, train_tokenizer

    pairs = declared_pairs(train_files([str(generated)])).pairs[:12]
    assert len({pair.label for pair in pairs}) == 3
    texts = [text for pair in pairs for text in (pair.premise, pair.claim)]
    tokenizer = train_tokenizer(texts, pieces=Pieces.WORD, size=400, length=256)
    encoder = small_encoder(Architecture(kind), tokenizer, seed=0)
    tokens, place = tokenize_pairs(pairs, tokenizer), torch.device("cpu")
    assert tokens.cut == 0

    def loss() -> float:
        found = log_softmax(logits(encoder, tokens, place), axis=1)
        return -float(found[np.arange(len(pairs)), tokens.labels].mean())

    before = loss()
    task = training.TrainingTask(
        encoder=encoder,
        train=tokens,
        validation=tokenize_pairs((), tokenizer),
        recipe=Recipe(epochs=30, batch=12, rate=3e-3, every=100),
        place=place,
    )
    history = training.train(task, Checkpoints(tmp_path / "run", {}))
    assert history.steps == history.best_step == 30
    assert abs(before - np.log(3)) < 0.1
    assert loss() < before - 0.2


def test_what_can_be_learned_is_learned(
    lessons: Path, tmp_path: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    out, answers = tmp_path / "run", tmp_path / "answers.jsonl"
    learn = ("--rate", "3e-3", "--epochs", "100", "--steps", "160", "--every", "40")
    data = ("--data", lessons / "test.jsonl")
    train = ("train", "--data", lessons / "train.jsonl", *TINY, *learn, "--out", out)
    assert command(*train, "--json") == ExitStatus.OK
    output = json.loads(capsys.readouterr().out)
    assert output["pairs"]["train"] + output["pairs"]["validation"] == 180
    assert len(output["losses"]) == output["steps"]
    assert output == json.loads((out / "training.json").read_bytes())
    assert command("baseline", "encoder", "--model", out, *data, "--out", answers) == ExitStatus.OK
    assert macro_f1(command, answers, data, capsys) > 0.9
    assert command("baseline", "majority", *data, "--out", answers) == ExitStatus.OK
    assert macro_f1(command, answers, data, capsys) < 0.2
    assert "<svg" in (out / "training.svg").read_text(encoding="utf-8")
    assert {path.name for path in out.iterdir()} == {
        *("manifest.json", "model", "run.json", "training.json", "training.svg")
    }


def macro_f1(
    command: Command, answers: Path, data: tuple[Any, ...], capsys: pytest.CaptureFixture[str]
) -> float:
    capsys.readouterr()
    assert command("score", "nli", answers, *data, "--json") == ExitStatus.OK
    return float(json.loads(capsys.readouterr().out)["overall"]["macro_f1"]["value"])


@pytest.fixture(scope="module")
def whole(lessons: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short training that nothing interrupted."""
    from benchmarks.eventhop.cli.train import command

    out = tmp_path_factory.mktemp("whole") / "run"
    command.main(
        ["--data", str(lessons / "train.jsonl"), *SHORT, "--out", str(out)], standalone_mode=False
    )
    return out


class KilledError(Exception):
    """The end of a process, in a way that a test can survive."""


@pytest.mark.parametrize("step", [pytest.param(2, marks=slow), 6, pytest.param(11, marks=slow)])
def test_an_interrupted_training_ends_with_the_same_weights(
    lessons: Path,
    whole: Path,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    step: int,
    of_killed_process: Callable[[str], str],
) -> None:
    """Amid an epoch of 14 batches, before and after checkpoints (each 4 steps)."""
    arguments = ("train", "--data", lessons / "train.jsonl", *SHORT, "--out", tmp_path / "run")
    learn = training._Training.step

    def until(self: Any) -> None:
        if self.steps == step:
            raise KilledError
        learn(self)

    with monkeypatch.context() as patch:
        patch.setattr(training._Training, "step", until)
        with pytest.raises(KilledError):
            command(*arguments)
    assert not (tmp_path / "run" / "model").exists()
    partial = tmp_path / "run" / of_killed_process("checkpoint-00000004")
    partial.mkdir()
    done = []
    monkeypatch.setattr(training._Training, "step", lambda self: (done.append(1), learn(self)))
    assert command(*arguments) == ExitStatus.OK
    assert len(done) == 12 - step // 4 * 4
    assert weights(tmp_path / "run") == weights(whole)
    for name in ("training.json", "training.svg", "manifest.json"):
        assert (tmp_path / "run" / name).read_bytes() == (whole / name).read_bytes()
    assert not partial.exists()


@pytest.mark.parametrize(
    "writes", ["keep", "write", *(pytest.param(value, marks=slow) for value in ("finish", "clear"))]
)
def test_a_training_can_be_killed_around_any_write(
    lessons: Path,
    whole: Path,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    writes: str,
) -> None:
    arguments = ("train", "--data", lessons / "train.jsonl", *SHORT, "--out", tmp_path / "run")
    real = getattr(Checkpoints, writes)

    def killed(self: Checkpoints, *rest: Any) -> None:
        real(self, *rest)
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoints, writes, killed)
        with pytest.raises(KilledError):
            command(*arguments)
    assert command(*arguments) == ExitStatus.OK
    assert weights(tmp_path / "run") == weights(whole)
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == sorted(
        path.name for path in whole.iterdir()
    )


def test_the_seed_alone_tells_trainings_apart(
    lessons: Path, whole: Path, tmp_path: Path, command: Command
) -> None:
    train = ("train", "--data", lessons / "train.jsonl", *SHORT)
    results = {}
    for name, seed in (("same", 0), ("other", 1)):
        out = tmp_path / name
        assert command(*train, "--seed", seed, "--out", out) == ExitStatus.OK
        answers = tmp_path / f"{name}.jsonl"
        data = ("--data", lessons / "test.jsonl", "--out", answers)
        assert command("baseline", "encoder", "--model", out, *data) == ExitStatus.OK
        results[name] = (weights(out), answers.read_bytes())
    answers = tmp_path / "whole.jsonl"
    data = ("--data", lessons / "test.jsonl", "--out", answers)
    assert command("baseline", "encoder", "--model", whole, *data) == ExitStatus.OK
    assert results["same"] == (weights(whole), answers.read_bytes())
    assert results["other"][0] != weights(whole)


def test_a_folder_of_another_training_is_left_alone(
    lessons: Path, whole: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in whole.iterdir()}
    train = ("train", "--data", lessons / "train.jsonl", *SHORT, "--out", whole)
    assert command(*train, "--rate", "2e-3") == ExitStatus.UNREADABLE
    assert "different recipe" in capsys.readouterr().err
    other = ("train", "--data", lessons / "test.jsonl", *SHORT, "--out", whole)
    assert command(*other) == ExitStatus.UNREADABLE
    assert "different data" in capsys.readouterr().err
    assert command(*train) == ExitStatus.OK
    assert "already complete" in capsys.readouterr().err
    assert before == {path.name: path.stat().st_mtime_ns for path in whole.iterdir()}


def test_a_training_ends_when_nothing_gets_better(
    lessons: Path, tmp_path: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """At a rate so low that no answer changes, only the loss can; so it is kept constant."""
    out = tmp_path / "run"
    train = ("train", "--data", lessons / "train.jsonl", *TINY, "--out", out, "--json")
    slow = ("--rate", "1e-30", "--steps", "12", "--every", "2", "--patience", "2")
    assert command(*train, *slow) == ExitStatus.OK
    output = json.loads(capsys.readouterr().out)
    assert output["early"] is True
    assert (output["steps"], output["best_step"]) == (6, 2)


def test_a_loss_that_is_no_number_ends_it(
    lessons: Path, tmp_path: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    train = ("train", "--data", lessons / "train.jsonl", *TINY, "--out", tmp_path / "run")
    assert command(*train, "--rate", "1e30", "--steps", "9") == ExitStatus.UNREADABLE
    output = capsys.readouterr().err
    assert "expected a finite number (lower --rate" in output
    assert output.count("\n") == 1


def test_a_trained_encoder_is_trained_further(
    lessons: Path, whole: Path, tmp_path: Path, command: Command
) -> None:
    further = (*SHORT[SHORT.index("--gold") :], "--model", whole / "model", "--steps", "2")
    train = ("train", "--data", lessons / "train.jsonl", *further, "--out", tmp_path / "run")
    assert command(*train) == ExitStatus.OK
    assert weights(tmp_path / "run") != weights(whole)
    vocabulary = [folder / "model" / "tokenizer.json" for folder in (whole, tmp_path / "run")]
    first, second = (json.loads(path.read_bytes())["model"]["vocab"] for path in vocabulary)
    assert first == second
