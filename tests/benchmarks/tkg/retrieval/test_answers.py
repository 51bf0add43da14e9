"""Imported answers: how they are read, ranked, counted and refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.predictions import match_predictions
from benchmarks.tkg.retrieval.prompts import PromptRow, Query, Strategy, read_prompts
from benchmarks.tkg.retrieval.scoring import AnswerRow, group_scores, judge, ranking, read_answers
from grammar.errors import ExitStatus
from grammar.tkg.prompts import read_prompt
from solver.io.sources import InputError
from solver.io.writing import line

TEXT = "1 : [0. 10, 2, 1. 11]\n2 : [0. 10, 2, 2. 12]\n9 : [0. 10, 2, ?]"
PROMPT = read_prompt(TEXT)


def row(
    number: int, *, strategy: Strategy = Strategy.BAR, gold: int = 11, hops: int = 1
) -> PromptRow:
    return PromptRow(
        id=f"{strategy}-{number}",
        prompt=TEXT,
        query=Query(head=10, relation=2, time=9),
        gold=gold,
        strategy=strategy,
        reachable=gold in (10, 11, 12),
        pattern=0,
        hops=hops,
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"answer": "1."}, (0, 1)),
        ({"answer": "11"}, (0, 1)),
        ({"answer": "2. 12\n1. 11"}, (1, 1)),
        ({"answers": ["0.", "2.", "1."]}, (2, 1)),
        ({"answers": ["?", "2.", "1."]}, (1, 1)),
        ({"scores": {"0.": -3, "1.": -1, "2.": -0.5}}, (1, 1)),
        ({"scores": {"0.": 1, "1.": 1, "2.": 1}}, (0, 3)),
        ({"scores": {"1.": -5, "1. 11": -1, "2.": -2}}, (0, 1)),
        ({"answer": "2."}, None),
        ({"answer": "77"}, None),
        ({"answer": None}, None),
        ({"answers": []}, None),
        ({"scores": {}}, None),
    ],
)
def test_the_position_of_the_right_answer(
    answer: dict[str, object], expected: tuple[int, int] | None, tmp_path: Path
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(line({"id": "bar-1"} | answer))
    given = read_answers(str(file)).answers["bar-1"]
    assert ranking(given, PROMPT).position(11) == expected


def test_unread_texts_are_counted() -> None:
    assert ranking(AnswerRow(id="1", answers=["0.", "none", "9. 9"]), PROMPT).unread == 2
    assert ranking(AnswerRow(id="1", scores={"0.": 1, "0, 1": 2}), PROMPT).unread == 1


def test_scores_by_strategy_and_hops(tmp_path: Path) -> None:
    rows = [
        row(1),
        row(2, hops=2),
        row(3, hops=2, gold=99),
        row(4, strategy=Strategy.AH),
        row(5, strategy=Strategy.AH),
    ]
    prompts, answers = tmp_path / "prompts.jsonl", tmp_path / "answers.jsonl"
    prompts.write_bytes(b"".join(line(prompt_row) for prompt_row in rows))
    answers_given = [
        {"id": "bar-1", "answer": "1."},
        {"id": "bar-2", "answers": ["2.", "0.", "1."]},
        {"id": "bar-3", "answer": "I do not know"},
        {"id": "ah-4", "scores": {"1.": 0, "2.": 0}},
        {"id": "ah-4", "answer": "1."},
        {"id": "ah-9", "answer": "1."},
    ]
    answers.write_bytes(b"".join(line(value) for value in answers_given))
    given = read_answers(str(answers))
    assert given.repeated == ("ah-4",)
    asked = read_prompts(str(prompts))
    matched = match_predictions(given, list(asked), "prompt")
    assert (matched.missing, matched.unknown) == (("ah-5",), ("ah-9",))
    assert matched.exit_status is ExitStatus.VIOLATIONS
    found = {score.group: score for score in group_scores(judge(asked, matched.answers))}
    assert list(found) == ["bar", "bar, 1 hop", "bar, 2 hops", "ah"]
    bar, ah = found["bar"], found["ah"]
    assert (bar.prompts, bar.unreadable, bar.missing) == (3, 1, 0)
    assert [bar.hits[cut].expected for cut in (1, 3, 10)] == [1 / 3, 2 / 3, 2 / 3]
    assert bar.ceiling == 2 / 3
    assert found["bar, 2 hops"].hits[1].expected == 0
    assert (ah.prompts, ah.missing, ah.hits[1].expected) == (2, 1, 0.25)
    assert (ah.hits[1].pessimistic, ah.hits[1].optimistic) == (0, 0.5)


def test_right_beyond_the_context(tmp_path: Path) -> None:
    prompts, answers = tmp_path / "prompts.jsonl", tmp_path / "answers.jsonl"
    unreachable = msgspec.structs.replace(row(1), reachable=False)
    prompts.write_bytes(line(unreachable))
    answers.write_bytes(line({"id": "bar-1", "answer": "1."}))
    given = tuple(read_answers(str(answers)).answers.values())
    (found,) = group_scores(judge(read_prompts(str(prompts)), given))
    assert (found.ceiling, found.beyond) == (0, 1)


BROKEN_ANSWERS = {
    b"": ("answers.jsonl", "found no prediction"),
    b'{"id": "1"}\n': ("answers.jsonl:1", "found none of answer"),
    b'\n{"id": "1", "answer": "1.", "scores": {}}\n': ("answers.jsonl:2", "found several"),
    b'{"id": 1, "answer": "1."}\n': ("answers.jsonl:1", "found an invalid answer"),
    b'{"id": "1", "scores": {"0.": NaN}}\n': ("answers.jsonl:1", "broken JSON"),
    b'{"id": "1", "scores": {"0.": "high"}}\n': ("answers.jsonl:1", "found an invalid answer"),
    b"[" * 100_000: ("answers.jsonl:1", "found a JSON array"),
    b'{"answer": "1."}\n': ("answers.jsonl:1", "found an invalid answer"),
    b"\xff\xfe\n": ("answers.jsonl:1", ""),
}


@pytest.mark.parametrize("content", BROKEN_ANSWERS, ids=range(len(BROKEN_ANSWERS)))
def test_broken_answers_are_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_answers(str(file))
    where, message = BROKEN_ANSWERS[content]
    assert where in raised.value.where
    assert message in raised.value.message
    assert "\n" not in str(raised.value)


def test_broken_prompts_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "prompts.jsonl"
    good = line(row(1))
    broken = good.replace(b"2. 12", b"3. 12")
    assert broken != good
    for content, message in (
        (b"", "found no prompt"),
        (good + good, "found the id 'bar-1' again"),
        (broken, "expected index 2 for entity 12"),
        (good.replace(b'"gold":11', b'"gold":-1'), "found an invalid prompt"),
        (good.replace(b'"bar"', b'"best"'), "found an invalid prompt"),
    ):
        file.write_bytes(content)
        with pytest.raises(InputError, match=message):
            read_prompts(str(file))
    file.write_bytes(good + broken.replace(b"bar-1", b"bar-2"))
    with pytest.raises(InputError) as raised:
        read_prompts(str(file))
    assert raised.value.where == f"{file}:2: prompt:2:16"
