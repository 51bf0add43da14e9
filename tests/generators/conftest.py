"""Small data sets, made once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from generators.eventhop.config import Config, Preset, Split
from generators.eventhop.run import generate
from grammar.eventhop.model import Domain

TRAIN, TEST = 150, 80


@dataclass(frozen=True, kw_only=True)
class Made:
    """A data set in its folder."""

    folder: Path
    config: Config

    def rows(self, split: Split) -> list[dict[str, Any]]:
        lines = (self.folder / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @property
    def manifest(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text())
        return value


MakeData = Callable[..., Made]


@pytest.fixture(scope="session")
def make_data(tmp_path_factory: pytest.TempPathFactory) -> MakeData:
    """A data set of a preset and a domain; the same one at the second call."""
    made: dict[tuple[Preset, Domain], Made] = {}

    def make(preset: Preset = Preset.STRICT, domain: Domain = Domain.TEMPORAL) -> Made:
        key = (preset, domain)
        if key not in made:
            folder = tmp_path_factory.mktemp("data") / preset
            sizes = {Split.TRAIN: TRAIN, Split.TEST: TEST}
            config = Config(preset=preset, domain=domain, seed=1, sizes=sizes)
            generate(config, folder)
            made[key] = Made(folder=folder, config=config)
        return made[key]

    return make
