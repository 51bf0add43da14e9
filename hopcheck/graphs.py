"""Temporal knowledge graphs: reads them, mines and applies rules, forecasts facts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from grammar.errors import HopcheckError
from hopcheck.inputs import (
    ArgumentError,
    JoinName,
    MethodName,
    PathLike,
    ProfileName,
    Rows,
    TransitionName,
    member,
    members,
    rows_of,
    scratch_folder,
    sealed,
)
from solver.dataset.seal import Breach, accepted, opening, recording
from solver.graph.model import FACT, Dataset, Split
from solver.graph.queries import Tie
from solver.report.notebook import MOST_ROWS, data_frame, html_table
from solver.rules.application import RankedFacts
from solver.rules.model import Rule, RuleTable

if TYPE_CHECKING:
    from pandas import DataFrame

    from benchmarks.rules.strikingness.report import StrikingnessRun
    from generators.facts.outcome import Outcome
    from solver.graph.splitting import SplitGraph

_NAMES = {
    "head": ("head", "subject", "s"),
    "relation": ("relation", "predicate", "r"),
    "tail": ("tail", "object", "o"),
    "time": ("time", "date", "timestamp", "t"),
}
"""Element of a fact -> names of its column, the first present one counts."""


@sealed
def load_graph(
    source: PathLike | Rows,
    *,
    ordered: bool = True,
    granularity: str | None = None,
    unsealed: bool = False,  # noqa: ARG001
) -> Dataset:
    """Load a temporal knowledge graph.

    Args:
        source: a folder with one file per split, or a file; or a table of facts with the columns
            head, relation, tail and time (or subject, relation, object and date), and optionally
            split. Elements are names or ids, times are dates or whole numbers.
        ordered: whether facts have to be in order of time, splits apart in time, and the facts of a
            split distinct.
        granularity: unit to which times of facts with names or named columns are rounded down:
            second, minute, hour, day or year; facts that become equal count once. By default
            nothing is rounded, and time stamps have to be whole days.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Returns:
        The graph, with ``splits``, ``vocabulary``, ``facts()``, ``to_pandas()`` and ``write()``.

    Raises:
        HopcheckError: the facts cannot be read or are inconsistent.

    Examples:
        >>> import hopcheck as hc
        >>> graph = hc.load_graph("examples/tkg")
        >>> {split.value: len(facts) for split, facts in graph.splits.items()}
        {'train': 378, 'valid': 68, 'test': 65}
        >>> visits = hc.load_graph([
        ...     {"head": "Ada", "relation": "visits", "tail": "Rome", "time": "2031-05-10"},
        ...     {"head": "Ada", "relation": "leaves", "tail": "Rome", "time": "2031-05-12"},
        ... ])
        >>> visits.vocabulary.entity_names
        ('Ada', 'Rome')
    """
    from solver.graph.io import read_dataset
    from solver.graph.io.named import Granularity, require_points

    unit = None if granularity is None else member(Granularity, "granularity", granularity)
    if isinstance(source, str | os.PathLike):
        return read_dataset(os.fspath(source), ordered=ordered, granularity=unit)
    with scratch_folder() as folder:
        files: dict[Split, list[str]] = {}
        for number, row in enumerate(rows_of(source), 1):
            require_points(f"row {number}", columns=tuple(row))
            split = member(Split, "split", str(row.get("split") or Split.TRAIN))
            cells = [_element(row, name, number) for name in FACT]
            files.setdefault(split, []).append("\t".join(cells) + "\n")
        # A dataset is named for its folder.
        home = folder / "facts"
        home.mkdir()
        for split, lines in files.items():
            (home / f"{split}.txt").write_text("".join(lines), encoding="utf-8")
        return read_dataset(home, ordered=ordered, granularity=unit)


@sealed
def split(
    graph: Dataset | PathLike | Rows,
    *,
    by: Literal["time"] = "time",
    shares: Sequence[float] = (0.8, 0.1, 0.1),
    at: Sequence[str] | None = None,
    unsealed: bool = False,  # noqa: ARG001
) -> SplitGraph:
    """Split a temporal knowledge graph by time, as the command ``split`` does.

    Args:
        graph: a graph, or what ``load_graph`` loads; splits that it has are joined, and facts that
            are repeated count once.
        by: what the splits differ in.
        shares: of the facts, for train and test or for train, valid and test.
        at: the first time of test, or of valid and of test, instead of shares.
        unsealed: also read data sets that differ from their manifest.

    Returns:
        The graph with its splits, and what is new in each.

    Raises:
        HopcheckError: the graph cannot be read, or not be split like this.

    Examples:
        >>> import hopcheck as hc
        >>> made = hc.split("examples/tkg", shares=[0.7, 0.3])
        >>> [(name.value, row.new_relations) for name, row in made.figures.items()]
        [('train', 8), ('test', 0)]
    """
    from solver.graph.splitting import split_at, split_by_time

    if by != "time":
        raise ArgumentError(f"found by={by!r}, expected time")
    loaded = graph_of(graph, ordered=False)
    return split_by_time(loaded, shares) if at is None else split_at(loaded, at)


def _element(row: Mapping[str, Any], name: str, number: int) -> str:
    value = next((row[other] for other in _NAMES[name] if row.get(other) is not None), None)
    text = "" if value is None else str(value)
    if not text or any(mark in text for mark in "\t\r\n"):
        message = f"found {name}={text!r} in row {number}, expected a text on one line"
        raise ArgumentError(message, hint=f"columns: {', '.join(FACT)} and optionally split")
    return text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rules:
    """Mined rules with the vocabulary of their graph.

    Attributes:
        table: the rules in columns, sorted by head, confidence and support.
        graph: the graph whose relations they use.
        breaches: where data differ from their manifest, if they were read nevertheless.
    """

    table: RuleTable
    graph: Dataset
    breaches: tuple[Breach, ...] = field(default_factory=accepted)

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.table)

    def best(self, count: int) -> Rules:
        """The rules with the highest lower bound of their confidence, best first."""
        from solver.rules.model import best

        return Rules(table=self.table.take(best(self.table, count)), graph=self.graph)

    def to_pandas(self) -> DataFrame:
        """One row per rule: rule, length, confidence, rule_support, body_support.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        return data_frame(map(self._row, self), _RULE)

    def write(self, path: PathLike) -> Path:
        """Write the rules: .json (published format), .jsonl, .parquet, or .lp for clingo.

        Raises:
            HopcheckError: the extension is unknown, or the file cannot be written.
        """
        from solver.rules.io import write_rules

        write_rules(Path(path), self.table)
        return Path(path)

    def _row(self, rule: Rule) -> dict[str, object]:
        from solver.rules.notation import rule_text

        return {
            "rule": rule_text(rule, self.graph.vocabulary),
            "length": rule.length,
            "confidence": rule.confidence,
            "rule_support": rule.rule_support,
            "body_support": rule.body_support,
        }

    def _repr_html_(self) -> str:
        rows = [self._row(rule) for rule in self.best(MOST_ROWS)]
        shown = [[row["rule"], f"{row['confidence']:.3f}", row["rule_support"]] for row in rows]
        title = f"{len(self):,} rules of {self.graph.name}"
        return html_table(title, ("rule", "confidence", "support"), shown, size=len(self))


