"""Replays certificates of questions: lookups in sets of facts, and decimal arithmetic.

It shares nothing with the engines, so that a fault of theirs is not also here: facts are the names
in the file, and no index, join or table of theirs is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import lru_cache

from grammar.question import QuestionKind
from solver.questions.question import ASKED, LETTERS, PARTY, YES, Fact, Question, Triple, written
from solver.rules.rule import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What certificates are held against.

    Attributes:
        facts: of the whole graph; triples: of these facts.
        moments: the number of each time.
        rules: by row, those that question of a file name; relations are ids, inverse ones beyond.
        relations: the names of ids.
    """

    facts: frozenset[Fact]
    triples: frozenset[Triple]
    moments: Mapping[str, int]
    rules: Mapping[int, Rule]
    relations: tuple[str, ...]


def failures(question: Question, known: Known) -> Iterator[str]:
    """What a question's certificate does not show, each in a sentence without its end."""
    yield from _besides(question)
    match question.kind:
        case QuestionKind.ONE_HOP:
            yield from _who(question, known, 1)
        case QuestionKind.TWO_HOP:
            yield from _who(question, known, 2)
        case QuestionKind.YES_UNKNOWN:
            yield from _whether(question, known)
        case QuestionKind.FACT_REASONING:
            yield from _why(question, known)


def _besides(question: Question) -> Iterator[str]:
    """Parts that a certificate of this kind has not: nobody would look whether they are right."""
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
        yield f"it holds {' and '.join(others)}, expected {' and '.join(own)} alone"


def _who(question: Question, known: Known, hops: int) -> Iterator[str]:
    facts, answers = question.certificate.facts, question.answers
    if len(facts) != hops * len(answers):
        expected = f"{hops * len(answers)}, {hops} for each answer"
        yield f"it has {len(facts)} facts, expected {expected}"
        return
    for number, answer in enumerate(answers):
        behind = facts[hops * number : hops * (number + 1)]
        absent = [one for one in behind if one not in known.facts]
        if absent:
            yield f"{written(absent[0])}, which is to show {answer}, is not in the graph"
        elif not _shows(question, behind, answer):
            yield f"{', '.join(map(written, behind))} does not show {answer}"


def _shows(question: Question, behind: tuple[Fact, ...], answer: str) -> bool:
    """Whether facts are those of the query, with the answer and one party for its marks."""
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
    """What a fact has in the place of a mark."""
    if triple[0] == mark:
        return fact[0]
    return fact[2] if triple[2] == mark else None


def _whether(question: Question, known: Known) -> Iterator[str]:
    shown_by, (triple,) = question.certificate, question.query
    asked = (*triple, question.time)
    if question.answers == (YES,):
        if shown_by.facts != (asked,):
            yield f"it is to hold {written(asked)} alone"
        elif asked not in known.facts:
            yield f"{written(asked)} is not in the graph"
        return
    source = shown_by.source
    if source is None:
        yield "it has no fact that the question was made from"
        return
    if source not in known.facts:
        yield f"{written(source)}, which the question was made from, is not in the graph"
    changed = sum(one != other for one, other in zip(source[:3], triple, strict=True))
    if changed != 1 or source[3] != question.time:
        yield f"{written(source)} and {written(asked)} differ in {changed} names, expected one"
    if triple in known.triples:
        yield f"the graph has {' '.join(triple)} at some time"


def _why(question: Question, known: Known) -> Iterator[str]:
    shown_by, (triple,) = question.certificate, question.query
    sizes = {len(shown_by.contributions), len(shown_by.rules)}
    if sizes != {len(LETTERS)}:
        yield f"it has not {len(LETTERS)} contributions and rules, one for each choice"
        return
    rows = zip(LETTERS, question.choices, shown_by.rules, shown_by.contributions, strict=True)
    for letter, choice, row, told in rows:
        rule = known.rules.get(row)
        if choice.fact not in known.facts:
            yield f"choice {letter}, {written(choice.fact)}, is not in the graph"
        elif rule is None or not _leads(rule, choice.fact, triple, known.relations):
            yield f"rule {row} does not lead from choice {letter} to {' '.join(triple)}"
        elif (found := _contribution(question.time, choice.fact[3], rule, known)) != told:
            yield f"choice {letter} contributes {found}, the file says {told}"
    most = max(zip(shown_by.contributions, LETTERS, strict=True))[1]
    if question.answers != (most,):
        yield f"choice {most} contributes most, the answer is {question.answers[0]}"


def _leads(rule: Rule, fact: Fact, triple: Triple, relations: tuple[str, ...]) -> bool:
    """Whether a rule of one body fact, read either way, leads from a fact to a triple."""
    if rule.length != 1 or rule.same or rule.head >= len(relations) or triple[0] == triple[2]:
        return False
    inverse, number = divmod(rule.body[0], len(relations))
    ends = (fact[2], fact[0]) if inverse else (fact[0], fact[2])
    body = (ends[0], relations[number], ends[1])
    head = (triple[0], relations[rule.head], triple[2])
    return body == (triple[0], fact[1], triple[2]) and head == triple


def _contribution(asked: str, time: str, rule: Rule, known: Known) -> int:
    lag = known.moments[asked] - known.moments[time]
    confidence = Fraction(rule.rule_support, max(rule.body_support, 1))
    if lag <= 0 or confidence < Fraction(1, 100) or rule.body_support < 2:
        return 0
    return int(confidence * 10_000) * _recency(lag) // 100


@lru_cache(maxsize=4096)
def _recency(lag: int) -> int:
    recent = 100_000 * (Decimal("-0.1") * lag).exp()
    return int(recent.to_integral_value(rounding=ROUND_FLOOR))
