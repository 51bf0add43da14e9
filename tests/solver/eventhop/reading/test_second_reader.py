"""The checker's reader: it reads what the grammars read, and accepts nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from grammar.errors import ParseError
from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Domain, SpatialReading
from grammar.eventhop.reader import reader
from solver.eventhop import check
from solver.eventhop.certificates.lines import texts
from solver.eventhop.io import read_records
from solver.eventhop.records import Record

NAMES = {
    "prose": [
        *("fair", "the Long Fair", "Fair", "End of Days", "start of term", "race", "The Race"),
        *("Miller’s Feast", "Miller's Feast", "St. Mary's Fair", "J. Rowe", "fête", "fe\u0302te"),
        *("the", "the the fair", "fair. The", "a  b", "x" * 200, "x" * 201, "on the", ""),
        *("one happens before two", "happened before the", "after", "had happened", "fair "),
    ],
    "logical": ["mill", "Mill", "tide", "mill1", "mill2", "Tide", "é", "e\u0301", "the", "m-1", ""],
}


def sentence(source: random.Random, domain: str) -> str:
    """A sentence about two points, perhaps a broken one."""
    phrases = check.PHRASES[domain]
    phrase = source.choice(phrases[source.choice("<>=")])
    if domain == "logical":
        space = source.choice(["", " ", " ", "  "])
        left, right = (source.choice(NAMES["logical"]) for _ in range(2))
        return f"{left}{source.choice('12')}{space}{phrase}{space}{right}{source.choice('123')}"
    marks = (
        ("start of", "end of") if domain == "temporal" else ("western edge of", "eastern edge of")
    )
    first, second = (f"{source.choice(marks)} {source.choice(NAMES['prose'])}" for _ in range(2))
    begin, _, last = phrase.partition(" …")
    opening = source.choice(["the ", "The ", "", "A "])
    written = begin if source.random() < 0.8 else begin.removesuffix(" the")
    return f"{opening}{first} {written} {second}{last if source.random() < 0.9 else ''}"


def written(source: random.Random, domain: str) -> tuple[str, str]:
    """A premise and a claim, perhaps broken ones."""
    stop = source.choice([". ", ". ", ".\n", ".", ".  "])
    premise = stop.join(sentence(source, domain) for _ in range(source.randrange(4)))
    kinds = [name for name in check.PHRASES[domain] if name in check.CLAIMS]
    phrase = source.choice(check.PHRASES[domain][source.choice(kinds)])
    names = NAMES["logical" if domain == "logical" else "prose"]
    left, right = (source.choice(names[:8]) for _ in range(2))
    claim = f"{left} {phrase} {right}"
    if source.random() < 0.2:
        claim = sentence(source, domain)
    ends = ["", "", ".", "..", " "]
    return premise + source.choice(ends), claim + source.choice(ends)


@pytest.mark.parametrize("domain", Domain)
def test_both_readers_read_the_same(domain: Domain) -> None:
    """Also names that hold phrases and marks, other spellings, and texts that cannot be read."""
    source = random.Random(f"{domain} 1")
    both = neither = 0
    for _ in range(1_500):
        spatial = source.choice([*SpatialReading])
        premise, claim = written(source, domain.value)
        try:
            expected = texts(reader(domain, spatial).read("1", premise, claim))
        except ParseError:
            expected = None
        try:
            found = check.read_texts(premise, claim, domain.value, spatial.value)
        except check.RejectedError:
            found = None
        assert found == expected, (premise, claim)
        both += expected is not None
        neither += expected is None
    assert both > 100
    assert neither > 100


@pytest.mark.parametrize(
    "name", ["temporal_test", "temporal_train", "spatial_test", "logical_test"]
)
def test_both_readers_read_the_same_of_the_real_files(shared: Path, name: str) -> None:
    records = read_records(shared / "data" / "eventhop" / f"{name}.tsv.gz")
    for record in [record for record in records if isinstance(record, Record)][::3]:
        domain = detect(record.premise, record.claim)
        item = reader(domain).read(record.id, record.premise, record.claim)
        found = check.read_texts(record.premise, record.claim, domain.value, "geometric")
        assert found == texts(item)
