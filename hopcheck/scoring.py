"""Scores of predictions and answers: ``score`` and ``answer``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grammar.eventhop.model import SpatialReading
from hopcheck.analysis import Result, Run, interpretation, scheme_of
from hopcheck.graphs import Ranking, Rules, graph_of, rules_of
from hopcheck.inputs import (
    ArgumentError,
    BasisName,
    DuringName,
    GoldName,
    ObserveName,
    PathLike,
    ReadingName,
    Rows,
    ScoreName,
    SpatialName,
    as_file,
    chosen,
    member,
    paths_of,
    sealed,
)
from solver.dataset.seal import unsealed_as_json
from solver.graph.model import Dataset, Split
from solver.report.notebook import data_frame, html_table
from solver.rules.model import RuleTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pandas import DataFrame

    from solver.questions.model import Question


class Score(Result):
    """The scores of predictions; its kind is ranks, nli, questions, quadruples, links or traces."""


@sealed
def score(
    kind: ScoreName,
    predictions: Any,  # noqa: ANN401
    gold: Any,  # noqa: ANN401
    *,
    unsealed: bool = False,  # noqa: ARG001
    **options: Any,  # noqa: ANN401
) -> Score:
    """Score predictions, as the command ``score`` does.

    Args:
        kind: kind of prediction; it determines the other arguments:

            - ``ranks``: a ranking made by ``apply``, a file of ranks or scores, or a list of these
              files; and the graph. Options: ``split``, ``filter``, ``queries`` (facts or
              distinct), ``ties``, ``weights`` (a file of strikingness), ``bias``, ``seed``,
              ``resamples``; ``not_returned``, the rank of answers that were not returned, 0 for
              none, of files whose manifest does not state it; ``allow_leak`` to accept what was
              learned from facts of the queried times.
            - ``nli``: answers to items, a file or rows with ``id`` and ``answer``; and the items,
              a file or rows. Options: ``gold_from`` (decided or file), ``labels`` (as of
              ``verify``), ``spatial``, ``phrases``, ``seed``, ``resamples``.
            - ``questions``: answers to questions, made by ``answer`` or a file or rows with ``id``
              and ``ranking``; and the questions, a file or folder. Options: ``split``, ``seed``,
              ``resamples``.
            - ``quadruples``: a file of extracted facts; and a file of the reference facts.
              Options: ``profile``, ``seed``, ``resamples``.
            - ``traces``: first errors, critiques, step scores or own chains, a file or rows with
              ``id``; and chains of thought, a file or rows. Options: ``threshold``, ``seed``,
              ``resamples``.
            - ``links``: documents with temporal links, a file or folder; and the gold documents.
              Options: ``profile``, ``reading``, ``during``, ``dates``, ``inconsistent`` (refuse,
              repair or as-is), ``seed``, ``resamples``.
        predictions: the predictions.
        gold: what they are compared with.
        unsealed: also read data sets that differ from their manifest; outputs record it.
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
    scorers: dict[str, Callable[..., Run]] = {
        "ranks": _score_ranks,
        "nli": _score_nli,
        "questions": _score_questions,
        "quadruples": _score_quadruples,
        "links": _score_links,
        "traces": _score_traces,
    }
    if kind not in scorers:
        raise ArgumentError(f"found kind={kind!r}, expected one of {', '.join(scorers)}")
    run = scorers[kind](predictions, gold, **options)
    return Score(kind=kind, figures=run.as_json() | unsealed_as_json(), run=run)


def read_answer(text: str, *, labels: str | Mapping[str, str] | None = None) -> str | None:
    """The label in a model's answer to an item, as ``score`` reads it.

    Args:
        text: the answer; a label or a text that contains one.
        labels: a label scheme, or the word of each status, instead of true, false and undefined.

    Returns:
        true, false or undefined, or a word of the scheme; None if the answer contains no label.

    Examples:
        >>> import hopcheck as hc
        >>> hc.read_answer("The end of A comes first, so the answer is True.")
        'true'
    """
    from benchmarks.eventhop.predictions import read_answer as read

    label = read(text, scheme=scheme_of(labels))
    return None if label is None else str(label)


def read_answers(text: str, question: Mapping[str, Any]) -> list[str]:
    """The answers in a model's text to a question, as ``score`` reads those of logs.

    Args:
        text: the answers after the last ``Answer:``, or the whole text, best first, separated by
            semicolons or lines.
        question: the question: ``kind``, ``answers`` and ``choices`` of a row of
            ``generate("questions")``.

    Returns:
        The answers, each once. Gold answers are spelled as in the question, also if the text has
        another spelling or gives the text of a choice. What cannot be an answer to a question
        about yes and unknown, or with choices, is left out.

    Raises:
        ArgumentError: the question is no question.

    Examples:
        >>> import hopcheck as hc
        >>> graph = hc.load_graph("examples/questions/graph")
        >>> question = next(hc.generate("questions", graph=graph, kinds=["yes-unknown"]))
        >>> hc.read_answers("Hard to say. Answer: Unknown.", question)
        ['unknown']
    """
    from benchmarks.questions.predictions import read_names, spelled

    return [*spelled(read_names(text), _question_of(question))]


