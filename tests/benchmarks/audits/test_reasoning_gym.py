"""The audit of items in the form of reasoning-gym: own ones, and generated ones if it is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.audits.run import audit
from solver.calendar import check as calendar
from solver.cli import run
from solver.family import check as family

CALENDAR = [
    ("Between Monday, May 1, 2023 and Monday, May 15, 2023 (counting both dates), how many times "
     "does Monday occur? Answer with a number.", "3", "2"),
    ("How many business days (Monday-Friday) are there from Friday, May 5, 2023 to Monday, May 15, "
     "2023 (inclusive of both dates)? Give the count numerically.", "7", "11"),
    ("Count the occurrences of Sunday from Friday, May 5 to Saturday, May 6, 2023 (including both "
     "start and end dates). Write the total number.", "0", "1"),
    ("If today is Friday, May 5, 2023, what day of the week was it 8 days ago? Name the day of the "
     "week in full.", "Thursday", "Friday"),
    ("Starting from Friday, May 5, 2023, which weekday falls after a 3-day jump? Reply with just "
     "the weekday name.", "Monday", "Tuesday"),
    ("Name the day of the week for 02/29/2024. State the weekday (Monday through Sunday).",
     "Thursday", "Wednesday"),
    ("If the first day of the year was a Monday, what day of the week will February 1 be? "
     "Write out the full weekday name.", "Thursday", "Friday"),
    ("Determine the day of the month for the fifth Monday in May 2023. Answer with a number. "
     "Answer with -1 if the ordinal does not exist in the month.", "29", "-1"),
    ("Determine the day of the month for the fifth Sunday in May 2023. Answer with a number. "
     "Answer with -1 if the ordinal does not exist in the month.", "-1", "28"),
    ("In May 2023, if an event recurs on the last Tuesday, what is the date (day of the month) of "
     "the event? Respond with just the number.", "30", "23"),
    ("Is 1900 a leap year? Answer with Yes or No.", "No", "Yes"),
]  # fmt: skip
INTERVALS = [
    ("A meeting started at 09:30 and ended at 11:05. How long was the meeting? Answer in HH:MM.",
     "01:35", "02:35"),
    ("What is the duration between 01:00:00.250 and 01:00:01.125? Please answer in HH:MM:SS.mmm.",
     "00:00:00.875", "00:00:00.874"),
    ("How much time elapsed from Wed Mar 01 2023 to Mon Mar 06 2023? Give your answer in D days.",
     "5 days", "6 days"),
    # 11:00 at an offset of +2 hours is 09:00; 08:30 at -1 hour is 09:30.
    ("A flight departed at 2023-03-01 (Wednesday) 11:00:00 +0200 and arrived at 2023-03-02 "
     "(Thursday) 08:30:30 -0100. How long was the flight? Answer in D days, HH:MM.",
     "1 days, 00:30", "1 days, 00:00"),
    ("Calculate the time difference between 28 February 2024, 23:00 and 01 March 2024, 01:00. "
     "Express the result in D days, HH:MM:SS.", "1 days, 02:00:00", "0 days, 02:00:00"),
]  # fmt: skip
FAMILY = [
    ("Ada is married to Bo. They have children called Cy and Dora. Cy is married to Eli.\n\n"
     "What is Eli to Bo? Respond only with the word that describes their relationship.",
     "daughter-in-law", "mother-in-law"),
    ("Ada is married to Bo. They have a child called Cy.\n\n"
     "How is Ada related to Cy? Provide the relationship in one word.", "father", "son"),
]  # fmt: skip
SETS = {
    "calendar_arithmetic": CALENDAR,
    "time_intervals": INTERVALS,
    "family_relationships": FAMILY,
}


def written(path: Path, rows: list[tuple[str, str]]) -> Path:
    lines = (
        json.dumps({"question": text, "answer": answer, "metadata": {}}) for text, answer in rows
    )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("task", SETS)
def test_labels(task: str, tmp_path: Path) -> None:
    right = written(tmp_path / "right.jsonl", [row[:2] for row in SETS[task]])
    wrong = written(tmp_path / "wrong.jsonl", [(text, label) for text, _, label in SETS[task]])
    (of_right, of_wrong) = audit("reasoning-gym", [right, wrong]).files
    assert {of_right.task.name, of_wrong.task.name} == {task}
    assert {item.verdict.value for item in of_right.items} == {"right"}
    assert {item.verdict.value for item in of_wrong.items} == {"wrong"}
    check = family if task.startswith("family") else calendar
    for item, (_, answer, _) in zip(of_wrong.items, SETS[task], strict=True):
        assert item.decided == answer
        line = json.loads(json.dumps(item.as_json()))
        assert check.fault_of_row(line) is None
        assert check.fault_of_row({**line, "gold": answer}) is not None
        assert check.fault_of_row({**line, "decided": "x"}) is not None
    patched = tmp_path / "patched"
    assert run(["audit", "reasoning-gym", str(wrong), "--patch", str(patched), "--show", "0"]) == 1
    assert (patched / "wrong.jsonl").read_bytes() == right.read_bytes()


def test_readings_and_false_days(tmp_path: Path) -> None:
    rows = [
        # Which day 1 March is depends on the year.
        ("Given that January 1 fell on a Monday, which weekday occurs on March 1? Answer with the "
         "weekday's name (e.g., Monday, Tuesday, etc.).", "Thursday"),
        # A year too early: there is no day from one to an earlier one.
        ("Between Friday, December 1, 2023 and Monday, January 8, 2023 (counting both dates), how "
         "many times does Monday occur? Answer with a number.", "6"),
        # 5 May 2023 was a Friday.
        ("What day of the week was Monday, May 5, 2023? Give the weekday name in full.", "Friday"),
        ("What day of the week was it on May 5, 2023, if not on a Friday?", "Friday"),
    ]  # fmt: skip
    (file,) = audit("reasoning-gym", [written(tmp_path / "a.jsonl", rows)]).files
    verdicts = [item.verdict.value for item in file.items]
    assert verdicts == ["right-under", "contradictory", "false-premise", "unread"]


@pytest.mark.parametrize("task", SETS)
def test_generated_items(task: str, tmp_path: Path) -> None:
    gym = pytest.importorskip("reasoning_gym")
    data = gym.create_dataset(task, size=60, seed=7)
    rows = [(item["question"], item["answer"]) for item in data]
    (file,) = audit("reasoning-gym", [written(tmp_path / "items.jsonl", rows)]).files
    assert file.coverage == 1
    labels = [item for item in file.items if item.verdict.value == "right"]
    assert len(labels) > 30
