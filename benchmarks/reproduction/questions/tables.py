"""Tables 5 to 7 of ForecastTKGQA on questions about a graph: models, predictions and ranks.

Source: Ding et al. 2023, sections 5.2 to 5.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.metrics.bootstrap import RESAMPLES, Estimate, Mean
from benchmarks.predictions import Predictions, match_predictions
from benchmarks.questions.inputs import Batch, QuestionSet
from benchmarks.questions.multi_hop import expected_facts
from benchmarks.questions.neural.examples import Task
from benchmarks.questions.predictions import Ranking, read_rankings
from benchmarks.questions.report import NAMES
from benchmarks.questions.run import AnswerConfig, Basis
from benchmarks.questions.scores import (
    LABELLED,
    PARTS,
    RANKED,
    EvaluatedQuestion,
    difference,
    evaluate,
    evaluate_answers,
    scored,
)
from benchmarks.reproduction.questions.entrants import BEST, ORACLE, BenchmarkData, baselines
from benchmarks.rules.ranking.files import is_scores, read_ranks, read_scores
from benchmarks.rules.ranking.models import place
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, JoinError, SplitQueries
from benchmarks.training import MODEL, Device
from grammar.questions.model import QuestionKind
from solver.graph.model import Dataset, Quadruples, Split, entity_id
from solver.graph.queries import Tie
from solver.questions.model import LETTERS, Question
from solver.report.model import Report, Section, Table
from solver.report.numbers import percent_interval
from solver.rules.io import read_rules
from solver.rules.model import RuleTable
from solver.rules.provenance import Content, refuse_leak, seen_by
from solver.rules.score_folders import folder_seen, is_score_folder

KNOWN = "multi-hop scores of the graph itself"
AGES = {"up to a week": 7, "up to a month": 30, "older": 10**9}
"""Greatest age in days of the right choices of each group."""

PUBLISHED: Mapping[str, tuple[float, ...]] = {
    "BERT": (0.279, 0.192, 0.451, 0.182, 0.106, 0.342, 0.813, 0.634),
    "EmbedKGQA": (0.317, 0.228, 0.489, 0.185, 0.112, 0.333),
    "BERT int": (0.314, 0.223, 0.490, 0.183, 0.107, 0.344, 0.829, 0.682),
    "CronKGQA": (0.131, 0.081, 0.231, 0.090, 0.042, 0.187),
    "BERT ext": (0.331, 0.239, 0.508, 0.208, 0.128, 0.369, 0.837, 0.746),
    "ForecastTKGQA": (0.339, 0.248, 0.517, 0.216, 0.129, 0.386, 0.870, 0.769),
}
"""Table 5, on ICEWS21: MRR, Hits@1 and 10 of 1-hop, of 2-hop; accuracies of the other kinds."""


class Form(StrEnum):
    """What a source is."""

    MODEL = "model"
    """Folder of ``train questions``."""
    PREDICTIONS = "predictions"
    """Predictions as ``answer`` writes them."""
    RANKS = "ranks"
    """Ranks or scores of the queries of the split, which contain those of 1-hop questions."""
    FORECASTER = "forecaster"
    """Trained forecaster or folder of scores, for multi-hop scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Answers to compare; sources of one name are one model with several seeds."""

    name: str
    form: Form
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesPlan:
    """What the tables are made of.

    Attributes:
        folder: folder of questions.
        split: its split.
        sources: models to compare with the baselines.
        rules: file of rules for one more baseline.
        resamples: number of bootstrap resamples.
        seed: random seed of the bootstrap.
        device: device of models.
        allow_leak: accept models that have seen the times of the questions.
        jobs: number of worker processes of the baselines.
    """

    folder: Path
    split: Split = Split.TEST
    sources: tuple[Source, ...] = ()
    rules: Path | None = None
    resamples: int = RESAMPLES
    seed: int = 0
    device: Device = Device.AUTO
    allow_leak: bool = False
    jobs: int = 1


TEXT = "text alone (BERT)"
BASES = (
    (QuestionKind.ONE_HOP, Basis.FREQUENCY.value),
    (QuestionKind.ONE_HOP, BEST),
    (QuestionKind.TWO_HOP, Basis.FREQUENCY.value),
    (QuestionKind.TWO_HOP, BEST),
    (QuestionKind.YES_UNKNOWN, Basis.CHANCE.value),
    (QuestionKind.FACT_REASONING, Basis.FREQUENCY.value),
    (QuestionKind.FACT_REASONING, TEXT),
)
"""What models are compared with, question by question. Chance is the most frequent label."""

Run = Sequence[EvaluatedQuestion]
"""The answers of a model to the questions of the kinds that it answers."""


def measure(graph: Dataset, plan: TablesPlan) -> dict[str, Any]:
    """The figures of all tables, as JSON values.

    Raises:
        HopcheckError: an input cannot be read, or a model has seen the times of the questions.
    """
    bench = BenchmarkData.of(plan.folder, graph, plan.split, jobs=plan.jobs)
    sampled = (
        RuleTable.of(())
        if plan.rules is None
        else read_rules(plan.rules, relations=graph.vocabulary.relations)
    )
    times = np.array([question.query.time for question in bench.questions.asked], dtype=np.int64)
    refuse_leak(sampled.seen, graph, times, str(plan.rules), allow=plan.allow_leak)
    configs = baselines(plan.folder, graph, sampled)
    if plan.rules is None:
        del configs[BEST]
    configs[KNOWN] = replace(configs[ORACLE], basis=Basis.MULTI_HOP)
    runs: dict[str, list[Run]] = {
        name: [bench.evaluate(config)[0]] for name, config in configs.items()
    }
    for source in plan.sources:
        runs.setdefault(source.name, []).append(_run(source, bench, graph, plan, configs[ORACLE]))
    questions = {question.id: question for question in bench.gold}
    return {
        "data": graph.name,
        "split": plan.split.value,
        "questions": {
            kind.value: sum(question.kind is kind for question in bench.gold)
            for kind in QuestionKind
        },
        "models": [_figures(name, some, runs, questions, plan) for name, some in runs.items()],
    }


def _run(
    source: Source, bench: BenchmarkData, graph: Dataset, plan: TablesPlan, base: AnswerConfig
) -> Run:
    """The answers of a source, to the kinds of questions that it answers."""
    times = np.array([question.query.time for question in bench.questions.asked], dtype=np.int64)

    def refuse(seen: Any) -> None:  # noqa: ANN401 - what provenance reads
        refuse_leak(seen, graph, times, str(source.path), allow=plan.allow_leak)

    match source.form:
        case Form.MODEL:
            return _of_model(source.path, bench, graph, plan)
        case Form.PREDICTIONS:
            return _of_predictions(source.path, bench)
        case Form.RANKS:
            folder = is_score_folder(source.path)
            refuse(folder_seen(source.path) if folder else _seen(source.path))
            return one_hop_ranks(str(source.path), bench, SplitQueries.of(graph, plan.split))
        case Form.FORECASTER:
            expected = expected_facts(source.path, graph, plan.device)
            refuse(expected.seen)
            config = replace(base, basis=Basis.MULTI_HOP, edges=expected.edges, most=100)
            evaluated, _ = replace(bench, jobs=1).evaluate(config)
            return evaluated


def _seen(path: Path) -> Any:  # noqa: ANN401 - what provenance reads
    return seen_by(path, Content.SCORES if is_scores(str(path)) else Content.RANKS)


def _of_model(folder: Path, bench: BenchmarkData, graph: Dataset, plan: TablesPlan) -> Run:
    from benchmarks.questions.neural.run import answers_of

    taught = [task for task in Task if (folder / task.value / MODEL).is_dir()] or list(Task)
    kinds = {kind for task in taught for kind in task.kinds}
    read = bench.questions
    rows = [n for n, question in enumerate(read.asked) if question.query.kind in kinds]
    some = QuestionSet(
        ids=tuple(read.ids[n] for n in rows),
        texts=tuple(read.texts[n] for n in rows),
        asked=tuple(read.asked[n] for n in rows),
    )
    found = answers_of(folder, some, graph, device=plan.device, allow_leak=plan.allow_leak)
    return [evaluate_answers(bench.gold[n], answer) for n, answer in zip(rows, found, strict=True)]


def _of_predictions(path: Path, bench: BenchmarkData) -> Run:
    """Questions of a kind without any answer are left out."""
    read = read_rankings(path)
    kinds = {question.kind for question in bench.gold if question.id in read.answers}
    some = [question for question in bench.gold if question.kind in kinds]
    wanted = {question.id for question in some}
    matched: Predictions[Ranking] = replace(
        read, answers={id_: answer for id_, answer in read.answers.items() if id_ in wanted}
    )
    return evaluate(
        some, match_predictions(matched, [question.id for question in some], "question")
    )


def one_hop_ranks(path: str, bench: BenchmarkData, queries: SplitQueries) -> Run:
    """The 1-hop questions, evaluated by a file of ranks or scores of the queries of the split.

    A gold answer of a 1-hop question is that of a query of the split, and its rank in the
    time-aware filtered setting that of the question.

    Raises:
        HopcheckError: the file cannot be read, or lacks a query.
        JoinError: a gold answer is that of no query.
    """
    if is_scores(path):
        filtered = FilteredAnswers(queries, Filter.TIME_AWARE)
        scorer = read_scores(path, queries, model=Path(path).name)
        ranks = place(scorer, queries, filtered).values(Tie.REALISTIC)
    else:
        ranks = read_ranks(path, queries)
    words = queries.dataset.vocabulary
    names = {words.entity(number): number for number in range(words.entities)}
    asked = bench.questions.asked
    batch = Batch.of(asked, np.arange(len(asked)), words.relations)
    places = batch.places[QuestionKind.ONE_HOP].tolist()
    rows, sizes = [], []
    for number, place_ in enumerate(places):
        answers = bench.gold[place_].answers
        sizes.append(len(answers))
        start = int(batch.one_hop.head[number]), int(batch.one_hop.relation[number])
        time = int(batch.one_hop.time[number])
        for answer in answers:
            tail = names[answer] if answer in names else entity_id(words, answer)
            rows.append((*start, tail, time))
    found = queries.rows_of(Quadruples.of(np.array(rows, dtype=np.int64).reshape(-1, 4)))
    if (found < 0).any():
        message = f"found a 1-hop question of no query of {queries.split}, expected its facts"
        raise JoinError(message, where=path)
    parts = np.split(ranks[found], np.cumsum(sizes)[:-1])
    return [
        replace(evaluate_answers(bench.gold[place_], ()), ranks=tuple(part.tolist()))
        for place_, part in zip(places, parts, strict=True)
    ]


def _figures(
    name: str,
    runs: Sequence[Run],
    all_runs: Mapping[str, Sequence[Run]],
    questions: Mapping[str, Question],
    plan: TablesPlan,
) -> dict[str, Any]:
    """The figures of a model: means over its seeds, or of one run with bootstrap intervals."""
    options = {"seed": plan.seed, "resamples": plan.resamples}
    parts: dict[str, dict[str, Estimate]] = {}
    for part, kinds in PARTS.items():
        some = [[question for question in run if question.kind in kinds] for run in runs]
        if all(some) and {question.kind for question in some[0]} == kinds:
            parts[part] = _mean(
                [scored(some_questions, **options).figures for some_questions in some]
            )
    ages = {}
    for age in AGES:
        aged = [
            [
                question
                for question in run
                if question.kind is QuestionKind.FACT_REASONING
                and _age(questions[question.id]) == age
            ]
            for run in runs
        ]
        if all(aged):
            ages[age] = _mean(
                [scored(aged_questions, **options).figures for aged_questions in aged]
            )["accuracy"]
    gains = {}
    for kind, base in BASES:
        if kind.value in parts and base in all_runs and base != name:
            # Runs of one seed are compared; a base without seeds has one run.
            pairs = zip(runs, cycle(all_runs[base]), strict=False)
            compared = [
                difference(_of(run, kind), _of(other, kind), **options) for run, other in pairs
            ]
            gains[gain_name(kind, base)] = _mean([{"gain": gain} for gain in compared])["gain"]
    return {
        "name": name,
        "runs": len(runs),
        "parts": {
            part: {figure: asdict(estimate.rounded(6)) for figure, estimate in some.items()}
            for part, some in parts.items()
        },
        "ages": {age: asdict(estimate.rounded(6)) for age, estimate in ages.items()},
        "gains": {gained: asdict(gain.rounded(6)) for gained, gain in gains.items()},
    }


def _of(run: Run, kind: QuestionKind) -> Run:
    return [question for question in run if question.kind is kind]


def _mean(runs: Sequence[Mapping[str, Estimate]]) -> dict[str, Estimate]:
    """The figures of one run, or their means with intervals of Student's t."""
    if len(runs) == 1:
        return dict(runs[0])
    means = {name: Mean.of([run[name].value for run in runs]) for name in runs[0]}
    return {
        name: Estimate(value=mean.value, low=mean.value - mean.half, high=mean.value + mean.half)
        for name, mean in means.items()
    }


