"""Tables of messages: one row for each code that an encoding derives, and no other."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from solver.encodings import ENCODINGS
from solver.facts.messages import MESSAGES as FACTS
from solver.questions.messages import MESSAGES as QUESTIONS
from solver.tkg.messages import MESSAGES as TKG

_HEAD = re.compile(r"^violation\((?P<code>\w+)\(", re.MULTILINE)

OTHERS = {
    ("facts/coherency.lp", "unverifiable"),
    ("facts/schema.lp", "untyped"),
    ("", "not_ranked_first"),
}
"""Shown atoms that are no violations, and what applying rules derives."""


@pytest.mark.parametrize(
    ("kind", "table"), [("facts", FACTS), ("questions", QUESTIONS), ("tkg", TKG)]
)
def test_each_violation_has_one_message_and_each_message_one_violation(
    kind: str, table: Mapping[str, tuple[str, object]]
) -> None:
    heads = {
        (f"{kind}/{path.name}", code)
        for path in (ENCODINGS / kind).glob("*.lp")
        for code in _HEAD.findall(path.read_text(encoding="utf-8"))
    }
    rows = {(encoding, code) for code, (encoding, _) in table.items()}
    assert len(heads) > len(table) / 2
    assert rows - OTHERS == heads
    for encoding, code in rows & OTHERS:
        assert not encoding or f"\n{code}(" in (ENCODINGS / encoding).read_text(encoding="utf-8")
