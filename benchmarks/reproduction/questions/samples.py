"""Prints questions of each kind for reading.

    python -m benchmarks.reproduction.questions.samples DIR [--write]

DIR is the output of ``generate questions``. The sample of its test split has a fixed seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from benchmarks.reproduction import ROOT
from grammar.questions.model import QuestionKind
from solver.io.writing import atomic
from solver.questions.io import TEST, read_questions
from solver.questions.model import Question

EACH = 200
PAGE = ROOT / "docs" / "questions-samples.md"
_HEAD = """# Questions for reading

{each} questions of each kind, drawn at random from the test split of `generate questions` on
ICEWS14 (seed 0), with their answers.
`python -m benchmarks.reproduction.questions.samples DIR --write` writes this page.
[questions.md](questions.md) describes how they are made.
"""


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Write docs/questions-samples.md.")
def main(folder: Path, *, write: bool) -> None:
    """Print questions of each kind."""
    every = [
        question for question in read_questions(folder / TEST) if isinstance(question, Question)
    ]
    text = page(every)
    click.echo(text, nl=False)
    if write:
        with atomic(PAGE) as file:
            file.write(text.encode())


def page(questions: Sequence[Question]) -> str:
    """A page with a sample of each kind."""
    lines = [_HEAD.format(each=EACH)]
    for kind in QuestionKind:
        some = [question for question in questions if question.kind is kind]
        chosen = random.Random(0).sample(some, min(EACH, len(some)))
        lines.append(f"## {kind}\n")
        lines += [line for question in chosen for line in _shown(question)]
        lines.append("")
    return "\n".join(lines)


def _shown(question: Question) -> Iterator[str]:
    yield f"- {question.text} **{', '.join(question.answers).replace('_', ' ')}**"
    for letter, choice in zip("ABCD", question.choices, strict=False):
        yield f"  - {letter}. {choice.text}"


if __name__ == "__main__":
    main()
