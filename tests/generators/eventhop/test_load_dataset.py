"""The library ``datasets`` loads a data set by its card, away from any network."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators.eventhop.config import Split

MakeData = Callable[..., Any]
TEXTS = (
    *(
        "id",
        "premise",
        "claim",
        "label",
        "declared",
        "relation",
        "status",
        "domain",
        "timeline",
        "outline",
    ),
)
NUMBERS = ("events", "relations", "event_distance", "hops")
LOAD = """
import json, sys
from datasets import load_dataset
folder = sys.argv[1]
named = {"train": "train.jsonl", "test": "test.jsonl"}
every = {"card": load_dataset(folder), "jsonl": load_dataset(folder, data_files=named)}
print(json.dumps({
    how: {
        split: {
            "rows": list(data),
            "types": {name: feature.dtype for name, feature in data.features.items()},
        }
        for split, data in splits.items()
    }
    for how, splits in every.items()
}))
"""


@pytest.fixture(scope="module")
def loaded(
    hf: None,  # noqa: ARG001
    make_data: MakeData,
    tmp_path_factory: pytest.TempPathFactory,
    python: Callable[..., Any],
) -> dict[str, Any]:
    """What the library makes of a folder: by its card, and of the JSON Lines in it."""
    home = tmp_path_factory.mktemp("hf")
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(home)}
    done = python("-c", LOAD, make_data().folder, env=os.environ | offline)
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    return value


@pytest.mark.parametrize("split", Split)
@pytest.mark.parametrize("how", ["card", "jsonl"])
def test_the_rows_are_those_of_the_file(
    loaded: dict[str, Any], make_data: MakeData, how: str, split: Split
) -> None:
    assert set(loaded[how]) == set(Split)
    assert loaded[how][split]["rows"] == make_data().rows(split)


@pytest.mark.parametrize(("how", "number"), [("card", "int32"), ("jsonl", "int64")])
def test_the_types_are_those_of_the_page(loaded: dict[str, Any], how: str, number: str) -> None:
    wanted = dict.fromkeys(TEXTS, "string") | dict.fromkeys(NUMBERS, number) | {"forced": "bool"}
    assert {split["types"] == wanted for split in loaded[how].values()} == {True}


def test_a_split_alone_is_loaded_too(
    hf: None,  # noqa: ARG001
    tmp_path: Path,
    python: Callable[..., Any],
) -> None:
    from generators.eventhop.config import Config
    from generators.eventhop.run import generate

    generate(Config(seed=0, sizes={Split.TEST: 72}), tmp_path / "data")
    code = "import sys; from datasets import load_dataset; print(load_dataset(sys.argv[1]))"
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    done = python("-c", code, tmp_path / "data", env=os.environ | offline)
    assert done.returncode == 0, done.stderr
    assert "num_rows: 72" in done.stdout
    assert "test" in done.stdout
    assert "train" not in done.stdout
