"""Predictions are scored as by the commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf
from pathlib import Path

import pytest

import hopcheck as hc

Command = Callable[..., str]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUESTIONS = EXAMPLES / "questions" / "graph"


def test_answers_to_items_are_scored_as_by_the_command(tmp_path: Path, command: Command) -> None:
    answers = [{"id": str(number), "answer": "true"} for number in range(1, 5)]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in answers))
    items = EXAMPLES / "flawed.tsv"
    shown = json.loads(command("score", "nli", path, "--data", items, "--json"))
    assert shown["missing"]
    for given in (answers, path):
        found = hc.score("nli", given, items)
        files = {"data": found.figures["data"], "predictions": found.figures["predictions"]}
        assert json.loads(json.dumps(dict(found.figures))) == shown | files
    assert dict(hc.score("nli", answers, items, gold_from="file").figures)["gold"] == "file"


@pytest.fixture
def folder(example_questions: Path) -> Path:
    return example_questions


@pytest.mark.parametrize("observe", ["past", "all"])
def test_questions_are_answered_as_by_the_command(
    observe: str, folder: Path, tmp_path: Path, command: Command
) -> None:
    out = tmp_path / "answers.jsonl"
    options = ("--observe", observe, "--out", out, "--json")
    expected = json.loads(command("answer", folder, "--data", QUESTIONS, *options))
    answers = hc.answer(folder, QUESTIONS, observe=observe)
    assert answers.write(tmp_path / "api.jsonl").read_bytes() == out.read_bytes()
    # JSON has no infinity: the threshold of a forecaster that never says yes.
    threshold = None if answers.threshold == inf else answers.threshold
    assert threshold == expected["threshold"]
    scores = hc.score("questions", answers, folder)
    shown = json.loads(command("score", "questions", out, "--questions", folder, "--json"))
    config = json.loads(json.dumps(dict(scores.figures)))
    assert config == shown | {"predictions": "answers.jsonl"}


def test_forecasts_by_rules_need_rules(folder: Path) -> None:
    with pytest.raises(hc.ArgumentError, match="pass rules or by"):
        hc.answer(folder / "test.jsonl", QUESTIONS)
    with pytest.raises(hc.ArgumentError, match="pass threshold"):
        hc.answer(folder / "test.jsonl", QUESTIONS, by="frequency")


def test_rules_that_have_seen_the_questions_are_refused(folder: Path) -> None:
    rules = hc.mine(QUESTIONS, lengths=[1], splits=["train", "valid", "test"])
    asked = folder / "test.jsonl"
    with pytest.raises(hc.HopcheckError, match="learned from train, valid, test"):
        hc.answer(asked, QUESTIONS, rules=rules, threshold=0.5)
    allowed = hc.answer(asked, QUESTIONS, rules=rules, threshold=0.5, allow_leak=True)
    assert len(allowed) == len(asked.read_bytes().splitlines())


def test_quadruples_are_scored_as_by_the_command(command: Command) -> None:
    home = EXAMPLES / "quadruples"
    files = home / "careful.predictions.txt", home / "club.references.txt"
    shown = json.loads(command("score", "quadruples", files[0], "--references", files[1], "--json"))
    assert json.loads(json.dumps(hc.score("quadruples", *files).figures)) == shown


def test_links_are_scored_as_by_the_command(command: Command) -> None:
    home = EXAMPLES / "links"
    options = ("--inconsistent", "repair", "--reading", "lenient", "--during", "simultaneous")
    shown = json.loads(command("score", "links", home, "--data", home, *options, "--json"))
    settings = {"inconsistent": "repair", "reading": "lenient", "during": "simultaneous"}
    assert json.loads(json.dumps(hc.score("links", home, [home], **settings).figures)) == shown
    with pytest.raises(hc.HopcheckError, match="contradict"):
        hc.score("links", home, home)


@pytest.mark.parametrize("kind", ["ranks", "questions", "quadruples", "links"])
def test_scores_are_written_and_shown(kind: str, folder: Path, tmp_path: Path) -> None:
    home = EXAMPLES / "quadruples"
    score = {
        "ranks": lambda: hc.score(
            "ranks", EXAMPLES / "ranks" / "strict.ranks.txt", EXAMPLES / "ranks" / "graph"
        ),
        "questions": lambda: hc.score(
            "questions", hc.answer(folder, QUESTIONS, observe="all"), folder
        ),
        "quadruples": lambda: hc.score(
            "quadruples", home / "careful.predictions.txt", home / "club.references.txt"
        ),
        "links": lambda: hc.score(
            "links", EXAMPLES / "links" / "market.tml", EXAMPLES / "links" / "market.tml"
        ),
    }[kind]()
    assert score._repr_html_().startswith("<div><table>")
    page = score.write(tmp_path / "report")
    assert page.is_file()
    assert {"manifest.json", "scores.json"} <= {path.name for path in page.parent.iterdir()}


def test_an_unknown_kind_or_option_is_an_error() -> None:
    with pytest.raises(hc.ArgumentError, match="expected one of ranks, nli"):
        hc.score("rank", "x", "y")
    with pytest.raises(hc.ArgumentError, match="found gold_from='gold'"):
        hc.score("nli", "x", "y", gold_from="gold")
    with pytest.raises(TypeError, match="colour"):
        hc.score("nli", "x", "y", colour="red")
