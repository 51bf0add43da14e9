"""The page about scale quotes the constants that were measured, and what follows from them."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

from solver.processes import WORKER_LIFETIME

ROOT = Path(__file__).resolve().parents[2]
ITEMS = 10**9
HOUR = 3_600_000
"""In milliseconds."""


def test_the_page_quotes_the_measurement() -> None:
    measured = json.loads((ROOT / "benchmarks/results/scale.json").read_bytes())
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8").replace("\n   ", " ")
    size = measured["bytes"]
    generating, verifying, reading = (
        measured[f"{what}_milliseconds"] for what in ("generate", "verify", "read")
    )
    for expected in (
        f"| {size['text']:,.0f} bytes, {size['text_gzip']:.0f} bytes |",
        f"| {size['lines']:,.0f} bytes, {size['lines_gzip']:.0f} bytes |",
        f"| {size['task']:,.0f} and {size['result']:,.0f} bytes |",
        f"| {generating:.2f} ms |",
        f"| {verifying:.2f} ms, {reading:.3f} ms |",
        f"| text | {size['text'] / 1e3:.1f} TB, {size['text_gzip'] / 1e3:.2f} TB",
        f"| certificates | {size['lines'] / 1e3:.1f} TB, {size['lines_gzip'] / 1e3:.2f} TB",
        row("generating", generating),
        row("verifying", verifying),
        f"It takes {reading * ITEMS / HOUR:.1f} hours to read",
        f"serves some {10 * int(verifying / reading / 10)} cores at most",
        f"Tasks and results are {(size['task'] + size['result']) / 1e3:.1f} TB",
        f"replaced after {WORKER_LIFETIME:,} items",
    ):
        assert expected in page


def test_the_page_quotes_the_cluster() -> None:
    measured = json.loads((ROOT / "benchmarks/results/cluster.json").read_bytes())
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8").replace("\n", " ")
    found, memory = measured["bytes"], measured["memory"]
    for what in ("verified", "generated"):
        assert found[what]["same"]
        assert found[what]["node killed"]
        assert f"{found[what]['items']:,} " in page
    assert found["processes left"] == 0
    (few, least), (many, most) = sorted(
        (int(items), run["mebibytes, any process"]) for items, run in memory["runs"].items()
    )
    assert many == memory["distinct"]
    assert (
        f"Over {many:,} distinct items no process takes more than {most} MiB "
        f"({least} over {few:,})" in page
    )


def test_the_page_quotes_the_speed_ups() -> None:
    measured = json.loads((ROOT / "benchmarks/results/cluster.json").read_bytes())["speed-up"]
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
    assert f"Seconds for {measured['items']:,} items on two cores" in page
    for way, taken in measured["seconds"].items():
        ratio = measured["speed-up of the medians"][way]
        by_round = ", ".join(f"{measurement:.2f}" for measurement in measured["speed-up"][way])
        cells = f"| {median(taken):.1f} | {ratio:.2f} | {by_round} |"
        assert cells.replace("| 1.00 | " + by_round, "| | ") in page, way


def row(name: str, milliseconds: float) -> str:
    hours = milliseconds * ITEMS / HOUR
    return (
        f"| {name} | {hours:.0f} core hours | {hours / 100:.1f} hours "
        f"| {60 * hours / 1600:.0f} minutes |"
    )
