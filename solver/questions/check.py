"""Checks certificates of questions by set lookups and decimal arithmetic.

Independent of the engines on purpose: it works on names, and shares no index, join or table with
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from functools import lru_cache

from grammar.questions.model import QuestionKind
from solver.questions.contributions import Fold
from solver.questions.model import ASKED, LETTERS, PARTY, YES, Fact, Question, Triple, format_fact
from solver.rules.model import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateContext:
    """The background knowledge against which certificates are checked.

    Attributes:
        facts: facts of the whole graph; triples: their triples.
        moments: number of each time.
        rules: rules by row; relations are ids, inverses beyond the others.
        folds: which rules count at which times.
        relations: names of the relation ids.
    """

    facts: frozenset[Fact]
    triples: frozenset[Triple]
    moments: Mapping[str, int]
    rules: Mapping[int, Rule]
    relations: tuple[str, ...]
    folds: tuple[Fold, ...]


def failures(question: Question, known: CertificateContext) -> Iterator[str]:
    """Messages about the parts of a question's certificate that do not hold."""
    yield from _foreign_parts(question)
    match question.kind:
        case QuestionKind.ONE_HOP:
            yield from _entity_failures(question, known, 1)
        case QuestionKind.TWO_HOP:
            yield from _entity_failures(question, known, 2)
        case QuestionKind.YES_UNKNOWN:
            yield from _yes_unknown_failures(question, known)
        case QuestionKind.FACT_REASONING:
            yield from _reasoning_failures(question, known)


def _foreign_parts(question: Question) -> Iterator[str]:
    """Fields that do not belong to this kind, and would go unchecked."""
    match question.kind:
        case QuestionKind.FACT_REASONING:
            own: tuple[str, ...] = ("contributions", "rules")
        case QuestionKind.YES_UNKNOWN if question.answers != (YES,):
            own = ("source",)
        case _:
            own = ("facts",)
    parts = ("facts", "source", "contributions", "rules")
    others = [name for name in parts if name not in own and getattr(question.certificate, name)]
    if others:
        yield f"found {' and '.join(others)}, expected {' and '.join(own)} only"


def _entity_failures(question: Question, known: CertificateContext, hops: int) -> Iterator[str]:
    facts, answers = question.certificate.facts, question.answers
    if len(facts) != hops * len(answers):
        expected = f"{hops * len(answers)}, {hops} for each answer"
        yield f"found {len(facts)} facts, expected {expected}"
        return
    for number, answer in enumerate(answers):
        behind = facts[hops * number : hops * (number + 1)]
        absent = [one for one in behind if one not in known.facts]
        if absent:
            yield f"{format_fact(absent[0])}, cited for {answer}, is not in the graph"
        elif not _shows(question, behind, answer):
            yield f"{', '.join(map(format_fact, behind))} does not entail {answer}"


def _shows(question: Question, behind: tuple[Fact, ...], answer: str) -> bool:
    """Whether facts instantiate the query, with the answer and one party for its variables."""
    party = _at(question.query[0], behind[0], PARTY)
    marks = {ASKED: answer, PARTY: party}
    for triple, fact in zip(question.query, behind, strict=True):
        subject, relation, end = (marks.get(one, one) for one in triple)
        if fact != (subject, relation, end, question.time):
            return False
    if party is None:
        return True
    named = {one for one in question.query[0][::2] if one != PARTY}
    return len({answer, party} | named) == 3


def _at(triple: Triple, fact: Fact, mark: str) -> str | None:
    """The value of a variable in a fact."""
    if triple[0] == mark:
        return fact[0]
    return fact[2] if triple[2] == mark else None


def _yes_unknown_failures(question: Question, known: CertificateContext) -> Iterator[str]:
    shown_by, (triple,) = question.certificate, question.query
    asked = (*triple, question.time)
    if question.answers == (YES,):
        if shown_by.facts != (asked,):
            yield f"expected {format_fact(asked)} only"
        elif asked not in known.facts:
            yield f"{format_fact(asked)} is not in the graph"
        return
    source = shown_by.source
    if source is None:
        yield "found no source fact"
        return
    if source not in known.facts:
        yield f"the source fact {format_fact(source)} is not in the graph"
    changed = sum(one != other for one, other in zip(source[:3], triple, strict=True))
    if changed != 1 or source[3] != question.time:
        source_and_asked = f"{format_fact(source)} and {format_fact(asked)}"
        yield f"{source_and_asked} differ in {changed} names, expected one"
    if triple in known.triples:
        yield f"the graph has {' '.join(triple)} at some time"


def _reasoning_failures(question: Question, known: CertificateContext) -> Iterator[str]:
    shown_by, (triple,) = question.certificate, question.query
    sizes = {len(shown_by.contributions), len(shown_by.rules)}
    if sizes != {len(LETTERS)}:
        yield f"expected {len(LETTERS)} contributions and rules, one for each choice"
        return
    rows = zip(LETTERS, question.choices, shown_by.rules, shown_by.contributions, strict=True)
    for letter, choice, row, declared in rows:
        rule = known.rules.get(row)
        if choice.fact not in known.facts:
            yield f"choice {letter}, {format_fact(choice.fact)}, is not in the graph"
        elif not _counts(row, question.time, known):
            yield f"rule {row} does not count for questions of {question.time}"
        elif rule is None or not _leads(rule, choice.fact, triple, known.relations):
            yield f"rule {row} does not lead from choice {letter} to {' '.join(triple)}"
        elif (found := _contribution(question.time, choice.fact[3], rule, known)) != declared:
            yield f"choice {letter} contributes {found}, the file has {declared}"
    most = max(zip(shown_by.contributions, LETTERS, strict=True))[1]
    if question.answers != (most,):
        yield f"choice {most} contributes most, the answer is {question.answers[0]}"


def _counts(row: int, time: str, known: CertificateContext) -> bool:
    """Whether a rule counts for questions of a time."""
    moment = known.moments[time]
    for one in known.folds:
        if one.begin <= moment <= one.end and one.first <= row < one.first + one.rules:
            return True
    return False


def _leads(rule: Rule, fact: Fact, triple: Triple, relations: tuple[str, ...]) -> bool:
    """Whether a rule with one body atom, in either direction, leads from a fact to a triple."""
    if rule.length != 1 or rule.same or rule.head >= len(relations) or triple[0] == triple[2]:
        return False
    inverse, number = divmod(rule.body[0], len(relations))
    ends = (fact[2], fact[0]) if inverse else (fact[0], fact[2])
    body = (ends[0], relations[number], ends[1])
    head = (triple[0], relations[rule.head], triple[2])
    return body == (triple[0], fact[1], triple[2]) and head == triple


def _contribution(asked: str, time: str, rule: Rule, known: CertificateContext) -> int:
    lag = known.moments[asked] - known.moments[time]
    matching, bodies = rule.rule_support, rule.body_support
    if lag <= 0 or bodies < 2 or 100 * matching < bodies:
        return 0
    return 10_000 * matching // bodies * _recency(lag) // 100


@lru_cache(maxsize=4096)
def _recency(lag: int) -> int:
    recent = 100_000 * (Decimal("-0.1") * lag).exp()
    return int(recent.to_integral_value(rounding=ROUND_FLOOR))
