"""Trains the models of a folder of questions, and answers by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.forecasting.forecaster import NeuralForecaster
from benchmarks.questions.inputs import QuestionSet, read_question_set, split_file
from benchmarks.questions.neural.examples import Examples, Task, right_answers
from benchmarks.questions.neural.model import QuestionModel, Representations, Settings
from benchmarks.questions.neural.network import Head
from benchmarks.tokenizers import library_versions, require_libraries
from benchmarks.training import MODEL, Checkpoints, Device, select_device
from solver.graph.model import Dataset, Ids, Split
from solver.io.sources import InputError, sha256
from solver.questions.io import BrokenQuestion, placed_questions
from solver.questions.names import Labels
from solver.rules.provenance import Seen, checksum, refuse_leak

_PURPOSE = "a model of questions"
_LEARNED = (Split.TRAIN, Split.VALID)
Showing = Callable[[str], AbstractContextManager[Callable[[int], object] | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """How the models of a folder are trained.

    Attributes:
        questions: folder that ``generate questions`` wrote.
        settings: hyperparameters; task and batch are set for each model.
        tasks: the tasks to train for.
        forecaster: folder of a trained forecaster; None for the encoder alone.
        encoder: folder of an encoder, saved by transformers; None for one from scratch.
        out: output folder, with a folder for each task.
        batch: questions of a step; by default those of the task.
        device: name of the device, as torch has it.
        seed: random seed.
    """

    questions: Path
    settings: Settings
    tasks: tuple[Task, ...]
    forecaster: Path | None
    encoder: Path | None
    out: Path
    batch: int | None = None
    device: str = "cpu"
    seed: int = 0


def train(plan: TrainingPlan, graph: Dataset, progress: Showing) -> dict[Task, QuestionModel]:
    """Train a model for each task; complete trainings are loaded, interrupted ones go on.

    Raises:
        HopcheckError: an input cannot be read, or a training diverges.
    """
    require_libraries(_PURPOSE)
    data = {split: _lessons(plan.questions, graph, split) for split in _LEARNED}
    forecaster = rows = None
    if plan.settings.head is not Head.TEXT:
        if plan.forecaster is None:
            message = "found no forecaster, expected one that represents entities"
            raise InputError(message, hint="pass --forecaster DIR, or --head text")
        forecaster = _forecaster(plan.forecaster, graph, plan.device)
        rows = Representations(forecaster, forecaster.until)
    found = {}
    for task in plan.tasks:
        model = QuestionModel(
            settings=replace(plan.settings, task=task, batch=plan.batch or task.batch),
            forecaster=forecaster,
            rows=rows,
            device=plan.device,
        )
        parts = {split: lessons.of(task) for split, lessons in data.items()}
        found[task] = _trained(plan, model, parts, graph, progress)
    return found


def _trained(
    plan: TrainingPlan,
    model: QuestionModel,
    parts: dict[Split, Examples],
    graph: Dataset,
    progress: Showing,
) -> QuestionModel:
    task = model.settings.task
    out = plan.out / task.value
    start = {
        "settings": asdict(model.settings),
        "questions": [sha256(split_file(plan.questions, split)) for split in _LEARNED],
        "graph": checksum(graph),
        "forecaster": _digests(plan.forecaster),
        "encoder": _digests(plan.encoder),
        "seed": plan.seed,
        "versions": library_versions(),
    }
    checkpoints = Checkpoints(out, start)
    if (out / MODEL).is_dir():
        checkpoints.clear()
        return QuestionModel.load(out / MODEL, graph, device=plan.device)
    model.checkpoints = checkpoints
    known = [split for split in _LEARNED if split in graph.splits]
    seen = Seen.of(graph, known, seed=plan.seed)
    with progress(f"steps, {task}") as advance:
        model.fit(
            parts[Split.TRAIN],
            parts[Split.VALID] if len(parts[Split.VALID]) else None,
            graph,
            seen=seen,
            seed=plan.seed,
            encoder=plan.encoder,
            progress=advance,
        )
    best = model.course.best
    checkpoints.keep(model, best)
    checkpoints.finish(best)
    checkpoints.clear()
    return model


def answers_of(
    folder: Path,
    read: QuestionSet,
    graph: Dataset,
    *,
    device: Device,
    allow_leak: bool = False,
    most: int | None = None,
) -> list[tuple[str, ...]]:
    """The answers of the models of a folder, in order; none to a kind that has no model.

    Args:
        folder: the models.
        read: the questions.
        graph: the graph that they are about.
        device: the device of the models.
        allow_leak: accept models that have seen facts of the times of the questions.
        most: maximum number of entities per answer; by default 100.

    Raises:
        LeakError: a model has seen facts of the times of the questions.
        InputError: the folder contains no model of a kind that is asked.
    """
    require_libraries(_PURPOSE)
    chosen = str(select_device(device))
    found: list[tuple[str, ...]] = [()] * len(read.asked)
    for task in Task:
        examples = Examples.of(task, read.asked, read.texts, relations=graph.vocabulary.relations)
        if not len(examples):
            continue
        model = QuestionModel.load(folder / task.value / MODEL, graph, device=chosen)
        refuse_leak(model.seen, graph, examples.time, str(folder), allow=allow_leak)
        answers = model.rankings(examples, graph.vocabulary, most or 100)
        for place, answer in zip(examples.places.tolist(), answers, strict=True):
            found[place] = answer
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Lessons:
    """The questions of a split, with their right answers."""

    read: QuestionSet
    answers: Sequence[Ids]
    relations: int

    def of(self, task: Task) -> Examples:
        """Those of a task."""
        read = self.read
        return Examples.of(task, read.asked, read.texts, self.answers, relations=self.relations)


def _lessons(questions: Path, graph: Dataset, split: Split) -> _Lessons:
    file = split_file(questions, split)
    read = read_question_set(file, Labels.of(graph.vocabulary))
    gold = []
    for question in placed_questions(file):
        if isinstance(question.read, BrokenQuestion):
            raise question.read.error
        gold.append(question.read)
    answers = right_answers(gold, graph.vocabulary)
    return _Lessons(read=read, answers=answers, relations=graph.vocabulary.relations)


def _forecaster(folder: Path, graph: Dataset, device: str) -> NeuralForecaster:
    """The forecaster of the folder of its training, or of its weights."""
    inner = folder / MODEL
    return NeuralForecaster.load(inner if inner.is_dir() else folder, graph, device=device)


def _digests(folder: Path | None) -> dict[str, str | None] | None:
    """Checksums of the files of a folder, and of its model if it is that of a training."""
    if folder is None:
        return None
    home = folder / MODEL if (folder / MODEL).is_dir() else folder
    return {path.name: sha256(path) for path in sorted(home.iterdir()) if path.is_file()}
