"""Scores of answers: a case worked by hand, slow second ways, and what is refused."""

from __future__ import annotations

import json
import re
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hopcheck as hc
from benchmarks.metrics.classification import scores_by_label
from benchmarks.metrics.ranking import filtered_ranks
from benchmarks.questions.scores import (
    BOTH,
    CHOSEN,
    EvaluatedQuestion,
    Grouping,
    grouped,
    score,
    scored,
)
from grammar.errors import ExitStatus
from grammar.questions.model import QuestionKind
from solver.cli import run

NAMES = st.sampled_from("abcdefgh")


@pytest.mark.parametrize(
    ("text", "kind", "answers", "read"),
    [
        ("Citizens of India; A", "1-hop", ["Citizen_(India)"], "Citizen_(India)|A"),
        ("x; citizen (india).; x", "2-hop", ["Citizen_(India)"], "x|Citizen_(India)"),
        (
            "So:\nAnswer: **Inc. of A**\nCitizen_(India)",
            "1-hop",
            ["Inc._of_A"],
            "Inc._of_A|Citizen_(India)",
        ),
        ("<think>answer: A</think>the Mill", "1-hop", ["Mill"], "Mill"),
        ("Yes, they will.", "yes-unknown", ["yes"], "yes"),
        ("No", "yes-unknown", ["yes"], ""),
        ("Unknowns; UNKNOWN", "yes-unknown", ["yes"], "unknown"),
        ("(b)", "fact-reasoning", ["B"], "B"),
        ("Choice C: Ann met Bo; A", "fact-reasoning", ["B"], "C|A"),
        ("ann met bo", "fact-reasoning", ["B"], "B"),
        ("A man; E; none", "fact-reasoning", ["B"], ""),
    ],
)
def test_answers_in_other_words(text: str, kind: str, answers: list[str], read: str) -> None:
    texts = ("Cy met Di.", "Ann met Bo.", "Ed met Flo.", "Gus met Hal.")
    choices = [{"text": name} for name in texts if kind == "fact-reasoning"]
    question = {"kind": kind, "answers": answers, "choices": choices}
    assert "|".join(hc.read_answers(text, question)) == read


@pytest.mark.parametrize(
    ("ranking", "answers", "ranks"),
    [
        ("abc", "a", (1,)),
        ("abc", "c", (3,)),
        ("abcd", "bd", (2, 3)),
        ("abcd", "ab", (1, 1)),
        ("abc", "cx", (3, inf)),
        ("", "a", (inf,)),
    ],
)
def test_ranks_by_hand(ranking: str, answers: str, ranks: tuple[float, ...]) -> None:
    assert filtered_ranks(tuple(ranking), tuple(answers)) == ranks


@given(st.lists(NAMES, unique=True), st.lists(NAMES, unique=True, min_size=1))
def test_ranks_as_by_leaving_out_the_other_answers(ranking: list[str], answers: list[str]) -> None:
    for answer, rank in zip(answers, filtered_ranks(ranking, answers), strict=True):
        left = [name for name in ranking if name == answer or name not in answers]
        assert rank == (left.index(answer) + 1 if answer in left else inf)


def entity(ranks: tuple[float, ...], **given: Any) -> EvaluatedQuestion:
    plain = {"id": "q", "kind": QuestionKind.ONE_HOP, "relation": "Consult", "month": "2030-01"}
    return EvaluatedQuestion(**{**plain, **given}, ranks=ranks)


def labelled(gold: str, predicted: str, **given: Any) -> EvaluatedQuestion:
    plain = {"id": "q", "kind": QuestionKind.YES_UNKNOWN, "relation": "Accuse", "month": "2030-01"}
    return EvaluatedQuestion(**{**plain, **given}, gold=gold, predicted=predicted)


def test_each_answer_is_a_query_and_one_that_is_missing_counts_nothing() -> None:
    found = scored([entity((1, 4)), entity((inf,)), entity((11,))], resamples=10)
    assert (found.questions, found.answers) == (3, 4)
    assert found.figures["mrr"].value == pytest.approx((1 + 1 / 4 + 0 + 1 / 11) / 4)
    assert found.figures["hits1"].value == pytest.approx(1 / 4)
    assert found.figures["hits10"].value == pytest.approx(2 / 4)


def test_both_hops_are_scored_together() -> None:
    question, two = entity((1,)), entity((2, 2, 2), kind=QuestionKind.TWO_HOP)
    parts = score([question, two], resamples=10).parts
    assert list(parts) == ["1-hop", "2-hop", BOTH]
    assert parts[BOTH].figures["mrr"].value == pytest.approx((1 + 3 / 2) / 4)


