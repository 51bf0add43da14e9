"""Adversarial texts: parsed or rejected in time linear in their length."""

from __future__ import annotations

import contextlib
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from grammar.errors import ParseError
from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Domain
from grammar.eventhop.reader import Reader, reader

SIZES = pytest.mark.parametrize(
    "size", [2_000_000, pytest.param(10_000_000, marks=pytest.mark.slow)]
)
SECONDS = 2.0
"""For ten million characters or ten thousand sentences."""
SENTENCES = {
    Domain.TEMPORAL: "The start of Tide happened before the end of Snow",
    Domain.SPATIAL: "western edge of Mill is westwards of eastern edge of Fen",
    Domain.LOGICAL: "tide1 < snow2",
}
CLAIMS = {
    Domain.TEMPORAL: "Tide happens before Snow",
    Domain.SPATIAL: "Mill is completely west of Fen",
    Domain.LOGICAL: "tide < snow",
}
PIECES = [
    "x",
    "x ",
    ".",
    ". ",
    "\n",
    "the ",
    "The start of ",
    "The start of the ",
    "The start of Tide. ",
    "happened before the ",
    "happened before the end of ",
    "had happened ",
    "happens before ",
    "western edge of ",
    "is westwards of eastern edge of ",
    "tide1 < ",
    "1",
    "<",
    "e\u0301",
    "’",
    "\0",
]


def parse(domain: Domain, premise: str, claim: str) -> None:
    """Parse two texts, successfully or not."""
    detect(premise, claim)
    detect(premise, premise)
    with contextlib.suppress(ParseError):
        reader(domain).read("1", premise, claim)


@SIZES
@pytest.mark.parametrize("domain", Domain)
@pytest.mark.parametrize("piece", PIECES)
def test_one_piece_over_and_over(
    domain: Domain, piece: str, size: int, within: Callable[..., Any]
) -> None:
    text = piece * (size // len(piece))
    sentence, claim = SENTENCES[domain], CLAIMS[domain]
    limit = SECONDS * size / 10_000_000
    reader(domain)
    for texts in ((text, claim), (f"{sentence}. {text}x", claim), (sentence, f"{claim}{text}x")):
        within(limit, partial(parse, domain, *texts))


@pytest.mark.parametrize("domain", Domain)
def test_ten_thousand_relations(domain: Domain, within: Callable[..., Any]) -> None:
    premise = ". ".join([SENTENCES[domain]] * 10_000)
    item = within(SECONDS, lambda: reader(domain).read("1", premise, CLAIMS[domain]))
    assert len(item.premise) == 10_000


def test_ten_thousand_relations_of_which_the_last_is_none(within: Callable[..., Any]) -> None:
    premise = ". ".join([*[SENTENCES[Domain.TEMPORAL]] * 10_000, "The start of Tide hugged it"])

    def error() -> ParseError:
        with pytest.raises(ParseError) as raised:
            reader(Domain.TEMPORAL).read("1", premise, CLAIMS[Domain.TEMPORAL])
        return raised.value

    assert within(SECONDS, error).column == len(premise) - len("Tide hugged it") + 1


def test_names_as_long_and_as_alike_a_boundary_as_they_may_be(within: Callable[..., Any]) -> None:
    """2,000 sentences whose names nearly match every boundary."""
    names = [f"{'St. happened before the Start of '[: 1 + n % 30] * 4}{n}" for n in range(2_000)]
    premise = ". ".join(
        f"The start of X {name} happened before the end of X {name}" for name in names
    )
    reader(Domain.TEMPORAL)
    within(SECONDS, lambda: parse(Domain.TEMPORAL, premise, CLAIMS[Domain.TEMPORAL]))


def test_the_cache_of_a_reader_is_bounded() -> None:
    fresh = Reader(Domain.TEMPORAL)
    tracemalloc.start()
    try:
        for batch in range(12):
            names = [f"{'Long Fair ' * 18}{batch} {n}" for n in range(1_000)]
            fresh.read("1", ". ".join(map(about, names)), CLAIMS[Domain.TEMPORAL])
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # 24,000 points of 200 characters each would take some 15 MB.
    assert used < 12_000_000


def about(name: str) -> str:
    return f"The start of {name} happened before the end of {name}"
