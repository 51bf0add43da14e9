"""Unusable encoders, and those with other labels, are reported in one line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver import extras

Command = Callable[..., int]


@pytest.fixture(scope="session")
def saved(models: None, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """An encoder without training, as a training leaves it."""
    from benchmarks.eventhop.encoder.model import Architecture, small_encoder
    from benchmarks.tokenizers import Pieces, train_tokenizer

    folder = tmp_path_factory.mktemp("encoder") / "model"
    tokenizer = train_tokenizer(["a b c"], pieces=Pieces.WORD, size=100, length=16)
    small_encoder(Architecture.BERT, tokenizer, seed=0).save(folder)
    return folder


@pytest.fixture
def flawed(saved: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved, tmp_path / "flawed"))


def answered(command: Command, folder: Path, lessons: Path) -> int:
    data = ("--data", lessons / "test.jsonl", "--out", folder.parent / "answers.jsonl")
    return command("baseline", "encoder", "--model", folder, *data)


def test_missing_libraries_are_reported_in_one_line(
    lessons: Path,
    tmp_path: Path,
    command: Command,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "torch" else name)
    expected = (
        "error: an encoder needs torch, which is not installed (pip install 'hopcheck[models]')\n"
    )
    train = ("train", "--data", lessons / "train.jsonl", "--tiny", "bert")
    assert command(*train, "--out", tmp_path / "run") == ExitStatus.UNREADABLE
    assert capsys.readouterr().err == expected
    assert not (tmp_path / "run").exists()
    assert answered(command, tmp_path, lessons) == ExitStatus.UNREADABLE
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("train", "--data", "x", "--out", "y"), "Use either --model or --tiny."),
        (
            ("train", "--data", "x", "--out", "y", "--tiny", "bert", "--model", "z"),
            "Use either --model or --tiny.",
        ),
        (("train", "--data", "x", "--out", "y", "--tiny", "bert", "--rate", "0"), "'--rate'"),
        (("train", "--data", "x", "--out", "y", "--tiny", "bert", "--rate", "nan"), "'--rate'"),
        (("train", "--data", "x", "--out", "y", "--tiny", "gpt"), "'--tiny'"),
        (("baseline", "encoder", "--data", "x"), "Missing option '--model'"),
        (("baseline", "random", "--data", "x", "--model", "y"), "No such option '--model'"),
        (
            ("baseline", "encoder", "--data", "x", "--model", "y", "--train", "z"),
            "No such option '--train'",
        ),
    ],
)
def test_options_that_do_not_go_together(
    arguments: tuple[str, ...],
    expected: str,
    command: Command,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command(*arguments) == ExitStatus.UNREADABLE
    assert expected in capsys.readouterr().err


def test_an_encoder_answers(saved: Path, lessons: Path, command: Command) -> None:
    assert answered(command, saved, lessons) == ExitStatus.OK


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("config.json", "found no config.json, expected a folder saved by transformers"),
        ("model.safetensors", "the model cannot be loaded: "),
        ("tokenizer.json", "the tokenizer cannot be loaded: "),
    ],
)
@pytest.mark.parametrize("damage", ["missing", "broken"])
def test_a_folder_without_an_encoder(
    flawed: Path,
    lessons: Path,
    command: Command,
    capsys: pytest.CaptureFixture[str],
    file: str,
    expected: str,
    damage: str,
) -> None:
    if damage == "missing":
        (flawed / file).unlink()
    else:
        (flawed / file).write_bytes(b"{")
        expected = expected if file != "config.json" else "the model cannot be loaded: "
    assert answered(command, flawed, lessons) == ExitStatus.UNREADABLE
    found = capsys.readouterr().err
    assert expected in found
    assert found.count("\n") == 1
    assert str(flawed) in found


def test_an_encoder_of_other_labels_is_not_asked(
    flawed: Path, lessons: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    path = flawed / "config.json"
    config = json.loads(path.read_bytes())
    labels = ("contradiction", "entailment", "neutral")
    config |= {
        "id2label": {str(number): label for number, label in enumerate(labels)},
        "label2id": {label: number for number, label in enumerate(labels)},
    }
    path.write_text(json.dumps(config))
    assert answered(command, flawed, lessons) == ExitStatus.UNREADABLE
    output = capsys.readouterr().err
    assert (
        "the labels contradiction, entailment, neutral, expected true, false, undefined" in output
    )


def test_a_tokenizer_of_another_encoder_is_refused(
    flawed: Path, lessons: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks.tokenizers import Pieces, train_tokenizer

    texts = [f"word{number}" for number in range(40)]
    train_tokenizer(texts, pieces=Pieces.WORD, size=100, length=16).save_pretrained(flawed)
    assert answered(command, flawed, lessons) == ExitStatus.UNREADABLE
    assert "the tokenizer has 45 tokens, but the model has 8" in capsys.readouterr().err


def test_pairs_that_are_too_long_are_cut_and_counted(saved: Path) -> None:
    from benchmarks.eventhop.encoder.data import Pair, pad_batch, tokenize_pairs
    from benchmarks.eventhop.encoder.model import load_encoder

    tokenizer = load_encoder(saved).tokenizer
    long = Pair(premise="a " * 30, claim="b c")
    tokens = tokenize_pairs([long, Pair(premise="a", claim="b")], tokenizer)
    assert tokens.cut == 1
    assert tokens.lengths == [16, 5]
    # The claim is kept whole.
    assert tokenizer.convert_ids_to_tokens(tokens.ids[0])[-4:] == ["[SEP]", "b", "c", "[SEP]"]
    batch = pad_batch(tokens, [1, 0], pad=9)
    assert batch["input_ids"].shape == (2, 16)
    assert batch["input_ids"][0, 5:].tolist() == [9] * 11
    assert batch["attention_mask"].sum(dim=1).tolist() == [5, 16]
    assert batch["token_type_ids"][0].tolist() == [0, 0, 0, 1, 1] + [0] * 11
