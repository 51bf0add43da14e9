"""No label may be guessed from the claim or from counts of words."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from benchmarks.eventhop import leakage as generated
from benchmarks.eventhop.leakage import LeakageResult, leakage
from generators.eventhop.config import SIZES
from generators.eventhop.presets import Preset, Split
from grammar.eventhop.model import Domain
from solver.probes.probe import MARGIN


def hold(found: list[LeakageResult], margin: float) -> None:
    for one in found:
        assert len(one.excess) == 4
        assert one.largest == max(one.excess.values()) <= margin, one
        assert one.warnings == ()


def test_a_small_set_gives_nothing_away() -> None:
    # Of 900 items luck alone takes one guess in forty this far above chance.
    hold(leakage(Preset.STRICT, Domain.TEMPORAL, {Split.TRAIN: 900}), 0.04)


@pytest.mark.slow
@pytest.mark.parametrize("preset", Preset)
def test_presets_give_nothing_away(preset: Preset) -> None:
    hold(leakage(preset, Domain.TEMPORAL, {Split.TEST: SIZES[Split.TEST]}), MARGIN)


@pytest.mark.slow
@pytest.mark.parametrize("domain", Domain)
def test_domains_give_nothing_away(domain: Domain) -> None:
    hold(leakage(Preset.STRICT, domain, {Split.TRAIN: SIZES[Split.TRAIN]}), MARGIN)


def test_the_recorded_audit_holds_every_preset_and_domain() -> None:
    """All of them at full size, as the script left them."""
    output = msgspec.json.decode(generated.RESULTS.read_bytes())
    made = {(one["preset"], one["domain"], one["split"], one["items"]) for one in output["sets"]}
    assert made == {
        (preset, domain, split, size)
        for preset in Preset
        for domain in Domain
        for split, size in SIZES.items()
    }
    assert output["margin"] == MARGIN
    assert max(one["largest"] for one in output["sets"]) == output["largest"]["largest"] <= MARGIN
    assert not any(one["warnings"] for one in output["sets"])


@pytest.mark.slow
def test_the_script_names_the_largest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(generated, "RESULTS", tmp_path / "found.json")
    done = CliRunner().invoke(
        generated.main, ["--train-size", "144", "--test-size", "72", "--write"]
    )
    assert done.exit_code == 0
    output = msgspec.json.decode((tmp_path / "found.json").read_bytes())
    lines = done.output.splitlines()
    assert len(output["sets"]) == len(lines) - 1 == 60
    assert lines[-1].startswith("largest excess over chance: ")
