"""Levels of difficulty: the options that they set, and reasoners that fail at them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

import hopcheck as hc
from benchmarks.reproduction import RESULTS
from benchmarks.reproduction.eventhop.levels import STEPS, measure
from generators.eventhop.config import LEVELS
from generators.levels import LevelError, at_level
from generators.traces.twins import LEVELS as OF_TRACES
from solver.cli import run

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_limited_reasoners_fall_from_level_to_level() -> None:
    """Whoever combines k sentences answers what needs no more, and guesses the rest."""
    found = [list(measure(level, size=90, seed=3).values()) for level in LEVELS]
    assert found[0][0] > 0.34
    for easier, harder in pairwise(found):
        assert sum(harder) < sum(easier)
        assert all(then <= first for first, then in zip(easier, harder, strict=True))
    for level, row in zip(LEVELS.values(), found, strict=True):
        most = max(level["hops"])
        known = [accuracy for k, accuracy in zip(STEPS, row, strict=True) if k >= most]
        assert known == [1.0] * len(known)


def test_the_documentation_has_the_measured_table() -> None:
    table = (RESULTS / "levels.md").read_text(encoding="utf-8")
    assert table in (DOCS / "eventhop-generate.md").read_text(encoding="utf-8")


def test_a_level_of_the_api_is_that_of_its_options() -> None:
    of_level = list(hc.generate("eventhop", level=2, split="test", test_size=30, seed=4))
    options = {"shapes": ["12x12"], "hops": [3, 4]}
    assert of_level == list(
        hc.generate("eventhop", split="test", test_size=30, seed=4, **options)  # type: ignore[call-overload]
    )
    chains = list(hc.generate("traces", level=1, test_size=3, seed=4))
    assert {chain["hops"] for chain in chains} == {2}


def test_at_level() -> None:
    assert at_level(OF_TRACES, None, {"detours": 3}) == {"detours": 3}
    assert at_level(OF_TRACES, 4, {"seed": 1}) == {"seed": 1, **OF_TRACES[4]}
    with pytest.raises(LevelError, match="found a level and hops and detours, expected one"):
        at_level(OF_TRACES, 4, {"detours": 2, "hops": (2,)})
    for level in (0, 6, -1):
        with pytest.raises(LevelError, match=f"found level {level}, expected a number from 1 to 5"):
            hc.generate("eventhop", level=level)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("kind", "option"), [("eventhop", "--shape=8x8"), ("traces", "--hops=2")])
def test_a_level_with_its_options_is_refused(
    kind: str,
    option: str,
    order: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--level=2", option][::order]
    assert run(["generate", kind, *options, "--out", str(tmp_path / "out")]) == 2
    assert "found a level and " in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["eventhop", "traces"])
def test_a_level_of_the_command(kind: str, tmp_path: Path) -> None:
    sizes = {"eventhop": ["--split=test", "--test-size=12"], "traces": ["--test=2"]}[kind]
    out = tmp_path / "out"
    assert run(["generate", kind, "--level=1", *sizes, "--seed=1", "--out", str(out)]) == 0
    config = json.loads((out / "manifest.json").read_text())["config"]
    assert isinstance(config, dict)
    assert config["hops"] == ([1, 2, 3] if kind == "eventhop" else [2])
