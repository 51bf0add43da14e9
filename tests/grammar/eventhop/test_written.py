"""Sentences written before any look at the grammar: how many are read, and that none is misread.

A sign with ``~`` in a list is a meaning that is read strictly or not, as the literature differs.
Rows that say ``aside`` were never tuned on.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grammar.eventhop.model import Domain
from solver.eventhop.check import Texts
from tests.grammar.eventhop.test_sentences import both

HERE = Path(__file__).parent
ADMITTED = {"<~": {"<", "<="}, ">~": {">", ">="}, "=>~": {"=", ">="}}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
Order = tuple[str, str, str]


def rows(name: str) -> list[dict[str, Any]]:
    """The sentences of a list."""
    return [json.loads(line) for line in (HERE / name).open(encoding="utf-8")]


def _orders(texts: Texts) -> set[Order]:
    return {
        (
            f"{'end' if left[1] else 'start'} of {left[0]}".lower(),
            sign,
            f"{'end' if right[1] else 'start'} of {right[0]}".lower(),
        )
        for left, sign, right in texts.premise
    }


def _equal(found: set[Order], listed: list[list[str]]) -> bool:
    """Whether each order is listed, and each listed order is found, in either direction."""
    open_orders = set(found)
    for left, sign, right in listed:
        either = {(left.lower(), known, right.lower()) for known in ADMITTED.get(sign, {sign})}
        either |= {(last, MIRRORED[known], first) for first, known, last in either}
        if not found & either:
            return False
        open_orders -= either
    return not open_orders


def outcome(row: dict[str, Any]) -> str:
    """What both readers make of a sentence: ``right``, ``misread`` or ``refused``."""
    read = both(row["premise"], Domain(row["domain"]))
    if read is None:
        return "refused"
    return "right" if "orders" in row and _equal(_orders(read), row["orders"]) else "misread"


def test_no_sentence_of_the_list_is_misread_and_nine_of_ten_are_read() -> None:
    counts: Counter[tuple[str, bool]] = Counter()
    for row in rows("written.jsonl"):
        found = outcome(row)
        assert found != "misread", row
        counts[found, row.get("aside", False)] += "orders" in row
    assert counts["right", False] / (counts["right", False] + counts["refused", False]) >= 0.9


def test_the_page_has_the_figures_of_a_list_that_the_readers_were_not_widened_for() -> None:
    page = (HERE.parents[2] / "docs" / "eventhop-texts.md").read_text(encoding="utf-8")
    found = Counter(outcome(row) for row in rows("written.jsonl") if row.get("list") == 7)
    assert f"Of {found.total()} sentences" in page
    assert f"{found['right']} are read" in page
    assert found["misread"] == 0


def test_no_sentence_of_the_last_list_is_misread() -> None:
    """120 sentences and more, written after those above; the readers were widened by rules."""
    found = Counter(outcome(row) for row in rows("unseen.jsonl"))
    assert found["misread"] == 0
    assert found["right"] / found.total() >= 0.9


def test_no_sentence_of_the_last_list_with_an_operator_is_decided() -> None:
    for row in rows("unseen_operators.jsonl"):
        assert both(row["premise"], Domain(row["domain"]), row["claim"]) is None, row


@pytest.mark.parametrize("aside", [False, True])
def test_no_sentence_whose_words_change_its_meaning_is_decided(aside: bool) -> None:
    for row in rows("meaning_words.jsonl"):
        if row.get("aside", False) == aside:
            assert both(row["premise"], Domain(row["domain"]), row["claim"]) is None, row
