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
from generators.questions.two_hop import RuleKeys, mine, one_hop, rule_keys, two_hop
from generators.questions.whole_facts import Changes, reasoning, rules_of_one_fact, yes_unknown
from grammar.questions.model import QuestionKind
from solver.graph.model import Quadruples, Split
from solver.questions.model import Question, TwoHopRule
from solver.rules.model import RuleTable
from solver.seeding import seed_of

CAPPED = "more than the cap of their rule"
KNOWN = "no change makes them unknown"

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedDataset:
    """A generated data set whose questions are not worded yet.

    Attributes:
        drafts: drafts of each split, by kind.
        left_out: number of candidates without a question, by kind, split and reason.
        rules: rules with one body atom; two_hop: 2-hop rules; None if their kind is not requested.
    """

    drafts: Mapping[Split, Sequence[Drafts]]
    left_out: Mapping[tuple[QuestionKind, Split], Mapping[str, int]]
    rules: RuleTable | None = None
    two_hop: tuple[TwoHopRule, ...] | None = None

    def size(self, split: Split) -> int:
        """Number of questions of a split."""
        return sum(map(len, self.drafts[split]))

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
        for split in plan.graph.splits:
            for kind in plan.settings.kinds:
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
        self._rules: RuleTable | None = None
        self._two_hop: tuple[TwoHopRule, ...] | None = None

    def add(self, kind: QuestionKind, split: Split) -> None:
        """Generate the questions of a kind and split."""
        facts = self._graph.asked[split]
        frame = SplitContext(split=split, seed=self._plan.settings.seed, names=self._names)
        makers: dict[QuestionKind, Callable[[SplitContext, Quadruples], Drafts]] = {
            QuestionKind.ONE_HOP: self._one_hop,
            QuestionKind.TWO_HOP: self._hops,
            QuestionKind.YES_UNKNOWN: self._yes_unknown,
            QuestionKind.FACT_REASONING: self._reasoning,
        }
        if kind is not QuestionKind.FACT_REASONING or split in self._plan.settings.reasoning:
            self._drafts[split].append(makers[kind](frame, facts))

    def made(self) -> DraftedDataset:
        """The data set of all added questions."""
        return DraftedDataset(
            drafts=self._drafts,
            left_out=self._left_out,
            rules=self._rules,
            two_hop=self._two_hop,
        )

    def _one_hop(self, frame: SplitContext, facts: Quadruples) -> Drafts:
        return OneHopDrafts(frame, one_hop(facts, self._relations))

    def _hops(self, frame: SplitContext, facts: Quadruples) -> Drafts:
        kind, settings = QuestionKind.TWO_HOP, self._plan.settings
        rules, keys = self._curated
        self._two_hop = rules
        seeded = (settings.seed, "questions", frame.split, kind)
        items = two_hop(Arcs.of(facts, self._relations), keys, settings.cap, seeded)
        self._left_out[kind, frame.split] = {CAPPED: items.found - len(items)}
        return TwoHopDrafts(frame, items, rules)

    def _yes_unknown(self, frame: SplitContext, facts: Quadruples) -> Drafts:
        kind = QuestionKind.YES_UNKNOWN
        seed = seed_of(frame.seed, "questions", frame.split, kind)
        draw = np.random.Generator(np.random.PCG64(seed))
        items = yes_unknown(facts, self._changes, draw)
        self._left_out[kind, frame.split] = {KNOWN: items.left_out}
        return YesUnknownDrafts(frame, items)

    def _reasoning(self, frame: SplitContext, facts: Quadruples) -> Drafts:
        self._rules = self._one_fact
        items = reasoning(facts, self._graph.facts, self._rules, self._graph.vocabulary)
        self._left_out[QuestionKind.FACT_REASONING, frame.split] = items.left_out
        return ReasoningDrafts(frame, items)

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self._graph.facts, self._graph.suits)

    @cached_property
    def _curated(self) -> tuple[tuple[TwoHopRule, ...], RuleKeys]:
        plan, words = self._plan, self._graph.vocabulary
        rules = plan.two_hop
        if rules is None:
            training_facts = Arcs.of(self._graph.training_facts(suitable=True), self._relations)
            rules = mine(training_facts, words, plan.settings.min_support)
        return rules, rule_keys(rules, words, plan.table)

    @cached_property
    def _one_fact(self) -> RuleTable:
        if self._plan.rules is not None:
            return self._plan.rules
        return rules_of_one_fact(self._graph.training_facts(suitable=False), self._relations)
