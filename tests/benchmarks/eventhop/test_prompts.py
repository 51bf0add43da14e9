"""Prompts: their parts, their examples, and that the asked-for answer is one that is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.eventhop.cases import read_cases
from benchmarks.eventhop.predictions import numbered_parts, read_answer
from benchmarks.eventhop.prompts import Prompter, Variant, examples, read_examples
from grammar.errors import ExitStatus
from grammar.eventhop.model import Domain, Label, Status
from grammar.eventhop.reader import reader
from solver.cli import run
from solver.eventhop.engines.asp import DerivationEngine

every_domain = pytest.mark.parametrize("domain", Domain)
every_variant = pytest.mark.parametrize("variant", Variant)


@every_domain
def test_examples_read_back_with_their_labels(domain: Domain) -> None:
    shown = examples(domain)
    items = [
        reader(domain).read(str(place), example.premise, example.claim)
        for place, example in enumerate(shown)
    ]
    verdicts = DerivationEngine().decide(items)
    assert [verdict.label for verdict in verdicts] == [example.label for example in shown]
    assert {verdict.status for verdict in verdicts} == set(Status)
    assert len(shown) == 5


@every_domain
@every_variant
def test_a_prompt_holds_its_parts_once(domain: Domain, variant: Variant) -> None:
    prompt = Prompter(domain, variant).prompt("PREMISE", "CLAIM")
    assert prompt.endswith("Statements: PREMISE\nClaim: CLAIM\n")
    for label in ("True: ", "False: ", "Undefined: "):
        assert prompt.count(f"\n{label}") == 1
    assert prompt.count("\nAnswer: LABEL") == 1
    shown = variant is Variant.FIVE_EXAMPLES
    assert prompt.count("Statements: ") == (6 if shown else 1)
    assert ("step by step" in prompt) == (variant is Variant.COT)
    assert ("no reasons" in prompt) == (variant is not Variant.COT)


@pytest.mark.parametrize("label", Label)
def test_the_answer_that_is_asked_for_is_read(label: Label) -> None:
    asked = f"Answer: {label.value.capitalize()}"
    assert read_answer(asked) is label
    assert read_answer(f"First it seems true, then false or undefined.\n{asked}") is label


@every_domain
def test_examples_answer_as_they_ask_to(domain: Domain) -> None:
    prompt = Prompter(domain, Variant.FIVE_EXAMPLES).prompt("p", "c")
    answers = [row for row in prompt.splitlines() if row.startswith("Answer: ")][:5]
    assert [read_answer(row) for row in answers] == [example.label for example in examples(domain)]


def test_one_row_an_item_and_no_label(
    capsysbinary: pytest.CaptureFixture[bytes], right_file: Path, tmp_path: Path
) -> None:
    assert run(["prompts", str(right_file), "--variant", "cot"]) == ExitStatus.OK
    out = capsysbinary.readouterr().out
    rows = [json.loads(row) for row in out.splitlines()]
    items = right_file.read_text(encoding="utf-8").splitlines()
    assert [row["id"] for row in rows] == [item.split("\t")[0] for item in items]
    assert all(set(row) == {"id", "variant", "prompt"} for row in rows)
    assert all(item.split("\t")[7] in row["prompt"] for item, row in zip(items, rows, strict=True))
    file = tmp_path / "prompts.jsonl"
    assert run(["prompts", str(right_file), "--variant", "cot", "--out", str(file)]) == 0
    assert file.read_bytes() == out


def test_one_prompt_as_text(capsysbinary: pytest.CaptureFixture[bytes], right_file: Path) -> None:
    first = right_file.read_text(encoding="utf-8").splitlines()[0].split("\t")
    assert run(["prompts", str(right_file), "--id", first[0]]) == ExitStatus.OK
    shown = capsysbinary.readouterr().out.decode()
    assert shown.endswith(f"Claim: {first[8]}\n")
    assert run(["prompts", str(right_file), "--id", "nowhere"]) == ExitStatus.UNREADABLE
    assert b"no item has the id 'nowhere'" in capsysbinary.readouterr().err


def test_broken_rows_are_reported(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text('{"id": 1}\n{"id": 2, "premise": "", "claim": "a < b"}\n', encoding="utf-8")
    assert run(["prompts", str(file)]) == ExitStatus.UNREADABLE
    captured = capsysbinary.readouterr()
    assert json.loads(captured.out)["id"] == "2"
    assert b"unparsed: " in captured.err


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert run(["prompts", *arguments]) == ExitStatus.OK
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_batches_are_numbered_and_their_answers_are_scored_by_item(
    right_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    single = rows(capsys, str(right_file))
    batches = rows(capsys, str(right_file), "--batch", "5")
    assert [len(batch["ids"]) for batch in batches] == [5, 5, 2, 2, 2]  # by domain
    assert [name for batch in batches for name in batch["ids"]] == [
        record["id"] for record in single
    ]
    for batch in batches:
        assert "NUMBER. Answer: LABEL" in batch["prompt"]
        texts = [
            record["prompt"].split("\n\n")[-1] for record in single if record["id"] in batch["ids"]
        ]
        shown = [f"Item {n}\n{text.strip()}" for n, text in enumerate(texts, 1)]
        assert batch["prompt"].rstrip("\n").endswith("\n\n".join(shown))
    labels = read_cases([str(right_file)])
    decided = {case.record.id: case.verdict.label for case in labels.cases}
    answers = tmp_path / "answers.jsonl"
    with answers.open("w") as file:
        for batch in batches:
            text = "1. first, 2. second: both are true.\n" + "\n".join(
                f"{n}. Answer: {decided[name].value.capitalize()}"
                for n, name in enumerate(batch["ids"], 1)
            )
            file.write(json.dumps({"id": batch["id"], "ids": batch["ids"], "answer": text}) + "\n")
    assert run(["score", "nli", str(answers), "--data", str(right_file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["overall"]["accuracy"]["value"] == 1.0


def test_an_answer_is_cut_at_the_numbers_that_begin_its_lines() -> None:
    text = "<think>1. True</think>1) Answer: False\nItem 2: because 3.5 > 1\nTrue\n"
    text += "**3.** x\n3. Answer: y"
    assert {n: part.strip() for n, part in numbered_parts(text).items()} == {
        1: "Answer: False",
        2: "because 3.5 > 1\nTrue",
        3: "Answer: y",
    }


def test_examples_are_drawn_from_a_file_with_their_decided_labels(
    right_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pools = read_examples([str(right_file)])
    assert {domain: len(pool) for domain, pool in pools.items()} == {
        Domain.TEMPORAL: 12,
        Domain.SPATIAL: 2,
        Domain.LOGICAL: 2,
    }
    texts = {
        (example.premise, example.claim): example.label
        for pool in pools.values()
        for example in pool
    }
    options = ("--variant", "five-examples", "--examples", str(right_file))
    first = rows(capsys, str(right_file), *options)
    assert first == rows(capsys, str(right_file), *options)
    assert first != rows(capsys, str(right_file), *options, "--seed", "1")
    draws = set()
    for row in first:
        parts = row["prompt"].split("\n\n")
        shown = [part for part in parts if part.startswith("Statements: ") and "Answer: " in part]
        assert len(set(shown)) == len(shown) == (5 if "events" in parts[0] else 2)
        draws.add(tuple(shown))
        for part in shown:
            premise, claim, answer = (line.split(": ", 1)[1] for line in part.splitlines())
            assert read_answer(answer) is texts[premise, claim]
    assert len(draws) > 5
    assert run(["prompts", str(right_file), "--examples", str(right_file)]) == ExitStatus.UNREADABLE
