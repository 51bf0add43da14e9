"""Generates all questions of a graph: kind by kind in columns, then worded in order of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from generators.questions.drafts import (
    Drafts,
    OneHopDrafts,
    ReasoningDrafts,
    SplitContext,
    TwoHopDrafts,
    YesUnknownDrafts,
)
from generators.questions.graph import Arcs, GenerationError, Names, QuestionGraph, Settings
from generators.questions.ledger import Ledger
from generators.questions.reasoning import FittedRules, fitted_rules, reasoning
from generators.questions.two_hop import RuleKeys, mine, one_hop, rule_keys, two_hop
from generators.questions.yes_unknown import SHARE, Changes, yes_unknown
from grammar.questions.model import QuestionKind
from solver.graph.model import Ids, Split
from solver.questions.contributions import everything
from solver.questions.model import Question, TwoHopRule
from solver.rules.model import RuleTable
from solver.seeding import seed_of

SHARED = "more than the cap of their rule, or a fact is used by another question"
UNLIKE = "no corruption looks alike"
USED = "facts of no question, as a question uses a fact of the same two entities and day"

ORDER = (
    QuestionKind.FACT_REASONING,
    QuestionKind.TWO_HOP,
    QuestionKind.YES_UNKNOWN,
    QuestionKind.ONE_HOP,
)
"""Kinds in the order in which they choose facts: the most demanding first."""

_HINT = "ask for more kinds; --reasoning says which splits get fact reasoning"

Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Settings and inputs of a run.

    Attributes:
        rules: rules with one body atom, for fact reasoning; two_hop: curated 2-hop rules. None to
            mine them from ``train``.
        table: file name of ``two_hop``, for error messages.
    """

    graph: QuestionGraph
    settings: Settings
    rules: RuleTable | None = None
    two_hop: tuple[TwoHopRule, ...] | None = None
    table: str = ""


@dataclass(frozen=True, kw_only=True)
class DraftedDataset:
    """A generated data set whose questions are not worded yet.

    Attributes:
        drafts: drafts of each split, by kind.
        left_out: number of candidates without a question, by kind, split and reason.
        rules: rules with one body atom; two_hop: 2-hop rules; None if their kind is not requested.
    """

    drafts: Mapping[Split, Sequence[Drafts]]
    left_out: Mapping[tuple[QuestionKind, Split], Mapping[str, int]]
    rules: FittedRules | None = None
    two_hop: tuple[TwoHopRule, ...] | None = None

    def size(self, split: Split) -> int:
        """Number of questions of a split."""
        return sum(map(len, self.drafts[split]))

    def question(self, split: Split, index: int) -> Question:
        """The question at a position of ``questions``, without the others.

        Raises:
            IndexError: there are not so many.
        """
        drafts, (times, reached) = self.drafts[split], self._days(split)
        if not 0 <= index < self.size(split):
            raise IndexError(index)
        place = int(np.searchsorted(reached, index, side="right"))
        time = int(times[place])
        left = index - (int(reached[place - 1]) if place else 0)
        for one in drafts:
            rows = one.at(time)
            if left < len(rows):
                query, row = rows[left]
                number = one.before(time) + left
                return one.question(row, query, f"{split}-{one.kind}-{number:06d}")
            left -= len(rows)
        raise IndexError(index)

    @cached_property
    def _days_of(self) -> dict[Split, tuple[Ids, Ids]]:
        return {}

    def _days(self, split: Split) -> tuple[Ids, Ids]:
        """The times with questions, and the number of questions up to and with each."""
        if split not in self._days_of:
            every = [one.all_times for one in self.drafts[split]]
            times, counts = np.unique(np.concatenate(every), return_counts=True)
            self._days_of[split] = times, np.cumsum(counts)
        return self._days_of[split]

    def questions(self, split: Split) -> Iterator[Question]:
        """The questions of a split by time, kind and query; ids are numbered by kind."""
        drafts = self.drafts[split]
        numbers = dict.fromkeys((one.kind for one in drafts), 0)
        for time in sorted({time for one in drafts for time in one.times()}):
            for one in drafts:
                for query, row in one.at(time):
                    name = f"{split}-{one.kind}-{numbers[one.kind]:06d}"
                    numbers[one.kind] += 1
                    yield one.question(row, query, name)


def make(plan: Plan, progress: Progress | None = None) -> DraftedDataset:
    """Generate the requested questions.

    Args:
        plan: settings and inputs.
        progress: called after each kind of a split.

    Raises:
        GenerationError: there is no question, the graph is too large for keys of 63 bits, or a
            2-hop rule is invalid.
    """
    try:
        maker = _Maker(plan)
        for kind in (kind for kind in ORDER if kind in plan.settings.kinds):
            for split in plan.graph.splits:
                maker.add(kind, split)
                if progress is not None:
                    progress(1)
    except OverflowError as error:
        raise GenerationError(str(error), where=plan.graph.name) from None
    made = maker.made()
    if not any(map(made.size, made.drafts)):
        kinds, splits = ", ".join(plan.settings.kinds), ", ".join(plan.graph.splits)
        message = f"found nothing to ask in {splits}, expected some question of {kinds}"
        raise GenerationError(message, where=plan.graph.name, hint=_HINT)
    return made


