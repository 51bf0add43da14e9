"""No label may be guessed from the claim or from counts of words."""

from __future__ import annotations

from pathlib import Path

import pytest

from generators.eventhop.config import Config
from generators.eventhop.presets import Preset, Split
from generators.eventhop.run import generate
from grammar.reader import reader
from solver.artefacts import Artefacts, measure, sample
from solver.model import Domain
from solver.reading import read_records
from solver.records import Record

MARGIN = 0.03


def artefacts(config: Config, folder: Path) -> Artefacts:
    generate(config, folder)
    read = reader(config.domain).read
    (split,) = config.sizes
    records = [r for r in read_records(folder / f"{split}.jsonl") if isinstance(r, Record)]
    samples = [sample(r, read(r.id, r.premise, r.claim)) for r in records]
    return measure([one for one in samples if one is not None])


def hold(found: Artefacts, margin: float) -> None:
    for guess in found.guesses:
        assert guess.macro_f1 is not None
        assert guess.chance is not None
        assert guess.macro_f1 <= guess.chance + margin, guess.seen
    assert [one.sentence for one in found.findings if one.warning] == []


def test_a_small_set_gives_nothing_away(tmp_path: Path) -> None:
    # Of 900 items luck alone takes one guess in forty this far above chance.
    hold(artefacts(Config(seed=11, sizes={Split.TRAIN: 900}), tmp_path), 0.04)


@pytest.mark.slow
@pytest.mark.parametrize("preset", Preset)
def test_presets_give_nothing_away(preset: Preset, tmp_path: Path) -> None:
    hold(artefacts(Config(preset=preset, sizes={Split.TEST: 2_500}), tmp_path), MARGIN)


@pytest.mark.slow
@pytest.mark.parametrize("domain", Domain)
def test_domains_give_nothing_away(domain: Domain, tmp_path: Path) -> None:
    hold(artefacts(Config(domain=domain, sizes={Split.TRAIN: 14_000}), tmp_path), MARGIN)
