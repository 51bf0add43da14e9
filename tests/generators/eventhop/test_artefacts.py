"""No label may be predicted from the claim, from words or from counts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.reproduction.eventhop import leakage as generated
from benchmarks.reproduction.eventhop.leakage import LeakageResult, drawn, leakage, missing, write
from generators.eventhop.config import SIZES, TRAITS, Config, Preset, SharedTrait, Split
from generators.eventhop.run import generate
from grammar.eventhop.model import Domain
from grammar.eventhop.reader import reader
from solver.eventhop.io import read_records
from solver.eventhop.probes import MEMORISED, PROBES, sample
from solver.eventhop.records import Record


def hold(found: list[LeakageResult]) -> None:
    for result in found:
        assert len(result.excess) == len(PROBES) + 2
        shares = SharedTrait.TIMELINES in TRAITS[Preset(result.preset)].shared
        meant = MEMORISED if shares else ()
        assert result.largest == max(
            most for name, most in result.excess.items() if name not in meant
        )
        assert result.warnings == ()


@pytest.mark.parametrize("preset", [Preset.MINIMAL_PAIRS, Preset.SAME_TIMELINES])
def test_the_probed_items_are_those_that_are_generated(preset: Preset, tmp_path: Path) -> None:
    sizes = {Split.TRAIN: 72, Split.TEST: 69}
    config = Config(preset=preset, domain=Domain.SPATIAL, sizes=sizes, seed=3)
    generate(config, tmp_path)
    for split in Split:
        records = read_records(tmp_path / f"{split}.jsonl")
        parser = reader(config.domain)
        found = []
        for record in records:
            assert isinstance(record, Record)
            found.append(sample(record, parser.read(record.id, record.premise, record.claim)))
        seen = drawn(config, split)
        assert found == seen
        groups = list(zip(*[(seen_sample.outline for seen_sample in seen)] * 3, strict=True))
        assert len(groups) == sizes[split] // 3
        assert all(len(set(outlines)) == 1 for outlines in groups)


def test_a_small_set_gives_nothing_away() -> None:
    hold(leakage(Preset.STRICT, Domain.TEMPORAL, {Split.TRAIN: 225}))


@pytest.mark.slow
@pytest.mark.parametrize("preset", [preset for preset in Preset if not TRAITS[preset].in_order])
def test_presets_give_nothing_away(preset: Preset) -> None:
    hold(leakage(preset, Domain.TEMPORAL, dict(SIZES)))


@pytest.mark.slow
@pytest.mark.parametrize("domain", Domain)
def test_domains_give_nothing_away(domain: Domain) -> None:
    hold(leakage(Preset.STRICT, domain, dict(SIZES)))


def test_the_recorded_sets_have_no_shortcut() -> None:
    """Those that the script has written; the published file has shortcuts.

    Sorted sentences give away the order by their positions, as they are meant to.
    """
    output = msgspec.json.decode(generated.TARGET.read_bytes())
    for group in output["sets"]:
        assert bool(group["warnings"]) is TRAITS[Preset(group["preset"])].in_order
    for file in output["files"]:
        assert file["largest"] > 0.05
        assert file["warnings"]


def test_a_resumed_run_leaves_out_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generated, "TARGET", tmp_path / "results.json")
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