class _Maker:
    """Generates the drafts of kinds and splits, and caches what they share."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._graph = plan, plan.graph
        self._relations = plan.graph.vocabulary.relations
        self._names = Names.of(plan.graph)
        self._drafts: dict[Split, list[Drafts]] = {split: [] for split in plan.graph.splits}
        self._left_out: dict[tuple[QuestionKind, Split], Mapping[str, int]] = {}
        self._rules: FittedRules | None = None
        self._two_hop: tuple[TwoHopRule, ...] | None = None

    def add(self, kind: QuestionKind, split: Split) -> None:
        """Generate the questions of a kind and split."""
        frame = SplitContext(split=split, seed=self._plan.settings.seed, names=self._names)
        makers: dict[QuestionKind, Callable[[SplitContext], Drafts]] = {
            QuestionKind.ONE_HOP: self._one_hop,
            QuestionKind.TWO_HOP: self._hops,
            QuestionKind.YES_UNKNOWN: self._yes_unknown,
            QuestionKind.FACT_REASONING: self._reasoning,
        }
        if kind is not QuestionKind.FACT_REASONING or split in self._plan.settings.reasoning:
            self._drafts[split].append(makers[kind](frame))

    def made(self) -> DraftedDataset:
        """The data set of all added questions."""
        kinds = list(QuestionKind)
        for drafts in self._drafts.values():
            drafts.sort(key=lambda one: kinds.index(one.kind))
        return DraftedDataset(
            drafts=self._drafts,
            left_out=self._left_out,
            rules=self._rules,
            two_hop=self._two_hop,
        )

    def _draw(self, split: Split, kind: QuestionKind) -> np.random.Generator:
        seed = seed_of(self._plan.settings.seed, "questions", split, kind)
        return np.random.Generator(np.random.PCG64(seed))

    def _one_hop(self, frame: SplitContext) -> Drafts:
        kind, rows = QuestionKind.ONE_HOP, self._graph.rows[frame.split]
        draw = self._draw(frame.split, kind)
        items = one_hop(self._graph.facts, rows, self._relations, self._ledger, draw)
        return OneHopDrafts(frame, items)

    def _hops(self, frame: SplitContext) -> Drafts:
        kind, rows = QuestionKind.TWO_HOP, self._graph.rows[frame.split]
        rules, keys = self._curated
        self._two_hop = rules
        arcs = Arcs.of(self._graph.facts, self._relations, rows)
        draw = self._draw(frame.split, kind)
        items = two_hop(arcs, keys, self._plan.settings.cap, draw, self._ledger)
        self._left_out[kind, frame.split] = {SHARED: items.found - len(items)}
        return TwoHopDrafts(frame, items, rules)

    def _yes_unknown(self, frame: SplitContext) -> Drafts:
        kind, rows = QuestionKind.YES_UNKNOWN, self._graph.rows[frame.split]
        draw = self._draw(frame.split, kind)
        # The other facts are for 1-hop questions.
        share = SHARE if QuestionKind.ONE_HOP in self._plan.settings.kinds else 1.0
        items = yes_unknown(rows, self._graph.facts, self._changes, self._ledger, draw, share)
        self._left_out[kind, frame.split] = {UNLIKE: items.left_out}
        return YesUnknownDrafts(frame, items)

    def _reasoning(self, frame: SplitContext) -> Drafts:
        kind, graph = QuestionKind.FACT_REASONING, self._graph
        self._rules = self._one_fact
        draw = self._draw(frame.split, kind)
        items = reasoning(
            graph.rows[frame.split], graph.facts, self._rules, graph.vocabulary, self._ledger, draw
        )
        self._left_out[kind, frame.split] = items.left_out
        return ReasoningDrafts(frame, items)

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger(self._graph.facts, self._graph.vocabulary.entities)

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self._graph.facts, self._graph.suits)

    @cached_property
    def _curated(self) -> tuple[tuple[TwoHopRule, ...], RuleKeys]:
        plan, words = self._plan, self._graph.vocabulary
        rules = plan.two_hop
        if rules is None:
            training_facts = Arcs.of(self._graph.training_facts(suitable=True), self._relations)
            rules = mine(training_facts, words, plan.settings)
        return rules, rule_keys(rules, words, plan.table)

    @cached_property
    def _one_fact(self) -> FittedRules:
        given = self._plan.rules
        if given is not None:
            return FittedRules(rules=given, train=given.take(slice(0)), folds=everything(given))
        return fitted_rules(self._graph.splits, self._relations)
