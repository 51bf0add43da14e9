"""``verify`` of a folder compares its files with its manifest and reports each kind of damage."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generators.eventhop.config import Config, Split, names
from generators.eventhop.groups import phrases
from generators.eventhop.run import generate
from grammar.eventhop.model import PUBLISHED_ORDERS, Claim, Domain, Item, Point
from grammar.eventhop.reader import reader
from grammar.eventhop.writer import Writer
from solver.cli import run

MakeData = Callable[..., Any]
Row = dict[str, Any]


class Folder:
    """A copy of a data set to be damaged; its manifest gets the digests of what it then holds."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._capsys = capsys

    def rows(self, split: Split) -> list[Row]:
        return [
            json.loads(line) for line in (self.home / f"{split}.jsonl").read_text().split("\n")[:-1]
        ]

    def write(self, split: Split, rows: list[Row]) -> None:
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (self.home / f"{split}.jsonl").write_text(text)

    def manifest(self, change: Callable[[Any], object] = lambda _: None) -> None:
        path = self.home / "manifest.json"
        manifest = json.loads(path.read_text())
        change(manifest)
        manifest["outputs"] = {
            name: hashlib.sha256((self.home / name).read_bytes()).hexdigest()
            for name in manifest["outputs"]
            if (self.home / name).exists()
        }
        path.write_text(json.dumps(manifest))

    def verified(self, *options: str) -> dict[str, int]:
        """The findings; the exit status is 1 if there are any."""
        self._capsys.readouterr()
        arguments = ["verify", str(self.home), "--json", "--unsealed", "--probes", "none", *options]
        status = run(arguments)
        figures = json.loads(self._capsys.readouterr().out)
        self.problems = figures["problems"]
        findings: dict[str, int] = figures["findings"]
        assert status == bool(findings)
        # JSON Lines alone are damaged.
        self.copies = findings.pop("copies-differ", 0)
        findings.pop("wrong-order", None)
        return findings