def _age(question: Question) -> str:
    """The group of the age of the right choice; empty where a graph has no dates."""
    right = question.choices[LETTERS.index(question.answers[0])]
    try:
        days = (date.fromisoformat(question.time) - date.fromisoformat(right.fact[3])).days
    except ValueError:
        return ""
    return next(name for name, most in AGES.items() if days <= most)


_ANSWERABILITY = (ORACLE, KNOWN)
_ENTITIES = (QuestionKind.ONE_HOP.value, QuestionKind.TWO_HOP.value)
_OTHERS = (QuestionKind.YES_UNKNOWN.value, QuestionKind.FACT_REASONING.value)


def report(values: Mapping[str, Any]) -> Report:
    """The tables, from the figures of ``measure``."""
    models = [model for model in values["models"] if model["name"] not in _ANSWERABILITY]
    known = [model for model in values["models"] if model["name"] in _ANSWERABILITY]
    counts = ", ".join(f"{values['questions'][kind.value]:,} {kind}" for kind in QuestionKind)
    several = "; means over seeds have intervals of Student's t"
    lead = (
        f"{counts} questions of {values['split']}. In percent, with 95% bootstrap intervals over "
        f"questions{several if any(model['runs'] > 1 for model in models) else ''}. "
        "A dash: no answers to these questions."
    )
    return Report(
        title=f"Questions about {values['data']}: models",
        lead=lead,
        sections=(
            Section(
                title="Entities (Table 5a)",
                text="Ranks of 1-hop questions are time-aware: other facts of the day are left "
                "out. A rank file is of a model that was trained and asked for the relation, "
                "by its authors in their own setting; a question asks in words.",
                tables=(_table(models, _columns(_ENTITIES)),),
            ),
            Section(
                title="Labels and choices (Table 5b)", tables=(_table(models, _columns(_OTHERS)),)
            ),
            Section(
                title="Gains",
                text="Paired differences of MRR or accuracy, question by question.",
                tables=(_table(models, _gains(models)),),
            ),
            Section(
                title="Fact reasoning by the age of the answer",
                text="In the place of Table 6, whose types of reasoning were annotated by hand.",
                tables=(_table(models, [(age, _aged(age)) for age in AGES]),),
            ),
            Section(
                title="Answerability: what observes the day itself (Table 7)",
                tables=(_table(known, _columns((*_ENTITIES, *_OTHERS))),),
            ),
            Section(
                title="Table 5 as published, on ICEWS21",
                text="Other questions about another graph: for orientation, not for comparison.",
                tables=(_published(),),
            ),
        ),
    )


