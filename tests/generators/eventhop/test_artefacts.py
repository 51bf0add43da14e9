"""No label may be predicted from the claim, from words or from counts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.eventhop import leakage as generated
from benchmarks.eventhop.leakage import LeakageResult, leakage, missing, write
from generators.eventhop.config import SIZES
from generators.eventhop.presets import TRAITS, Preset, Split
from grammar.eventhop.model import Domain
from solver.eventhop.probes import PROBES


def hold(found: list[LeakageResult]) -> None:
    for one in found:
        assert len(one.excess) == len(PROBES) + 1
        assert one.largest == max(one.excess.values())
        assert one.warnings == ()


def test_a_small_set_gives_nothing_away() -> None:
    hold(leakage(Preset.STRICT, Domain.TEMPORAL, {Split.TRAIN: 225}))


@pytest.mark.slow
@pytest.mark.parametrize("preset", [one for one in Preset if not TRAITS[one].in_order])
def test_presets_give_nothing_away(preset: Preset) -> None:
    hold(leakage(preset, Domain.TEMPORAL, dict(SIZES)))


@pytest.mark.slow
@pytest.mark.parametrize("domain", Domain)
def test_domains_give_nothing_away(domain: Domain) -> None:
    hold(leakage(Preset.STRICT, domain, dict(SIZES)))


def test_the_recorded_sets_have_no_shortcut() -> None:
    """Those that the script has written; the published file has shortcuts."""
    output = msgspec.json.decode(generated.RESULTS.read_bytes())
    for one in output["sets"]:
        assert one["preset"] in list(Preset)
        assert one["warnings"] == []
    for one in output["files"]:
        assert one["largest"] > 0.05
        assert one["warnings"]


def test_a_resumed_run_leaves_out_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generated, "RESULTS", tmp_path / "results.json")
    sizes = {Split.TRAIN: 90, Split.TEST: 45}
    sets = [(seed, Preset.SORTED, Domain.SPATIAL) for seed in (0, 1)]
    assert missing(sets, sizes) == sets

    def result(split: str, items: int) -> LeakageResult:
        return LeakageResult(
            preset="sorted",
            domain="spatial",
            seed=0,
            split=split,
            items=items,
            chance=0.3333,
            excess={},
            largest=0.0,
            warnings=(),
        )

    write([result("train", 90)])
    assert missing(sets, sizes) == sets
    write([result("test", 45)])
    assert missing(sets, sizes) == sets[1:]
    assert missing(sets, sizes | {Split.TEST: 46}) == sets
