"""Tables of codes: one row for each code that an encoding derives, and templates that are whole."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from solver.encodings import ENCODINGS
from solver.verification.kinds import built_in

_HEAD = re.compile(r"^violation\((?P<code>\w+)\((?P<arguments>[^:]*)\)\)\s*:-", re.MULTILINE)
KINDS = {name: kind.codes() for name, kind in built_in().items() if kind.codes is not None}
OTHERS = {"unverifiable", "untyped", "not_ranked_first", "inconsistent"}
"""Shown atoms that are no violations, and what applying rules derives."""


def test_each_kind_that_is_verified_declares_its_codes() -> None:
    assert set(KINDS) == {name for name, kind in built_in().items() if kind.verifier is not None}


@pytest.mark.parametrize("kind", ["facts", "questions", "tkg"])
def test_each_violation_has_one_message_and_each_message_one_violation(kind: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ENCODINGS / kind).glob("*.lp")]
    heads = {head["code"] for text in texts for head in _HEAD.finditer(text)}
    codes = {code.violation: code for code in KINDS[kind].values() if code.violation}
    assert len(heads) > len(codes) / 2
    assert codes.keys() - OTHERS == heads
    for head in (head for text in texts for head in _HEAD.finditer(text)):
        flat = re.sub(r"[()]", "", head["arguments"])
        assert len(codes[head["code"]].arguments) == flat.count(",") + 1, head["code"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_template_is_well_formed_and_each_code_is_described(kind: str) -> None:
    for name, code in KINDS[kind].items():
        assert code.name == name
        names = [field for _, field, _, _ in Formatter().parse(code.message) if field is not None]
        assert all(re.match(r"[a-z_]+", field) for field in names)
        assert code.describe().strip("`"), name
        assert "|" not in code.describe(), name
