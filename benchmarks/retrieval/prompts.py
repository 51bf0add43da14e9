"""Prompts as texts; ``grammar.index_prompts`` reads them back.

Source: synthetic temporal knowledge graphs, section 5.3 and Table 6.
"""

from __future__ import annotations

from enum import StrEnum

from benchmarks.retrieval.strategies import Composed, Shown
from solver.tkg.quadruples import Ids, Quadruples


class Style(StrEnum):
    """How a fact is written.

    ``index``: ``21 : [0. 1071, 20, 1. 1493]``, an index before each entity, counted through the
    prompt. ``plain``: ``21:[1071, 20, 1493]``.
    """

    INDEX = "index"
    PLAIN = "plain"


def write_prompt(composed: Composed, facts: Quadruples, style: Style = Style.INDEX) -> str:
    """The text of a prompt, its last line without an end."""
    page = _Page(facts, style)
    if composed.analogy is not None:
        solved = composed.analogy
        lines = ["Example:", *page.context(solved), page.fact(solved.fact), "New Solve:"]
    else:
        lines = []
    lines += [*page.context(composed.query), page.question(composed.query.fact)]
    return "\n".join(lines)


class _Page:
    """Lines of one prompt; entities get their indexes as they come."""

    def __init__(self, facts: Quadruples, style: Style) -> None:
        self._facts = facts
        self._style = style
        self._index: dict[int, int] = {}

    def context(self, shown: Shown) -> list[str]:
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
