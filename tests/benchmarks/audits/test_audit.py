"""Audits of small files in the forms of public sets: verdicts, reports, corrections, statuses."""

# ruff: noqa: E501 - lines of the sets

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.audits.files import json_rows
from benchmarks.audits.patches import CHANGES, LETTER
from benchmarks.audits.run import audit
from solver.cli import run
from solver.io.sources import InputError

HARD = [
    # The right date, option (B).
    ("Today is Mar 3, 2021. What is the date tomorrow in MM/DD/YYYY?", "03/03/2021 03/04/2021", "(B)"),
    # A wrong label: two weeks are fourteen days.
    ("Tomorrow is 5/2/1987. What is the date two weeks ago in MM/DD/YYYY?",
     "04/17/1987 04/18/1987", "(B)"),
    # No right option: February has 28 days in 1999.
    ("Today is 31 January 1999. What is the date a month from now in MM/DD/YYYY?",
     "03/03/1999 03/01/1999", "(A)"),
    # A false weekday: 2 May 1987 was a Saturday.
    ("Tomorrow is Fri, 5/2/1987. What is the date today in MM/DD/YYYY?",
     "05/01/1987 05/03/1987", "(A)"),
    # Two answers: whether the first pear was eaten on the day of the purchase is open.
    ("On June 1st, 2017 Ida bought 3 pears. She ate one per day. Today she ran out of pears. "
     "What is the date today in MM/DD/YYYY?", "06/03/2017 06/04/2017", "(A)"),
    # Two dates that cannot be the same day.
    ("Ida thought today is 3/11/2002, but today is in fact Mar 14, which is 1 day later. "
     "What is the date today in MM/DD/YYYY?", "03/12/2002 03/14/2002", "(A)"),
]  # fmt: skip
VERDICTS = ["right", "wrong", "no-right-option", "false-premise", "unanswerable", "contradictory"]


def hard(rows: list[tuple[str, str, str]]) -> dict[str, Any]:
    examples = []
    for question, dates, gold in rows:
        options = "".join(f"\n({'ABCD'[n]}) {day}" for n, day in enumerate(dates.split()))
        examples.append({"input": f"{question}\nOptions:{options}", "target": gold})
    return {"canary": "none", "examples": examples}


def written(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "date_understanding.json", hard(HARD))


def test_verdicts(file: Path) -> None:
    (result,) = audit("bbh", [file]).files
    assert [item.verdict.value for item in result.items] == VERDICTS
    assert [item.decided for item in result.items] == ["(B)", "(A)", None, "(A)", None, None]
    assert result.coverage == 1
    assert result.version == "another version"


