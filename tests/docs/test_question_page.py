"""The page on questions quotes what was measured, and questions that are made of the example."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grammar.questions.model import QuestionKind
from solver.graph.model import Split

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
MEASURED: dict[str, Any] = json.loads(
    (ROOT / "benchmarks/results/generated-questions.json").read_bytes()
)


def numbers(values: list[int]) -> str:
    return " | ".join(f"{value:,}" for value in values)


@pytest.mark.parametrize("kind", QuestionKind)
def test_the_page_quotes_the_counts(kind: QuestionKind) -> None:
    counts, means = MEASURED["questions"][kind], MEASURED["answers"][kind]
    each = [counts.get(split, 0) for split in Split]
    mean = sum(counts[split] * means[split] for split in counts) / sum(each)
    assert f"| {kind} | {numbers([*each, sum(each)])} | {mean:.2f} |" in PAGE


def test_the_page_quotes_the_totals_and_what_was_left_out() -> None:
    kinds = MEASURED["questions"].values()
    each = [sum(kind.get(split, 0) for kind in kinds) for split in Split]
    assert f"| total | {numbers([*each, MEASURED['total']])} | |" in PAGE
    assert sum(each) == MEASURED["total"]
    left, splits = MEASURED["left_out"], MEASURED["splits"].values()
    unsuitable = sum(split["facts"] - split["asked_about"] for split in splits)
    assert f"{unsuitable:,} facts have a relation that does not suit" in PAGE
    capped = sum(sum(value.values()) for value in left["2-hop"].values())
    assert f"{capped:,} 2-hop questions are more than the cap" in PAGE
    (match,) = re.findall(r"Of ([\d,]+) facts of `test`, (.*)$", PAGE, re.MULTILINE)
    reasons = left["fact-reasoning"]["test"].values()
    assert int(match[0].replace(",", "")) == MEASURED["splits"]["test"]["asked_about"]
    found = sorted(int(value.replace(",", "")) for value in re.findall(r"\d[\d,]*", match[1]))
    assert found == sorted(number for number in reasons if number)


def test_the_page_quotes_supports_and_costs() -> None:
    for name, word in (("rules", "rules"), ("questions", "2-hop questions")):
        assert (
            f"| {word} | {numbers([support[name] for support in MEASURED['supports']])} |" in PAGE
        )
    assert f"all with a cap of {MEASURED['cap']}" in PAGE
    for form, cost in MEASURED["costs"].items():
        assert f"| {form} | {cost['seconds']:.1f} | {cost['mebibytes']} |" in PAGE


def test_the_measurement_is_what_was_promised() -> None:
    for cost in MEASURED["costs"].values():
        assert cost["seconds"] < 60
        assert cost["mebibytes"] < 2048
    for split in MEASURED["splits"]:
        questions = MEASURED["questions"]["yes-unknown"][split]
        assert MEASURED["yes"][split] == round(questions / 4)
    assert set(MEASURED["questions"]) == set(QuestionKind)


def test_the_questions_shown_are_made(example_questions: Path) -> None:
    rows = [json.loads(line) for line in (example_questions / "test.jsonl").open(encoding="utf-8")]
    made = {row["text"]: ", ".join(row["answers"]) for row in rows}
    shown = dict(re.findall(r"^\| [^|]*\| ([^|]*\?) \| ([^|]*) \|$", PAGE, re.MULTILINE))
    assert len(shown) >= len(QuestionKind)
    assert {text: made.get(text) for text in shown} == shown
    first = next(row for row in rows if row["kind"] == "fact-reasoning")
    assert f"*{first['choices'][0]['text']}*" in PAGE
