"""Runs of ``answer`` and ``score questions``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np

from benchmarks.metrics.bootstrap import RESAMPLES
from benchmarks.predictions import match_predictions
from benchmarks.questions.answerers import HistoryBaseline, Oracle, RandomBaseline, RuleForecaster
from benchmarks.questions.inputs import (
    Batch,
    ParsedQuestion,
    TwoHops,
    batches,
    link_texts,
    read_question_set,
    read_texts,
    split_file,
)
from benchmarks.questions.multi_hop import (
    Edges,
    KnownEdges,
    MultiHopScorer,
    expected_facts,
)
from benchmarks.questions.neural.run import answers_of
from benchmarks.questions.past import ContributionScorer, PastFacts, tune_threshold
from benchmarks.questions.predictions import read_rankings
from benchmarks.questions.report import ScoringResult
from benchmarks.questions.scores import evaluate, read_gold, score
from benchmarks.training import Device
from grammar.errors import HopcheckError
from grammar.questions.model import QuestionKind
from solver.graph.model import Dataset, Ids, Quadruples, Split, Vocabulary
from solver.graph.queries import Queries
from solver.io.sources import InputError
from solver.processes import Progress, no_progress, parallel_map
from solver.questions.contributions import Fold, everything, folder_rules
from solver.questions.io import RULES, BrokenQuestion, placed_questions
from solver.questions.model import LETTERS, UNKNOWN, YES
from solver.questions.names import Labels
from solver.rules.history import require_keys
from solver.rules.io import read_rules
from solver.rules.model import RuleTable
from solver.rules.provenance import refuse_leak
from solver.rules.ranks import Scores
from solver.verification.settings import setting


class Basis(StrEnum):
    """Kinds of baselines."""

    RULES = "rules"
    FREQUENCY = "frequency"
    RECENCY = "recency"
    CHANCE = "chance"
    MULTI_HOP = "multi-hop"
    """Probabilities of facts: of a forecaster, or those of the graph, the query time included."""


class Answerer(Protocol):
    """Answers questions of one time: rankings with the best first, and scores of confidence."""

    def one_hop(self, asked: Queries) -> Sequence[Ids]:
        """Entities that answer 1-hop questions."""

    def two_hop(self, asked: TwoHops) -> Sequence[Ids]:
        """Entities that answer 2-hop questions."""

    def fact_confidence(self, facts: Quadruples) -> Scores:
        """Confidence that each fact holds; greater is surer."""

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """Support of each fact by its four choices, shape (n, 4)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BatchAnswers:
    """Answers to the questions of a batch, in its order.

    Attributes:
        entities: 1-hop and 2-hop questions: entities, the best first.
        sure: yes-unknown questions: confidence that the fact holds.
        letters: fact reasoning: numbers of the choices, the best first.
    """

    batch: Batch
    entities: dict[QuestionKind, Sequence[Ids]]
    sure: Scores
    letters: Ids


def answer_batch(answerer: Answerer, batch: Batch) -> BatchAnswers:
    """Answer the questions of one time."""
    support = answerer.support(batch.reasoning, batch.choices)
    return BatchAnswers(
        batch=batch,
        entities={
            QuestionKind.ONE_HOP: answerer.one_hop(batch.one_hop),
            QuestionKind.TWO_HOP: answerer.two_hop(batch.two_hop),
        },
        sure=answerer.fact_confidence(batch.yes_unknown),
        letters=np.argsort(-support, axis=1, kind="stable"),
    )


def rankings(
    parts: Sequence[BatchAnswers],
    asked: Sequence[ParsedQuestion],
    vocabulary: Vocabulary,
    threshold: float,
) -> list[tuple[str, ...]]:
    """The answers to all questions in order, by name.

    Args:
        parts: answers by batch.
        asked: all questions.
        vocabulary: vocabulary of the graph.
        threshold: minimal confidence for the answer yes.
    """
    found: list[tuple[str, ...]] = [()] * len(asked)
    for part in parts:
        places = part.batch.places
        for kind, lists in part.entities.items():
            for place, entities in zip(places[kind].tolist(), lists, strict=True):
                found[place] = tuple(map(vocabulary.entity, entities.tolist()))
        sure = (part.sure >= threshold).tolist()
        for place, yes in zip(places[QuestionKind.YES_UNKNOWN].tolist(), sure, strict=True):
            found[place] = (YES, UNKNOWN) if yes else (UNKNOWN, YES)
        letters = part.letters.tolist()
        for place, order in zip(places[QuestionKind.FACT_REASONING].tolist(), letters, strict=True):
            found[place] = tuple(LETTERS[number] for number in order)
    return found


