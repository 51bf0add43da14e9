"""Tables and exhibits of documents for the report's page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from solver.links.messages import link_in_words, step_in_words
from solver.report.model import Exhibit, Section, Sentence, Table

if TYPE_CHECKING:
    from solver.links.verify import Outcome

_DRAWN = 30
"""Inconsistent documents that are shown with a drawing."""


def tables(outcomes: Sequence[Outcome]) -> dict[str, Table]:
    """The table of the documents."""
    columns: tuple[str, ...] = (
        "document", "links", "consistent", "links of the shortest cycle", "double links"
    )  # fmt: skip
    rows = tuple(
        (
            one.document.name,
            f"{one.stated:,}",
            "yes" if one.decision.consistent else "no",
            "" if one.decision.consistent else f"{len(one.decision.links)}",
            f"{len(one.overlap.repeated + one.overlap.inverse):,}",
            *(() if one.redundant is None else (f"{one.redundant:,}",)),
        )
        for one in outcomes
    )
    if all(one.redundant is not None for one in outcomes):
        columns = (*columns, "follow from the others")
    return {"Documents": Table(columns=columns, rows=rows)} if rows else {}


def sections(outcomes: Sequence[Outcome]) -> Iterator[Section]:
    """The inconsistent documents, each with its cycle, its sentences and a drawing."""
    wrong = [one for one in outcomes if not one.decision.consistent]
    if not wrong:
        return
    left = len(wrong) - _DRAWN
    yield Section(
        title="Contradictions",
        text=f"The first {_DRAWN}; {left:,} more." if left > 0 else "",
        exhibits=tuple(exhibit(one) for one in wrong[:_DRAWN]),
    )


def exhibit(outcome: Outcome, notes: Sequence[str] = ()) -> Exhibit:
    """A document with its cycle."""
    from solver.links.drawing import draw_cycle

    document, decision = outcome.document, outcome.decision
    links = [document.links[n] for n in decision.links]
    names = dict.fromkeys(name for link in links for name in (link.left, link.right))
    found = dict.fromkeys(document.nodes[name].sentence for name in names)
    sentences = tuple(
        Sentence(number=n, text=text, used=True) for n, text in enumerate(filter(None, found), 1)
    )
    return Exhibit(
        id=document.name,
        claim=f"{len(links)} links contradict each other",
        labels=(f"{outcome.stated:,} links", "inconsistent"),
        wrong=True,
        tags=(),
        text="; ".join(link_in_words(document, link) for link in links),
        sentences=sentences,
        notes=tuple(notes),
        heading="The cycle",
        words=tuple(step_in_words(document, one) for one in decision.cycle),
        drawing=draw_cycle(document, decision.cycle),
        place=document.where(min((link.line for link in links), default=0)),
    )