_RULE = ("rule", "length", "confidence", "rule_support", "body_support")


@sealed
def mine(
    graph: Dataset | PathLike | Rows,
    *,
    lengths: Sequence[int] = (1, 2),
    method: MethodName | None = None,
    splits: Sequence[str] = ("train",),
    repeated: bool = False,
    walks: int = 200,
    samples: int = 500,
    transition: TransitionName = "exp",
    seed: int = 0,
    min_confidence: float = 0.0,
    min_support: int = 0,
    jobs: int = 1,
    unsealed: bool = False,  # noqa: ARG001
) -> Rules:
    """Mine temporal rules with their supports and confidences from a graph.

    Args:
        graph: a loaded graph, or what ``load_graph`` takes.
        lengths: lengths of rule bodies.
        method: exact to count all groundings, sample to estimate from random walks; by default
            exact for lengths 1 and 2.
        splits: splits to mine.
        repeated: also mine rules whose body repeats an entity (exact only).
        walks: random walks per relation and length (sample only).
        samples: body samples per rule (sample only).
        transition: distribution of the walks, exp or unif (sample only).
        seed: random seed (sample only).
        min_confidence: minimum confidence of a rule.
        min_support: minimum body support of a rule.
        jobs: number of worker processes.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: the graph cannot be read, or has no facts in the splits.

    Examples:
        >>> import hopcheck as hc
        >>> rules = hc.mine("examples/tkg", lengths=[1], min_confidence=0.1)
        >>> [round(rule.confidence, 2) for rule in rules.best(2)]
        [0.98, 0.98]
    """
    from solver.rules.mining import mine as mine_rules
    from solver.rules.model import Method, MiningSettings, Transition

    dataset = graph_of(graph)
    settings = MiningSettings(
        lengths=tuple(sorted(set(lengths))),
        method=None if method is None else member(Method, "method", method),
        splits=members(Split, "splits", splits),
        repeated=repeated,
        walks=walks,
        samples=samples,
        transition=member(Transition, "transition", transition),
        seed=seed,
        confidence=min_confidence,
        body_support=min_support,
    )
    return Rules(table=mine_rules(dataset, settings, jobs=jobs).rules, graph=dataset)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """The facts of a split with the ranks that rules give them.

    Attributes:
        ranked: facts in both directions with their ranks in the time-aware filtered setting.
        graph: the graph.
        split: the predicted split.
        breaches: where data differ from their manifest, if they were read nevertheless.
    """

    ranked: RankedFacts
    graph: Dataset
    split: Split
    breaches: tuple[Breach, ...] = field(default_factory=accepted)

    def __len__(self) -> int:
        return len(self.ranked.facts)

    @property
    def metrics(self) -> dict[str, dict[str, float]]:
        """MRR and Hits@1, 3 and 10 for each tie-breaking, in [0, 1]."""
        return self.ranked.ranks.figures()

    def to_pandas(self) -> DataFrame:
        """One row per fact: head, relation, tail, time, optimistic, realistic, pessimistic.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        ranks, words = self.ranked.ranks, self.graph.vocabulary
        ties = [ranks.values(tie).tolist() for tie in Tie]
        rows = (
            dict(zip((*FACT, *Tie), (*words.fact(fact), *values), strict=True))
            for fact, *values in zip(self.ranked.facts.rows().tolist(), *ties, strict=True)
        )
        return data_frame(rows, (*FACT, *Tie))

    def write(self, path: PathLike, *, ties: str = "optimistic") -> Path:
        """Write a rank file, as ``score`` reads it; gzip if the path ends in ``.gz``.

        Args:
            path: the file.
            ties: tie-breaking: optimistic, realistic or pessimistic.

        Raises:
            HopcheckError: the file cannot be written.
        """
        from solver.rules.application import write_ranks

        ranked = self.ranked
        ranks = ranked.ranks.values(member(Tie, "ties", ties))
        write_ranks(Path(path), ranked.facts, ranks, seen=ranked.seen)
        return Path(path)

    def _repr_html_(self) -> str:
        rows = [
            (tie, *(f"{100 * value:.2f}" for value in figures.values()))
            for tie, figures in self.metrics.items()
        ]
        title = f"{self.graph.name}, {self.split}: {len(self):,} facts both ways, in percent"
        return html_table(title, ("ties", "MRR", "Hits@1", "Hits@3", "Hits@10"), rows)


@sealed
def apply(
    rules: Rules | RuleTable | PathLike,
    graph: Dataset | PathLike | Rows,
    *,
    split: str = "test",
    engine: JoinName = "fast",
    top_k: int = 20,
    min_confidence: float = 0.01,
    min_body_support: int = 2,
    lengths: Sequence[int] = (),
    window: int = 0,
    alpha: float = 0.5,
    decay: float = 0.1,
    allow_leak: bool = False,
    jobs: int = 1,
    unsealed: bool = False,  # noqa: ARG001
) -> Ranking:
    """Predict the facts of a split with temporal rules and rank the true answers.

    A query uses the facts of all splits before its time.

    Args:
        rules: mined rules, or a file of rules.
        graph: a loaded graph, or what ``load_graph`` takes.
        split: split to predict, in both directions.
        engine: fast for joins over indexes, asp for clingo.
        top_k: stop applying rules once this many best candidates differ; 0 to apply all.
        min_confidence: minimum confidence of a rule.
        min_body_support: minimum body support of a rule.
        lengths: lengths of the rules to apply; all by default.
        window: use facts of this many time units before a query; 0 for all.
        alpha: weight of confidence in a score; recency has weight 1 - alpha.
        decay: decay rate of recency.
        allow_leak: accept rules that were mined from facts of the times of the split.
        jobs: number of worker processes.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: an input cannot be read, the split is empty, or the rules were mined from
            facts of its times.

    Examples:
        >>> import hopcheck as hc
        >>> graph = hc.load_graph("examples/tkg")
        >>> ranking = hc.apply(hc.mine(graph, lengths=[1]), graph)
        >>> len(ranking)
        130
        >>> sorted(ranking.metrics["realistic"])
        ['hits@1', 'hits@10', 'hits@3', 'mrr']
    """
    from solver.processes import preload

    preload(jobs, "solver.rules.application")
    from solver.rules.application import RuleEngine, Settings, apply_rules
    from solver.rules.ranks import ScoreWeights

    dataset = graph_of(graph)
    chosen = member(Split, "split", split)
    settings = Settings(
        top_k=top_k,
        confidence=min_confidence,
        body_support=min_body_support,
        window=window,
        weighing=ScoreWeights(alpha=alpha, rate=decay),
        lengths=frozenset(lengths),
        engine=member(RuleEngine, "engine", engine),
    )
    table = rules_of(rules, dataset)
    ranked = apply_rules(table, dataset, chosen, settings, allow_leak=allow_leak, jobs=jobs)
    return Ranking(ranked=ranked, graph=dataset, split=chosen)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrikingnessWeights:
    """The strikingness of the facts of a split.

    Attributes:
        run: weights, components and settings.
        breaches: where data differ from their manifest, if they were read nevertheless.
    """

    run: StrikingnessRun
    breaches: tuple[Breach, ...] = field(default_factory=accepted)

    def __len__(self) -> int:
        return len(self.run.found)

    @property
    def weights(self) -> list[float]:
        """The weight of each fact of the split, in [0, 1], in the order of the split."""
        return [float(weight) for weight in self.run.found.weight]

    def to_pandas(self) -> DataFrame:
        """One row per fact: head, relation, tail, time, strikingness.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        return data_frame(self._rows(), (*FACT, "strikingness"))

    def write(self, folder: PathLike) -> Path:
        """Write weights, summary, page and manifest; returns the page.

        Raises:
            HopcheckError: a file cannot be written.
        """
        from benchmarks.rules.strikingness.report import write
        from solver.io.writing import make_folder

        with recording(self.breaches):
            return write(self.run, make_folder(Path(folder)))

    def _rows(self) -> Iterator[dict[str, object]]:
        words = self.run.dataset.vocabulary
        facts = self.run.found.events.rows().tolist()
        for fact, weight in zip(facts, self.weights, strict=True):
            yield dict(zip((*FACT, "strikingness"), (*words.fact(fact), weight), strict=True))

    def _repr_html_(self) -> str:
        rows = list(self._rows())
        most, _ = self.run.extremes(MOST_ROWS)
        title = f"{self.run.dataset.name}, {self.run.split}: most striking facts"
        columns = (*FACT, "strikingness")
        return html_table(
            title, columns, [list(rows[row].values()) for row in most], size=len(rows)
        )


