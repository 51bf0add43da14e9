"""Generates all questions of a graph: kind by kind in columns, then worded in order of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from generators.questions.drafts import (
    Drafts,
    OneHopDrafts,
    ReasoningDrafts,
    SplitContext,
    TwoHopDrafts,
    YesUnknownDrafts,
)
from generators.questions.even import Evening
from generators.questions.graph import (
    Encounters,
    GenerationError,
    Ledger,
    Names,
    QuestionGraph,
    Settings,
)
from generators.questions.reasoning import (
    Candidates,
    FittedRules,
    ReasoningItems,
    candidates,
    fitted_rules,
    mark_used,
    reasoning,
)
from generators.questions.two_hop import (
    OneHopItems,
    RuleKeys,
    TwoHopItems,
    mine,
    one_hop,
    rule_keys,
    two_hop,
)
from generators.questions.yes_unknown import SHARE, Changes, YesUnknownItems, yes_unknown
from grammar.questions.model import QuestionKind
from solver.graph.model import Ids, Split
from solver.processes import parallel_map
from solver.questions.contributions import everything
from solver.questions.model import Question, TwoHopRule
from solver.rules.model import RuleTable
from solver.seeding import seed_of

SHARED = "more than the cap of their rule, or a fact is used by another question"
UNLIKE = "no corruption looks alike, or counts predict it"
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
        for draft in drafts:
            rows = draft.at(time)
            if left < len(rows):
                query, row = rows[left]
                number = draft.before(time) + left
                return draft.question(row, query, f"{split}-{draft.kind}-{number:06d}")
            left -= len(rows)
        raise IndexError(index)

    @cached_property
    def _days_of(self) -> dict[Split, tuple[Ids, Ids]]:
        return {}

    def _days(self, split: Split) -> tuple[Ids, Ids]:
        """The times with questions, and the number of questions up to and with each."""
        if split not in self._days_of:
            every = [drafts.all_times for drafts in self.drafts[split]]
            times, counts = np.unique(np.concatenate(every), return_counts=True)
            self._days_of[split] = times, np.cumsum(counts)
        return self._days_of[split]

    def questions(self, split: Split) -> Iterator[Question]:
        """The questions of a split by time, kind and query; ids are numbered by kind."""
        drafts = self.drafts[split]
        numbers = dict.fromkeys((draft.kind for draft in drafts), 0)
        for time in sorted({time for draft in drafts for time in draft.times()}):
            for draft in drafts:
                for query, row in draft.at(time):
                    name = f"{split}-{draft.kind}-{numbers[draft.kind]:06d}"
                    numbers[draft.kind] += 1
                    yield draft.question(row, query, name)


def make(plan: Plan, progress: Progress | None = None, *, jobs: int = 1) -> DraftedDataset:
    """Generate the requested questions.

    Args:
        plan: settings and inputs.
        progress: called with the number of kinds of splits that were just completed.
        jobs: number of worker processes; the questions do not depend on it.

    Raises:
        GenerationError: there is no question, the graph is too large for keys of 63 bits, or a
            2-hop rule is invalid.
    """
    try:
        maker = _Maker(plan)
        for number in maker.run(jobs):
            if progress is not None:
                progress(number)
    except OverflowError as error:
        raise GenerationError(str(error), where=plan.graph.name) from None
    made = maker.made()
    if not any(map(made.size, made.drafts)):
        kinds, splits = ", ".join(plan.settings.kinds), ", ".join(plan.graph.splits)
        message = f"found nothing to ask in {splits}, expected some question of {kinds}"
        raise GenerationError(message, where=plan.graph.name, hint=_HINT)
    return made


_Items: TypeAlias = OneHopItems | TwoHopItems | YesUnknownItems | ReasoningItems
_Part: TypeAlias = tuple[QuestionKind, Split]


class _Maker:
    """Generates the questions of kinds and splits, and caches what they share."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._graph = plan, plan.graph
        self._relations = plan.graph.vocabulary.relations
        self._splits, kinds = list(plan.graph.splits), plan.settings.kinds
        asked = plan.settings.reasoning if QuestionKind.FACT_REASONING in kinds else ()
        self._reasoned = [split for split in self._splits if split in asked]
        self._others = [kind for kind in ORDER[1:] if kind in kinds]
        self._found: dict[_Part, _Items] = {}

    def run(self, jobs: int) -> Iterator[int]:
        """Generate all questions; gives the number of kinds of splits after each task.

        Fact reasoning comes first, for all splits together, and only marks facts as used. The other
        kinds of a split use the facts of its times, which no other split shares. So the tasks are
        independent.
        """
        if self._reasoned:
            _ = self._one_fact  # computed once, not in each task
        if QuestionKind.FACT_REASONING in self._plan.settings.kinds:
            yield len(self._splits) - len(self._reasoned)
        parts = list(parallel_map(self._candidates, self._reasoned, jobs))
        seed = seed_of(self._plan.settings.seed, "questions", QuestionKind.FACT_REASONING)
        chosen = reasoning(parts, np.random.Generator(np.random.PCG64(seed)))
        for split, items in zip(self._reasoned, chosen, strict=True):
            self._found[QuestionKind.FACT_REASONING, split] = items
            mark_used(items, self._graph.facts, self._ledger)
            yield 1
        self._prepare()
        others = parallel_map(self._items, self._splits, jobs)
        for split, found in zip(self._splits, others, strict=True):
            self._found |= {(kind, split): items for kind, items in found.items()}
            yield len(found)

    def made(self) -> DraftedDataset:
        """The data set of all questions."""
        names, seed = Names.of(self._graph), self._plan.settings.seed
        drafts: dict[Split, list[Drafts]] = {}
        for split in self._splits:
            frame = SplitContext(split=split, seed=seed, names=names)
            found = [self._found.get((kind, split)) for kind in QuestionKind]
            drafts[split] = [self._drafts(frame, items) for items in found if items is not None]
        kinds = self._plan.settings.kinds
        return DraftedDataset(
            drafts=drafts,
            left_out={
                (kind, split): _left_out(self._found[kind, split])
                for kind in ORDER
                for split in self._splits
                if kind is not QuestionKind.ONE_HOP and (kind, split) in self._found
            },
            rules=self._one_fact if self._reasoned else None,
            two_hop=self._curated[0] if QuestionKind.TWO_HOP in kinds else None,
        )

    def _prepare(self) -> None:
        """Compute once what the tasks of the other kinds share."""
        kinds = self._plan.settings.kinds
        if QuestionKind.TWO_HOP in kinds:
            _ = self._curated
        if QuestionKind.YES_UNKNOWN in kinds:
            _ = self._evening

    def _candidates(self, split: Split) -> Candidates:
        """Facts and choices of a split for fact reasoning."""
        graph, rules = self._graph, self._one_fact
        draw = self._draw(split, QuestionKind.FACT_REASONING)
        return candidates(graph.rows[split], graph.facts, rules, graph.vocabulary, draw)

    def _items(self, split: Split) -> dict[QuestionKind, _Items]:
        """The questions of the other kinds of a split, which choose facts one after the other."""
        makers: dict[QuestionKind, Callable[[Split], _Items]] = {
            QuestionKind.TWO_HOP: self._hops,
            QuestionKind.YES_UNKNOWN: self._yes_unknown,
            QuestionKind.ONE_HOP: self._one_hop,
        }
        return {kind: makers[kind](split) for kind in self._others}

    def _drafts(self, frame: SplitContext, items: _Items) -> Drafts:
        match items:
            case OneHopItems():
                return OneHopDrafts(frame, items)
            case TwoHopItems():
                return TwoHopDrafts(frame, items, self._curated[0])
            case YesUnknownItems():
                return YesUnknownDrafts(frame, items)
            case ReasoningItems():
                return ReasoningDrafts(frame, items)

    def _draw(self, split: Split, kind: QuestionKind) -> np.random.Generator:
        seed = seed_of(self._plan.settings.seed, "questions", split, kind)
        return np.random.Generator(np.random.PCG64(seed))

    def _one_hop(self, split: Split) -> OneHopItems:
        draw = self._draw(split, QuestionKind.ONE_HOP)
        return one_hop(
            self._graph.facts,
            self._graph.rows[split],
            self._relations,
            self._ledger,
            draw,
            self._encounters,
        )

    def _hops(self, split: Split) -> TwoHopItems:
        facts, rows = self._graph.facts, self._graph.rows[split]
        draw = self._draw(split, QuestionKind.TWO_HOP)
        cap, rules = self._plan.settings.cap, self._curated[1]
        return two_hop(
            facts, rows, self._relations, rules, cap, draw, self._ledger, self._encounters
        )

    def _yes_unknown(self, split: Split) -> YesUnknownItems:
        rows, draw = self._graph.rows[split], self._draw(split, QuestionKind.YES_UNKNOWN)
        # The other facts are for 1-hop questions.
        share = SHARE if QuestionKind.ONE_HOP in self._plan.settings.kinds else 1.0
        facts, changes = self._graph.facts, self._changes
        return yes_unknown(rows, facts, changes, self._evening, self._ledger, draw, share)

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger(self._graph.facts, self._graph.vocabulary.entities)

    @cached_property
    def _encounters(self) -> Encounters:
        entities, wanted = self._graph.vocabulary.entities, self._plan.settings.met
        return Encounters(self._graph.facts, entities, wanted)

    @cached_property
    def _changes(self) -> Changes:
        graph = self._graph
        return Changes(graph.facts, graph.suits, graph.vocabulary.entity_names)

    @cached_property
    def _evening(self) -> Evening | None:
        seed = seed_of(self._plan.settings.seed, "questions", QuestionKind.YES_UNKNOWN)
        draw = np.random.Generator(np.random.PCG64(seed))
        return self._changes.evening(self._graph.rows.values(), draw)

    @cached_property
    def _curated(self) -> tuple[tuple[TwoHopRule, ...], RuleKeys]:
        plan, words = self._plan, self._graph.vocabulary
        rules = plan.two_hop
        if rules is None:
            rules = mine(self._graph.training_facts(suitable=True), words, plan.settings)
        return rules, rule_keys(rules, words, plan.table)

    @cached_property
    def _one_fact(self) -> FittedRules:
        given = self._plan.rules
        if given is not None:
            return FittedRules(rules=given, train=given.take(slice(0)), folds=everything(given))
        return fitted_rules(self._graph.splits, self._relations)


def _left_out(items: _Items) -> Mapping[str, int]:
    """The number of candidates without a question, by reason."""
    match items:
        case TwoHopItems():
            return {SHARED: items.found - len(items)}
        case YesUnknownItems():
            return {UNLIKE: items.left_out}
        case ReasoningItems():
            return items.left_out
        case _:
            return {}
