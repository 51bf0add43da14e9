"""Prompts: the six strategies that select their context, their text, and files of them.

Source: synthetic temporal knowledge graphs, section 5.4 and Table 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import msgspec
import numpy as np

from benchmarks.tkg.retrieval.context import MOST, ContextFinder, ContextKey, Instances
from grammar.errors import ParseError
from grammar.tkg.prompts import IndexPrompt, read_prompt
from solver.graph.model import Dataset, Ids, Quadruples
from solver.io.sources import InputError, Line, open_input, sound_lines


class Strategy(StrEnum):
    """Context of a prompt.

    ``naive-entity``: the latest facts with the query's head. ``naive-pair``: with its head and
    relation. ``oicl``: the antecedents of the answer. The others add an analogy, an earlier
    consequence of the same pattern with its own context, and select both contexts by head
    (``ah``), by the relations of the antecedents (``ar``), or by these relations in equal shares
    (``bar``).
    """

    NAIVE_ENTITY = "naive-entity"
    NAIVE_PAIR = "naive-pair"
    OICL = "oicl"
    AH = "ah"
    AR = "ar"
    BAR = "bar"

    @property
    def labelled(self) -> bool:
        """Whether the strategy requires labels."""
        return self not in (Strategy.NAIVE_ENTITY, Strategy.NAIVE_PAIR)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShownFact:
    """A fact with its context, by rows.

    Attributes:
        context: rows of the context, in order of time.
        fact: row of the fact.
    """

    context: Ids
    fact: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComposedPrompt:
    """Content of a prompt.

    Attributes:
        query: the queried fact with its context.
        analogy: a solved query, if any.
        instance: instance of which the fact is the consequence; None without labels.
    """

    strategy: Strategy
    query: ShownFact
    analogy: ShownFact | None = None
    instance: int | None = None


Retrieve = Callable[[int, Ids], Ids]
"""Selects the context of a fact, given the antecedents of its instance."""


class Composer:
    """Composes prompts about a graph.

    Args:
        dataset: all facts; a query uses those before its time.
        instances: instances of the planted patterns; None for a graph without labels.
        most: maximum number of facts in a context.
    """

    def __init__(self, dataset: Dataset, instances: Instances | None, most: int = MOST) -> None:
        self.facts = dataset.facts()
        self._instances = instances
        self._most = most
        self._history = {
            shared: ContextFinder(self.facts, shared, dataset.vocabulary) for shared in ContextKey
        }
        self._retrieve: Mapping[Strategy, Retrieve] = {
            Strategy.NAIVE_ENTITY: self._by_head,
            Strategy.NAIVE_PAIR: self._by_pair,
            Strategy.OICL: self._antecedents,
            Strategy.AH: self._by_head,
            Strategy.AR: self._by_relations,
            Strategy.BAR: self._balanced,
        }

    def compose(self, row: int, strategy: Strategy) -> ComposedPrompt:
        """Compose the prompt that queries the tail of a fact.

        Strategies that require labels apply to consequences only; of several instances with this
        consequence, the lowest-numbered one is used.
        """
        retrieve = self._retrieve[strategy]
        instance = None if self._instances is None else self._instances.of_consequence(row)
        if self._instances is None or instance is None:
            return ComposedPrompt(
                strategy=strategy, query=_shown(retrieve, row, np.empty(0, np.int64))
            )
        antecedents = self._instances.antecedents_of(instance)
        analogy = None
        if strategy in (Strategy.AH, Strategy.AR, Strategy.BAR):
            other = self._instances.analogy(instance)
            if other is not None:
                solved = int(self._instances.consequence[other])
                analogy = _shown(retrieve, solved, self._instances.antecedents_of(other))
        return ComposedPrompt(
            strategy=strategy,
            query=_shown(retrieve, row, antecedents),
            analogy=analogy,
            instance=instance,
        )

    def _by_head(self, row: int, _: Ids) -> Ids:
        return self._one(ContextKey.ENTITY, row)

    def _by_pair(self, row: int, _: Ids) -> Ids:
        return self._one(ContextKey.PAIR, row)

    def _one(self, shared: ContextKey, row: int) -> Ids:
        return (
            self._history[shared].before(self.facts.take(slice(row, row + 1)), self._most).rows(0)
        )

    def _antecedents(self, row: int, antecedents: Ids) -> Ids:
        # With a lag of 0 a fact may be a step of its own instance.
        return self._by_time([antecedents[antecedents != row]])

    def _by_relations(self, row: int, antecedents: Ids) -> Ids:
        return self._by_time(self._recent(row, antecedents, self._most))[-self._most :]

    def _balanced(self, row: int, antecedents: Ids) -> Ids:
        """Divide the context evenly among relations; the one with the latest fact gets the rest."""
        found = self._recent(row, antecedents, self._most)
        part, rest = divmod(self._most, max(1, len(found)))
        times = [
            (int(self.facts.time[rows[-1]]), int(rows[-1])) if len(rows) else (-1, -1)
            for rows in found
        ]
        newest = times.index(max(times)) if times else -1
        sizes = [part + rest * (number == newest) for number in range(len(found))]
        return self._by_time(
            [rows[max(0, len(rows) - size) :] for rows, size in zip(found, sizes, strict=True)]
        )

    def _recent(self, row: int, antecedents: Ids, most: int) -> list[Ids]:
        relations = dict.fromkeys(self.facts.relation[antecedents].tolist())
        asked = self.facts.take(slice(row, row + 1))
        return self._history[ContextKey.RELATION].recent(asked, relations, most)

    def _by_time(self, parts: list[Ids]) -> Ids:
        rows = np.unique(np.concatenate([np.empty(0, np.int64), *parts]))
        return rows[np.argsort(self.facts.time[rows], kind="stable")]


def _shown(retrieve: Retrieve, row: int, antecedents: Ids) -> ShownFact:
    return ShownFact(context=retrieve(row, antecedents), fact=row)


class Style(StrEnum):
    """Format of facts.

    ``index``: ``21 : [0. 1071, 20, 1. 1493]``, each entity preceded by its index in the prompt.
    ``plain``: ``21:[1071, 20, 1493]``.
    """

    INDEX = "index"
    PLAIN = "plain"


def write_prompt(composed: ComposedPrompt, facts: Quadruples, style: Style = Style.INDEX) -> str:
    """Write the text of a prompt, without a final line break."""
    writer = _PromptWriter(facts, style)
    if composed.analogy is not None:
        solved = composed.analogy
        lines = ["Example:", *writer.context(solved), writer.fact(solved.fact), "New Solve:"]
    else:
        lines = []
    lines += [*writer.context(composed.query), writer.question(composed.query.fact)]
    return "\n".join(lines)


class _PromptWriter:
    """Writes the lines of one prompt; entities are indexed in order of first appearance."""

    def __init__(self, facts: Quadruples, style: Style) -> None:
        self._facts = facts
        self._style = style
        self._index: dict[int, int] = {}

    def context(self, shown: ShownFact) -> list[str]:
        return [self.fact(row) for row in shown.context.tolist()]

    def fact(self, row: int) -> str:
        opened = self._opened(row)
        return f"{opened}, {self._entity(self._facts.tail, row)}]"

    def question(self, row: int) -> str:
        return f"{self._opened(row)}, ?]"

    def _opened(self, row: int) -> str:
        stamp = f"{self._facts.time[row]}{' : ' if self._style is Style.INDEX else ':'}"
        head = self._entity(self._facts.head, row)
        return f"{stamp}[{head}, {self._facts.relation[row]}"

    def _entity(self, column: Ids, row: int) -> str:
        entity = int(column[row])
        if self._style is Style.PLAIN:
            return str(entity)
        return f"{self._index.setdefault(entity, len(self._index))}. {entity}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where the answer occurs in a prompt.

    Attributes:
        context: as a head or tail in the query's context.
        tail: as a tail in the query's context.
        prompt: anywhere: in the context, in the analogy, or as the query's head.
    """

    context: bool
    tail: bool
    prompt: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Statistics of a strategy's prompts; shares are in [0, 1].

    Attributes:
        prompts: number of prompts.
        reachable: the ceiling: share with the answer in the query's context (``Reach.context``).
        as_tail: share with the answer as a tail of the context.
        in_prompt: share with the answer anywhere in the prompt.
        with_analogy: share with an analogy.
        empty: share with an empty context.
        facts: mean size of the query's context.
    """

    strategy: Strategy
    prompts: int
    reachable: float
    as_tail: float
    in_prompt: float
    with_analogy: float
    empty: float
    facts: float


def reach(composed: ComposedPrompt, facts: Quadruples) -> Reach:
    """Locate the answer in a prompt."""
    query = composed.query
    answer = facts.tail[query.fact]
    tail = bool((facts.tail[query.context] == answer).any())
    context = tail or bool((facts.head[query.context] == answer).any())
    elsewhere = bool(facts.head[query.fact] == answer) or (
        composed.analogy is not None and _names(composed.analogy, facts, int(answer))
    )
    return Reach(context=context, tail=tail, prompt=context or elsewhere)


def _names(shown: ShownFact, facts: Quadruples, entity: int) -> bool:
    rows = np.append(shown.context, shown.fact)
    return bool(((facts.head[rows] == entity) | (facts.tail[rows] == entity)).any())


def ceiling(prompts: Iterable[ComposedPrompt], facts: Quadruples, strategy: Strategy) -> Ceiling:
    """Compute the statistics of one strategy's prompts; without prompts all shares are 0."""
    rows = []
    for prompt in prompts:
        found = reach(prompt, facts)
        size = len(prompt.query.context)
        analogy = prompt.analogy is not None
        rows.append((found.context, found.tail, found.prompt, analogy, not size, size))
    means = np.array(rows or np.zeros((1, 6)), dtype=np.float64).mean(axis=0).tolist()
    names = ("reachable", "as_tail", "in_prompt", "with_analogy", "empty", "facts")
    return Ceiling(strategy=strategy, prompts=len(rows), **dict(zip(names, means, strict=True)))


