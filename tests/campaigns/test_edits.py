"""A slice of the campaign that edits data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaigns import edits


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("edits")
    edits.make(folder)
    return folder


def test_untouched_data_sets_are_right(home: Path) -> None:
    for name, subject in edits.SUBJECTS.items():
        words = edits.words(subject.verify, home)
        command = "check" if subject.check else "verify"
        status, printed = edits.called([command, str(home / name / subject.path), *words])
        assert status in (0, 1), printed  # probes of few items may find a shortcut
        last = "not decidable" if subject.check else "decided"
        assert last in printed.splitlines()[-1], (name, printed)


@pytest.mark.parametrize("number", [27, pytest.param(300, marks=pytest.mark.slow)])
def test_each_edit_is_found_or_listed(home: Path, number: int) -> None:
    counted = edits.tally(5, 0, number, home)
    assert counted.missed == []
    results = {result for *_, result in counted.verdicts}
    assert edits.FOUND in results
    assert sum(counted.verdicts.values()) == number


def test_an_edit_is_listed_by_its_name() -> None:
    edit = edits.Edit(subject="future", file="manifest.json", field="figures", part="wanted")
    assert edit.listed(["wanted of figures"])
    assert not edit.listed(["attempts of figures", "seed"])
    moved = edits.Edit(subject="patterns", file="list.jsonl", field="moved row")
    assert moved.listed(["order of rows"])
    assert not moved.listed(["seed"])


def test_the_page_has_the_table() -> None:
    text = edits.PAGE.read_text(encoding="utf-8")
    table = text.partition(edits.BEGIN)[2].partition(edits.END)[0]
    assert table.startswith("| kind | file | verdict |")
    assert edits.MISSED not in table
    kinds = {line.split("|")[1].strip() for line in table.splitlines()[2:]}
    assert kinds == {subject.kind for subject in edits.SUBJECTS.values()}
