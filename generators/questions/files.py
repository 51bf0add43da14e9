"""Writes the folder of a data set of questions, the manifest last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from generators.questions.card import card
from generators.questions.report import write_report
from generators.questions.run import DraftedDataset, Plan
from generators.questions.settings import QuestionFormat
from generators.questions.statistics import Outcome
from generators.questions.tally import Tally
from generators.questions.two_hop_mining import ENCODING
from solver.cli.printing import make_folder
from solver.extras import available
from solver.manifest import manifest
from solver.questions.files import (
    MANIFEST,
    RULES,
    SPLITS,
    STATISTICS,
    TWO_HOP_RULES,
    read_questions,
    write_parquet_questions,
    write_questions,
)
from solver.questions.question import Question
from solver.questions.two_hop import write_two_hop_rules
from solver.rules.files import write_rules
from solver.tkg.dataset import Split
from solver.writing import atomic, write_json
from solver.writing.atomic import os_errors_reported

README = "README.md"
_STEP = 1_000

Progress = Callable[[int], object]


def write_data_set(
    folder: Path,
    plan: Plan,
    made: DraftedDataset,
    form: QuestionFormat,
    inputs: Sequence[Path],
    progress: Progress | None = None,
) -> Outcome:
    """Write all files of a data set, and remove stale files of an earlier run.

    Args:
        folder: output folder, created if missing.
        plan: settings and inputs of the run.
        made: the questions.
        form: format of the question files.
        inputs: files that were read.
        progress: called with the number of newly written questions.

    Raises:
        OutputError: writing failed.
    """
    if form is QuestionFormat.BOTH and not available("pyarrow"):
        form = QuestionFormat.JSONL
    home, tally = make_folder(folder), Tally()
    # An older manifest must not describe a half-written folder.
    _remove(home / MANIFEST)
    written: list[Path] = []
    for split in made.drafts:
        if made.size(split):
            questions = _with_progress(tally.counted(made.questions(split)), progress)
            written += _write_split(home, split, questions, form)
    written += _write_rules(home, made)
    outcome = Outcome(graph=plan.graph, made=made, tally=tally)
    write_json(home / STATISTICS, outcome.as_json())
    with atomic(home / README) as file:
        file.write(card(outcome, plan.settings, form is QuestionFormat.JSONL).encode())
    written += [home / STATISTICS, home / README, write_report(home, outcome, plan.settings)]
    _remove_others(home, written)
    _write_manifest(home / MANIFEST, plan, form, inputs, written)
    return outcome


def _write_split(
    home: Path, split: Split, questions: Iterator[Question], form: QuestionFormat
) -> list[Path]:
    lines, table = home / f"{split}.jsonl", home / f"{split}.parquet"
    if form is QuestionFormat.PARQUET:
        write_parquet_questions(table, questions)
        return [table]
    write_questions(lines, questions)
    if form is QuestionFormat.JSONL:
        return [lines]
    read = (one for one in read_questions(lines) if isinstance(one, Question))
    write_parquet_questions(table, read)
    return [lines, table]


def _write_rules(home: Path, made: DraftedDataset) -> list[Path]:
    written = []
    if made.rules is not None:
        write_rules(home / RULES, made.rules)
        written.append(home / RULES)
    if made.two_hop is not None:
        write_two_hop_rules(home / TWO_HOP_RULES, made.two_hop)
        written.append(home / TWO_HOP_RULES)
    return written


def _with_progress(questions: Iterator[Question], progress: Progress | None) -> Iterator[Question]:
    for number, question in enumerate(questions, start=1):
        if progress is not None and number % _STEP == 0:
            progress(_STEP)
        yield question


def _remove_others(home: Path, written: Sequence[Path]) -> None:
    """Remove files of an earlier run, which readers would mistake for a part of this one."""
    files = [home / name for name in SPLITS]
    files += [path.with_suffix(".parquet") for path in files]
    for path in (*files, home / RULES, home / TWO_HOP_RULES):
        if path not in written:
            _remove(path)


def _remove(path: Path) -> None:
    with os_errors_reported(path):
        path.unlink(missing_ok=True)


def _write_manifest(
    path: Path, plan: Plan, form: QuestionFormat, inputs: Sequence[Path], written: Sequence[Path]
) -> None:
    settings = plan.settings
    config = {
        "graph": plan.graph.name,
        "kinds": settings.kinds,
        "cap": settings.cap,
        "min_support": settings.min_support,
        "reasoning": settings.reasoning,
        "format": form,
    }
    described = manifest(
        config=config,
        seed=settings.seed,
        encodings=[ENCODING],
        inputs=inputs,
        outputs=sorted(written),
    )
    write_json(path, {"generator": "questions"} | described)
