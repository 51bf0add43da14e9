"""Reads and writes prompt files: one prompt per line with its gold answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np

from benchmarks.tkg.retrieval.context import Instances
from benchmarks.tkg.retrieval.strategies import (
    ComposedPrompt,
    ShownFact,
    Strategy,
    Style,
    write_prompt,
)
from grammar.errors import ParseError
from grammar.tkg.prompts import IndexPrompt, read_prompt
from solver.graph.model import Quadruples
from solver.io.sources import InputError, Line, open_input, sound_lines


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
    for one in prompts:
        found = reach(one, facts)
        size = len(one.query.context)
        analogy = one.analogy is not None
        rows.append((found.context, found.tail, found.prompt, analogy, not size, size))
    shares = np.array(rows or np.zeros((1, 6)), dtype=np.float64).mean(axis=0).tolist()
    return Ceiling(
        strategy=strategy,
        prompts=len(rows),
        reachable=shares[0],
        as_tail=shares[1],
        in_prompt=shares[2],
        with_analogy=shares[3],
        empty=shares[4],
        facts=shares[5],
    )


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
