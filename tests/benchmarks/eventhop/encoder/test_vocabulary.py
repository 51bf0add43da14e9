"""Tokenizers: reproducible, and which names they distinguish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("models")
TEXTS = [
    "The end of Fair of Ashby happened before the start of Regatta at Corwen",
    "The start of Recital in Dunmore is after the start of Banquet of Elmstead",
    "Auction at Corwen overlaps with Fair in Dunmore",
]


def test_unseen_names_are_distinguished_by_their_pieces() -> None:
    from benchmarks.tokenizers import Pieces, train_tokenizer

    known, unknown = "Recital in Dunmore", ("Dance at Moreton", "Tea at Frome")
    for pieces in Pieces:
        tokenizer = train_tokenizer(TEXTS, pieces=pieces, size=120, length=32)
        found = [tuple(tokenizer(name)["input_ids"]) for name in (known, *unknown)]
        missing = tokenizer.unk_token_id
        assert missing not in found[0]
        assert (missing in found[1]) is (pieces is Pieces.WORD)
        assert (found[1] == found[2]) is (pieces is Pieces.WORD)


def test_premise_and_claim_are_distinguished() -> None:
    from benchmarks.tokenizers import Pieces, train_tokenizer

    tokenizer = train_tokenizer(TEXTS, pieces=Pieces.WORD, size=120, length=32)
    encoded = tokenizer("Fair of Ashby", "FAIR, Ashby")
    tokens = tokenizer.convert_ids_to_tokens(encoded["input_ids"])
    assert tokens == ["[CLS]", "fair", "of", "ashby", "[SEP]", "fair", "[UNK]", "ashby", "[SEP]"]
    assert encoded["token_type_ids"] == [0, 0, 0, 0, 0, 1, 1, 1, 1]


LEARN = f"""
from collections import Counter
from benchmarks.tokenizers import word_pieces
print(sorted(word_pieces(Counter({TEXTS!r}[0].lower().split()), 60).items()))
"""


def test_every_process_learns_the_same_pieces(python: Callable[..., Any]) -> None:
    """Left alone the library numbers them in the order of a hash table."""
    learned = {python("-c", LEARN, check=True).stdout for _ in range(3)}
    assert len(learned) == 1
    assert "##" in learned.pop()
