"""Every cell that is declared is planned, impossible or excluded."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from generators.eventhop.config import TRAITS, Cell, Config, Preset, Shape, Split, hop_levels
from generators.eventhop.layout import impossibility, layout
from grammar.eventhop.model import ClaimRelation, Status
from solver.cli import run

ENOUGH = 90_000
"""Enough items to contain every cell."""
UNMATCHED = {"4x3", "4x4", "4x8"}
MATCHINGS = {"8x4", "16x8", "32x16"}
"""Shapes in which each event is named once."""


def declared(config: Config) -> set[str]:
    """All cells of the paper's shapes, as in the paper."""
    return {
        Cell(shape=shape, claim=claim, status=status, contradiction=away, hops=hops).key
        for shape in config.asked_shapes
        for claim in ClaimRelation
        for status in Status
        for away in ((True,) if status is Status.CONTRADICTORY else (True, False))
        for hops in ((None,) if status is Status.UNKNOWN else hop_levels(shape))
    }


@pytest.mark.parametrize("keep", [False, True], ids=["balanced", "all"])
@pytest.mark.parametrize("preset", [Preset.STRICT, Preset.ONLY_BEFORE])
def test_every_declared_cell_is_accounted_for_once(preset: Preset, keep: bool) -> None:
    config = Config(preset=preset, keep_unbalanced=keep)
    planned = layout(config)
    reasons = Counter(planned.counts(ENOUGH).keys())
    reasons.update(
        excluded_cell.cell.key for excluded_cell in (*planned.impossible, *planned.withheld)
    )
    assert set(reasons) == declared(config)
    assert set(reasons.values()) == {1}
    assert {str(excluded_cell.cell.shape) for excluded_cell in planned.withheld}.isdisjoint(
        UNMATCHED
    ) is keep


@pytest.mark.parametrize("preset", Preset)
def test_excluded_cells_are_possible(preset: Preset) -> None:
    planned = layout(Config(preset=preset))
    equal = TRAITS[preset].equal
    made = {str(block.shape) for block in planned.blocks}
    absent = {str(excluded_cell.cell.shape) for excluded_cell in planned.withheld} - made
    assert absent >= MATCHINGS | UNMATCHED
    assert len(made) >= 4
    assert all(
        impossibility(excluded_cell.cell, equal=equal) is None for excluded_cell in planned.withheld
    )


@pytest.mark.parametrize("shape", sorted(MATCHINGS))
def test_where_each_event_is_named_once_one_relation_shows_all(shape: str) -> None:
    """No two relations touch: no chain of two, no cycle, so nothing contradicts anything."""
    events, relations = map(int, shape.split("x"))
    config = Config(
        shapes=(Shape(events=events, relations=relations),),
        claims=(ClaimRelation.BEFORE,),
        keep_unbalanced=True,
    )
    assert sorted(layout(config).counts(99)) == [
        f"{shape} before entailed consistent hops=1",
        f"{shape} before refuted consistent hops=1",
        f"{shape} before unknown consistent hops=-",
    ]


def test_statuses_take_turns_where_a_label_is_missing() -> None:
    config = Config(
        preset=Preset.ONLY_BEFORE,
        shapes=(Shape(events=8, relations=4),),
        claims=(ClaimRelation.OVERLAPS,),
        keep_unbalanced=True,
    )
    # Without "=" no single relation shows that two events overlap.
    assert layout(config).counts(60) == {
        "8x4 overlaps refuted consistent hops=1": 30,
        "8x4 overlaps unknown consistent hops=-": 30,
    }


@pytest.mark.parametrize("preset", [Preset.STRICT, Preset.ONLY_BEFORE])
def test_unbalanced_shapes_are_made_where_they_are_wanted(preset: Preset, tmp_path: Path) -> None:
    options = ["--preset", preset, "--keep-unbalanced", "--split", "test", "--test-size", "108"]
    shapes = [part for shape in sorted(MATCHINGS) for part in ("--shape", shape)]
    assert run(["generate", "eventhop", *options, *shapes, "--out", str(tmp_path)]) == 0
    rows = [json.loads(line) for line in (tmp_path / "test.jsonl").read_text().splitlines()]
    shown = Counter(f"{row['events']}x{row['relations']}" for row in rows)
    assert shown == dict.fromkeys(MATCHINGS, 36)
    assert {row["hops"] for row in rows} == {1, None}
    assert {row["label"] for row in rows} == {"true", "false"}
    assert run(["verify", str(tmp_path / "test.jsonl"), "--probes", "none"]) == 0


def test_verify_reports_that_a_shape_without_a_label_leaks_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--keep-unbalanced", "--split", "test", "--test-size", "396"]
    assert run(["generate", "eventhop", *options, "--out", str(tmp_path)]) == 0
    assert run(["verify", str(tmp_path), "--json"]) == 1
    reasons = json.loads(capsys.readouterr().out.partition("\n")[2])
    assert reasons["findings"].keys() == {"shortcut"}
    messages = [problem["message"] for problem in reasons["problems"]]
    predicted = "The numbers of events and relations predict"
    assert sum(message.startswith(predicted) for message in messages) == 1


def test_the_manifest_names_each_excluded_cell(tmp_path: Path) -> None:
    options = ["--split", "test", "--test-size", "72", "--out", str(tmp_path)]
    assert run(["generate", "eventhop", *options]) == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    reasons = {record["cell"]: record["reason"] for record in manifest["withheld"]}
    whole = {cell for cell in reasons if cell.partition(" ")[0] in MATCHINGS}
    assert len(whole) == 3 * 3 * len(MATCHINGS)
    assert {cell.partition(" ")[0] for cell in reasons} > UNMATCHED
    assert reasons["8x4 before entailed consistent hops=1"] == (
        "no item is undefined, so the shape would leak the label"
    )
    assert not set(reasons) & {record["cell"] for record in manifest["impossible"]}
    config = Config()
    made = set(layout(config).counts(ENOUGH))
    absent = {record["cell"] for record in manifest["impossible"]} | set(reasons)
    assert made | absent == declared(config)
    assert set(manifest["splits"][Split.TEST]["cells"]) <= made
