"""The folder of a data set: stale files, card and manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generators.dataset import DatasetFolder, card_head


def test_the_manifest_lists_all_files_and_is_written_last(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    for name in ("old.jsonl", "kept.txt", "b.txt"):
        (tmp_path / name).write_text("of an earlier run")
    folder = DatasetFolder(tmp_path)
    assert not (tmp_path / "manifest.json").exists()
    folder.add_json("a.json", {"n": 1})
    folder.add_text("b.txt", "text")
    folder.remove_stale(["old.jsonl", "b.txt", "never.jsonl"])
    paths = folder.finish(config={"o": 1}, seed=3, encodings=(), more={"generator": "x"})
    assert [path.name for path in paths] == ["a.json", "b.txt", "manifest.json"]
    found = json.loads((tmp_path / "manifest.json").read_bytes())
    assert (set(found["outputs"]), found["seed"]) == ({"a.json", "b.txt"}, 3)
    assert found["generator"] == "x"
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.json", "b.txt", "kept.txt", "manifest.json"}


@pytest.mark.parametrize(
    ("items", "category"), [(999, "n<1K"), (1_000, "1K<n<10K"), (10**6, "1M<n<10M")]
)
def test_a_card_begins_with_its_metadata(items: int, category: str) -> None:
    head = card_head("N", task="t", tags=("a", "b"), splits={"test": "test.jsonl"}, items=items)
    assert head == (
        "---\nlanguage:\n- en\ntask_categories:\n- t\nsize_categories:\n"
        f"- {category}\ntags:\n- a\n- b\npretty_name: N\nconfigs:\n  - config_name: default\n"
        "    data_files:\n      - split: test\n        path: test.jsonl\n---\n"
    )
