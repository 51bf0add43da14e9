"""A slice of the comparison of the proved reader with that of ``check.py``."""

from __future__ import annotations

import pytest

from solver.eventhop import check
from solver.eventhop.certificates.proved import Compiled
from tests.campaigns.readers import Reading, compare, written

TEXTS = 3_000


def test_they_read_the_same_items(checker: Compiled) -> None:
    found = compare(list(written(TEXTS, seed=5)), checker)
    assert found[Reading.DIFFERENT] == []
    assert len(found[Reading.SAME]) > TEXTS / 4
    assert min(len(found[Reading.MORE]), len(found[Reading.NEITHER])) > TEXTS / 20


@pytest.mark.parametrize(
    ("name", "faulty"),
    [
        ("_unlicensed", lambda *_: "no"),
        ("_name", str),
        ("_folded", lambda name: name[:1]),
    ],
)
def test_a_fault_in_the_other_reader_is_noticed(
    checker: Compiled, monkeypatch: pytest.MonkeyPatch, name: str, faulty: object
) -> None:
    monkeypatch.setattr(check, name, faulty)
    assert compare(list(written(TEXTS, seed=6)), checker)[Reading.DIFFERENT]


def test_swapped_verbs_are_noticed(checker: Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(check.POINTED, "begin", 1)
    assert compare(list(written(TEXTS, seed=8)), checker)[Reading.DIFFERENT]


def test_swapped_ends_are_noticed(checker: Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = check.Prose.sentence

    def swapped(reader: check.Prose, text: str) -> check.Sentence:
        (event, bound), sign, right = sentence(reader, text)
        return check.Sentence((event, 1 - bound), sign, right)

    monkeypatch.setattr(check.Prose, "sentence", swapped)
    assert compare(list(written(TEXTS, seed=7)), checker)[Reading.DIFFERENT]
