"""The audit of the released facts finds what was counted by other means, and what is planted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.reproduction.facts.audit import ROWS, Audit, audit, main, table

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "benchmarks" / "results"
EXAMPLE = ROOT / "examples" / "facts"

# What our figures are called in the file of counts.
NAMES = {
    "chains_of_two_or_more": "chains_s_r_with_2_or_more_facts",
    "second_open": "open_while_s_r_open_any_object",
    "reopened": "open_while_s_r_o_open",
    "nothing_open": "close_s_r_already_closed_any_object",
    "reclosed": "close_s_r_o_already_closed",
    "other_open": "close_of_object_not_open_while_another_is_open",
    "proper_ends": "proper_close",
    "unverifiable": "ends_without_start_of_same_s_r_o_in_2026",
    "date_outside": "date_outside_2026",
    "disjoint_roles": "schema_disjointness_conflicts",
    "facts_with_generic_instances": "generic_instance_left",
}
SAME = ("facts", "distinct", "subjects", "relations", "days", "exact_duplicates", "empty_subject")
SAME += ("empty_object", "same_s_r_o_at_two_dates", "subject_equals_object", "incoherent_chains")
AFTER = {
    "shared_chains": "shared_s_r",
    "second_open": "open_while_open_any_object",
    "reopened": "open_while_s_r_o_open",
    "reclosed": "close_s_r_o_already_closed",
    "nothing_open": "close_when_all_known_closed",
    "ends_while_an_object_is_open": "end_with_known_open_object",
    "of_these_the_open_object": "of_these_the_open_object",
}


@pytest.fixture(scope="module")
def found(shared: Path) -> Audit:
    return audit(shared / "data" / "yago2026")


@pytest.fixture(scope="module")
def counted(shared: Path) -> dict[str, Any]:
    path = shared / "data" / "yago2026" / "derived" / "audit_yago2026.json"
    counts: dict[str, Any] = json.loads(path.read_bytes())
    return counts


def test_what_was_counted_is_found(found: Audit, counted: dict[str, Any]) -> None:
    single = counted["single_2026"]
    for ours, theirs in {**NAMES, **{name: name for name in SAME}}.items():
        assert found.future[ours] == single[theirs], ours
    after = found.history["empty subjects as one"]
    assert after == {name: single["with_yago2022_as_history"][AFTER[name]] for name in AFTER}


def test_so_it_is_with_the_control(found: Audit, counted: dict[str, Any]) -> None:
    control = counted["single_2022_control"]
    compared = 0
    for ours, theirs in {**NAMES, **{name: name for name in SAME}}.items():
        if theirs in control:
            assert found.control[ours] == control[theirs], ours
            compared += 1
    assert compared == 10
    multi = counted["multi_2026"]
    assert found.multi["not_in_single"] == 0
    for name in ("examples", "facts", "sizes", "single_facts_dropped"):
        assert found.multi[name] == multi[name]


def test_the_figures_that_are_kept_are_these(found: Audit) -> None:
    assert json.loads((RESULTS / "yago-audit.json").read_bytes()) == json.loads(
        json.dumps(found.as_json())
    )
    assert (RESULTS / "yago-audit.md").read_text() == table(found)


def test_the_page_shows_what_is_kept() -> None:
    page = (ROOT / "docs" / "facts-audit.md").read_text()
    assert (RESULTS / "yago-audit.md").read_text() in page
    after = json.loads((RESULTS / "yago-audit.json").read_bytes())["single_2026_after_2022"]
    named = after["named subjects"]
    assert f"{named['shared_chains']} chains" in page
    assert f"{named['second_open']} starts" in page


def small(folder: Path, rows: str) -> Path:
    """A folder as the audit takes it, of few facts."""
    shutil.copytree(EXAMPLE / "schema", folder / "schema")
    for year in (2026, 2022):
        (folder / f"yago{year}").mkdir()
        for name in ("single", "multi"):
            path = folder / f"yago{year}" / f"{name}.references.txt"
            path.write_text(rows.replace("2026", str(year)))
    return folder


def test_few_facts(tmp_path: Path) -> None:
    rows = [
        ("Ada", "startSpouse", "Ben", "2026-01-01"),
        ("Ada", "startSpouse", "Cy U002C Jr", "2026-02-01"),
        ("Ada", "endSpouse", "Ben", "2026-03-01"),
        ("Ada", "startMemberOf", "Choir", "2026-03-01"),
        ("Ada", "startMemberOf", "Band", "2026-03-02"),
    ]
    text = "\n".join(repr([list(row)]) for row in rows)
    done = audit(small(tmp_path, text))
    assert done.future == done.control
    # Membership is not exclusive in this schema, and marriage is.
    assert (done.future["chains_of_two_or_more"], done.future["incoherent_chains"]) == (1, 1)
    assert (done.future["second_open"], done.future["proper_ends"]) == (1, 1)
    assert done.future["facts_with_escapes"] == 1
    assert done.multi["sizes"] == {"1": 5}
    assert set(ROWS) <= set(done.future)


def test_rows_that_cannot_be_read_stop_it(tmp_path: Path) -> None:
    folder = small(tmp_path, "[['Ada', 'startSpouse', 'Ben', '2026-02-30']]")
    ran = CliRunner().invoke(main, [str(folder)])
    assert ran.exit_code == 1
    assert "single.references.txt:1: found date '2026-02-30'" in ran.output
