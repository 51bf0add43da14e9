"""Names and phrases: enough of them, none in both splits, none borrowed, none about causes."""

from __future__ import annotations

import csv
import gzip
import re
from pathlib import Path

import pytest

from generators.eventhop.config import Split, names
from generators.eventhop.groups import phrases
from grammar.eventhop.lexicon import lexicon
from grammar.eventhop.model import PUBLISHED_ORDERS, Domain, Order

every_domain = pytest.mark.parametrize("domain", Domain)
CAUSES = re.compile(r"\b(result|because|caused?|due|owing|led|wake|aftermath|consequence|thanks)\b")


@every_domain
@pytest.mark.parametrize("split", Split)
def test_there_are_enough_names(domain: Domain, split: Split) -> None:
    assert len(set(names(split, domain))) == len(names(split, domain)) >= 120


@every_domain
def test_splits_share_no_word_of_a_name(domain: Domain) -> None:
    words = [{w for name in names(split, domain) for w in name.split()} for split in Split]
    assert words[0] & words[1] <= {"of", "at"}


@pytest.mark.parametrize("domain", [Domain.TEMPORAL, Domain.SPATIAL])
@pytest.mark.parametrize("order", PUBLISHED_ORDERS)
def test_there_are_enough_phrases_and_none_in_both_splits(domain: Domain, order: Order) -> None:
    train, test = (set(phrases(split, domain, order)) for split in Split)
    assert min(len(train), len(test)) >= (4 if domain is Domain.TEMPORAL else 10)
    assert not train & test
    assert train | test <= set(lexicon(domain).phrases(order))


@every_domain
@pytest.mark.parametrize("order", PUBLISHED_ORDERS)
def test_no_phrase_names_a_cause(domain: Domain, order: Order) -> None:
    every = [phrase for split in Split for phrase in phrases(split, domain, order)]
    assert not [phrase for phrase in every if CAUSES.search(phrase)]


def test_causes_are_found() -> None:
    assert CAUSES.search("occurred as a result of the")


def test_no_name_of_the_published_data_occurs(shared: Path) -> None:
    texts = ""
    for path in sorted((shared / "data" / "eventhop").glob("*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            texts += "\n".join(
                " ".join(row[-3:-1]) for row in csv.reader(lines, delimiter="\t")
            ).lower()
    words = set(re.findall(r"[^\W_]+", texts))

    def may_occur(name: str) -> bool:
        """Its first word, if it begins with one, is part of a word of the texts."""
        first = re.match(r"[^\W_]*", name.lower())
        return first is not None and any(first[0] in word for word in words)

    every = {name for split in Split for domain in Domain for name in names(split, domain)}
    found = sorted(name for name in every if may_occur(name) and name.lower() in texts)
    assert len(texts) > 100_000
    assert found == []