_Id = Annotated[int, msgspec.Meta(ge=0)]


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A query: a fact without its tail."""

    head: _Id
    relation: _Id
    time: int


class PromptRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the file.

    Attributes:
        id: strategy and row of the fact, such as ``bar-20512``.
        gold: the tail of the fact.
        reachable: whether it is a head or tail in the query's context.
        pattern: pattern of which the fact is a consequence; None without labels.
        hops: number of hops of the pattern; None without labels.
    """

    id: str
    prompt: str
    query: Query
    gold: _Id
    strategy: Strategy
    reachable: bool
    pattern: int | None = None
    hops: int | None = None


def prompt_row(
    composed: ComposedPrompt, facts: Quadruples, instances: Instances | None, style: Style
) -> PromptRow:
    """Build the line of a composed prompt."""
    row, instance = composed.query.fact, composed.instance
    pattern = hops = None
    if instances is not None and instance is not None:
        pattern = int(instances.pattern[instance])
        hops = len(instances.antecedents_of(instance))
    return PromptRow(
        id=f"{composed.strategy}-{row}",
        prompt=write_prompt(composed, facts, style),
        query=Query(
            head=int(facts.head[row]), relation=int(facts.relation[row]), time=int(facts.time[row])
        ),
        gold=int(facts.tail[row]),
        strategy=composed.strategy,
        reachable=reach(composed, facts).context,
        pattern=pattern,
        hops=hops,
    )