def test_intervals_draw_questions_with_all_their_answers() -> None:
    """One question of many answers that are right, and many of one that are not."""
    evaluated = [entity((1.0,) * 30), *(entity((inf,)) for _ in range(29))]
    figure = scored(evaluated, resamples=2_000, seed=3).figures["hits1"]
    assert figure.value == pytest.approx(30 / 59)
    # Reference implementation: how often that one question is drawn determines the score.
    drawn = np.random.default_rng(0).binomial(30, 1 / 30, size=20_000)
    shares = 30 * drawn / (30 * drawn + 30 - drawn)
    low, high = np.quantile(shares, (0.025, 0.975))
    assert (figure.low, figure.high) == pytest.approx((low, high), abs=0.03)


def test_draws_depend_on_the_seed_alone() -> None:
    evaluated = [entity((float(rank),)) for rank in range(1, 40)]
    made_score, same, other = (scored(evaluated, resamples=200, seed=seed) for seed in (3, 3, 4))
    assert made_score == same
    assert made_score != other


def test_labels_by_hand() -> None:
    gold = ["yes", "yes", "yes", "unknown", "unknown"]
    predicted = ["yes", "unknown", "", "yes", "unknown"]
    found = scores_by_label(gold, predicted)
    assert list(found) == ["unknown", "yes"]
    assert (found["yes"].precision, found["yes"].recall) == pytest.approx((1 / 2, 1 / 3))
    assert found["yes"].f1 == pytest.approx(2 / 5)
    assert found["yes"].predicted == {"": 1, "unknown": 1, "yes": 1}
    assert (found["unknown"].precision, found["unknown"].recall) == pytest.approx((1 / 2, 1 / 2))


def test_reasons_are_counted_by_what_they_contribute() -> None:
    predicted = [*CHOSEN, "answer", ""]
    evaluated = [labelled("answer", name, kind=QuestionKind.FACT_REASONING) for name in predicted]
    found = score(evaluated, resamples=10)
    assert found.chosen == {
        "answer": 2, "second choice": 1, "third": 1, "least": 1, "": 1,
    }  # fmt: skip
    assert found.parts["fact-reasoning"].figures["accuracy"].value == pytest.approx(2 / 6)


def test_groups() -> None:
    evaluated = [
        entity((1,), relation="Consult", month="2030-02"),
        entity((2,), relation="Accuse", month="2030-01"),
        entity((4,), relation="Accuse", month=""),
    ]
    assert list(grouped(evaluated, Grouping.RELATION)) == ["Accuse", "Consult"]
    assert list(grouped(evaluated, Grouping.MONTH)) == ["2030-01", "2030-02"]
    groups = score(evaluated, resamples=10).groups["1-hop"]
    assert groups[Grouping.RELATION]["Accuse"].figures["mrr"].value == pytest.approx(3 / 8)
    assert groups[Grouping.MONTH]["2030-02"].questions == 1
    assert not score(evaluated, details=False, resamples=10).groups["1-hop"]


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "test.jsonl").read_bytes().splitlines()]


def right(folder: Path) -> list[dict[str, Any]]:
    return [{"id": line["id"], "ranking": line["answers"]} for line in lines_of(folder)]