Advance = Callable[[int], object]

_MOST = 100
"""Maximum number of entities per answer of a baseline."""

CERTAIN = 0.5
"""Threshold that separates the 0 and 1 of the oracle, and answers unknown for chance."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerConfig:
    """Configuration of a baseline or of the oracle.

    Attributes:
        dataset: the graph.
        basis: baseline; None for the oracle.
        rules: rules to forecast with.
        reasoning: rules for contributions of choices.
        folds: which of those count for questions of which times; all by default.
        most: answers per entity question.
        seed: random seed.
        edges: probabilities of facts for ``multi-hop``; by default the facts of the graph.
    """

    dataset: Dataset
    basis: Basis | None
    rules: RuleTable
    reasoning: RuleTable
    folds: tuple[Fold, ...] | None = None
    most: int = _MOST
    seed: int = 0
    edges: Edges | None = None

    @property
    def tunable(self) -> bool:
        """Whether its confidence scores need a tuned threshold."""
        certain = self.edges is None and self.basis is Basis.MULTI_HOP
        return not certain and self.basis not in (None, Basis.CHANCE)

    @property
    def reasons(self) -> bool:
        """Whether it can rank choices: it has rules, or needs none."""
        return self.basis not in (None, Basis.RULES) or len(self.reasoning) > 0

    def answerer(self) -> Answerer:
        """Build the answerer.

        Raises:
            GraphSizeError: the graph is too large for keys of 63 bits.
        """
        facts, size = self.dataset.facts(), self.dataset.vocabulary
        require_keys(size, self.dataset.name)
        match self.basis:
            case Basis.CHANCE:
                return RandomBaseline(size.entities, most=self.most, seed=self.seed)
            case Basis.FREQUENCY | Basis.RECENCY:
                recent = self.basis is Basis.RECENCY
                return HistoryBaseline(PastFacts(facts, size), most=self.most, recent=recent)
            case Basis.MULTI_HOP:
                edges = self.edges or KnownEdges(facts, size)
                return MultiHopScorer(edges, size, most=self.most)
        contributing = ContributionScorer(facts, self.reasoning, size, self.folds)
        if self.basis is None:
            return Oracle(facts, size, contributing, most=self.most)
        return RuleForecaster(PastFacts(facts, size), self.rules, contributing, most=self.most)


def answer(
    questions: Sequence[ParsedQuestion],
    config: AnswerConfig,
    threshold: float,
    *,
    jobs: int = 1,
    each: Advance | None = None,
) -> list[tuple[str, ...]]:
    """Answer questions, in order.

    Args:
        questions: parsed questions.
        config: configuration of the baseline.
        threshold: minimal confidence for the answer yes.
        jobs: number of worker processes.
        each: called with the number of newly answered questions.
    """
    size = config.dataset.vocabulary
    parts = _answered(list(batches(questions, size.relations)), config, jobs, each)
    return rankings(parts, questions, size, threshold)


def threshold_of(
    path: Path, config: AnswerConfig, labels: Labels, *, jobs: int = 1, each: Advance | None = None
) -> float:
    """The threshold with the best accuracy on the yes-unknown questions of a file.

    Raises:
        InputError: there is no such question, or a line is malformed.
    """
    gold, texts = [], []
    for question, text in zip(placed_questions(path), read_texts(path), strict=True):
        if isinstance(question.read, BrokenQuestion):
            raise question.read.error
        if question.read.kind is QuestionKind.YES_UNKNOWN:
            gold.append(question.read.answers == (YES,))
            texts.append(text)
    if not texts:
        message = "found no yes-unknown question, expected some to tune the threshold on"
        raise InputError(message, where=str(path), hint="or pass --threshold")
    asked = link_texts(texts, labels)
    parts = _answered(list(batches(asked, config.dataset.vocabulary.relations)), config, jobs, each)
    places = np.concatenate([part.batch.places[QuestionKind.YES_UNKNOWN] for part in parts])
    scores = np.empty(len(asked))
    scores[places] = np.concatenate([part.sure for part in parts])
    return tune_threshold(scores, np.array(gold))


def _answered(
    parts: Sequence[Batch], config: AnswerConfig, jobs: int, each: Advance | None
) -> list[BatchAnswers]:
    found = []
    for answers in parallel_map(partial(answer_batch, config.answerer()), parts, jobs):
        found.append(answers)
        if each is not None:
            each(len(answers.batch))
    return found


class AnswerError(HopcheckError):
    """Questions that cannot be answered as requested."""

    code = "answer"


RuleSource: TypeAlias = RuleTable | Path
"""Rules, or a file of rules."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerPlan:
    """How questions are answered.

    Attributes:
        basis: baseline to forecast with from the facts before a query; None for the oracle, which
            observes all facts, as ``multi-hop`` does without a forecaster.
        device: the device of a model.
    """

    basis: Basis | None = None
    forecaster: Path | None = setting(
        None,
        "Trained forecaster, or a folder of scores, for --by multi-hop.",
        path=True,
        metavar="FOLDER",
    )
    split: Split = setting(Split.TEST, "Split to read.")
    rules: RuleSource | None = setting(
        None,
        "Rules to forecast with.  [default: rules.jsonl of DIR]",
        path=True,
        metavar="FILE",
    )
    reasoning: RuleSource | None = setting(
        None,
        "Rules for contributions of choices.  [default: rules.jsonl of DIR, or else --rules]",
        name="reasoning-rules",
        path=True,
        metavar="FILE",
    )
    tune: Path | None = setting(
        None,
        "Questions to tune the threshold of yes on.  [default: valid.jsonl of DIR]",
        path=True,
        metavar="FILE",
    )
    threshold: float | None = setting(
        None, "Minimum score for the answer yes, instead of --tune.", least=0
    )
    most: int | None = setting(
        None,
        "Maximum number of entities per answer.  [default: 100; no limit with --observe all]",
        low=1,
        high=100_000,
    )
    model: Path | None = setting(
        None, "Answer by the models of train questions.", path=True, metavar="FOLDER"
    )
    device: Device = setting(Device.AUTO, "Device; auto selects a GPU if available.")
    allow_leak: bool = setting(False, "Accept what was learned from facts of the evaluated times.")
    seed: int = setting(0, "Random seed.", low=0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerRun:
    """Answered questions.

    Attributes:
        file: the file of questions.
        ids: ids of the questions.
        rankings: the answers to each question, best first.
        kinds: numbers of questions by kind, in alphabetical order.
        threshold: minimum confidence of the answer yes; None if there is none.
    """

    file: Path
    ids: tuple[str, ...]
    rankings: tuple[tuple[str, ...], ...]
    kinds: Mapping[str, int]
    threshold: float | None


def answer_file(
    questions: Path,
    dataset: Dataset,
    plan: AnswerPlan,
    *,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> AnswerRun:
    """Answer questions from their texts; gold answers are not used.

    Args:
        questions: a folder made by ``generate questions``, or a file.
        dataset: the graph they are about.
        plan: how they are answered.
        jobs: number of worker processes.
        progress: shows the progress of several tasks.

    Raises:
        LeakError: the rules were mined from facts of the times of the questions.
        HopcheckError: an input cannot be read, or there are no rules or questions that the plan
            needs.
    """
    labels = Labels.of(dataset.vocabulary)
    file = split_file(questions, plan.split)
    with progress("questions read", None) as advance:
        read = read_question_set(file, labels, advance)
    kinds = Counter(question.query.kind.value for question in read.asked)
    if plan.model is not None:
        answers = answers_of(
            plan.model,
            read,
            dataset,
            device=plan.device,
            allow_leak=plan.allow_leak,
            most=plan.most,
        )
        return AnswerRun(
            file=file,
            ids=read.ids,
            rankings=tuple(answers),
            kinds=dict(sorted(kinds.items())),
            threshold=None,
        )
    config = _answer_config(questions, dataset, plan)
    expected = None
    if plan.forecaster is not None:
        expected = expected_facts(plan.forecaster, dataset, plan.device)
        config, jobs = replace(config, edges=expected.edges), 1
    if kinds["fact-reasoning"] and not config.reasons:
        message = "found fact-reasoning questions, but no rules for contributions of choices"
        raise AnswerError(message, where=str(questions), hint="pass --reasoning-rules")
    if plan.basis is not None:
        times = np.array([question.query.time for question in read.asked], dtype=np.int64)
        for table in (config.rules, config.reasoning):
            refuse_leak(table.seen, dataset, times, "rules", allow=plan.allow_leak)
        if expected is not None:
            refuse_leak(expected.seen, dataset, times, str(plan.forecaster), allow=plan.allow_leak)
    threshold = CERTAIN if plan.threshold is None or not config.tunable else plan.threshold
    if config.tunable and plan.threshold is None:
        if plan.tune is None and not questions.is_dir():
            message = "found a single file, and no questions to tune the threshold of yes on"
            raise AnswerError(message, where=str(questions), hint="pass --threshold or --tune")
        tune = plan.tune or split_file(questions, Split.VALID)
        with progress("questions to tune on", None) as advance:
            threshold = threshold_of(tune, config, labels, jobs=jobs, each=advance)
    with progress("questions answered", len(read.asked)) as advance:
        found = answer(read.asked, config, threshold, jobs=jobs, each=advance)
    return AnswerRun(
        file=file,
        ids=read.ids,
        rankings=tuple(found),
        kinds=dict(sorted(kinds.items())),
        threshold=threshold if config.tunable else None,
    )


def _answer_config(questions: Path, dataset: Dataset, plan: AnswerPlan) -> AnswerConfig:
    own_path = questions / RULES if (questions / RULES).is_file() else None
    rules = own_path if plan.rules is None else plan.rules
    if plan.basis is Basis.RULES and rules is None:
        message = f"found no rules to forecast with, expected {RULES} in the folder"
        raise AnswerError(message, where=str(questions), hint="pass --rules or --by")
    given = (source for source in (plan.reasoning, own_path, plan.rules) if source is not None)
    reasoning = next(given, None) if plan.basis in (None, Basis.RULES) else None
    if reasoning is own_path is not None:
        contributing, folds = folder_rules(questions, dataset.vocabulary)
    else:
        contributing = _rules(reasoning, dataset)
        folds = everything(contributing)
    return AnswerConfig(
        dataset=dataset,
        basis=plan.basis,
        rules=_rules(rules if plan.basis is Basis.RULES else None, dataset),
        reasoning=contributing,
        folds=folds,
        # The oracle leaves no answer out.
        most=plan.most or (dataset.vocabulary.entities if plan.basis is None else _MOST),
        seed=plan.seed,
    )


def _rules(source: RuleSource | None, dataset: Dataset) -> RuleTable:
    if isinstance(source, Path):
        return read_rules(source, relations=dataset.vocabulary.relations)
    return RuleTable.of(()) if source is None else source


def score_file(
    predictions: str,
    questions: Path,
    split: Split = Split.TEST,
    *,
    details: bool = True,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> ScoringResult:
    """Score answers to questions.

    Args:
        predictions: prediction file, - for standard input.
        questions: folder or file of questions with gold answers.
        split: split of a folder.
        details: also score by relation and by month.
        seed: random seed of the bootstrap.
        resamples: number of bootstrap resamples.

    Raises:
        HopcheckError: a file cannot be read, or no prediction is for one of the questions.
    """
    file = split_file(questions, split)
    gold = read_gold(file)
    matched = match_predictions(
        read_rankings(predictions), [question.id for question in gold], "question"
    )
    evaluated = evaluate(gold, matched)
    return ScoringResult(
        predictions=Path(matched.predictions.name).name,
        questions=file.name,
        scores=score(evaluated, details=details, seed=seed, resamples=resamples),
        matched=matched,
        config={"split": split.value, "resamples": resamples},
        inputs=(str(file), predictions),
        seed=seed,
    )
