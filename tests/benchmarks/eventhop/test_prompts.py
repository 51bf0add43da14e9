"""Prompts: their parts, their examples, and that the asked-for answer is one that is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.eventhop.predictions import read_answer
from benchmarks.eventhop.prompts import Prompter, Variant, examples
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
        reader(domain).read(str(place), one.premise, one.claim) for place, one in enumerate(shown)
    ]
    verdicts = DerivationEngine().decide(items)
    assert [verdict.label for verdict in verdicts] == [one.label for one in shown]
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
    assert [read_answer(row) for row in answers] == [one.label for one in examples(domain)]


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
