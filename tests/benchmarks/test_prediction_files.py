"""Predictions matched with items: what is missing, unknown, repeated or broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.predictions import (
    MatchedPredictions,
    PredictionError,
    PredictionRow,
    UnmatchedError,
    chosen,
    match_predictions,
    read_predictions,
)
from grammar.errors import ExitStatus
from solver.io.sources import InputError


def decode(row: PredictionRow) -> tuple[str, str]:
    if not isinstance(row.values, dict):
        raise PredictionError("found no object", where=row.where)
    return str(row.values["id"]), str(row.values["answer"])


def matched(
    folder: Path, rows: str, ids: list[str], *, strict: bool = True
) -> MatchedPredictions[str]:
    file = folder / "answers"
    file.write_text(rows, encoding="utf-8")
    return match_predictions(read_predictions(str(file), decode, strict=strict), ids, "item")


@pytest.mark.parametrize(
    ("rows", "notes", "status"),
    [
        ("a,1\nb,2\n", [], ExitStatus.OK),
        ("a,1\n", ["1 item without an answer: b"], ExitStatus.VIOLATIONS),
        ("a,1\nb,2\nc,3\n", ["1 item answered, but not in the data: c"], ExitStatus.VIOLATIONS),
        (
            "a,1\nb,2\na,3\n",
            ["1 item answered more than once; the first answer counts: a"],
            ExitStatus.VIOLATIONS,
        ),
        ("id\tanswer\nb\t2\na\t1\n", [], ExitStatus.OK),
    ],
)
def test_each_item_has_one_answer(
    tmp_path: Path, rows: str, notes: list[str], status: ExitStatus
) -> None:
    found = matched(tmp_path, rows, ["a", "b"])
    assert list(found.notes("item")) == notes
    assert found.exit_status is status
    assert found.answers == ("1", "2" if "b" not in found.missing else None)


def test_invalid_rows_end_the_reading_or_are_collected(tmp_path: Path) -> None:
    rows = '{"id": "a", "answer": "1"}\n[1]\n{"id"\n'
    with pytest.raises(PredictionError, match="found no object") as raised:
        matched(tmp_path, rows, ["a"])
    assert raised.value.where.endswith("answers:2")
    found = matched(tmp_path, rows, ["a"], strict=False)
    assert found.exit_status is ExitStatus.UNREADABLE
    assert [note.partition(": ")[0] for note in found.notes("item")] == ["not a prediction"] * 2


def test_answers_to_other_items_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnmatchedError, match="none of the 2 ids is that of an item, such as 'x'"):
        matched(tmp_path, "a,1\nb,2\n", ["x"])
    with pytest.raises(UnmatchedError, match="found the id 'a' several times, expected"):
        matched(tmp_path, "a,1\n", ["a", "a"])


def test_long_lists_of_ids_are_cut(tmp_path: Path) -> None:
    ids = [str(number) for number in range(12)]
    (note,) = matched(tmp_path, "0,x\n", ids).notes("item")
    assert note == "11 items without an answer: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"


def test_a_nul_is_not_part_of_an_answer(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answers:2: found a NUL character"):
        matched(tmp_path, "a,1\nb,\x002\n", ["a", "b"])


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("B", "B"),
        ("(b).", "B"),
        ("Answer: **(B) Friday**", "B"),
        ("It might be Monday.\nAnswer: Friday.", "B"),
        ("<think>Answer: A</think>\nAnswer: option B", "B"),
        ("The answer is B.", "B"),
        ("Answer: friday", "B"),
        ("Answer: C", None),
        ("Answer: A Friday", None),
        ("Answer: A or B", None),
        ("", None),
        ("Answer:", None),
    ],
)
def test_a_choice_is_read_by_its_label_or_its_meaning(text: str, label: str | None) -> None:
    assert chosen(text, {"A": "Monday", "B": "Friday"}) == label


def test_a_meaning_of_two_labels_is_no_choice_of_either() -> None:
    assert chosen("5 May", {"A": "5 May", "B": "5 may"}) is None
    assert chosen("A", {"A": "5 May", "B": "5 may"}) == "A"


def test_labels_without_a_meaning_are_read() -> None:
    answers = {name: name for name in ("left", "upper-left", "below")}
    assert chosen("Answer: Upper left", answers) == "upper-left"
    assert chosen("Answer: left", answers) == "left"
    assert chosen("position 3", {"3": "position 3", "13": "position 13"}) == "3"
