"""Every phrase of every grammar, with synthetic names."""

from __future__ import annotations

from itertools import combinations

import pytest

from grammar.eventhop.lexicon import GAP, AnyRelation, lexicon
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Order,
    Point,
    Relation,
)
from grammar.eventhop.reader import reader
from grammar.eventhop.writer import Writer

PROSE = (Domain.TEMPORAL, Domain.SPATIAL)
CLAIMS: tuple[ClaimRelation | AllenRelation, ...] = (*ClaimRelation, *AllenRelation)
MARKS = {
    Domain.TEMPORAL: ("start of", "end of"),
    Domain.SPATIAL: ("western edge of", "eastern edge of"),
}
NAMES = ("Quarrel at the Mill", "St. Orla's Fair", "Winter 1907")


def cases(domain: Domain, relations: tuple[AnyRelation, ...]) -> list[tuple[object, ...]]:
    words = lexicon(domain)
    return [
        (domain, relation, phrase) for relation in relations for phrase in words.phrases(relation)
    ]


ORDER_PHRASES = [case for domain in PROSE for case in cases(domain, PUBLISHED_ORDERS)]
CLAIM_PHRASES = [case for domain in Domain for case in cases(domain, CLAIMS)]


def sentence(left: str, phrase: str, right: str) -> str:
    before, gap, after = phrase.partition(f" {GAP} ")
    return f"{left} {before} {right} {after}" if gap else f"{left} {phrase} {right}"


def names(domain: Domain) -> tuple[str, str]:
    return ("quarrel", "fair") if domain is Domain.LOGICAL else (NAMES[0], NAMES[1])


@pytest.mark.parametrize(("domain", "order", "phrase"), ORDER_PHRASES)
def test_each_phrase_orders_each_pair_of_points(domain: Domain, order: Order, phrase: str) -> None:
    first, second, third = NAMES
    start, end = MARKS[domain]
    phrases = {phrase, phrase.removesuffix(" the"), f"{phrase.removesuffix(' the')} the"}
    if GAP in phrase:
        phrases = {phrase, phrase.replace("the …", "…")}
    for wording in sorted(phrases):
        premise = ". ".join(
            (
                sentence(f"{start} {first}", wording, f"{end} {second}"),
                sentence(f"the {end} the {second}", wording, f"{start} the {third}"),
            )
        )
        item = reader(domain).read("1", premise, f"{first} {CLAIM[domain]} {third}")
        assert item.premise == (
            related(first, Bound.START, order, second, Bound.END),
            related(second, Bound.END, order, third, Bound.START),
        ), wording


CLAIM = {Domain.TEMPORAL: "overlaps with", Domain.SPATIAL: "is completely east of"}


def related(left: str, bound: Bound, order: Order, right: str, other: Bound) -> Relation:
    return Relation(
        left=Point(event=left, bound=bound), order=order, right=Point(event=right, bound=other)
    )


@pytest.mark.parametrize(
    ("symbol", "order"), [("<", "before"), (">", "after"), ("=", "simultaneous")]
)
def test_each_symbol_orders_points(symbol: str, order: str) -> None:
    premise = f"quarrel1 {symbol} fair2. fair2{symbol}fair1"
    item = reader(Domain.LOGICAL).read("1", premise, "quarrel < fair")
    assert item.premise == (
        related("quarrel", Bound.START, Order(order), "fair", Bound.END),
        related("fair", Bound.END, Order(order), "fair", Bound.START),
    )


@pytest.mark.parametrize(("domain", "relation", "phrase"), CLAIM_PHRASES)
def test_each_phrase_claims_its_relation(
    domain: Domain, relation: ClaimRelation | AllenRelation, phrase: str
) -> None:
    left, right = names(domain)
    articles = ("",) if domain is Domain.LOGICAL else ("", "the ")
    for article in articles:
        claim = reader(domain).read("1", "", f"{article}{left} {phrase} {article}{right}.").claim
        assert claim == Claim(left=left, relation=relation, right=right)
        assert isinstance(claim, Claim)
        assert type(claim.relation) is type(relation)


@pytest.mark.parametrize(("domain", "order", "phrase"), ORDER_PHRASES)
def test_each_phrase_claims_an_order_of_points(domain: Domain, order: Order, phrase: str) -> None:
    start, end = MARKS[domain]
    claim = sentence(f"the {start} {NAMES[0]}", phrase, f"{end} {NAMES[1]}")
    item = reader(domain).read("1", "", claim)
    assert item.claim == related(NAMES[0], Bound.START, order, NAMES[1], Bound.END)


@pytest.mark.parametrize("domain", Domain)
@pytest.mark.parametrize("relations", [PUBLISHED_ORDERS, CLAIMS], ids=["premise", "claim"])
def test_no_phrase_is_ambiguous_or_a_prefix_of_another(
    domain: Domain, relations: tuple[AnyRelation, ...]
) -> None:
    """The lexer takes the first terminal that matches, so none may be the start of another."""
    phrases = [str(phrase) for _, _, phrase in cases(domain, relations)]
    assert len(set(phrases)) == len(phrases)
    starts = [phrase.removesuffix(" the") + " " for phrase in phrases]
    for start, other in combinations(starts, 2):
        assert not start.startswith(other)
        assert not other.startswith(start)


@pytest.mark.parametrize(("domain", "order", "phrase"), ORDER_PHRASES)
def test_the_writer_expresses_a_relation_by_any_of_its_phrases(
    domain: Domain, order: Order, phrase: str
) -> None:
    item = Item(
        id="1",
        premise=(related(NAMES[0], Bound.END, order, NAMES[1], Bound.START),),
        claim=Claim(left=NAMES[0], relation=ClaimRelation.AFTER, right=NAMES[2]),
        domain=domain,
    )
    text = Writer(domain, phrases=[phrase]).write(item)
    assert (
        text.premise[1:]
        == sentence(
            f"{'The ' if domain is Domain.TEMPORAL else ''}{MARKS[domain][1]} {NAMES[0]}",
            phrase,
            f"{MARKS[domain][0]} {NAMES[1]}",
        )[1:]
    )
