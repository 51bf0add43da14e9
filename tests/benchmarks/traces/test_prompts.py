"""Prompts about chains, and the replies to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.traces.prompts import critique_of
from solver.cli import run

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "traces"


def written(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    assert run(["prompts", "traces", *arguments], program="hopcheck") == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("task", ["critique", "solve"])
def test_a_prompt_has_the_item_and_no_verdicts(
    capsys: pytest.CaptureFixture[str], task: str
) -> None:
    path = EXAMPLES / "right.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    found = written(capsys, str(path), "--task", task)
    assert [row["id"] for row in found] == [row["id"] for row in rows]
    for row, asked in zip(rows, found, strict=True):
        prompt = asked["prompt"]
        assert asked.keys() == {"id", "task", "prompt"}
        assert f"Statements: {row['premise']}\nClaim: {row['claim']}" in prompt
        steps = row["steps"] if "steps" in row else map(str.strip, row["trace"].splitlines())
        texts = [step["text"] if isinstance(step, dict) else step for step in steps]
        numbered = "\n".join(f"Step {number}: {text}" for number, text in enumerate(texts))
        assert (numbered in prompt) is (task == "critique")
        assert "restated" not in prompt
        assert "first_error" not in prompt


@pytest.mark.parametrize(
    ("reply", "first"),
    [
        ("First wrong step: 3", 3),
        ("Step 1 is fine.\n**First wrong step: 0**", 0),
        ("First wrong step: none", -1),
        ("first wrong step is: None.", -1),
        ("First wrong step: 2\nNo, wait.\nFirst wrong step: 4", 4),
        ("First wrong step: 1 or first wrong step: 2", None),
        ("All is well.", None),
        ("The first wrong step is three.", None),
        ("", None),
    ],
)
def test_the_last_line_that_names_a_step_counts(reply: str, first: int | None) -> None:
    assert critique_of(reply) == first


def test_replies_are_scored_as_first_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = EXAMPLES / "right.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    replies = ["First wrong step: none", "First wrong step: 99", "Hm."]
    predictions = tmp_path / "replies.jsonl"
    predictions.write_text(
        "".join(
            json.dumps({"id": row["id"], "critique": reply}) + "\n"
            for row, reply in zip(rows, replies, strict=True)
        )
    )
    arguments = ["score", "traces", str(predictions), "--data", str(path), "--json"]
    assert run(arguments, program="hopcheck") == 0
    figures = json.loads(capsys.readouterr().out)["overall"]
    assert figures["accuracy on right chains"]["value"] == pytest.approx(1 / 3, abs=1e-4)


def test_ids_that_repeat_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "right.jsonl")
    assert run(["prompts", "traces", path, path], program="hopcheck") == 2
    assert "several times" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "found no chain"), ("\n\n", "found no chain"), ("{\n", "rows.jsonl:1"),
     ('{"claim": "A happens before B", "trace": "x"}\n', "missing required field `premise`")],
)  # fmt: skip
def test_files_without_chains_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, message: str
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(content)
    assert run(["prompts", "traces", str(path)], program="hopcheck") == 2
    assert message in capsys.readouterr().err