def test_command(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report"
    assert run(["audit", "bbh", str(file), "--json", "--report", str(report)]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert (figures["set"], figures["task"]) == ("bbh", "date_understanding")
    assert (figures["items"], figures["coverage"]) == (6, 1.0)
    assert figures["verdicts"] == dict.fromkeys(VERDICTS, 1) | {"right-under": 0, "unread": 0}
    rows = lines(report / "items.jsonl")
    assert [row["id"] for row in rows] == list(range(6))
    wanted = {"id", "verdict", "gold", "decided", "readings", "certificate", "proof"}
    assert all(wanted <= row.keys() for row in rows)
    assert "Friday 17 April 1987" in rows[1]["proof"]
    assert run(["check", str(report)]) == 0
    assert (report / "report.html").is_file()
    assert (report / "manifest.json").is_file()


def test_a_mutated_label_is_rejected(file: Path, tmp_path: Path) -> None:
    report = tmp_path / "report"
    run(["audit", "bbh", str(file), "--report", str(report)])
    rows = lines(report / "items.jsonl")
    for number, row in enumerate(rows):
        for name in ("gold", "decided", "verdict"):
            other = {**row, name: "(C)"}
            changed = [*rows[:number], other, *rows[number + 1 :]]
            path = tmp_path / "changed.jsonl"
            path.write_text("".join(f"{json.dumps(each)}\n" for each in changed), encoding="utf-8")
            assert run(["check", str(path)]) == 1


def test_the_report_of_a_packed_file_is_proved(file: Path, tmp_path: Path) -> None:
    packed = tmp_path / "date_understanding.json.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    report = tmp_path / "report"
    assert run(["audit", "bbh", str(packed), "--report", str(report)]) == 1
    assert run(["check", str(report)]) == 0
    manifest = report / "manifest.json"
    stated = manifest.read_text(encoding="utf-8")
    manifest.write_text(stated.replace("date_understanding.json.gz", "other.json.gz"))
    assert run(["check", str(report)]) == 1


@pytest.mark.parametrize("packed", [False, True])
def test_patch(file: Path, tmp_path: Path, packed: bool) -> None:
    if packed:
        path = tmp_path / "date_understanding.json.gz"
        path.write_bytes(gzip.compress(file.read_bytes()))
        file = path
    folder = tmp_path / "patch"
    assert run(["audit", "bbh", str(file), "--patch", str(folder)]) == 1
    copy = folder / file.name
    old, new = (
        gzip.decompress(path.read_bytes()) if packed else path.read_bytes() for path in (file, copy)
    )
    # The label of item 1; the label of item 2, which gets the option (C).
    expected = old.replace(b'04/18/1987",\n   "target": "(B)"', b'04/18/1987",\n   "target": "(A)"')
    expected = expected.replace(
        b'03/01/1999",\n   "target": "(A)"', b'03/01/1999\\n(C) 02/28/1999",\n   "target": "(C)"'
    )
    assert new == expected
    assert sum(a != b for a, b in zip(old.splitlines(), new.splitlines(), strict=True)) == 3
    again = audit("bbh", [copy])
    assert again.verdicts["wrong"] == again.verdicts["no-right-option"] == 0
    assert again.verdicts["right"] == 3
    assert run(["check", str(folder)]) == 0
    table = [row.split("\t") for row in (folder / CHANGES).read_text().splitlines()]
    assert [row[1:3] for row in table[1:]] == [["1", "target"], ["2", "input"], ["2", "target"]]
    assert all(json.loads(row[-1])["cases"] for row in table[1:])
    letter = (folder / LETTER).read_text(encoding="utf-8")
    assert "1 wrong" in letter
    assert "item 1: wrong" in letter


def test_an_item_that_is_not_read_is_never_right(tmp_path: Path) -> None:
    unread = (
        "Today is not Mar 3, 2021. What is the date tomorrow in MM/DD/YYYY?",
        "03/04/2021",
        "(A)",
    )
    path = written(tmp_path / "some.json", hard([HARD[0], unread]))
    result = audit("bbh", [path])
    assert (result.verdicts["unread"], result.verdicts["right"]) == (1, 1)
    assert result.as_json()["coverage"] == 0.5
    assert run(["audit", "bbh", str(path)]) == 3


def test_no_findings_and_no_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "right.json", hard(HARD[:1]))
    assert run(["audit", "bbh", str(path)]) == 0
    assert run(["audit", "bbh", str(tmp_path / "none.json")]) == 2
    assert run(["audit", "nothing", str(path)]) == 2
    assert run(["audit", "tempreason", str(path)]) == 2
    assert run(["audit", "bbh", str(path), "--reading", "week=monday"]) == 2
    assert run(["audit", "bbh", str(path), "--reading", "monday"]) == 2
    assert run(["audit", "--list"]) == 0
    assert "timex-nli: TimeX-NLI" in capsys.readouterr().out


def test_any_number_of_processes_gives_the_same_bytes(file: Path, tmp_path: Path) -> None:
    made = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        run(["audit", "bbh", str(file), "--jobs", jobs, "--report", str(folder)])
        made.append((folder / "items.jsonl").read_bytes())
    assert made[0] == made[1]


def test_two_files(file: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other.json", hard(HARD[:2]))
    figures = audit("bbh", [file, other]).as_json()
    assert figures["items"] == 8
    assert [part["items"] for part in figures["files"]] == [6, 2]
    assert figures["verdicts"]["wrong"] == 2


def test_scores_of_options(tmp_path: Path) -> None:
    """The form of BIG-bench: options with scores."""
    scores = [dict.fromkeys(dates.split(), 0) for _, dates, _ in HARD[:3]]
    for row, right in zip(scores, ["03/04/2021", "04/18/1987", "03/03/1999"], strict=True):
        row[right] = 1
    examples = [
        {"input": question, "target_scores": row}
        for (question, _, _), row in zip(HARD, scores, strict=False)
    ]
    path = written(tmp_path / "task.json", {"name": "date_understanding", "examples": examples})
    (result,) = audit("bigbench", [path]).files
    assert [item.verdict.value for item in result.items] == VERDICTS[:3]
    folder = tmp_path / "patch"
    assert run(["audit", "bigbench", str(path), "--patch", str(folder)]) == 1
    fixed = json.loads((folder / "task.json").read_text(encoding="utf-8"))["examples"]
    assert [row["target_scores"] for row in fixed[1:]] == [
        {"04/17/1987": 1, "04/18/1987": 0},
        {"03/03/1999": 0, "03/01/1999": 0, "02/28/1999": 1},
    ]


def sequence(day: str, options: str) -> str:
    head = "Today, Ida went to the mill. Between what times could they have gone?\nWe know that:\n"
    tail = "Between what times could Ida have gone to the mill?\nOptions:\n"
    return head + day + tail + options


def test_free_times(tmp_path: Path) -> None:
    day = (
        "Ida woke up at 6am.\nBo saw Ida mending a net from 6am to 9:30am.\n"
        "Cy saw Ida reading at the quay from 11am to 3pm.\nThe mill was closed after 3pm.\n"
    )
    rows = [
        (day, "(A) 6am to 9:30am\n(B) 9:30am to 11am", "(B)", "right"),
        (day, "(A) 6am to 9:30am\n(B) 9:30am to 11am", "(A)", "wrong"),
        (day, "(A) 6am to 9:30am\n(B) 11am to 3pm", "(A)", "no-right-option"),
        (day.replace("Bo saw Ida", "Bo saw Eve"), "(A) 6am to 9:30am", "(A)", "unread"),
    ]
    examples = [
        {"input": sequence(text, options), "target": gold} for text, options, gold, _ in rows
    ]
    path = written(tmp_path / "temporal_sequences.json", {"examples": examples})
    (result,) = audit("bbh", [path]).files
    assert [item.verdict.value for item in result.items] == [verdict for *_, verdict in rows]
    folder = tmp_path / "patch"
    assert run(["audit", "bbh", str(path), "--patch", str(folder)]) == 3
    fixed = json.loads((folder / path.name).read_text(encoding="utf-8"))["examples"]
    assert fixed[2]["input"].endswith("\n(C) 9:30am to 11am")
    assert fixed[2]["target"] == "(C)"


WEEK = """\
Ida, Bo and Cy work from 9 to 5 their local time on weekdays. They want to have a meeting some time this week.

The schedule for Ida's week in their local time is as follows:
Monday: Free only at the following times: from 9:00 to 10:25, from 10:30 to 11:45, anytime after 14:00
Tuesday: Booked at the following times: anytime before 10:00, from 12:00 to 13:25
Wednesday: Booked at the following times: from 9:00 to 16:50
Thursday: Booked at the following times: from 9:00 to 16:30
Friday: Booked at the following times: from 9:35 to 9:40

The schedule for Bo's week in their local time is as follows:
Monday: Booked at the following times: from 10:25 to 10:45
Tuesday: Booked at the following times: from 9:45 to 10:35
Wednesday: Booked at the following times: from 10:25 to 11:15
Thursday: Free only at the following times: anytime before 10:10
Friday: Free only at the following times: anytime before 9:40, anytime after 13:50

The schedule for Cy's week in their local time is as follows:
Monday: Booked at the following times: from 9:55 to 10:50
Tuesday: Free only at the following times: from 9:00 to 9:50, anytime after 11:55
Wednesday: Free only at the following times: anytime before 9:05
Thursday: Booked at the following times: from 9:40 to 10:40
Friday: Free only at the following times: from 9:00 to 9:10, from 11:30 to 17:00

Ida is flexible to miss the last (at most) 10 minutes of the meeting
Bo is fine to stay until 6pm to accommodate the meeting
Cy is in a timezone that is one hour ahead of other participants
"""
LAST = (
    "Let X be the length of the longest meeting (in minutes) that can be scheduled if the meeting has "
    "to start on the hour or half hour. Also, let Y be number of possible options of such meetings. "
    "Compute X and Y and report them separated by a comma (e.g., 45, 3). If X is 0, report 0, 0."
)


@pytest.mark.parametrize(
    ("more", "decided"),
    [
        # On Tuesday from 13:30 until Cy leaves at 16:00, in the time of the others.
        ("", "150, 1"),
        ("Bo needs a break for lunch on Tuesday from 3:00 to 3:30\n", "120, 2"),
        ("Bo feels tired late in the day and requires the meeting to end before 3pm\n", "90, 1"),
        ("Bo can clear any meeting of 30 minutes or less from their schedule to accommodate the meeting\n",
         "150, 1"),
        ("Bo prefers short meetings on Tuesdays and Fridays and accepts new meetings on these two days only "
         "if they are at most 30 minutes long\n", "120, 1"),
        ("Ida can clear their morning schedule from 9:00 to 9:45 (if blocked) everyday if needed\n", "150, 1"),
        ("Bo hates meetings\n", None),
    ],
)  # fmt: skip
def test_meetings_of_a_week(more: str, decided: str | None, tmp_path: Path) -> None:
    examples = [{"input": WEEK + more + LAST, "target": "150, 1"}]
    path = written(tmp_path / "task.json", {"examples": examples})
    (result,) = audit("bbeh", [path]).files
    (item,) = result.items
    assert item.decided == decided
    assert item.verdict == (
        "unread" if decided is None else "right" if decided == "150, 1" else "wrong"
    )


def tempreason(amount: str, answer: object, name: str = "answer") -> dict[str, object]:
    return {"question": f"What is the time {amount} after May, 1742", name: answer, "context": ""}


def test_months(tmp_path: Path) -> None:
    rows = [
        tempreason("4 year and 12 month", ["May, 1747"]),
        tempreason("8 month", ["Jan, 1742"]),
        tempreason("1 year", {"text": ["May, 1743"]}, "text_answers"),
        tempreason("1 year", {"text": ["Jun, 1743"]}, "text_answers"),
        tempreason("1 decade", ["May, 1752"]),
    ]
    path = tmp_path / "date_arith.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    (result,) = audit("tempreason", [path]).files
    assert [item.verdict.value for item in result.items] == [
        "right",
        "wrong",
        "right",
        "wrong",
        "unread",
    ]
    folder = tmp_path / "patch"
    run(["audit", "tempreason", str(path), "--patch", str(folder)])
    fixed = lines(folder / path.name)
    assert fixed[1]["answer"] == ["Jan, 1743"]
    assert fixed[3]["text_answers"] == {"text": ["May, 1743"]}


def nli(premise: str, claim: str, label: str) -> str:
    return json.dumps({"Premise": premise, "Hypothesis": claim, "Label": label}) + "\n"


@pytest.mark.parametrize(
    ("premise", "claim", "label", "verdict"),
    [
        ("The ferry left before 8 PM.", "Before 20:00, the ferry left.", "Neutral", "wrong"),
        ("The ferry left before 8 PM.", "Before 21:00, the ferry left.", "Entailment", "right"),
        ("The ferry left before 8 PM.", "The ferry left after 19:00.", "Neutral", "right-under"),
        ("The ferry left after May 1950.", "The ferry left after 1949.", "Entailment", "right"),
        ("The ferry left in 1950.", "The ferry left before March 1950.", "Neutral", "right"),
        ("The ferry left on 3rd May 1950.", "The ferry left in May 1950.", "Entailment", "right"),
        ("The ferry left on Sunday.", "The ferry left before Monday.", "Entailment", "right"),
        ("The ferry left on Sunday.", "The ferry left before May.", "Neutral", "unread"),
        ("The ferry left on Sunday.", "The barge left before Monday.", "Neutral", "unread"),
        ("The ferry never left on Sunday.", "The ferry left on Monday.", "Neutral", "unread"),
        ("The fair lasted from Friday to Monday.", "The fair lasted for 3 days.", "Entailment", "right-under"),
        ("The fair lasted from Friday to Monday.", "The fair lasted for 9 days.", "Entailment", "wrong"),
        ("The fair began at 11 PM and ended at 1 AM.", "The fair lasted for less than 4 hours.", "Entailment",
         "right"),
        ("The fair will begin in 2 months.", "The fair will begin after 59 days.", "Entailment", "right"),
        ("The fair will begin in 2 months.", "The fair will begin after 60 days.", "Entailment", "right-under"),
        ("The fair will begin in 2 years.", "The fair will begin before 23 months.", "Contradiction", "right"),
    ],
)  # fmt: skip
def test_times_and_durations(
    premise: str, claim: str, label: str, verdict: str, tmp_path: Path
) -> None:
    path = tmp_path / "rows.jsonl"
    known = {
        "lasted": nli(
            "The fair lasted from 1st to 3rd.", "The fair lasted for 2 days.", "Entailment"
        ),
        "begin in": nli(
            "The fair will begin in 2 days.", "The fair will begin in 48 hours.", "Entailment"
        ),
    }
    part = "begin in" if "will begin" in premise else "lasted" if "fair" in premise else ""
    head = known.get(part) or nli(
        "The ferry left in May.", "The ferry left before June.", "Entailment"
    )
    path.write_text(head * 2 + nli(premise, claim, label), encoding="utf-8")
    (result,) = audit("timex-nli", [path]).files
    assert result.items[0].verdict.value in ("right", "right-under")
    assert result.items[2].verdict.value == verdict


def test_a_reading_that_is_fixed(tmp_path: Path) -> None:
    path = tmp_path / "order.jsonl"
    text = nli("The ferry left on Sunday.", "The ferry left before Monday.", "Entailment")
    text += nli("The ferry left before 8 PM.", "The ferry left after 19:00.", "Neutral")
    path.write_text(text, encoding="utf-8")
    for reading, verdicts in (
        ({}, ["right", "right-under"]),
        ({"week": "monday"}, ["wrong", "right-under"]),
        ({"time": "dense"}, ["right", "right"]),
        ({"time": "units"}, ["right", "wrong"]),
    ):
        (result,) = audit("timex-nli", [path], reading=reading).files
        assert [item.verdict.value for item in result.items] == verdicts


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": "x", "b": 1}, {"a": "y", "b": 2}]',
        '{"examples": [{"a": "x", "b": 1},\n {"a": "y", "b": 2}], "name": "n"}',
        '{"0": {"a": "x", "b": 1}, "1": {"a": "y", "b": 2}}',
        '{"a": "x", "b": 1}\n{"a": "y", "b": 2}\n',
        '{"a": "b", "b": 1}\n\n{"\\u0061": "y",   "b" : 2}',
    ],
)
def test_places_of_values(text: str) -> None:
    data = text.encode()
    rows = json_rows("some.json", data)
    assert [row.id for row in rows] == [0, 1]
    for row in rows:
        for name, (start, end) in row.spans.items():
            assert json.loads(data[start:end]) == row.fields[name]


@pytest.mark.parametrize(
    ("data", "key", "where"),
    [
        ('{"0": {"a": 1}, "1": {"a": 2}, "0": {"a": 1}}', "0", ""),
        ('{"0": {"a": 1}, "0": {"a": 2}, "1": {"a": 3}}', "0", ""),
        ('{"examples": [{"a": 1}], "examples": [{"a": 1}]}', "examples", ""),
        ('[{"a": 1}, {"a": {"c": 1, "c": 1}}]', "c", ": item 1"),
        ('{"a": 1}\n{"a": 1, "a": 1}', "a", ": item 1"),
    ],
)
def test_keys_that_occur_twice_are_refused(data: str, key: str, where: str) -> None:
    with pytest.raises(InputError, match=f"some.json{where}: {key}: found it twice"):
        json_rows("some.json", data.encode())


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[1]", b'{"a": 1}\nnot json\n', b"[]", b'{"a": "\xc3"}', b'["\xc3"]']
)
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        json_rows("some.json", data)
