"""Scores of predictions and answers: ``score`` and ``answer``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from grammar.eventhop.model import SpatialReading
from hopcheck.graphs import Ranking, Rules, graph_of, rules_of
from hopcheck.inputs import ArgumentError, PathLike, Rows, as_file, member, scratch_folder
from solver.graph.model import Dataset, Split
from solver.report.notebook import data_frame, html_table
from solver.rules.model import RuleTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pandas import DataFrame


class ScoringRun(Protocol):
    """The result of a scoring command."""

    def as_json(self) -> dict[str, Any]:
        """All figures."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score:
    """The scores of predictions.

    Attributes:
        kind: kind of prediction: ranks, nli, questions or quadruples.
        figures: all figures, as the command prints with ``--json``.
        run: the result that the report is written from.
    """

    kind: str
    figures: Mapping[str, Any]
    run: ScoringRun

    def to_pandas(self) -> DataFrame:
        """One row per figure: name and value; the parts of a name are separated by dots.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        rows = ({"name": name, "value": value} for name, value in numbers(self.figures))
        return data_frame(rows, ("name", "value"))

    def write(self, folder: PathLike) -> Path:
        """Write figures, page and manifest; returns the page.

        Raises:
            HopcheckError: a file cannot be written.
        """
        from solver.io.writing import make_folder

        return _writer(self.kind)(self.run, make_folder(Path(folder)))

    def _repr_html_(self) -> str:
        rows = [(name, f"{value:g}") for name, value in numbers(self.figures)]
        return html_table(f"score {self.kind}", ("figure", "value"), rows[:20], size=len(rows))


def numbers(figures: object, name: str = "") -> Iterator[tuple[str, float]]:
    """All numbers of nested figures, by the names that lead to them."""
    if isinstance(figures, Mapping):
        for key, value in figures.items():
            yield from numbers(value, f"{name}.{key}" if name else str(key))
    elif isinstance(figures, list | tuple):
        for place, value in enumerate(figures):
            yield from numbers(value, f"{name}.{place}" if name else str(place))
    elif isinstance(figures, int | float) and not isinstance(figures, bool):
        yield name, figures


def _writer(kind: str) -> Callable[[Any, Path], Path]:
    if kind == "ranks":
        from benchmarks.rules.ranking.report import write as write_ranks

        return write_ranks
    if kind == "nli":
        from benchmarks.eventhop.report import write as write_nli

        return write_nli
    if kind == "questions":
        from benchmarks.questions.report import write as write_questions

        return write_questions
    from benchmarks.texts.report import write as write_quadruples

    return write_quadruples


def score(kind: str, predictions: Any, gold: Any, **options: Any) -> Score:  # noqa: ANN401
    """Score predictions, as the command ``score`` does.

    Args:
        kind: kind of prediction; it determines the other arguments:

            - ``ranks``: a ranking made by ``apply``, a file of ranks or scores, or a list of these
              files; and the graph. Options: ``split``, ``filter``, ``ties``, ``weights`` (a file
              of strikingness), ``bias``, ``seed``, ``resamples``.
            - ``nli``: answers to items, a file or rows with ``id`` and ``answer``; and the items,
              a file or rows. Options: ``labels`` (decided or file), ``spatial``, ``seed``,
              ``resamples``.
            - ``questions``: answers to questions, made by ``answer`` or a file or rows with ``id``
              and ``ranking``; and the questions, a file or folder. Options: ``split``, ``seed``,
              ``resamples``.
            - ``quadruples``: a file of extracted facts; and a file of the reference facts.
              Options: ``profile``, ``seed``, ``resamples``.
        predictions: the predictions.
        gold: what they are compared with.
        options: options of the kind, with the defaults of the command.

    Raises:
        ArgumentError: the kind or the value of an option is unknown.
        TypeError: the kind has no such option.
        HopcheckError: an input cannot be read, or the predictions do not match.

    Examples:
        >>> import hopcheck as hc
        >>> graph = hc.load_graph("examples/ranks/graph")
        >>> found = hc.score("ranks", "examples/ranks/strict.ranks.txt", graph)
        >>> found.figures["split"]
        'test'
        >>> answers = [{"id": "1", "answer": "true"}]
        >>> items = [{"id": "1", "premise": "the end of A happened before the start of B",
        ...           "claim": "A happens before B"}]
        >>> hc.score("nli", answers, items).figures["overall"]["accuracy"]["value"]
        1.0
    """
    scorers: dict[str, Callable[..., ScoringRun]] = {
        "ranks": _score_ranks,
        "nli": _score_nli,
        "questions": _score_questions,
        "quadruples": _score_quadruples,
    }
    if kind not in scorers:
        raise ArgumentError(f"found kind={kind!r}, expected one of {', '.join(scorers)}")
    run = scorers[kind](predictions, gold, **options)
    return Score(kind=kind, figures=run.as_json(), run=run)


def _score_ranks(
    predictions: Ranking | PathLike | Sequence[PathLike],
    graph: Dataset | PathLike | Rows,
    *,
    split: str = "test",
    filter: str = "time-aware",
    ties: str = "realistic",
    weights: PathLike | None = None,
    bias: float = 0.1,
    seed: int = 0,
    resamples: int = 1_000,
) -> ScoringRun:
    from benchmarks.rules.ranking.comparison import compare_models
    from benchmarks.rules.ranking.groups import read_strikingness
    from benchmarks.rules.ranking.models import read_models
    from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
    from benchmarks.rules.ranking.report import RankingRun
    from solver.rules.ranks import Tie

    queries = SplitQueries.of(graph_of(graph), member(Split, "split", split))
    filtered = FilteredAnswers(queries, member(Filter, "filter", filter))
    tie = member(Tie, "ties", ties)
    values = None if weights is None else read_strikingness(str(weights), queries)
    with scratch_folder() as folder:
        if isinstance(predictions, Ranking):
            paths = [str(predictions.write(folder / "rules.ranks.txt", ties=ties))]
        elif isinstance(predictions, str | os.PathLike):
            paths = [str(predictions)]
        else:
            paths = list(map(str, predictions))
        models = read_models(paths, queries, filtered, tie=tie)
    if isinstance(predictions, Ranking):
        paths, models = [], [replace(one, file="") for one in models]
    standings = compare_models(
        models,
        queries,
        filtered.candidates(queries.entities),
        strikingness=values,
        bias=bias,
        details=True,
        seed=seed,
        resamples=resamples,
    )
    return RankingRun(
        standings=standings,
        weights="" if weights is None else Path(weights).name,
        config={"split": split, "filter": filter, "ties": ties, "resamples": resamples},
        inputs=tuple(paths),
        seed=seed,
    )


def _score_nli(
    predictions: PathLike | Rows,
    items: PathLike | Rows,
    *,
    labels: str = "decided",
    spatial: str = SpatialReading.GEOMETRIC,
    seed: int = 0,
    resamples: int = 1_000,
) -> ScoringRun:
    from benchmarks.eventhop.cases import gold_labels, groups, read_cases
    from benchmarks.eventhop.predictions import answered_labels, read_label_predictions
    from benchmarks.eventhop.report import ScoreReport
    from benchmarks.eventhop.scores import score as score_answers
    from benchmarks.predictions import match_predictions
    from solver.eventhop.engines import ItemSettings

    if labels not in ("decided", "file"):
        raise ArgumentError(f"found labels={labels!r}, expected decided or file")
    settings = ItemSettings(spatial=member(SpatialReading, "spatial", spatial))
    with ExitStack() as files:
        answers = files.enter_context(as_file(predictions, "answers.jsonl"))
        data = files.enter_context(as_file(items, "items.jsonl"))
        read = read_cases([str(data)], settings)
        given = read_label_predictions(str(answers))
    matched = match_predictions(given, [case.record.id for case in read.cases], "item")
    gold = read.decided if labels == "decided" else gold_labels(read)
    stated = [(case.record.label, case.verdict.label) for case in read.cases]
    return ScoreReport(
        data=(str(data),),
        predictions=given,
        matched=matched,
        gold=labels,
        differing=sum(one is not None and one is not decided for one, decided in stated),
        unparsed=len(read.unparsed),
        scores=score_answers(
            gold, answered_labels(matched), groups(read.cases), seed=seed, resamples=resamples
        ),
        config={"gold": labels, "resamples": resamples, "spatial": settings.spatial},
        seed=seed,
    )


def _score_questions(
    predictions: Answers | PathLike | Rows,
    questions: PathLike | Rows,
    *,
    split: str = "test",
    seed: int = 0,
    resamples: int = 1_000,
) -> ScoringRun:
    from benchmarks.predictions import match_predictions
    from benchmarks.questions.predictions import read_rankings
    from benchmarks.questions.report import ScoringResult
    from benchmarks.questions.run import split_file
    from benchmarks.questions.scores import evaluate, read_gold
    from benchmarks.questions.scores import score as score_answers

    given = predictions.rows() if isinstance(predictions, Answers) else predictions
    with ExitStack() as files:
        answers = files.enter_context(as_file(given, "answers.jsonl"))
        asked = files.enter_context(as_file(questions, "questions.jsonl"))
        file = split_file(asked, member(Split, "split", split))
        gold = read_gold(file)
        matched = match_predictions(read_rankings(answers), [one.id for one in gold], "question")
    return ScoringResult(
        predictions=answers.name,
        questions=file.name,
        scores=score_answers(evaluate(gold, matched), details=True, seed=seed, resamples=resamples),
        matched=matched,
        config={"split": split, "resamples": resamples},
        inputs=tuple(str(path) for path in (file, answers) if path.exists()),
        seed=seed,
    )


def _score_quadruples(
    predictions: PathLike,
    references: PathLike,
    *,
    profile: str = "exact",
    seed: int = 0,
    resamples: int = 1_000,
) -> ScoringRun:
    from benchmarks.texts.elements import Profile, ScoreConfig
    from benchmarks.texts.run import score_run

    config = ScoreConfig(
        references=str(references),
        profile=member(Profile, "profile", profile),
        resamples=resamples,
        seed=seed,
    )
    return score_run(str(predictions), config)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answers:
    """Answers to questions over a graph.

    Attributes:
        ids: ids of the questions.
        rankings: the answers to each question, best first.
        threshold: minimum confidence of the answer yes; None if there is none.
    """

    ids: tuple[str, ...]
    rankings: tuple[tuple[str, ...], ...]
    threshold: float | None

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self) -> list[dict[str, Any]]:
        """The rows of a prediction file: id and ranking."""
        pairs = zip(self.ids, self.rankings, strict=True)
        return [{"id": id, "ranking": list(ranking)} for id, ranking in pairs]

    def to_pandas(self) -> DataFrame:
        """One row per question: id and ranking.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        return data_frame(self.rows(), ("id", "ranking"))

    def write(self, path: PathLike) -> Path:
        """Write a prediction file; gzip if the path ends in ``.gz``.

        Raises:
            HopcheckError: the file cannot be written.
        """
        from benchmarks.questions.predictions import write_predictions

        write_predictions(Path(path), self.ids, self.rankings)
        return Path(path)

    def _repr_html_(self) -> str:
        rows = [(row["id"], ", ".join(row["ranking"][:3])) for row in self.rows()[:10]]
        return html_table("answers", ("question", "best answers"), rows, size=len(self))


