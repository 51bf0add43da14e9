"""Questions about the example graph, and a copy of them to be spoiled."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus
from grammar.questions.model import QuestionKind
from grammar.questions.writer import write_question, write_statement
from solver.graph.io import read_dataset
from solver.questions.io import RULES, TEST, TWO_HOP_RULES, read_questions, write_questions
from solver.questions.linking import Names, labelled_query, labelled_statement, link
from solver.questions.model import Fact, Question
from solver.questions.names import Labels

GRAPH = Path(__file__).resolve().parents[3] / "examples" / "questions" / "graph"

Solver = Callable[..., Any]


@pytest.fixture(scope="session")
def data() -> Path:
    """The example graph."""
    return GRAPH


@pytest.fixture(scope="session")
def made(example_questions: Path) -> Path:
    """Questions about it."""
    return example_questions


@pytest.fixture(scope="session")
def reasoning(made: Path) -> Question:
    """A question with choices."""
    questions = (
        question for question in read_questions(made / TEST) if isinstance(question, Question)
    )
    return next(question for question in questions if question.choices)


class Asked:
    """The last split of the questions, by itself and without the manifest, and the graph."""

    def __init__(self, folder: Path, solver: Solver) -> None:
        dataset = read_dataset(GRAPH)
        size = dataset.vocabulary
        self.folder, self._solver = folder, solver
        self.names, self.labels = Names.of(size), Labels.of(size)
        self.facts: list[Fact] = [
            (size.entity(s), size.relation(r), size.entity(o), size.time(t))
            for s, r, o, t in dataset.facts().rows().tolist()
        ]
        self.entities = list(self.names.entities)

    def every(self) -> list[Question]:
        """All questions."""
        return [
            question
            for question in read_questions(self.folder / TEST)
            if isinstance(question, Question)
        ]

    def of(self, kind: QuestionKind) -> list[Question]:
        """The questions of a kind."""
        return [question for question in self.every() if question.kind is kind]

    def put(self, old: Question, *new: Question) -> None:
        """Write others in the place of a question."""
        questions = self.every()
        place = questions.index(old)
        write_questions(self.folder / TEST, [*questions[:place], *new, *questions[place + 1 :]])

    def reworded(self, question: Question) -> Question:
        """The question with its texts rewritten from its query and choices."""
        linked = link(question, self.names)
        choices = tuple(
            replace(choice, text=write_statement(labelled_statement(fact, self.labels)))
            for choice, fact in zip(question.choices, linked.choices, strict=True)
        )
        text = write_question(labelled_query(linked.query, self.labels))
        return replace(question, text=text, choices=choices)

    def verified(self, data: Path = GRAPH) -> tuple[set[str], set[str]]:
        """The codes found, and the questions named."""
        report = self.folder.parent / "report"
        command = ("verify", "--kind", "questions", self.folder, "--data", data)
        ran = self._solver(*command, "--report", report)
        assert ran.err == f"report: {report / 'report.html'}\n"
        lines = (report / "violations.jsonl").read_text().splitlines()
        findings = [json.loads(line) for line in lines]
        assert ran.status == (ExitStatus.VIOLATIONS if findings else ExitStatus.OK)
        for finding in findings:
            assert finding["where"].startswith(str(self.folder)), finding
            assert finding["message"]
        return {finding["code"] for finding in findings}, {
            finding["certificate"]["question"] for finding in findings
        }


@pytest.fixture
def asked(made: Path, tmp_path: Path, solver: Solver) -> Asked:
    """A copy to be spoiled."""
    folder = tmp_path / "asked"
    folder.mkdir()
    for name in (TEST, RULES, TWO_HOP_RULES):
        shutil.copy(made / name, folder)
    return Asked(folder, solver)