def read_prompts(path: str) -> dict[str, tuple[PromptRow, IndexPrompt]]:
    """Read the prompts of a file by id, each with its parsed text.

    Raises:
        InputError: the file cannot be read, is empty, has duplicate ids, or a line is invalid.
    """
    found: dict[str, tuple[PromptRow, IndexPrompt]] = {}
    with open_input(path, "a file of prompts") as source:
        for line in sound_lines(source):
            row, prompt = _row(line, f"{source.name}:{line.number}")
            if row.id in found:
                message = f"found the id {row.id!r} again, expected each once"
                raise InputError(message, where=f"{source.name}:{line.number}")
            found[row.id] = row, prompt
        name = source.name
    if not found:
        raise InputError("found no prompt, expected one on each line", where=name)
    return found


def _row(line: Line, where: str) -> tuple[PromptRow, IndexPrompt]:
    hint = "a line as `prompts tkg` writes it"
    if line.error is not None:
        raise InputError(line.error.message, where=line.error.where, hint=line.error.hint)
    try:
        row = msgspec.json.decode(line.text, type=PromptRow)
        return row, read_prompt(row.prompt)
    except ParseError as error:
        raise InputError(error.message, where=f"{where}: {error.where}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"found an invalid prompt ({error})", where=where, hint=hint) from None