@sealed
def strikingness(
    graph: Dataset | PathLike | Rows,
    rules: Rules | RuleTable | PathLike,
    *,
    split: str = "test",
    profile: ProfileName = "released",
    allow_leak: bool = False,
    unsealed: bool = False,  # noqa: ARG001
) -> StrikingnessWeights:
    """Measure how striking the facts of a split are, given rules and earlier facts.

    A fact is striking if facts that differ from it in one element are more expected.

    Args:
        graph: a loaded graph, or what ``load_graph`` takes.
        rules: mined rules, or a file of rules.
        split: split whose facts are measured.
        profile: the definition: released or paper.
        allow_leak: accept rules that were mined from facts of the times of the split.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: an input cannot be read, or the split is empty.

    Examples:
        >>> import hopcheck as hc
        >>> graph = hc.load_graph("examples/tkg")
        >>> striking = hc.strikingness(graph, hc.mine(graph, lengths=[1]))
        >>> len(striking), all(0 <= weight <= 1 for weight in striking.weights)
        (65, True)
    """
    from benchmarks.rules.scoring import measure_strikingness
    from benchmarks.rules.strikingness.settings import PROFILES, Profile

    dataset = graph_of(graph)
    chosen = member(Split, "split", split)
    settings = PROFILES[member(Profile, "profile", profile)]
    return StrikingnessWeights(
        run=measure_strikingness(
            dataset,
            rules_of(rules, dataset),
            chosen,
            settings,
            allow_leak=allow_leak,
            config={"split": chosen.value, "profile": settings.profile.value},
            inputs=(str(rules),) if isinstance(rules, str | os.PathLike) else (),
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ForecastFacts:
    """Forecast facts, each with its rule and grounding.

    Attributes:
        outcome: the forecast, its figures and its verification.
        breaches: where data differ from their manifest, if they were read nevertheless.
    """

    outcome: Outcome
    breaches: tuple[Breach, ...] = field(default_factory=accepted)

    def __len__(self) -> int:
        return self.outcome.figures.facts

    def rows(self) -> list[dict[str, Any]]:
        """The facts with confidence, rule and grounding, as in ``facts.jsonl``."""
        outcome = self.outcome
        return [forecast.as_json(outcome.graph) for forecast in outcome.result.forecasts]

    def to_pandas(self) -> DataFrame:
        """One row per fact, with the fields of ``rows``.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        rows = self.rows()
        return data_frame(rows, tuple(rows[0]) if rows else ("subject", "relation", "object"))

    def write(self, folder: PathLike) -> Path:
        """Write facts, certificates, history, page and manifest; returns the folder.

        Raises:
            HopcheckError: a file cannot be written.
        """
        from generators.facts.files import write_forecast

        with recording(self.breaches):
            write_forecast(Path(folder), self.outcome, [])
        return Path(folder)

    def _repr_html_(self) -> str:
        figures = self.outcome.figures
        rows = [tuple(row.values())[:4] for row in self.rows()[:MOST_ROWS]]
        title = f"{figures.facts:,} of {figures.wanted:,} facts after {self.outcome.reference.year}"
        return html_table(title, ("subject", "relation", "object", "time"), rows, size=len(self))


@sealed
def forecast(
    graph: Dataset | PathLike | Rows,
    begin: date | str,
    end: date | str,
    *,
    rules: PathLike | None = None,
    schema: PathLike | None = None,
    reference: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    unsealed: bool = False,  # noqa: ARG001
) -> ForecastFacts:
    """Forecast facts day by day with rules, in the daily numbers of a reference year.

    Only facts before the first day are used. Every fact is verified with its certificate.

    Args:
        graph: a graph with dates, or what ``load_graph`` takes.
        begin: first day, as a date or as ``2031-05-10``.
        end: last day.
        rules: file of rules; sampled from the graph by default.
        schema: schema of the relations and classes; none by default.
        reference: year whose daily counts and relations are imitated; the last one by default.
        seed: random seed.
        jobs: number of worker processes.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Raises:
        HopcheckError: an input cannot be read, or has no days.

    Examples:
        >>> import hopcheck as hc
        >>> future = hc.forecast("examples/tkg", "2032-03-02", "2032-03-04")
        >>> all(row["confidence"] > 0 for row in future.rows())
        True
    """
    from generators.facts.model import Settings
    from generators.facts.outcome import Plan
    from generators.facts.outcome import forecast as forecast_facts

    first, last = (
        each_date if isinstance(each_date, date) else date.fromisoformat(each_date)
        for each_date in (begin, end)
    )
    if last < first:
        raise ArgumentError(f"found end={last}, expected a day from begin={first} on")
    plan = Plan(
        settings=Settings(begin=first.toordinal(), end=last.toordinal(), seed=seed),
        rules=None if rules is None else Path(rules),
        schema=None if schema is None else Path(schema),
        reference=reference,
    )
    return ForecastFacts(outcome=forecast_facts(graph_of(graph, ordered=False), plan, jobs=jobs))


def graph_of(source: Dataset | PathLike | Rows, *, ordered: bool = True) -> Dataset:
    """A graph that is loaded already, or what ``load_graph`` returns."""
    if not isinstance(source, Dataset):
        return load_graph(source, ordered=ordered)
    with opening() as opened:
        opened.record(source.breaches)
    return source


def rules_of(source: Rules | RuleTable | PathLike, graph: Dataset) -> RuleTable:
    """Rules in columns, or those of a file.

    Raises:
        HopcheckError: the rules are not of this graph, or cannot be read.
    """
    from solver.rules.io import read_rules

    relations = graph.vocabulary.relations
    if isinstance(source, str | os.PathLike):
        return read_rules(Path(source), relations=relations)
    if isinstance(source, RuleTable):
        return source
    with opening() as opened:
        opened.record(source.breaches)
    if source.graph.vocabulary.relations != relations:
        message = f"found rules of {source.graph.name}, expected rules of {graph.name}"
        raise HopcheckError(message, hint="mine the rules from the same graph")
    return source.table
