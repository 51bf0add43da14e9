"""The audit of arithmetic in the form of Test of Time: own items, right and wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.audits.run import audit
from solver.calendar.check import fault_of_row
from solver.cli import run

NOT_ENOUGH = " If the information provided is not enough, reply {'answer': 'unanswerable'}."
EARLIEST = " If a time is at a lower granularity, assume the earliest value for what is missing."
NONE = "{'answer': 'unanswerable'}"
RIGHT = [
    ("The war started in 12 BC and went on for 5 years. What year did the war end in?",
     "{'answer': '7 BC'}", "{'answer': '8 BC'}"),
    # 3 BC, 2 BC, 1 BC, 1 AD, 2 AD.
    ("The war started in 3 BC and went on for 4 years. What year did the war end in?",
     "{'answer': '2 AD'}", "{'answer': '1 AD'}"),
    ("If today is Friday, what day of the week was it 10 days before now?",
     "{'answer': 'Tuesday'}", "{'answer': 'Monday'}"),
    ("If the current date is 31-01-2023, what is the date 1 months from now?",
     "{'date': '02/28/2023'}", "{'date': '03/03/2023'}"),
    ("If the current date is 03-20-2023, what is the date 2 weeks before now?",
     "{'date': '03/06/2023'}", "{'date': '03/13/2023'}"),
    ("In a movie, a company was established in 2 Feb, 1990. In what year will they celebrate "
     "their 25 anniversary?", "{'answer': '2015'}", "{'answer': '2014'}"),
    ("Ida and Bo were born on 2004-Feb-18 and 2004-Mar-01 respectively. When Bo was 100 days old, "
     "how old was Ida in days?", "{'answer': '112'}", "{'answer': '111'}"),
    ("If Bo started his homework at 11:00:30 PM and finished at 01:00 AM, how long did he take to "
     "do his homework? If the end time is before the start time, assume it to be on the next day.",
     "{'hours': 1, 'minutes': 59, 'seconds': 30}", "{'hours': 2, 'minutes': 0, 'seconds': 30}"),
    ("If right now, it is 20:00 (24hr) in Location A (PST -0800), what time is it in Location B "
     "(IST +0530)?", "{'day': '+1', 'time': '09:30:00'}",
     "{'day': 'same_day', 'time': '09:30:00'}"),
    ("Ida lives in Location A and is going to call Bo at 04:31:36 (24hr) UTC+0000. What time is it "
     "for Bo when they receive the call, in their local time. Bo lives in Location B which is in "
     "the timezone EST(-0500).", "{'day': '-1', 'time': '23:31'}",
     "{'day': '-1', 'time': '23:32'}"),
    ("What is the absolute time difference between a1 and b2 given a1 is in UTC(+0000) and b2 is "
     "in IST(+0530).", "{'hours': 5, 'minutes': 30}", "{'hours': 6, 'minutes': 30}"),
    ("A museum announced that every 10 days, there will be a day of free entrance. The first free "
     "day was on 01-25-2022. If today is 02-04-2022, when is the next free day?",
     "{'answer': '02-14-2022'}", "{'answer': '02-04-2022'}"),
    ("My last phone calls took 0:10:00, 0:20:00, 0:30:00 and 0:41:00 hours:minutes:seconds each. "
     "On average, how long did a phone call take?",
     '{"H": 0.0, "M": 25.0, "S": 15.0}', '{"H": 0.0, "M": 25.0, "S": 0.0}'),
    ("Calculate The time taken to bake 6 cakes if the time taken to bake 4 cakes is 2 hours, "
     "2 minutes, and 0 seconds, if the pace remains the same. Suppose it takes H:M:S hours, "
     "minutes, seconds , report the values of H, M and S.",
     '{"H": 3.0, "M": 3.0, "S": 0.0}', '{"H": 3.0, "M": 4.0, "S": 0.0}'),
    ("In a story, a bus leaves the station at 11:00 PM and travels for 20 hours and 5 seconds. "
     "After a 10 minutes break, the bus continues its journey for another 5 hours. What time does "
     "the bus reach its final destination?",
     "{'day': '+2', 'time': '00:10:05'}", "{'day': '+-2', 'time': '00:10:05'}"),
    ("If Ida, Bo, Cy have their exams at (times separated by ;): 10 PM; 09:00 (24hr); 09:00 AM "
     "respectively, whose exam is first? The answer can have multiple values.",
     "{'unordered_list': ['Cy', 'Bo']}", "{'unordered_list': ['Bo']}"),
    ("If Ida, Bo have their exams at (date_times separated by ;): in May 2001; on 4 May, 2001 at "
     "10 PM respectively, arrange them in descending order." + EARLIEST,
     "{'ordered_list': ['Bo', 'Ida']}", "{'ordered_list': ['Ida', 'Bo']}"),
    ("The E1 era started in 14-05-90 BC and E2 era started in 3 AD. Which era started first?",
     "{'answer': 'E1'}", "{'answer': 'E2'}"),
    ("Ida is available from 9 to 10:30 and also from 1 to 2. Bo is available from 10 to 11 and "
     "also from 1 to 5. They want to have a 30 minute meeting. The meeting has to start on the "
     "hour or half hour. How many possibilities are there for the meeting time?",
     "{'answer': 3}", "{'answer': 4}"),
    ("Ida, Bo, and Cy work from 9am to 5pm. Ida's calendar is booked from 9 to 4, Bo's calendar "
     "from 4 to 4:30, and Cy's calendar from 4:30 to 5. They want to have a 30 minute meeting. The "
     "meeting has to start on the hour or half hour. Cy is flexible to shift their other meetings "
     "to accommodate for this meeting. How many possibilities are there for the meeting time?",
     "{'answer': 1}", "{'answer': 0}"),
    ("On Monday before noon, I received a text saying my deadline is in exactly 20 hours. On what "
     "day(s) of the week could the deadline be?",
     "{'unordered_list': ['Monday', 'Tuesday']}", "{'unordered_list': ['Tuesday']}"),
    ("If it is Monday, what is the day 7 hours from now?" + NOT_ENOUGH, NONE,
     "{'answer': 'Monday'}"),
    ("If it is Monday, what is the day 48 hours from now?" + NOT_ENOUGH,
     "{'answer': 'Wednesday'}", NONE),
    ("If the date for today in yyyy-mm-dd format is 1999-2-29, what was the date 2 days ago in the "
     "same format?" + NOT_ENOUGH, NONE, "{'answer': '1999-02-27'}"),
    ("In a movie, if Ida wrote their exam on 5 May, 1999, Bo wrote their exam on 05/05/1999 and Cy "
     "wrote their exam on 6 May, 1998, who wrote their exam first?" + NOT_ENOUGH,
     "{'answer': 'Cy'}", NONE),
    ("In a movie, if Ida wrote their exam on 5 May, 1999, Bo wrote their exam on 05/05/1999 and Cy "
     "wrote their exam on 6 May, 2000, who wrote their exam first?" + NOT_ENOUGH,
     NONE, "{'answer': 'Ida'}"),
]  # fmt: skip
UNREAD = [
    # The order of month and day is open.
    "If the current date is 02-03-2023, what is the date 2 weeks before now?",
    # A word more changes what is asked.
    "If today is not Friday, what day of the week was it 10 days before now?",
    # A year and a month of one year, which of them is first is not said.
    "In a story, if Ida, Bo finished their project on/in (date_times separated by ;): 2001; May "
    "2001 respectively, who finished first? The answer can have multiple values.",
    # Nobody named Cy was introduced.
    "Ida and Bo work from 9am to 5pm. Ida's calendar is booked from 9 to 10. Cy's calendar is "
    "booked from 9 to 10. They want to have a 30 minute meeting. How many possibilities are there "
    "for the meeting time? The meeting has to start on the hour or half hour.",
]


def written(path: Path, rows: list[tuple[str, str]]) -> Path:
    tail = ' Return your answer as a JSON in the following format: JSON = {"answer": <answer>}'
    items = [
        {"question": text + tail, "label": label, "question_type": "x"} for text, label in rows
    ]
    path.write_text(json.dumps(items), encoding="utf-8")
    return path


def test_right_labels(tmp_path: Path) -> None:
    (file,) = audit("tot", [written(tmp_path / "a.json", [row[:2] for row in RIGHT])]).files
    assert [(item.verdict.value, item.decided) for item in file.items] == [
        ("right", right) for _, right, _ in RIGHT
    ]


def test_wrong_labels_and_their_corrections(tmp_path: Path) -> None:
    path = written(tmp_path / "b.json", [(text, wrong) for text, _, wrong in RIGHT])
    report = audit("tot", [path])
    (file,) = report.files
    assert {item.verdict.value for item in file.items} == {"wrong"}
    for item, (_, right, _) in zip(file.items, RIGHT, strict=True):
        decided = str(item.decided)
        same = "'ordered" not in right and sorted(decided) == sorted(right)
        # A label of another form is corrected in the usual one.
        assert decided == right or same or "unanswerable" in str(item.gold)
        assert fault_of_row(item.as_json() | {"kind": "calendar"}) is None
    patched = tmp_path / "patched"
    assert run(["audit", "tot", str(path), "--patch", str(patched), "--show", "0"]) == 1
    (again,) = audit("tot", [patched / "b.json"]).files
    assert {item.verdict.value for item in again.items} == {"right"}


def test_mutated_certificates_are_rejected(tmp_path: Path) -> None:
    path = written(tmp_path / "b.json", [(text, wrong) for text, _, wrong in RIGHT])
    (file,) = audit("tot", [path]).files
    for item in file.items:
        line = json.loads(json.dumps(item.as_json()))
        line["certificate"]["cases"][0]["verdict"] = line["verdict"] = "right"
        line["readings"]["year-zero=none"]["verdict"] = "right"
        assert fault_of_row(line) is not None
        line = json.loads(json.dumps(item.as_json()))
        line["gold"] = line["certificate"]["cases"][0]["problem"]["gold"] = item.decided
        assert fault_of_row(line) is not None


def test_unread(tmp_path: Path) -> None:
    path = written(tmp_path / "c.json", [(text, NONE) for text in UNREAD])
    (file,) = audit("tot", [path]).files
    assert [item.verdict.value for item in file.items] == ["unread"] * len(UNREAD)


@pytest.mark.parametrize(("zero", "verdict"), [("none", "wrong"), ("counted", "right")])
def test_year_zero(tmp_path: Path, zero: str, verdict: str) -> None:
    text = "The war ended in 10 AD after going on for 12 years. What year did the war start in?"
    path = written(tmp_path / "d.json", [(text, "{'answer': '2 BC'}")])
    (file,) = audit("tot", [path], reading={"year-zero": zero}).files
    assert [item.verdict.value for item in file.items] == [verdict]