def answer(
    questions: PathLike | Rows,
    graph: Dataset | PathLike | Rows,
    *,
    observe: str = "past",
    by: str = "rules",
    rules: Rules | RuleTable | PathLike | None = None,
    split: str = "test",
    threshold: float | None = None,
    most: int | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> Answers:
    """Answer questions over a graph from their texts; gold answers are not used.

    Args:
        questions: a folder made by ``generate questions``, a file, or rows.
        graph: the graph they are about.
        observe: facts to observe: past for those before the query time, or all (oracle).
        by: baseline to forecast with: rules, frequency, recency or chance.
        rules: rules to forecast with; by default those of the folder.
        split: split of a folder to answer.
        threshold: minimum confidence of the answer yes; tuned on the split valid of a folder by
            default.
        most: maximum number of entities per answer; 100 by default, all for the oracle.
        seed: random seed.
        jobs: number of worker processes.

    Raises:
        HopcheckError: an input cannot be read, or a text cannot be parsed.

    Examples:
        >>> import hopcheck as hc
        >>> graph = hc.load_graph("examples/questions/graph")
        >>> asked = list(hc.generate("questions", graph=graph, kinds=["1-hop"]))
        >>> questions = [row for row in asked if row["split"] == "test"]
        >>> answers = hc.answer(questions, graph, by="frequency", threshold=0.0)
        >>> len(answers) == len(questions)
        True
        >>> hc.score("questions", answers, questions).figures["missing"]
        []
    """
    from benchmarks.questions.run import (
        CERTAIN,
        AnswerConfig,
        Basis,
        read_question_set,
        split_file,
        threshold_of,
    )
    from benchmarks.questions.run import answer as answer_questions
    from solver.questions.io import RULES
    from solver.questions.names import Labels

    if observe not in ("past", "all"):
        raise ArgumentError(f"found observe={observe!r}, expected past or all")
    dataset = graph_of(graph)
    basis = member(Basis, "by", by) if observe == "past" else None
    labels = Labels.of(dataset.vocabulary)
    with as_file(questions, "questions.jsonl") as path:
        own = path / RULES if (path / RULES).is_file() else None
        source = rules if rules is not None else own
        if basis is Basis.RULES and source is None:
            raise ArgumentError("found no rules to forecast with", hint="pass rules or by")
        table = RuleTable.of(()) if source is None else rules_of(source, dataset)
        config = AnswerConfig(
            dataset=dataset,
            basis=basis,
            rules=table if basis is Basis.RULES else RuleTable.of(()),
            reasoning=table if basis in (None, Basis.RULES) else RuleTable.of(()),
            most=most or (100 if basis else dataset.vocabulary.entities),
            seed=seed,
        )
        sure = CERTAIN
        if config.tunable:
            if threshold is None and not path.is_dir():
                raise ArgumentError("found no questions to tune on", hint="pass threshold")
            sure = (
                threshold_of(split_file(path, Split.VALID), config, labels, jobs=jobs)
                if threshold is None
                else threshold
            )
        read = read_question_set(split_file(path, member(Split, "split", split)), labels)
        found = answer_questions(read.asked, config, sure, jobs=jobs)
    return Answers(
        ids=read.ids,
        rankings=tuple(tuple(ranking) for ranking in found),
        threshold=sure if config.tunable else None,
    )
