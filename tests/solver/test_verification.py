"""Kinds of paths, and the result that all kinds share."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver.cli import run
from solver.eventhop.records import ItemPlace, Record
from solver.eventhop.report import ItemReport
from solver.verification.kinds import built_in, detect
from solver.verification.report import Finding, Findings, Kind, Unreadable
from solver.verification.run import verify

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("right.tsv", Kind.EVENTHOP),
        ("facts/right.tsv", Kind.FACTS),
        ("facts/flawed.references.txt", Kind.FACTS),
        ("questions/flawed.jsonl", Kind.QUESTIONS),
        ("nothing.jsonl", Kind.EVENTHOP),
        ("-", Kind.EVENTHOP),
    ],
)
def test_the_kind_of_a_path(name: str, kind: Kind) -> None:
    assert detect([EXAMPLES / name if name != "-" else name]) == kind


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('{"pattern": "1 -1-> 2 => 2 -2-> 1", "hops": 1}', Kind.PATTERNS),
        ('{"text": "Ada met Ben."}', Kind.TEXTS),
        ('{"premise": "", "claim": "", "query": 1, "answers": 2}', Kind.EVENTHOP),
        ('{"text": ', Kind.EVENTHOP),
        ('{"\udcc3": 1}', Kind.EVENTHOP),
    ],
)
def test_the_kind_of_a_line(line: str, kind: Kind, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_bytes(line.encode(errors="surrogateescape") + b"\n")
    assert detect([tmp_path / "rows.jsonl"]) == kind


def test_each_kind_has_a_verifier() -> None:
    declared = {name for name, kind in built_in().items() if kind.verifier is not None}
    assert declared == {*Kind} - {Kind.RULES, Kind.FAMILY}
    assert Kind("text") is Kind.TEXTS


def test_counts_include_findings_that_are_not_kept() -> None:
    finding = Finding(code="odd", where="x:1", message="<b>")
    found = Findings([finding], {"odd": 3, "even": 1})
    assert (len(found), found[0], found[:1]) == (1, finding, Findings([finding]))
    assert list(found.counts().items()) == [("even", 1), ("odd", 3)]
    assert "&lt;b&gt;" in found._repr_html_()
    assert "and 3 more" in found._repr_html_()
    assert str(Unreadable.of("a.tsv:2:3: no date (hint: b)")) == "a.tsv:2:3: no date (hint: b)"
    assert Unreadable.of("a.tsv:2:3: no date").where == "a.tsv:2:3"


def test_records_are_verified_and_their_report_is_written(tmp_path: Path) -> None:
    premise = "The end of the fair happened before the start of the race"
    record = Record(
        id="7",
        premise=premise,
        claim="the race happens before the fair",
        gold="true",
        label=None,
        place=ItemPlace(file="given", line=1),
        declared=False,
    )
    report = verify([record], Kind.EVENTHOP)
    assert isinstance(report, ItemReport)
    assert (report.rows, report.exit_status) == (1, ExitStatus.VIOLATIONS)
    (finding,) = report.findings
    assert (finding.code, finding.id) == ("wrong-consistency", "7")
    assert finding.certificate
    report.write(tmp_path / "report")
    written = {path.name for path in (tmp_path / "report").iterdir()}
    assert written == {"items.jsonl", "manifest.json", "report.html", "summary.json"}


@pytest.mark.parametrize("kind", ["calendar", "positions", "assignments", "traces"])
def test_an_empty_file_is_not_right(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rows.jsonl").write_text("\n\n")
    assert run(["verify", "--kind", kind, str(tmp_path / "rows.jsonl")]) == ExitStatus.UNREADABLE
    found = capsys.readouterr()
    assert "rows.jsonl: found no " in found.err
    assert "right" not in found.out
