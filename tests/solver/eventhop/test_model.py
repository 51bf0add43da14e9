"""Enums of the model: Allen's ``overlaps`` is not the paper's."""

from __future__ import annotations

import copy
import pickle

import pytest

from grammar.eventhop.model import AllenRelation, Claim, ClaimRelation

WORDS = [*ClaimRelation, *AllenRelation]


@pytest.mark.parametrize("word", WORDS, ids=repr)
def test_members_are_compared_by_identity(word: ClaimRelation | AllenRelation) -> None:
    assert [other for other in WORDS if other == word] == [word]
    assert [other for other in WORDS if not (other != word)] == [word]  # noqa: SIM202
    assert word in {word}
    assert word.value == str(word)


def test_members_of_equal_value_differ() -> None:
    paper, allen = ClaimRelation.OVERLAPS, AllenRelation.OVERLAPS
    assert paper.value == allen.value
    assert len({paper, allen}) == 2
    claim, other = (Claim(left="A", relation=word, right="B") for word in (paper, allen))
    assert claim != other


@pytest.mark.parametrize("word", WORDS, ids=repr)
def test_members_keep_their_identity_when_pickled(
    word: ClaimRelation | AllenRelation,
) -> None:
    assert pickle.loads(pickle.dumps(word)) is word
    assert copy.deepcopy(word) is word
