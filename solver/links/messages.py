"""Messages of findings about documents: what is wrong, with ids of links and words of events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grammar.eventhop.model import Bound, Point
from grammar.links.model import Document, FlawCode, Link, Step
from solver.verification.report import SHORTCUT, Codes, Finding

if TYPE_CHECKING:
    from solver.links.outcome import Outcome

INCONSISTENT = "inconsistent"
DUPLICATE = "duplicate-link"
CONFLICTING = "conflicting-links"
CODES = Codes(
    {
        "inconsistent(document)": (
            "links contradict each other: {links}",
            "the links contradict each other; shown with a cycle of which no link can be left out",
        ),
        CONFLICTING: (
            "links {first.id} and {link.id} give one pair relations that exclude each other: "
            "{first_words}; {words}",
            "two links give one pair relations that exclude each other",
        ),
        DUPLICATE: (
            "link {link.id} repeats link {first.id}: {words}",
            "a link repeats an earlier one, with the same ends in the same order",
        ),
        FlawCode.DANGLING: (
            "{message}",
            "a link refers to an event or a time that the document lacks; it is left out",
        ),
        FlawCode.UNKNOWN: ("{message}", "a label that is not known; the link is left out"),
        FlawCode.SELF: (
            "{message}",
            "a link of an event to itself: redundant, or a contradiction of one link",
        ),
        **SHORTCUT,
    }
)

_KEPT = 100
"""Cores listed in a certificate."""


def link_in_words(document: Document, link: Link) -> str:
    """Format as ``12: e4 "said" AFTER e20 "left"``."""
    left, right = (document.nodes[name] for name in (link.left, link.right))
    return f"{link.id}: {left} {link.written or link.relation} {right}"


def step_in_words(document: Document, step: Step) -> str:
    """Format as ``start of e4 <= end of e20 (link 12)``."""
    reason = "its duration, or the calendar"
    if step.relation is not None:
        reason = f"link {document.links[step.relation].id}"
    elif step.source.event == step.target.event:
        reason = "it lasts"
    sign = "<" if step.strict else "<="
    return f"{_point(step.source)} {sign} {_point(step.target)} ({reason})"


def _point(point: Point) -> str:
    return f"{'end' if point.bound is Bound.END else 'start'} of {point.event}"


class MessageFormatter:
    """Formats what was found in one document."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._document = outcome.document

    def findings(self) -> Iterator[Finding]:
        """The findings of the document, by line."""
        document = self._document
        found = [*self._inconsistent(), *self._doubles()]
        found += ((flaw.line, str(flaw.code), flaw.message, {}) for flaw in document.flaws)
        for line, code, message, certificate in sorted(found, key=lambda row: row[:2]):
            yield Finding(
                code=code,
                where=document.where(line),
                message=f"{document.name}: {message}",
                certificate=certificate,
                id=document.name,
            )

    def _inconsistent(self) -> Iterator[tuple[int, str, str, dict[str, Any]]]:
        document, decision = self._document, self._outcome.decision
        if decision.consistent:
            return
        links = [document.links[n] for n in decision.links]
        named = "; ".join(link_in_words(document, link) for link in links)
        certificate: dict[str, Any] = {
            "links": [link.id for link in links],
            "cycle": [step_in_words(document, step) for step in decision.cycle],
        }
        sentences = {
            document.nodes[name].sentence for link in links for name in (link.left, link.right)
        }
        if sentences - {""}:
            certificate["sentences"] = sorted(sentences - {""})
        if self._outcome.cores:
            certificate["cores"] = [
                [document.links[n].id for n in core] for core in self._outcome.cores[:_KEPT]
            ]
        line = min((link.line for link in links), default=0)
        yield line, INCONSISTENT, CODES[INCONSISTENT].message.format(links=named), certificate

    def _doubles(self) -> Iterator[tuple[int, str, str, dict[str, Any]]]:
        document = self._document
        for n, earlier in self._outcome.overlap.repeated:
            link, first = document.links[n], document.links[earlier]
            words = link_in_words(document, link)
            message = CODES[DUPLICATE].message.format(link=link, first=first, words=words)
            yield link.line, DUPLICATE, message, {}
        for n, earlier in self._outcome.conflicting:
            link, first = document.links[n], document.links[earlier]
            message = CODES[CONFLICTING].message.format(
                link=link,
                first=first,
                words=link_in_words(document, link),
                first_words=link_in_words(document, first),
            )
            yield link.line, CONFLICTING, message, {}