def put(path: Path, rows: list[Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_right_answers_score_one_and_leave_a_page_that_needs_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = put(tmp_path / "answers.jsonl", right(folder))
    command = ["score", "questions", answers, "--questions", str(folder), "--resamples", "100"]
    assert run([*command, "--json", "--report", str(tmp_path / "report")]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {
        figure["value"] for part in figures["parts"].values() for figure in part["figures"].values()
    } == {1.0}
    assert not figures["missing"]
    made = sorted(path.name for path in (tmp_path / "report").iterdir())
    assert made == ["manifest.json", "report.html", "scores.json"]
    assert json.loads((tmp_path / "report" / "scores.json").read_bytes()) == figures
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    titles = re.findall(r"<h2[^>]*>([^<]*)</h2>", page)
    assert titles[:3] == ["Overall", "Entities", "Labels and choices"]
    assert page.count("<svg") == 1 + sum(", by " in title for title in titles) > 5
    assert "://" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page


def test_questions_without_an_answer_count_as_wrong(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = right(folder)
    kept = [row for row in rows if "yes-unknown" not in row["id"]]
    left = [row["id"] for row in rows if row not in kept]
    answers = put(tmp_path / "answers.jsonl", kept)
    command = ["score", "questions", answers, "--questions", str(folder), "--json"]
    assert run(command) == ExitStatus.VIOLATIONS
    out, err = capsys.readouterr()
    assert json.loads(out)["missing"] == left
    assert json.loads(out)["parts"]["yes-unknown"]["figures"]["accuracy"]["value"] == 0
    assert f"{len(left)} questions without an answer" in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "test-1-hop-000000"', "broken JSON"),
        ('{"id": "test-1-hop-000000", "ranking": NaN}', "broken JSON"),
        ('{"id": "test-1-hop-000000", "ranking": [NaN]}', "broken JSON"),
        ('["test-1-hop-000000"]', "another shape"),
        ('{"ranking": []}', "missing required field `id`"),
        ('{"id": "test-1-hop-000000"}', "missing required field `ranking`"),
        ('{"id": 7, "ranking": []}', "expected `str`, got `int`"),
        ('{"id": "test-1-hop-000000", "ranking": "Belmora"}', "expected `array`"),
        ('{"id": "test-1-hop-000000", "ranking": [1.5]}', "expected `str`, got `float`"),
        ('{"id": "test-1-hop-000000", "ranking": ["A", "B", "A"]}', "'A' again at place 3"),
        ('{"id": "test-yes-unknown-000000", "ranking": ["no"]}', "'no', expected yes or unknown"),
        ('{"id": "test-fact-reasoning-000000", "ranking": ["E"]}', "'E', expected A or B or C or"),
    ],
)
def test_what_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    path = tmp_path / "answers.jsonl"
    first = '{"id": "test-1-hop-000001", "ranking": ["Belmora"]}'
    path.write_text(f"{first}\n\n{line}\n", encoding="utf-8")
    assert run(["score", "questions", str(path), "--questions", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(f"error: {path}:3:")
    assert err.count("\n") == 1
    assert message in err


def test_unknown_and_repeated_ids_are_reported(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first answer counts."""
    rows = right(folder)
    again = {"id": rows[0]["id"], "ranking": []}
    answers = put(tmp_path / "answers.jsonl", [*rows, {"id": "stranger", "ranking": ["A"]}, again])
    command = ["score", "questions", answers, "--questions", str(folder), "--json"]
    assert run(command) == ExitStatus.VIOLATIONS
    out, err = capsys.readouterr()
    figures = json.loads(out)
    assert (figures["unknown"], figures["doubled"]) == (["stranger"], [again["id"]])
    assert figures["parts"]["1-hop"]["figures"]["mrr"]["value"] == 1.0
    assert err.splitlines() == [
        "1 question answered, but not in the data: stranger",
        f"1 question answered more than once; the first answer counts: {again['id']}",
    ]


def test_answers_to_other_questions_are_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = put(tmp_path / "answers.jsonl", [{"id": "stranger", "ranking": []}])
    assert run(["score", "questions", answers, "--questions", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert "none of the 1 ids is that of a question" in err


def test_tables_hold_one_answer_to_each_question(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = right(folder)
    table = tmp_path / "answers.tsv"
    lines = [f"{row['id']}\t{(row['ranking'] or [''])[0]}\n" for row in rows]
    table.write_text("id\tanswer\n" + "".join(lines), encoding="utf-8")
    assert run(["score", "questions", str(table), "--questions", str(folder), "--json"]) == 0
    parts = json.loads(capsys.readouterr().out)["parts"]
    assert parts["yes-unknown"]["figures"]["accuracy"]["value"] == 1.0


def test_files_that_are_not_there(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers, empty = put(tmp_path / "answers.jsonl", right(folder)), put(tmp_path / "empty", [])
    for predictions, questions in (
        (str(tmp_path / "none"), str(folder)),
        (answers, str(tmp_path / "none")),
        (answers, str(tmp_path)),
        (empty, str(folder)),
    ):
        assert run(["score", "questions", predictions, "--questions", questions]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_questions_that_are_there_twice(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = lines_of(folder)[:3]
    questions = put(tmp_path / "questions.jsonl", [*rows, rows[1]])
    answers = put(tmp_path / "answers.jsonl", right(folder)[:3])
    assert run(["score", "questions", answers, "--questions", questions]) == 2
    assert f"{questions}:4: id: found" in capsys.readouterr().err


def test_questions_without_answers(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = lines_of(folder)[0] | {"answers": []}
    questions = put(tmp_path / "questions.jsonl", [row])
    answers = put(tmp_path / "answers.jsonl", right(folder)[:1])
    assert run(["score", "questions", answers, "--questions", questions]) == 2
    assert f"{questions}:1: answers: found none of" in capsys.readouterr().err