def read_choice(text: str, answers: Mapping[str, str]) -> str | None:
    """The label that a model's text gives, of some possible ones.

    Args:
        text: the answer after the last ``Answer:``, or the whole text.
        answers: the meaning of each label, such as ``{"A": "11 April 1997"}``; for labels without
            one, the label again.

    Returns:
        The label that the text gives by itself, by its meaning, or by both; None if it gives none.

    Examples:
        >>> import hopcheck as hc
        >>> hc.read_choice("Answer: (B) Friday.", {"A": "Monday", "B": "Friday"})
        'B'
    """
    from benchmarks.predictions import chosen

    return chosen(text, answers)


def answer_ranks(text: str, question: Mapping[str, Any]) -> list[float | None]:
    """The filtered rank of each gold answer in a model's text to a question.

    Other gold answers are ignored, as in the MRR and Hits@k of ``score``.

    Args:
        text: as for ``read_answers``.
        question: as for ``read_answers``.

    Returns:
        A rank from 1 for each gold answer in order; None for one that the text does not give.

    Examples:
        >>> import hopcheck as hc
        >>> graph = hc.load_graph("examples/questions/graph")
        >>> question = next(hc.generate("questions", graph=graph, kinds=["1-hop"]))
        >>> hc.answer_ranks(f"Answer: someone; {question['answers'][0]}", question)
        [2.0]
    """
    from benchmarks.metrics.ranking import filtered_ranks

    found = filtered_ranks(read_answers(text, question), question["answers"])
    return [None if rank == inf else rank for rank in found]


def _question_of(row: Mapping[str, Any]) -> Question:
    """What decides about answers to a question; other fields may have other types."""
    from grammar.questions.model import QuestionKind
    from solver.questions.model import Choice, Question

    kind, answers = row.get("kind"), row.get("answers")
    if kind not in set(QuestionKind) or not answers:
        raise ArgumentError("found no question with a kind and answers")
    fact = ("", "", "", "")
    return Question(
        id="",
        kind=QuestionKind(kind),
        split=Split.TEST,
        time="",
        text="",
        query=(),
        answers=tuple(answers),
        choices=tuple(
            Choice(text=record["text"], fact=fact) for record in row.get("choices") or ()
        ),
    )


@sealed
def _score_ranks(
    predictions: Ranking | PathLike | Sequence[PathLike],
    graph: Dataset | PathLike | Rows,
    *,
    split: str = "test",
    filter: str = "time-aware",
    queries: str = "facts",
    ties: str = "realistic",
    weights: PathLike | None = None,
    bias: float = 0.1,
    not_returned: int | Mapping[str, int] | None = None,
    allow_leak: bool = False,
    seed: int = 0,
    resamples: int = 1_000,
) -> Run:
    from benchmarks.rules.ranking.queries import Asked, Filter
    from benchmarks.rules.scoring import RankingConfig, score_ranks
    from solver.graph.queries import Tie

    config = RankingConfig(
        split=member(Split, "split", split),
        filter=member(Filter, "filter", filter),
        queries=member(Asked, "queries", queries),
        ties=member(Tie, "ties", ties),
        weights=None if weights is None else str(weights),
        bias=bias,
        not_returned={"": not_returned} if isinstance(not_returned, int) else not_returned or {},
        allow_leak=allow_leak,
        resamples=resamples,
        seed=seed,
    )
    dataset = graph_of(graph)
    if isinstance(predictions, Ranking):
        ranked = (predictions.ranked,)
        return score_ranks(dataset, (), config, ranked=ranked, details=True)
    return score_ranks(dataset, _names(predictions), config, details=True)


@sealed
def _score_nli(
    predictions: PathLike | Rows,
    items: PathLike | Rows,
    *,
    gold_from: GoldName = "decided",
    labels: str | Mapping[str, str] | None = None,
    spatial: SpatialName = "geometric",
    phrases: PathLike | Sequence[PathLike] = (),
    **options: Any,  # noqa: ANN401 - fields of the config
) -> Run:
    from benchmarks.eventhop.cases import Gold
    from benchmarks.eventhop.scoring import ScoreConfig, read_answer_data, score_answers
    from solver.eventhop.engines import ItemSettings, phrase_files

    config = ScoreConfig(
        gold=member(Gold, "gold_from", gold_from),
        settings=ItemSettings(
            labels=scheme_of(labels),
            spatial=member(SpatialReading, "spatial", spatial),
            phrases=phrase_files(paths_of(phrases)),
        ),
        **options,
    )
    with ExitStack() as files:
        answers = files.enter_context(as_file(predictions, "answers.jsonl"))
        data = files.enter_context(as_file(items, "items.jsonl"))
        read = read_answer_data(str(answers), [str(data)], config.settings)
    return score_answers(read, [str(data)], config)


