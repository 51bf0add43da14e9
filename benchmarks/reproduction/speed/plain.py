"""The baseline: a plain loop with one regular expression per sentence and a closure on bit sets.

A minimal implementation for files in the published format, without certificates, a second procedure
or error messages. It computes the ``local`` label.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grammar.eventhop.lexicon import GAP, lexicon
from grammar.eventhop.model import PUBLISHED_ORDERS, ClaimRelation, Domain, Order

_MARKS = {Domain.TEMPORAL: "start|end", Domain.SPATIAL: "western edge|eastern edge"}
_STARTS = ("start", "western edge", "1")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Patterns:
    """Patterns for a sentence and a claim, and the meaning of their phrases."""

    sentence: re.Pattern[str]
    claim: re.Pattern[str]
    orders: dict[str, Order]
    claims: dict[str, ClaimRelation]


def labels(path: str | Path) -> Iterator[str]:
    """The label of each row of a file of the published format, plain or gzip."""
    raw = Path(path).read_bytes()
    text = (gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw).decode("utf-8")
    for row in csv.reader(io.StringIO(text, newline=""), delimiter="\t"):
        yield label(row[-3], row[-2])


def label(premise: str, claim: str) -> str:
    """The label of one item."""
    patterns = _patterns(_domain(premise))
    numbers: dict[str, int] = {}
    sentences = []
    for m in patterns.sentence.finditer(premise):
        p = 2 * numbers.setdefault(m["left"], len(numbers)) + (m["p"].lower() not in _STARTS)
        q = 2 * numbers.setdefault(m["right"], len(numbers)) + (m["q"].lower() not in _STARTS)
        sentences.append((p, patterns.orders[m["phrase"]], q))
    found = patterns.claim.fullmatch(claim.rstrip("."))
    if found is None:
        raise ValueError(f"not a claim: {claim}")
    a = 2 * numbers.setdefault(found[1], len(numbers))
    b = 2 * numbers.setdefault(found[3], len(numbers))
    before, strictly = _closure(sentences, len(numbers))
    return _label(a, patterns.claims[found[2]], b, before, strictly)


def _closure(
    sentences: Sequence[tuple[int, Order, int]], events: int
) -> tuple[list[int], list[int]]:
    """For each point, bit sets of the points that are not earlier and of those that are later."""
    size = 2 * events
    before = [1 << p for p in range(size)]
    strict = [0 if p & 1 else 1 << (p + 1) for p in range(size)]
    for p, order, q in sentences:
        if order is Order.SIMULTANEOUS:
            before[p] |= 1 << q
            before[q] |= 1 << p
        else:
            p, q = (p, q) if order is Order.BEFORE else (q, p)
            strict[p] |= 1 << q
    for p in range(size):
        before[p] |= strict[p]
    for k in range(size):
        for p in range(size):
            if before[p] >> k & 1:
                before[p] |= before[k]
    later = [0] * size
    for p in range(size):
        for q in range(size):
            if strict[p] >> q & 1:
                later[p] |= before[q]
    strictly = [0] * size
    for p in range(size):
        for q in range(size):
            if before[p] >> q & 1:
                strictly[p] |= later[q]
    return before, strictly


def _label(
    a: int, relation: ClaimRelation, b: int, before: Sequence[int], strictly: Sequence[int]
) -> str:
    points = (a, a + 1, b, b + 1)
    for p in points:
        for q in points:
            if (p != q or a == b) and strictly[p] >> q & 1 and strictly[q] >> p & 1:
                return "undefined"
    if relation is ClaimRelation.OVERLAPS:
        holds = strictly[a] >> (b + 1) & 1 and strictly[b] >> (a + 1) & 1
    elif relation is ClaimRelation.BEFORE:
        holds = before[a + 1] >> b & 1
    else:
        holds = before[b + 1] >> a & 1
    return "true" if holds else "false"


def _domain(premise: str) -> Domain:
    if re.search(r" edge of ", premise):
        return Domain.SPATIAL
    return Domain.TEMPORAL if re.search(r"(?:start|end) of ", premise) else Domain.LOGICAL


@cache
def _patterns(domain: Domain) -> _Patterns:
    words = lexicon(domain)
    orders = {
        phrase.partition(f" {GAP}")[0]: order
        for order in PUBLISHED_ORDERS
        for phrase in words.phrases(order)
    }
    claims = {phrase: claim for claim in ClaimRelation for phrase in words.phrases(claim)}
    verbs = "|".join(re.escape(phrase) for phrase in sorted(orders, key=len, reverse=True))
    claimed = "|".join(re.escape(phrase) for phrase in sorted(claims, key=len, reverse=True))
    if domain is Domain.LOGICAL:
        sentence = rf"(?P<left>\w+)(?P<p>[12]) (?P<phrase>{verbs}) (?P<right>\w+)(?P<q>[12])"
    else:
        marks = rf"(?:the )?(?:{_MARKS[domain]}) of "
        p, q = (rf"(?:the )?(?P<{name}>{_MARKS[domain]}) of (?:the )?" for name in "pq")
        sentence = (
            rf"{p}(?P<left>.+?) (?P<phrase>{verbs}) {q}(?P<right>.+?)(?: had happened)?"
            rf"(?=\. {marks}|\.?$)"
        )
    return _Patterns(
        sentence=re.compile(sentence, re.IGNORECASE),
        claim=re.compile(rf"(?:[Tt]he )?(.+?) ({claimed}) (?:the )?(.+)"),
        orders=orders,
        claims=claims,
    )