@pytest.fixture(scope="module")
def undamaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Few items: too few for probes."""
    folder = tmp_path_factory.mktemp("data") / "few"
    generate(Config(seed=1, sizes={Split.TRAIN: 90, Split.TEST: 45}), folder)
    return folder


@pytest.fixture
def folder(undamaged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Folder:
    shutil.copytree(undamaged, tmp_path / "data")
    return Folder(tmp_path / "data", capsys)


@pytest.fixture
def probed(make_data: MakeData, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Folder:
    """Items enough for probes."""
    shutil.copytree(make_data().folder, tmp_path / "probed")
    return Folder(tmp_path / "probed", capsys)


def reworded(row: Row) -> Row:
    """An item of train in the words of test, so that its names and phrases do not reveal train."""
    item = reader(Domain.TEMPORAL).read("reworded", row["premise"], row["claim"])
    known = sorted({p.event for r in item.premise for p in (r.left, r.right)})
    called = dict(zip(known, names(Split.TEST, Domain.TEMPORAL), strict=False))

    def point(old: Point) -> Point:
        return Point(event=called[old.event], bound=old.bound)

    assert isinstance(item.claim, Claim)
    moved: Item = replace(
        item,
        premise=tuple(replace(r, left=point(r.left), right=point(r.right)) for r in item.premise),
        claim=replace(item.claim, left=called[item.claim.left], right=called[item.claim.right]),
    )
    own_words = [phrases(Split.TEST, Domain.TEMPORAL, order)[0] for order in PUBLISHED_ORDERS]
    text = Writer(Domain.TEMPORAL, phrases=own_words).write(moved)
    return row | {"id": "999", "premise": text.premise, "claim": text.claim, "timeline": "0" * 16}


def test_an_untouched_folder_is_right(folder: Folder, probed: Folder) -> None:
    assert folder.verified("--jobs", "2") == probed.verified("--probes", "fast") == {}


def test_a_flipped_label(folder: Folder) -> None:
    rows = folder.rows(Split.TEST)
    rows[3]["label"] = "false" if rows[3]["label"] == "true" else "true"
    folder.write(Split.TEST, rows)
    assert folder.verified() == {"changed-file": 1, "wrong-label": 1, "wrong-count": 1}
    folder.manifest()
    assert folder.verified() == {"wrong-label": 1, "wrong-count": 1}
    assert folder.copies == 2


def test_other_hops(folder: Folder) -> None:
    rows = folder.rows(Split.TEST)
    shown = next(row for row in rows if row["hops"])
    shown["hops"] += 1
    folder.write(Split.TEST, rows)
    folder.manifest()
    assert folder.verified() == {"wrong-hops": 1}


def test_a_dropped_item(folder: Folder) -> None:
    folder.write(Split.TEST, folder.rows(Split.TEST)[1:])
    folder.manifest()
    assert folder.verified() == {"wrong-count": 4}
    assert {problem["message"].split(":")[0] for problem in folder.problems} >= {
        "found 44 items, expected 45",
        "1 cell with a wrong count",
    }


def test_other_counts_in_the_manifest(folder: Folder) -> None:
    def change(manifest: Any) -> None:
        cells = manifest["splits"]["train"]["cells"]
        cells[min(cells)] += 1

    folder.manifest(change)
    assert folder.verified() == {"wrong-count": 1}


def test_an_item_of_train_in_test(folder: Folder) -> None:
    stray = folder.rows(Split.TRAIN)[0] | {"id": "999"}
    folder.write(Split.TEST, [*folder.rows(Split.TEST), stray])
    folder.manifest()
    found = folder.verified()
    # The item comes again in train; its timeline is reported once for its side and once as shared.
    assert found.pop("wrong-count") == 4
    words = {"shared-name": 1, "shared-phrase": 1, "shared-lemma": 1}
    assert found == {"duplicate": 1, "shared-timeline": 3, **words}


@pytest.mark.parametrize("alone", [False, True], ids=["both splits", "test alone"])
def test_an_item_of_train_in_other_words(folder: Folder, alone: bool) -> None:
    folder.write(Split.TEST, [*folder.rows(Split.TEST), reworded(folder.rows(Split.TRAIN)[0])])
    if alone:
        for path in folder.home.glob("train.*"):
            path.unlink()
    folder.manifest(lambda manifest: manifest["splits"].pop("train") if alone else None)
    found = folder.verified()
    assert found.pop("wrong-count") == 4
    assert found == {"shared-timeline": 1 if alone else 3, "wrong-field": 1}


def test_labels_that_follow_from_the_claim(probed: Folder) -> None:
    folder = probed
    labels = {"before": "true", "after": "false", "overlaps": "undefined"}
    biased = [row for row in folder.rows(Split.TRAIN) if labels[row["relation"]] == row["label"]]
    folder.write(Split.TRAIN, biased)
    folder.manifest()
    found = folder.verified("--probes", "fast")
    assert set(found) == {"shortcut", "wrong-count"}
    messages = [problem["message"] for problem in folder.problems if problem["flaw"] == "shortcut"]
    expected = "The probe on the claim's relation predicts the label in part"
    assert any(message.startswith(expected) for message in messages)


def test_files_that_changed_or_are_gone(folder: Folder) -> None:
    with (folder.home / "README.md").open("a") as page:
        page.write("\n")
    (folder.home / "test.tsv").unlink()
    assert folder.verified() == {"changed-file": 1, "missing-file": 1}


def test_problems_are_printed(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    (folder.home / "test.tsv").unlink()
    assert run(["verify", str(folder.home), "--probes", "none", "--unsealed"]) == 1
    output = capsys.readouterr().out
    assert "test.tsv: missing-file: listed in the manifest, but not found\n" in output
    assert "flawed: 1 missing-file\n" in output
    assert "right" not in output


def test_a_manifest_of_another_form_is_refused(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.manifest(lambda manifest: manifest["splits"]["test"].pop("items"))
    assert run(["verify", str(folder.home), "--unsealed"]) == 2
    output = capsys.readouterr().err
    assert "found an invalid manifest (Object missing required field `items`" in output
    assert output.splitlines()[-1].startswith("error: ")