@sealed
def _score_questions(
    predictions: Answers | PathLike | Rows,
    questions: PathLike | Rows,
    *,
    split: str = "test",
    seed: int = 0,
    resamples: int = 1_000,
) -> Run:
    from benchmarks.questions.run import score_file

    given = predictions.rows() if isinstance(predictions, Answers) else predictions
    with ExitStack() as files:
        answers = files.enter_context(as_file(given, "answers.jsonl"))
        asked = files.enter_context(as_file(questions, "questions.jsonl"))
        return score_file(
            str(answers), asked, member(Split, "split", split), seed=seed, resamples=resamples
        )


@sealed
def _score_traces(
    predictions: PathLike | Rows,
    chains: PathLike | Rows,
    **options: Any,  # noqa: ANN401 - fields of the settings
) -> Run:
    from benchmarks.traces.inputs import read_answers, read_cases
    from benchmarks.traces.scoring import ScoreReport, ScoreSettings
    from benchmarks.traces.scoring import score as score_answers

    settings = ScoreSettings(**options)
    with ExitStack() as files:
        answers = files.enter_context(as_file(predictions, "answers.jsonl"))
        path = str(files.enter_context(as_file(chains, "chains.jsonl")))
        cases = read_cases([path])
        matched = read_answers(str(answers), cases)
        scores = score_answers(cases, matched.answers, settings)
        return ScoreReport(data=(path,), matched=matched, scores=scores, settings=settings)


@sealed
def _score_quadruples(predictions: PathLike, references: PathLike, **options: Any) -> Run:  # noqa: ANN401
    from benchmarks.texts.elements import Profile, ScoreConfig
    from benchmarks.texts.report import score_run

    known = chosen(options, profile=Profile)
    return score_run(str(predictions), ScoreConfig(references=str(references), **known))


@sealed
def _score_links(
    predictions: PathLike | Sequence[PathLike],
    gold: PathLike | Sequence[PathLike],
    *,
    reading: ReadingName = "allen",
    during: DuringName = "included",
    dates: bool = False,
    **options: Any,  # noqa: ANN401 - fields of the config
) -> Run:
    from benchmarks.links.awareness import Inconsistent, Profile
    from benchmarks.links.run import LinkScoring, score_files

    known = chosen(options, profile=Profile, inconsistent=Inconsistent)
    meaning = interpretation(reading, during, dates=dates)
    config = LinkScoring(interpretation=meaning, **known)
    return score_files(_names(predictions), _names(gold), config)


def _names(paths: PathLike | Sequence[PathLike]) -> list[str]:
    return [str(paths)] if isinstance(paths, str | os.PathLike) else list(map(str, paths))


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


@sealed
def answer(
    questions: PathLike | Rows,
    graph: Dataset | PathLike | Rows,
    *,
    observe: ObserveName = "past",
    by: BasisName = "rules",
    rules: Rules | RuleTable | PathLike | None = None,
    reasoning_rules: Rules | RuleTable | PathLike | None = None,
    split: str = "test",
    tune: PathLike | None = None,
    threshold: float | None = None,
    most: int | None = None,
    allow_leak: bool = False,
    seed: int = 0,
    jobs: int = 1,
    unsealed: bool = False,  # noqa: ARG001
) -> Answers:
    """Answer questions over a graph from their texts; gold answers are not used.

    Args:
        questions: a folder made by ``generate questions``, a file, or rows.
        graph: the graph they are about.
        observe: facts to observe: past for those before the query time, or all (oracle).
        by: what to forecast with: rules, frequency, recency, chance or multi-hop.
        rules: rules to forecast with; by default those of the folder.
        reasoning_rules: rules for contributions of choices; by default those of the folder, or
            else ``rules``.
        split: split of a folder to answer.
        tune: file of questions to tune the threshold on; by default the split valid of a folder.
        threshold: minimum confidence of the answer yes; tuned by default.
        most: maximum number of entities per answer; 100 by default, all for the oracle.
        allow_leak: accept rules that were mined from facts of the times of the questions.
        seed: random seed.
        jobs: number of worker processes.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: an input cannot be read, a text cannot be parsed, or the rules were mined
            from facts of the times of the questions.

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
    from benchmarks.questions.run import AnswerError, AnswerPlan, Basis, answer_file

    if observe not in ("past", "all"):
        raise ArgumentError(f"found observe={observe!r}, expected past or all")
    dataset = graph_of(graph)
    plan = AnswerPlan(
        basis=member(Basis, "by", by) if observe == "past" else None,
        split=member(Split, "split", split),
        rules=None if rules is None else rules_of(rules, dataset),
        reasoning=None if reasoning_rules is None else rules_of(reasoning_rules, dataset),
        tune=None if tune is None else Path(tune),
        threshold=threshold,
        most=most,
        allow_leak=allow_leak,
        seed=seed,
    )
    with as_file(questions, "questions.jsonl") as path:
        try:
            run = answer_file(path, dataset, plan, jobs=jobs)
        except AnswerError as error:
            hint = error.hint.replace("--", "").replace("-", "_")
            raise ArgumentError(error.message, where=error.where, hint=hint) from None
    return Answers(ids=run.ids, rankings=run.rankings, threshold=run.threshold)
