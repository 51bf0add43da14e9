"""Decides what one person of a family is to another: ASP and z3 must agree, and the checker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

import networkx as nx

from grammar.family.reader import Family
from solver.asp import Program
from solver.encodings import Atom, Fact
from solver.family import check
from solver.smt import TheorySolver
from solver.verification.outcomes import Outcome, Verdict
from solver.verification.run import DisagreementError

ENCODING = "family/family.lp"
THEORY = "family/family.smt2"
COUPLES: Mapping[str, str] = {
    "husband-first": "the first of a couple is the husband, the second the wife",
    "any": "one of a couple is the husband, the other the wife",
}
"""Which spouse is the husband, which the texts do not say; the gender of children is open."""

_WORDS: Mapping[str, tuple[str, str]] = {
    "spouse": ("husband", "wife"),
    "parent": ("father", "mother"),
    "child": ("son", "daughter"),
    "sibling": ("brother", "sister"),
    "grandparent": ("grandfather", "grandmother"),
    "grandchild": ("grandson", "granddaughter"),
    "pibling": ("uncle", "aunt"),
    "nibling": ("nephew", "niece"),
    "parent_in_law": ("father-in-law", "mother-in-law"),
    "child_in_law": ("son-in-law", "daughter-in-law"),
    "sibling_in_law": ("brother-in-law", "sister-in-law"),
}


class CoupleFact(Fact, predicate="couple"):
    """Two people are married."""

    item: int
    person: int
    spouse: int


class ChildFact(Fact, predicate="child"):
    """Somebody is a child of a person."""

    item: int
    child: int
    person: int


class GenderFact(Fact, predicate="gender"):
    """A gender that a person may have."""

    item: int
    person: int
    gender: str


class AskedFact(Fact, predicate="asked"):
    """What the first person is to the second."""

    item: int
    person: int
    other: int


def facts(item: int, family: Family, couples: str) -> Iterator[Fact]:
    """The facts of a family."""
    number = {name: n for n, name in enumerate(family.people)}
    known = dict[str, str]()
    for (first, second), children in zip(family.couples, family.children, strict=True):
        yield CoupleFact(item=item, person=number[first], spouse=number[second])
        for child in children:
            for parent in (first, second):
                yield ChildFact(item=item, child=number[child], person=number[parent])
        if couples == "husband-first":
            known |= {first: "male", second: "female"}
    for name in family.people:
        for gender in (known[name],) if name in known else ("male", "female"):
            yield GenderFact(item=item, person=number[name], gender=gender)
    yield AskedFact(item=item, person=number[family.asked[0]], other=number[family.asked[1]])


def _words(families: Sequence[Family], couples: str) -> list[tuple[str, ...]]:
    """The words that are possible, by clingo."""
    text = "\n".join(
        f"{fact}." for item, family in enumerate(families) for fact in facts(item, family, couples)
    )
    words: list[list[str]] = [[] for _ in families]
    for atom in Program(encodings=(ENCODING,)).unique_model(text):
        match atom:
            case Atom(name="fits", arguments=(int(item), str(word))):
                words[item].append(word)
    return [tuple(sorted(each)) for each in words]


@cache
def _smt() -> TheorySolver:
    return TheorySolver(THEORY)


def _confirmed(family: Family, words: Sequence[str], couples: str) -> bool:
    """Whether z3 finds these words possible, and no others."""
    number = {name: n for n, name in enumerate(family.people)}
    parents: dict[str, tuple[str, str]] = {
        child: pair
        for pair, children in zip(family.couples, family.children, strict=True)
        for child in children
    }
    terms, unknown = [], -1
    for name, n in number.items():
        for array, person in zip("fm", parents.get(name, ("", "")), strict=True):
            terms.append(f"(= (select {array} {n}) {_numeral(number.get(person, unknown))})")
            unknown -= 1
    married = {a: b for pair in family.couples for a, b in (pair, pair[::-1])}
    for name, n in number.items():
        terms.append(f"(= (select s {n}) {_numeral(number.get(married.get(name, ''), unknown))})")
        unknown -= 1
    for first, second in family.couples:
        a, b = number[first], number[second]
        terms.append(f"(not (= (select men {a}) (select men {b})))")
        if couples == "husband-first":
            terms.append(f"(select men {a})")
    # Nobody outside the text has parents or a spouse there.
    for outside in range(unknown, 0):
        terms += [
            f"(< (select {array} {_numeral(outside)}) {_numeral(unknown)})" for array in "fms"
        ]
    arrays = {"f": "(Array Int Int)", "m": "(Array Int Int)", "s": "(Array Int Int)"}
    _smt().begin(" ".join(family.asked), {**arrays, "men": "(Array Int Bool)"}, terms)
    x, y = (number[name] for name in family.asked)
    claims = {
        word: f"(and ({kin} f m s {x} {y}) {man})"
        for kin, pair in _WORDS.items()
        for word, man in zip(pair, (f"(select men {x})", f"(not (select men {x}))"), strict=True)
    }
    others = " ".join(claim for word, claim in claims.items() if word not in words)
    return all(_smt().satisfiable(claims[word]) for word in words) and not _smt().satisfiable(
        f"(or false {others})"
    )


def _numeral(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"


def decide(
    families: Sequence[Family], golds: Sequence[str], couples: str = "husband-first"
) -> list[Outcome]:
    """Decide what people are to others, in order.

    Args:
        families: the stories with their questions.
        golds: the labels.
        couples: one of ``COUPLES``.

    Raises:
        DisagreementError: ASP and z3 disagree, or the checker rejects a certificate.
    """
    outcomes = []
    for family, gold, words in zip(families, golds, _words(families, couples), strict=True):
        if not _confirmed(family, words, couples):
            raise _disagreement("ASP and z3 disagree", family)
        verdict = (
            Verdict.RIGHT if gold in words
            else Verdict.WRONG if len(words) == 1
            else Verdict.UNANSWERABLE
        )  # fmt: skip
        decided = gold if verdict is Verdict.RIGHT else words[0] if len(words) == 1 else None
        outcome = Outcome(
            verdict=verdict,
            decided=decided,
            certificate={
                "text": family.text,
                "label": gold,
                "couples": couples,
                "words": list(words),
            },
            proof="\n".join(_proof(family, words)),
        )
        case = {"verdict": verdict.value, "decided": decided, **outcome.certificate}
        fault = check.fault_of_case(case, gold)
        if fault is not None:
            raise _disagreement(f"the certificate is rejected: {fault}", family)
        outcomes.append(outcome)
    return outcomes


def _disagreement(message: str, family: Family) -> DisagreementError:
    return DisagreementError(
        f"{message}: {family.text}",
        name="family",
        program=family.text,
        encodings=(ENCODING, THEORY),
    )


def _proof(family: Family, words: Sequence[str]) -> Iterator[str]:
    """The way from one person to the other, and the words for it."""
    graph = nx.DiGraph()
    for (first, second), children in zip(family.couples, family.children, strict=True):
        for a, b in ((first, second), (second, first)):
            graph.add_edge(a, b, says=f"{a} is married to {b}")
        for child in children:
            for parent in (first, second):
                graph.add_edge(child, parent, says=f"{child} is a child of {parent}")
                graph.add_edge(parent, child, says=f"{parent} is a parent of {child}")
    first, last = family.asked
    if nx.has_path(graph, first, last):
        way = nx.shortest_path(graph, first, last)
        yield from (graph.edges[a, b]["says"] for a, b in pairwise(way))
    yield f"{first} is to {last}: {' or '.join(words) or 'nothing that has a name here'}"
