"""Commands that read a graph report the rows they skip."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Solver = Callable[..., Any]
HEADER = "Event Date\tSource Name\tEvent Text\tTarget Name\n"


def test_rows_that_were_left_out_are_told_on_stderr(solver: Solver, tmp_path: Path) -> None:
    path, out = tmp_path / "events.tab", tmp_path / "rules.json"
    rows = [
        f"2030-01-{day:02}\t{a}\t{event}\t{b}"
        for day in range(1, 9)
        for event, a, b in (("Visit", "Ada", "Bo"), ("Host a visit", "Bo", "Ada"))
    ]
    path.write_text(HEADER + "\n".join([*rows, rows[0], rows[1], "2030-01-09\t\tVisit\tBo"]) + "\n")
    ran = solver("mine", path, "--out", out, "--json")
    assert ran.status == 0
    notes = [line for line in ran.err.splitlines() if line.startswith("left out")]
    assert notes == [
        "left out of events.tab: 2 rows, repeated",
        "left out of events.tab: 1 row, without Source Name",
    ]
    assert ran.json["facts"] == 16
