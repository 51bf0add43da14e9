"""Scores, comparisons and prompts in the words of a label scheme."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hopcheck as hc
from benchmarks.eventhop.predictions import read_answer
from grammar.errors import ExitStatus
from solver.cli import run
from solver.eventhop.labels import SCHEMES, LabelScheme

ITEMS = (
    ("a", "the end of A happened before the start of B", "A happens before B", "entailed"),
    ("b", "the end of A happened before the start of B", "B happens before A", "refuted"),
    ("c", "the start of A happened before the start of B", "A happens before B", "unknown"),
    (
        "d",
        "the end of A happened before the start of B. the end of B happened before the start of A",
        "A happens before B",
        "contradictory",
    ),
)


def scheme(name: str) -> LabelScheme:
    found = LabelScheme.parse(name)
    assert found is not None
    return found


def items(path: Path, name: str, field: str = "label") -> Path:
    """The items with their labels in a scheme."""
    words = scheme(name).words
    rows = [
        {"id": id_, "premise": premise, "claim": claim, field: words[status]}  # type: ignore[index]
        for id_, premise, claim, status in ITEMS
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def answers(path: Path, *texts: str) -> Path:
    rows = [{"id": item[0], "answer": text} for item, text in zip(ITEMS, texts, strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("name", "text", "label"),
    [
        ("nli3", "Neutral.", "neutral"),
        ("nli3", "The premise entails it. Answer: entailment", "entailment"),
        ("nli3", "2", "contradiction"),
        ("nli3", "It is not a contradiction. So: neutral", "neutral"),
        ("nli3", "true", None),
        ("nli3", "Item 1 is entailment or neutral", None),
        ("nli2", "not_entailment", "not_entailment"),
        ("nli2", "Answer: not entailment", "not_entailment"),
        ("nli2", "The label is entailment.", "entailment"),
        ("nli2", "Of the knot entailment holds.", "entailment"),
        ("nli2", "It is **not-entailment**, I think.", "not_entailment"),
        ("yes-no", "Yes, it does.", "yes"),
        ("yes-no", "u", None),
        ("entailed=Sure,refuted=Off,unknown=Can't say,contradictory=Off", "can’t say", "Can't say"),
        ("entailed=Sure,refuted=Off,unknown=Can't say,contradictory=Off", "SURE!", "Sure"),
    ],
)
def test_labels_in_answers(name: str, text: str, label: str | None) -> None:
    assert read_answer(text, scheme=scheme(name)) == label


@pytest.mark.parametrize("name", sorted(SCHEMES))
@pytest.mark.parametrize("gold", ["decided", "file"])
def test_right_answers_score_one(
    name: str, gold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = scheme(name).words
    right = [words[status] for *_, status in ITEMS]  # type: ignore[index]
    paths = answers(tmp_path / "a.jsonl", *right), items(tmp_path / "i.jsonl", name)
    command = ["score", "nli", str(paths[0]), "--data", str(paths[1]), "--labels", name]
    assert run([*command, "--gold", gold, "--json"]) == ExitStatus.OK
    found = json.loads(capsys.readouterr().out)
    assert found["overall"]["accuracy"]["value"] == 1
    assert found["gold_differs_from_decided"] == 0
    assert {*found["labels"]} == {*scheme(name).order}


def test_a_wrong_gold_label_and_a_wrong_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = items(tmp_path / "i.jsonl", "nli3")
    data.write_text(data.read_text().replace('"neutral"', '"contradiction"'))
    given = answers(tmp_path / "a.jsonl", "entailment", "neutral", "neutral", "true")
    command = ["score", "nli", str(given), "--data", str(data), "--labels", "nli3"]
    assert run([*command, "--json"]) == ExitStatus.OK
    captured = capsys.readouterr()
    assert "the label of 1 item differs from the decided one" in captured.err
    found = json.loads(captured.out)
    assert found["overall"]["accuracy"]["value"] == 0.5
    assert found["confusion"]["contradiction"] == {
        "entailment": 0, "neutral": 1, "contradiction": 0, "no label": 1,
    }  # fmt: skip


def test_models_are_compared_in_the_words_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = items(tmp_path / "i.jsonl", "nli2")
    same = answers(tmp_path / "one.jsonl", *["not_entailment"] * 4)
    two = answers(tmp_path / "two.jsonl", "entailment", *["not_entailment"] * 3)
    command = ["compare", str(same), str(two), "--data", str(data), "--labels", "nli2", "--json"]
    assert run(command) == ExitStatus.OK
    found = json.loads(capsys.readouterr().out)
    shares = {model["name"]: model["accuracy"]["mean"] for model in found["models"]}
    assert shares == {"one": 0.75, "two": 1}


@pytest.mark.parametrize("name", sorted(SCHEMES))
@pytest.mark.parametrize("own", [True, False])
def test_prompts_ask_for_the_words(
    name: str, own: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = items(tmp_path / "i.jsonl", name)
    command = ["prompts", str(data), "--labels", name, "--variant", "five-examples"]
    assert run([*command, *(["--examples", str(data)] if own else [])]) == ExitStatus.OK
    for line in capsys.readouterr().out.splitlines():
        prompt = json.loads(line)["prompt"]
        labels = prompt.partition("Labels:\n")[2].partition("\n\n")[0].splitlines()
        assert [label.partition(":")[0] for label in labels] == [*scheme(name).order]
        shown = [part for part in prompt.split("\n") if part.startswith("Answer: ")]
        assert {part.removeprefix("Answer: ") for part in shown} - {"LABEL"} == {
            *scheme(name).words.values()
        }


def test_the_meaning_of_a_shared_word_names_all_its_statuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = items(tmp_path / "i.jsonl", "nli2")
    assert run(["prompts", str(data), "--labels", "nli2", "--id", "a"]) == ExitStatus.OK
    prompt = capsys.readouterr().out
    assert "\nentailment: the statements force the claim.\n" in prompt
    (line,) = [line for line in prompt.splitlines() if line.startswith("not_entailment: ")]
    assert line.count(", or ") == 2
    assert "rule the claim out" in line
    assert "leave the claim open" in line
    assert "contradict each other" in line


def test_the_api_takes_labels(tmp_path: Path) -> None:
    data, given = items(tmp_path / "i.jsonl", "nli3"), tmp_path / "a.jsonl"
    answers(given, "entailment", "contradiction", "neutral", "contradiction")
    for labels in ("nli3", dict(scheme("nli3").words)):
        for source in ("decided", "file"):
            found = hc.score("nli", given, data, labels=labels, gold_from=source)
            assert found.figures["overall"]["macro_f1"]["value"] == 1
