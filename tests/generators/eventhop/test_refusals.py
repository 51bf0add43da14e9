"""Invalid options are refused, with a hint."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.cli import run

REFUSED = [
    (
        ["--shape", "8x4"],
        "no item of the shape 8x4 is undefined: 8 events, 4 relations: before, contradictory in 7 "
        "hops cannot exist, as a cycle of 7 takes 7 relations on 7 events; there are 4",
        "use more relations, fewer events or other hops",
    ),
    (
        ["--hops", "1"],
        "no item of the shape 4x3 is undefined: 4 events, 3 relations: before, contradictory in 1 "
        "hop cannot exist, as one relation between two events contradicts nothing: a cycle takes "
        "two",
        "use more relations, fewer events or other hops",
    ),
    (
        ["--shape", "4x8"],
        "no matched groups of a true, a false and an undefined item of the shape 4x8 are known",
        "use more events",
    ),
    (
        ["--shape", "4x8", "--hops", "6"],
        "a chain through 4 events has at most 3 hops",
        "use more relations, fewer events or other hops",
    ),
    (
        ["--shape", "200x300"],
        "found 200 events, but there are only 128 names",
        "use at most 128 events",
    ),
    (["--shape", "4x20"], "found 20 relations between 4 events", "use at most 12 relations"),
    (["--shape", "2x2"], "expected at least 3 events and 2 relations", ""),
    (
        ["--shape", "8x8", "--test-size", "5"],
        "5 items of test cannot be balanced, expected at least 9: one of each label for each of "
        "3 pairs of a shape and a claim",
        "use at least 9 items, or fewer shapes or claims",
    ),
    (
        ["--shape", "8x8", "--test-size", "9", "--split", "both", "--train-size", "8"],
        "8 items of train cannot be balanced, expected at least 9",
        "",
    ),
    (
        ["--exact"],
        "2,500 items of test do not divide into 15 blocks of 3 labels",
        "use 2,475 or 2,520",
    ),
    (
        ["--preset", "same-timelines", "--split", "both", "--train-size", "99"],
        "found 2,500 test items, but 99 train items cannot contain all of their timelines",
        "generate at least as many train items as test items",
    ),
    (["--test-size", "0"], "found 0 items for test, expected at least 1", ""),
    (["--shape", "4by3"], "'4by3' is not a shape", "as 8x16"),
    (["--hops", "few"], "'few' is not a list of hops", "as 1,2,5"),
    (["--preset", "loose"], "'loose' is not one of", ""),
]


@pytest.mark.parametrize(("options", "found", "hint"), REFUSED, ids=lambda value: str(value)[:30])
def test_bad_configurations(
    options: list[str], found: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    status = run(["generate", "eventhop", "--split", "test", "--out", str(out), *options])
    output = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert status == 2
    assert found in output
    assert hint in output
    assert "Traceback" not in output
    assert not out.exists()


def test_a_folder_of_another_data_set_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(seed: int) -> int:
        size = ["--split", "test", "--shape", "8x8", "--test-size", "9", "--out", str(tmp_path)]
        return run(["generate", "eventhop", *size, "--seed", str(seed)])

    assert make(0) == 0
    before = (tmp_path / "test.jsonl").read_bytes()
    assert make(1) == 2
    assert "a data set with other options" in capsys.readouterr().err
    assert (tmp_path / "test.jsonl").read_bytes() == before
    assert make(0) == 0
    assert (tmp_path / "test.jsonl").read_bytes() == before


def test_cells_are_printed_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    options = ["--shape", "8x8", "--split", "test", "--cells", "--out", str(out)]
    assert run(["generate", "eventhop", *options]) == 0
    printed = capsys.readouterr().out
    assert "cannot exist: 8 events, 8 relations: overlaps, entailed in 7 hops" in printed
    assert "excluded: 8 events, 8 relations: before, contradictory in 2 hops: no matched" in printed
    assert "8x8 before entailed consistent hops=3" in printed
    assert not out.exists()


def test_asked_cells_are_all_there_is(tmp_path: Path) -> None:
    import json

    cells = ["--shape", "8x8", "--hops", "2,3", "--claims", "overlaps"]
    cells += ["--contradiction", "without"]
    size = ["--split", "test", "--test-size", "60"]
    run(["generate", "eventhop", *size, *cells, "--out", str(tmp_path)])
    rows = [json.loads(line) for line in (tmp_path / "test.jsonl").read_text().splitlines()]
    assert len(rows) == 60
    assert {(row["events"], row["relations"], row["relation"]) for row in rows} == {
        (8, 8, "overlaps")
    }
    assert {row["hops"] for row in rows} == {2, 3, None}
    declared = {(row["label"], row["declared"]) for row in rows}
    assert declared == {("true", "possible"), ("false", "possible"), ("undefined", "impossible")}
