"""What is learned from: the train split of a data set, labels of the file or decided, parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.eventhop.baselines import UntrainableError
from benchmarks.eventhop.cases import UnlabelledError
from benchmarks.eventhop.encoder.data import (
    Pair,
    decided_pairs,
    declared_pairs,
    digest,
    partition,
    train_files,
)
from grammar.eventhop.model import Label
from solver.eventhop.engines import ItemSettings
from solver.io.sources import InputError

PREMISE = "The end of Fair of Ashby happened before the start of Regatta at Corwen"
CLAIM = "Fair of Ashby happens before Regatta at Corwen"
PAIRS = [Pair(premise=str(n), claim="", label=list(Label)[n % 3]) for n in range(50)]


def data_set(folder: Path, *splits: str) -> str:
    files = [f"{split}.{kind}" for split in splits for kind in ("jsonl", "tsv")]
    (folder / "manifest.json").write_text(json.dumps({"outputs": dict.fromkeys(files, "")}))
    return str(folder)


def test_of_a_data_set_the_train_split_is_taken(tmp_path: Path) -> None:
    folder = data_set(tmp_path, "test", "train")
    assert train_files([folder, "more.tsv"]) == [f"{folder}/train.jsonl", "more.tsv"]


def test_a_data_set_for_tests_only_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no train split"):
        train_files([data_set(tmp_path, "test")])


def test_wrong_labels_are_learned_only_if_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps({"premise": PREMISE, "claim": CLAIM, "label": "False"}) + "\n{\n")
    declared = declared_pairs([str(path)])
    decided = decided_pairs([str(path)], ItemSettings())
    assert [pair.label for pair in declared.pairs] == [Label.FALSE]
    assert [pair.label for pair in decided.pairs] == [Label.TRUE]
    assert declared.pairs[0].premise == decided.pairs[0].premise == PREMISE
    assert len(declared.unparsed) == len(decided.unparsed) == 1
    assert f"{path}:2" in declared.unparsed[0]


def test_labels_of_the_file_have_to_be_there(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps({"premise": PREMISE, "claim": CLAIM}) + "\n")
    with pytest.raises(UnlabelledError, match=r":1: item 1 has no gold label"):
        declared_pairs([str(path)])


@pytest.mark.parametrize("share", [0, 0.1, 0.5])
def test_parts_share_nothing_and_lack_nothing(share: float) -> None:
    parts = partition(PAIRS, share=share, seed=1)
    assert len(parts.validation) == 50 * share
    assert sorted((*parts.train, *parts.validation), key=PAIRS.index) == PAIRS
    assert parts == partition(PAIRS, share=share, seed=1)
    assert not share or parts != partition(PAIRS, share=share, seed=2)


def test_what_cannot_be_learned_is_refused() -> None:
    with pytest.raises(UntrainableError, match="fewer than two labels among 1 items"):
        partition(PAIRS[:1], share=0.1, seed=0)
    with pytest.raises(UntrainableError, match=r"share of 0\.1 of 3 items leaves a part empty"):
        partition(PAIRS[:3], share=0.1, seed=0)


def test_the_checksum_depends_on_texts_labels_and_order() -> None:
    relabelled = [Pair(premise="0", claim="", label=Label.FALSE), *PAIRS[1:]]
    moved = [Pair(premise="", claim="0", label=Label.TRUE), *PAIRS[1:]]
    every = [digest(pairs) for pairs in (PAIRS, relabelled, moved, PAIRS[::-1], PAIRS[1:])]
    assert len(set(every)) == 5
    assert digest(list(PAIRS)) == every[0]
