"""Configs that cannot be are refused in one line that says what was found and what expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generators.tkg.config import Config, read_config
from generators.tkg.planting import plant_graph
from generators.tkg.presets import Preset, config_of
from grammar.errors import HopcheckError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"entities": 0}, "found 0 entities, expected at least 1"),
        ({"entities": "many"}, "expected `int`, got `str`"),
        ({"entites": 5}, "found unknown option entites"),
        ({"closure": {"deep": 1}}, "found unknown option closure.deep"),
        ({"closure": {"depth": -1}}, "found depth -1"),
        ({"patterns": [0, 0, 0]}, "expected counts from 0 and at least one"),
        ({"patterns": [2**31, 1, 0]}, "found 2,147,483,649 patterns, expected at most 100,000"),
        ({"patterns": [1, 2]}, "length 3"),
        ({"lags": {"low": 3, "high": 1}}, "found lag [3, 1], expected 0 <= low <= high"),
        ({"lags": "quick"}, "quick"),
        ({"probability": 1.5}, "found probability 1.5, expected 0 to 1"),
        ({"flags": "2000"}, "found flag '2000'"),
        ({"mode": "backward"}, "backward"),
        ({"splits": [0.5, 0.1, 0.1]}, "expected shares that sum to 1"),
        ({"guards": {"edges": 0}}, "found 0 edges"),
        ({"entity_weights": {"distribution": "zipf", "exponent": -1}}, "found exponent -1"),
        ({"entities": 2**31 - 1, "relations": 2**20}, "more possible facts than 63 bits"),
        ({"entities": 2**21, "relations": 2, "steps": 2**20}, "more possible facts than 63 bits"),
    ],
)
def test_refused_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(HopcheckError) as caught:
        Config.of_json(options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_possible_facts_that_63_bits_can_number() -> None:
    config = Config.of_json({"entities": 2**21, "relations": 2, "steps": 2**20 - 1})
    assert config.steps * config.relations * config.entities**2 < 2**63


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"entity_weights": {"distribution": "gamma", "scale": 0}},
            "the weights of entities sum to 0",
        ),
        (
            {"relation_weights": {"distribution": "given", "values": [0] * 20}},
            "the weights of relations sum to 0",
        ),
        (
            {"relation_weights": {"distribution": "given", "values": [1]}},
            "found 1 weights of relations, expected 20",
        ),
        ({"entities": 2, "injective": True}, "found 2 ids with a weight above 0, expected "),
        ({"relations": 1, "patterns": [30, 0, 0]}, "different patterns, expected 30"),
        ({"probability": 1, "trials": 100_000}, "instances to plant, expected at most 300,000"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(HopcheckError) as caught:
        plant_graph(Config.of_json(options), 0)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("preset", list(Preset))
def test_configs_are_read_as_they_are_written(preset: Preset) -> None:
    config = config_of(preset)
    assert Config.of_json(config.as_json()) == config


def test_files_are_named_in_refusals(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"steps": 0}')
    with pytest.raises(HopcheckError, match=r"config\.json: found 0 steps"):
        read_config(path)
    path.write_text("{steps")
    with pytest.raises(HopcheckError, match=r"config\.json:1:2: found broken JSON"):
        read_config(path)
