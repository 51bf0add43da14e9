"""The files that the README answers questions with contain what the question is about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (Where [^|]+\?) \| \[`([^`]+)`\]\(([^)]+)\) \|$", re.MULTILINE)
ANSWERS = {
    "overlaps": "at(Left,start),strict,at(Right,end)) :- claim(Item,overlaps,Left,Right).",
    "follow from a status": "label(I,true)         :- status(I,entailed)",
    "sentence read": "sentence: (START | END) (BEFORE | AFTER | SIMULTANEOUS) (START | END)",
    "certificate checked": "def check_verdict(",
    "item generated": "def make_item(",
    "column mapped": "class ItemMap",
    "metric computed": "def macro_f1(",
    "message of a finding": "CODES = Codes(",
    "published labelling procedure": "def published_label(",
    "own figures made": "def parts(",
}


def answers() -> list[tuple[str, str, str]]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return ROW.findall(text.partition("## Where to look")[2].partition("\n## ")[0])


def test_each_question_has_its_answer() -> None:
    questions = [question for question, _, _ in answers()]
    assert len(questions) == len(ANSWERS)
    assert all(any(words in question for question in questions) for words in ANSWERS)


@pytest.mark.parametrize("words", ANSWERS)
def test_the_file_contains_what_is_asked_for(words: str) -> None:
    ((shown, path),) = [(shown, path) for asked, shown, path in answers() if words in asked]
    assert shown == path
    assert ANSWERS[words] in (ROOT / path).read_text(encoding="utf-8")
