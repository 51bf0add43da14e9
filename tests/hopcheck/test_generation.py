"""Generated items are those of the command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any, get_overloads

import msgspec
import pytest

import hopcheck as hc
from generators.eventhop.config import Config
from generators.questions.graph import Settings
from hopcheck import generation

Command = Callable[..., str]

ROOT = Path(__file__).resolve().parents[2]


def lines(path: Path) -> list[dict[str, object]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def test_items_are_those_of_the_command(tmp_path: Path, command: Command) -> None:
    shape = ("--shape", "8x8", "--test-size", "30", "--seed", "5")
    command("generate", "eventhop", "--split", "test", *shape, "--out", str(tmp_path))
    found = hc.generate("eventhop", split="test", shapes=["8x8"], test_size=30, seed=5)
    assert list(found) == lines(tmp_path / "test.jsonl")


def test_chains_are_those_of_the_command(tmp_path: Path, command: Command) -> None:
    options = ("--train", 2, "--test", 3, "--hops", "3,4", "--domains", "spatial", "--seed", 5)
    command("generate", "traces", *options, "--out", tmp_path)
    sizes = {"train_size": 2, "test_size": 3}
    found = hc.generate("traces", **sizes, hops=[3, 4], domains=["spatial"], seed=5)
    assert list(found) == lines(tmp_path / "train.jsonl") + lines(tmp_path / "test.jsonl")
    with pytest.raises(hc.ArgumentError, match="found errors='convers', expected one of"):
        hc.generate("traces", errors=["convers"])


def test_an_item_is_the_one_of_the_file(tmp_path: Path, command: Command) -> None:
    sizes = ("--train-size", "18", "--test-size", "20", "--shape", "8x8", "--domain", "spatial")
    command("generate", "eventhop", *sizes, "--seed", "5", "--out", str(tmp_path))
    config = {"shapes": ["8x8"], "domain": "spatial", "seed": 5}
    for split in ("train", "test"):
        for index, row in enumerate(lines(tmp_path / f"{split}.jsonl")):
            assert hc.item(config, split, index) == row
        # Beyond the sizes of the folder, too.
        assert hc.item(tmp_path, split, 30) == hc.item(config, split, 30)
        assert hc.item(config, split, 30) != hc.item(config | {"seed": 6}, split, 30)


def test_what_is_no_item_is_refused(tmp_path: Path) -> None:
    for config, split, index, message in (
        ({}, "train", -1, "found index=-1, expected a number from 0"),
        ({}, "dev", 0, "found split='dev', expected"),
        ({"train_size": 9}, "train", 0, "found the option 'train_size', expected claims, "),
        ({"preset": "loose"}, "train", 0, "found preset='loose', expected"),
    ):
        with pytest.raises(hc.ArgumentError, match=message):
            hc.item(config, split, index)
    with pytest.raises(hc.HopcheckError, match=r"manifest\.json"):
        hc.item(tmp_path, "train", 0)


def test_items_are_made_when_they_are_asked_for() -> None:
    first = list(islice(hc.generate(split="train", train_size=10_000_000, shapes=["8x8"]), 5))
    assert [item["id"] for item in first] == ["0", "1", "2", "3", "4"]


def test_questions_are_those_of_the_command(tmp_path: Path, command: Command) -> None:
    folder = ROOT / "examples" / "questions" / "graph"
    command(
        "generate",
        "questions",
        str(folder),
        "--kinds",
        "1-hop",
        "--seed",
        "3",
        "--out",
        str(tmp_path),
    )
    graph = hc.load_graph(folder)
    found = list(hc.generate("questions", graph=graph, kinds=["1-hop"], seed=3))
    for split in ("train", "valid", "test"):
        assert [row for row in found if row["split"] == split] == lines(tmp_path / f"{split}.jsonl")


@pytest.mark.parametrize("given", [False, True])
def test_a_question_is_the_one_of_the_file(tmp_path: Path, command: Command, given: bool) -> None:
    """Also of a folder that was made with the rules of a file."""
    source, folder = ROOT / "examples" / "questions" / "graph", tmp_path / "asked"
    options = ["--cap", "3", "--seed", "3", "--min-days", "2"]
    made = ("generate", "questions", str(source), *options, "--format", "jsonl")
    command(*made, "--out", str(folder))
    if given:
        table = tmp_path / "rules.tsv"
        table.write_bytes(
            b"".join((folder / "two_hop_rules.tsv").read_bytes().splitlines(True)[:2])
        )
        rules = ("--rules", str(folder / "rules.jsonl"), "--two-hop-rules", str(table))
        folder = tmp_path / "given"
        command(*made, *rules, "--out", str(folder))
    graph = hc.load_graph(source)
    for split in ("train", "valid", "test"):
        rows = lines(folder / f"{split}.jsonl")
        assert [hc.item(folder, split, n, graph=graph) for n in range(len(rows))] == rows
    with pytest.raises(
        hc.ArgumentError, match=rf"index={len(rows)}, expected .* below {len(rows)}"
    ):
        hc.item(folder, "test", len(rows), graph=graph)
    config = {"cap": 3, "seed": 3, "min_days": 2}
    if not given:
        assert hc.item(config, "test", 5, graph=graph) == rows[5]
        every = hc.generate("questions", graph=graph, **config)  # type: ignore[call-overload]
        assert [row for row in every if row["split"] == "test"] == rows
    with pytest.raises(hc.ArgumentError, match="found the option 'size', expected cap, kinds"):
        hc.item({"size": 3}, "test", 0, graph=graph)


def test_patterns_are_those_of_the_command(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "patterns.jsonl"
    command("generate", "patterns", "--hops", "1,2", "--flags", "1100", "--out", str(path))
    assert list(hc.generate("patterns", hops=(1, 2), flags="1100")) == lines(path)


def test_texts_are_those_of_the_command(tmp_path: Path, command: Command) -> None:
    facts = ROOT / "examples" / "texts" / "references.txt"
    command("generate", "texts", "--facts", str(facts), "--seed", "2", "--out", str(tmp_path))
    found = list(hc.generate("texts", facts=facts, seed=2))
    assert found == lines(tmp_path / "texts.jsonl")


def test_texts_of_given_facts() -> None:
    facts = [[["Ada Berg", "startMemberOf", "Delta Club", "2026-01-31"]]]
    (text,) = hc.generate("texts", facts=facts)
    assert text["facts"] == facts[0]
    assert "Ada Berg" in text["text"]


def test_facts_of_a_graph_load_as_a_graph() -> None:
    config = {"entities": 30, "relations": 5, "steps": 20, "patterns": [2, 1, 0]}
    rows = list(hc.generate("tkg", config=config, seed=1))
    assert len(hc.load_graph(rows).facts()) == len(rows) > 0


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("graphs", {}, "expected one of eventhop, questions"),
        ("eventhop", {"preset": "easy"}, "found preset='easy'"),
        ("eventhop", {"shapes": ["4"]}, "the shape '4'"),
        ("eventhop", {"split": "dev"}, "found split='dev'"),
        ("patterns", {"cycle_reading": "x"}, "found cycle_reading='x'"),
    ],
)
def test_unknown_values_are_argument_errors(
    kind: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(hc.ArgumentError, match=message):
        list(hc.generate(kind, **options))


def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="colour"):
        hc.generate("eventhop", colour="red")


CONFIGS: dict[str, Any] = {"eventhop": Config, "questions": Settings}
"""The configs whose fields are options as they are."""


PROBLEMS = "calendar', 'positions', 'assignments"


def test_every_option_is_typed() -> None:
    """The overloads that type checkers see name the options of each kind."""
    kinds = []
    for overload in get_overloads(generation.generate):
        kind, options = (overload.__annotations__[name] for name in ("kind", "options"))
        kinds.append(kind.removeprefix("Literal['").removesuffix("']"))
        typed = getattr(generation, options.removeprefix("Unpack[").removesuffix("]"))
        name = {"eventhop": "config", PROBLEMS: "problem_settings"}.get(kinds[-1], kinds[-1])
        parameters = {*inspect.signature(getattr(generation, f"_{name}")).parameters} - {"options"}
        if kinds[-1] == PROBLEMS:
            parameters = parameters - {"kind"} | {"split"}
        config = CONFIGS.get(kinds[-1])
        further = {field.name for field in fields(config)} - {"sizes"} if config else set()
        assert {*typed.__annotations__} - {"unsealed"} == parameters | further
    assert kinds == ["eventhop", "traces", "questions", "texts", "tkg", "patterns", PROBLEMS]
