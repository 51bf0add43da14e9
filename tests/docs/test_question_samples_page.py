"""The page of samples has questions of all kinds, and each of them reads back."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from benchmarks.reproduction.questions.samples import EACH, PAGE, page
from grammar.questions.model import QuestionKind
from grammar.questions.reader import read_question, read_statement
from solver.questions.io import TEST, read_questions
from solver.questions.linking import kind_of
from solver.questions.model import Question

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "questions" / "graph"


def test_every_text_reads_back() -> None:
    text = PAGE.read_text(encoding="utf-8")
    questions = re.findall(r"^- (.*\?) \*\*", text, re.MULTILINE)
    kinds = Counter(kind_of(read_question(question).query) for question in questions)
    assert kinds == dict.fromkeys(QuestionKind, EACH)
    choices = re.findall(r"^  - [A-D]\. (.*)$", text, re.MULTILINE)
    assert len(choices) == 4 * EACH
    for choice in choices:
        read_statement(choice)


def test_a_page_of_other_questions(example_questions: Path) -> None:
    read = read_questions(example_questions / TEST)
    every = [question for question in read if isinstance(question, Question)]
    text = page(every)
    assert all(question.text in text for question in every)
