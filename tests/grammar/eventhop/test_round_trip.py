"""Laws: written items are parsed back; spaces, stops, capitals and articles do not matter."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.errors import ParseError, UnwritableError
from grammar.eventhop.lexicon import lexicon
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Point,
    Relation,
    SpatialReading,
)
from grammar.eventhop.reader import reader
from grammar.eventhop.writer import Text, Writer

Refusal = TypeVar("Refusal", ParseError, UnwritableError)


def law(*drawn: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """A test of some random examples, and of more among the slow tests."""

    def decorate(check: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("examples", [30, pytest.param(80, marks=pytest.mark.slow)])
        def test(examples: int) -> None:
            # A grammar loads in the first example, however slow the machine.
            settings(max_examples=examples)(given(*drawn)(check))()

        return test

    return decorate


# Words that no phrase and no mark can be made of.
PLAIN = [
    "Quarrel",
    "Fair",
    "Ælnoth’s",
    "Orla's",
    "1907",
    "of",
    "at",
    "on",
    "St.",
    "Mt.",
    "été",
    "the",
]
HARD = [
    *PLAIN,
    "start of",
    "end of the",
    "The start of",
    "happened before the",
    "happened before the end of",
    "happens before",
    "had happened",
    "ensued once the",
    "overlaps with",
    "western edge of",
    "is westwards of",
    "precedes",
    "The",
    "Mill.",
    ".",
    "..",
    ". The start of",
    "<",
    "1",
    "2",
    "'",
    "’",
    " ",
    "\n",
    "\u0301",
]


def names(words: list[str], *, most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words), min_size=1, max_size=most).map(" ".join)


def is_plain(name: str) -> bool:
    """A full stop may not end a name that ends a text, nor may a small article begin one."""
    return not name.startswith("the") and not name.endswith(("the", "."))


plain_names = names(PLAIN, most=4).filter(is_plain)
words = st.from_regex(r"[a-zé_'-]{1,8}[1-9]?", fullmatch=True)
hard_names = st.one_of(names(HARD, most=5), st.text(max_size=12))


@st.composite
def items(draw: st.DrawFn, prose: st.SearchStrategy[str], symbols: st.SearchStrategy[str]) -> Item:
    domain = draw(st.sampled_from(Domain))
    name = symbols if domain is Domain.LOGICAL else prose
    events = draw(st.lists(name, min_size=2, max_size=4, unique=True))
    event = st.sampled_from(events)
    point = st.builds(Point, event=event, bound=st.sampled_from(Bound))
    relation = st.builds(Relation, left=point, order=st.sampled_from(PUBLISHED_ORDERS), right=point)
    word = st.sampled_from([*ClaimRelation, *AllenRelation])
    claim: Any = st.builds(Claim, left=event, relation=word, right=event)
    return Item(
        id=draw(st.text(max_size=3)),
        premise=tuple(draw(st.lists(relation, max_size=6))),
        claim=draw(st.one_of(claim, relation)),
        domain=domain,
    )


plain_items = items(plain_names, words.filter(lambda word: word[-1] not in "123456789"))
readings = st.sampled_from(SpatialReading)


@law(plain_items, readings, st.integers())
def test_an_item_with_plain_names_is_written_and_read_back(
    item: Item, spatial: SpatialReading, seed: int
) -> None:
    for phrases in ((), random.Random(seed).choice):
        text = Writer(item.domain, spatial, phrases=phrases, names=item.names).write(item)
        again = reader(item.domain, spatial).read(
            item.id, text.premise, text.claim, names=item.names
        )
        assert again == item
        assert again.premise == item.premise
        if isinstance(item.claim, Claim) and isinstance(again.claim, Claim):
            assert type(again.claim.relation) is type(item.claim.relation)


@law(items(hard_names, st.one_of(words, hard_names)), readings)
def test_an_item_with_hard_names_is_read_back_or_refused(
    item: Item, spatial: SpatialReading
) -> None:
    writer = Writer(item.domain, spatial, names=item.names)
    refused = raised_by(UnwritableError, lambda: writer.write(item))
    if refused is not None:
        assert refused.where == item.id
        return
    text = writer.write(item)
    assert (
        reader(item.domain, spatial).read(item.id, text.premise, text.claim, names=item.names)
        == item
    )


simple_items = items(
    names(["Quarrel", "Fair", "of", "at", "Orla's", "1907"], most=3),
    st.sampled_from(["mill", "x-y"]),
).filter(lambda item: isinstance(item.claim, Claim))


@law(simple_items, st.sampled_from(["", " ", "\n", "\t\t"]), st.sampled_from(["", "."]))
def test_spaces_and_a_final_stop_do_not_matter(item: Item, gap: str, stop: str) -> None:
    text = Writer(item.domain, names=item.names).write(item)
    premise = text.premise.replace(". ", f".{gap or ' '}")
    again = reader(item.domain).read(
        item.id,
        f"{gap}{premise}{stop if premise else ''}{gap}",
        f"{gap}{text.claim}{stop}{gap}",
        names=item.names,
    )
    assert again == item


@law(simple_items.filter(lambda item: item.domain is not Domain.LOGICAL))
def test_articles_and_the_capital_of_a_sentence_do_not_matter(item: Item) -> None:
    text = Writer(item.domain, names=item.names).write(item)
    read = reader(item.domain).read
    small = text.premise.replace("The ", "the ")
    bare = text.premise.replace("The ", "")
    capital = bare[:1].upper() + bare[1:]
    named = re.sub("((?:start|end|edge) of) ", r"\1 the ", text.premise)
    pointed = text.premise.replace("before the start", "before start")
    for premise in (small, bare, capital, named, pointed):
        for claim in (text.claim, f"the {text.claim}", f"The {text.claim}"):
            assert read(item.id, premise, claim, names=item.names) == item


@law(plain_items)
def test_the_default_phrases_are_the_first_of_the_grammar(item: Item) -> None:
    text = Writer(item.domain, names=item.names).write(item)
    phrases = lexicon(item.domain).phrases
    for relation, sentence in zip(item.premise, sentences(item, text), strict=True):
        assert f" {phrases(relation.order)[0]} " in sentence
    if isinstance(item.claim, Claim):
        first = phrases(item.claim.relation)[0]
        assert text.claim == f"{item.claim.left} {first} {item.claim.right}"


def sentences(item: Item, text: Text) -> list[str]:
    whole = [
        Writer(item.domain, names=item.names).write(one_sentence(item, at))
        for at in range(len(item.premise))
    ]
    assert text.premise == ". ".join(whole_text.premise for whole_text in whole)
    return [whole_text.premise for whole_text in whole]


def one_sentence(item: Item, at: int) -> Item:
    return Item(id=item.id, premise=item.premise[at : at + 1], claim=item.claim, domain=item.domain)


@law(st.text(max_size=80), st.text(max_size=40), st.sampled_from(Domain))
def test_any_text_is_parsed_or_reported(premise: str, claim: str, domain: Domain) -> None:
    wrong = raised_by(ParseError, lambda: reader(domain).read("1", premise, claim))
    if wrong is not None:
        text = premise if wrong.part == "premise" else claim
        assert wrong.line <= text.count("\n") + 1
        assert wrong.column <= len(text) + 1
    else:
        assert reader(domain).read("1", premise, claim).domain is domain


def raised_by(kind: type[Refusal], act: Callable[[], object]) -> Refusal | None:
    """The error of a kind that a call raises, if any; other errors propagate."""
    try:
        act()
    except kind as error:
        return error
    return None


@pytest.mark.parametrize("phrases", [["hugged the"], ["happens before", "hugged the"]])
def test_an_unknown_phrase_is_rejected(phrases: list[str]) -> None:
    with pytest.raises(UnwritableError, match="hugged the"):
        Writer(Domain.TEMPORAL, phrases=phrases)


def test_a_choice_of_no_such_phrase_is_refused() -> None:
    item = Item(id="1", premise=(), claim=Claim(left="A", relation=ClaimRelation.AFTER, right="B"))
    with pytest.raises(UnwritableError, match='"before" does not express after'):
        Writer(Domain.TEMPORAL, phrases=lambda _: "before").write(item)


def test_an_item_of_another_domain_is_refused() -> None:
    item = Item(
        id="9",
        premise=(),
        claim=Claim(left="A", relation=ClaimRelation.AFTER, right="B"),
        domain=Domain.LOGICAL,
    )
    with pytest.raises(UnwritableError, match="an item of the logical domain") as raised:
        Writer(Domain.TEMPORAL).write(item)
    assert raised.value.where == "9"
