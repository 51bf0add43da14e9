"""Reads and writes prompt files: one prompt per line with its gold answer."""

from __future__ import annotations

from typing import Annotated

import msgspec

from benchmarks.retrieval.ceiling import reach
from benchmarks.retrieval.instances import Instances
from benchmarks.retrieval.prompts import Style, write_prompt
from benchmarks.retrieval.strategies import ComposedPrompt, Strategy
from grammar.errors import ParseError
from grammar.index_prompts import IndexPrompt, read_prompt
from solver.reading.failures import InputError
from solver.reading.lines import Line, lines
from solver.reading.source import open_input
from solver.tkg.quadruples import Quadruples

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
        for line in lines(source):
            if line.blank:
                continue
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
