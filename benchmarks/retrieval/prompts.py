"""Writes the text of prompts; ``grammar.index_prompts`` parses it.

Source: synthetic temporal knowledge graphs, section 5.3 and Table 6.
"""

from __future__ import annotations

from enum import StrEnum

from benchmarks.retrieval.strategies import ComposedPrompt, ShownFact
from solver.tkg.quadruples import Ids, Quadruples


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
