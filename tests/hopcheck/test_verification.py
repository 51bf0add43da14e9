"""Rows are verified as files are."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

import hopcheck as hc
from hopcheck.verification import KindName
from solver.patterns.model import PatternFlags
from solver.patterns.settings import PatternSettings
from solver.verification.kinds import built_in

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ITEM = {"premise": "the end of A happened before the start of B", "claim": "A happens before B"}


def test_rows_have_the_findings_of_their_file(tmp_path: Path) -> None:
    import json

    rows = [ITEM | {"label": "true"}, ITEM | {"label": "false"}, {"claim": "x"}]
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given, read = hc.verify(rows), hc.verify(path)
    assert given.findings.counts() == read.findings.counts()
    assert given.exit_status == read.exit_status != 0


def test_a_right_file_has_no_findings() -> None:
    report = hc.verify(EXAMPLES / "right.tsv")
    assert (report.exit_status, len(report.findings)) == (0, 0)


def test_several_files_are_verified() -> None:
    paths = [EXAMPLES / "right.tsv", EXAMPLES / "flawed.tsv"]
    assert hc.verify(paths).findings.counts() == hc.verify(paths[1]).findings.counts()


def test_rows_of_another_kind() -> None:
    patterns = list(hc.generate("patterns", hops=(1,)))
    settings = PatternSettings(flags=PatternFlags.read("none"))
    report = hc.verify(patterns, "patterns", config=settings)
    assert report.kind == "patterns"
    assert report.files == ("rows",)


def test_an_unknown_kind_is_an_argument_error() -> None:
    with pytest.raises(hc.ArgumentError, match="found kind='items'"):
        hc.verify([ITEM], "items")


def test_the_kinds_of_the_signature_are_those_of_the_registry() -> None:
    declared = [name for name, kind in built_in().items() if kind.verifier is not None]
    assert list(get_args(KindName)) == declared
