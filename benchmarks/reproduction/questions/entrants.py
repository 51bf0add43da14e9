"""The baselines of questions, and the questions on which they and models are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.predictions import Predictions, match_predictions
from benchmarks.questions.inputs import QuestionSet, read_question_set, split_file
from benchmarks.questions.run import CERTAIN, AnswerConfig, Basis, answer, threshold_of
from benchmarks.questions.scores import EvaluatedQuestion, evaluate, read_gold
from grammar.questions.model import QuestionKind
from solver.graph.model import Dataset, Split
from solver.questions.contributions import folder_rules
from solver.questions.io import RULES
from solver.questions.model import Question
from solver.questions.names import Labels
from solver.rules.io import read_rules
from solver.rules.model import RuleTable

BEST = "rules of up to three facts"
OWN = "rules of one fact (the folder's)"
ORACLE = "oracle (observes the day itself)"
FORECASTS = (Basis.FREQUENCY.value, Basis.RECENCY.value, Basis.CHANCE.value)
ENTRANTS = (BEST, OWN, *FORECASTS, ORACLE)
"""Names of the baselines, in the order of the page."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchmarkData:
    """The questions on which baselines are compared.

    Attributes:
        folder: folder of questions.
        labels: labels of the graph.
        questions: parsed questions of the split; gold: the same with gold answers.
        jobs: number of worker processes.
    """

    folder: Path
    labels: Labels
    questions: QuestionSet
    gold: Sequence[Question]
    jobs: int = 1

    @classmethod
    def of(cls, folder: Path, dataset: Dataset, split: Split, *, jobs: int = 1) -> BenchmarkData:
        """Read the questions of a split."""
        labels = Labels.of(dataset.vocabulary)
        file = split_file(folder, split)
        return cls(
            folder=folder,
            labels=labels,
            questions=read_question_set(file, labels),
            gold=read_gold(file),
            jobs=jobs,
        )

    def evaluate(self, config: AnswerConfig) -> tuple[tuple[EvaluatedQuestion, ...], float | None]:
        """Answer and evaluate all questions; also returns the threshold if one was tuned."""
        threshold = CERTAIN
        labelled = any(question.kind is QuestionKind.YES_UNKNOWN for question in self.gold)
        tuned = config.tunable and labelled
        if tuned:
            valid = split_file(self.folder, Split.VALID)
            threshold = threshold_of(valid, config, self.labels, jobs=self.jobs)
        found = answer(self.questions.asked, config, threshold, jobs=self.jobs)
        ids = self.questions.ids
        predictions = Predictions(
            name="", answers=dict(zip(ids, found, strict=True)), places=dict.fromkeys(ids, "")
        )
        matched = match_predictions(
            predictions, [question.id for question in self.gold], "question"
        )
        return evaluate(self.gold, matched), threshold if tuned else None


def baselines(folder: Path, dataset: Dataset, sampled: RuleTable) -> dict[str, AnswerConfig]:
    """The configuration of each baseline, by name."""
    own_table = read_rules(folder / RULES, relations=dataset.vocabulary.relations)
    fitted, folds = folder_rules(folder, dataset.vocabulary)
    plain = AnswerConfig(
        dataset=dataset, basis=None, rules=own_table, reasoning=fitted, folds=folds
    )
    ruled = replace(plain, basis=Basis.RULES)
    return {
        BEST: replace(ruled, rules=sampled),
        OWN: ruled,
        **{name: replace(plain, basis=Basis(name)) for name in FORECASTS},
        ORACLE: plain,
    }