def _columns(parts: Sequence[str]) -> list[tuple[str, Any]]:
    return [
        (f"{part} {NAMES[figure]}", _reader(part, figure))
        for part in parts
        for figure in (LABELLED if part in _OTHERS else RANKED)
    ]


def gain_name(kind: QuestionKind, base: str) -> str:
    """The name of a gain in figures and tables."""
    return f"{kind} over {base}"


def _gains(models: Sequence[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    names = [gain_name(*base) for base in BASES]
    there = [name for name in names if any(name in model["gains"] for model in models)]
    return [(name, _gain(name)) for name in there]


def _gain(name: str) -> Any:  # noqa: ANN401 - reads JSON values
    return lambda record: record["gains"].get(name)


def _reader(part: str, figure: str) -> Any:  # noqa: ANN401 - reads JSON values
    return lambda record: record["parts"].get(part, {}).get(figure)


def _aged(age: str) -> Any:  # noqa: ANN401 - reads JSON values
    return lambda record: record["ages"].get(age)


def _table(models: Sequence[Mapping[str, Any]], columns: Sequence[tuple[str, Any]]) -> Table:
    rows = []
    for model in models:
        figures = [read(model) for _, read in columns]
        if any(figure is not None for figure in figures):
            name = (
                model["name"] if model["runs"] == 1 else f"{model['name']} ({model['runs']} seeds)"
            )
            rows.append((name, *map(cell, figures)))
    return Table(columns=("model", *(name for name, _ in columns)), rows=tuple(rows))


def cell(figure: Mapping[str, float] | None) -> str:
    """A figure in percent with its interval."""
    return "–" if figure is None else percent_interval(Estimate(**figure))


def _published() -> Table:
    names = [name for name, _ in (*_columns(_ENTITIES), *_columns(_OTHERS))]
    rows = [
        (
            model,
            *(f"{100 * figure:.1f}" for figure in figures),
            *["–"] * (len(names) - len(figures)),
        )
        for model, figures in PUBLISHED.items()
    ]
    return Table(columns=("model", *names), rows=tuple(rows))
