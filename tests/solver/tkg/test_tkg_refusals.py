"""Folders that cannot be read, and engines that differ, end a check in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver.dataset.seal import SealError, opening
from solver.encodings import ViolationAtom
from solver.io.sources import InputError
from solver.tkg import verify as tkg
from solver.verification.report import Kind
from solver.verification.run import DisagreementError, verify

Damage = Callable[[str, Callable[[list[str]], None]], Path]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("manifest.json", None, "manifest.json: not found, expected a manifest"),
        ("manifest.json", "{}", "manifest.json:1:1: found an invalid manifest"),
        ("labels.tsv", "fact\n", "labels.tsv:1:1: found 'fact', expected the columns"),
        ("patterns.jsonl", '{"id": 0}\n', "patterns.jsonl:1:"),
        (
            "patterns.jsonl",
            '{"id": 0, "lags": [[1, 1]], "pattern": "1 -0-> 2 => 1 -0-> 3"}\n',
            "introduces a new entity",
        ),
        ("train.txt", "0\tx\t1\t0\n", "train.txt:1:3: found 'x'"),
    ],
)
def test_files_that_cannot_be_read(
    damaged: Damage, name: str, text: str | None, message: str, renew: Callable[[Path], None]
) -> None:
    folder = damaged(name, lambda lines: lines.clear())
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(text)
    if name != "manifest.json":
        renew(folder)
    if name == "patterns.jsonl":
        with pytest.raises(SealError, match="pattern"):
            verify(folder, Kind.TKG)
    with opening(unsealed=name == "patterns.jsonl"), pytest.raises(InputError) as caught:
        verify(folder, Kind.TKG)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_that_clingo_does_not_count_to(damaged: Damage) -> None:
    folder = damaged("labels.tsv", lambda lines: lines.append("0\t0\t3000000000\tantecedent\t1"))
    with pytest.raises(InputError, match=r"labels.tsv:710:1: found instance 3000000000"):
        verify(folder, Kind.TKG)


def test_engines_that_differ_stop_the_check(
    generated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tkg, "findings", lambda _: [ViolationAtom(code="unlabelled", numbers=(4,))])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DisagreementError, match=r"unlabelled\(4\) is found by asp alone") as raised:
        verify(generated, Kind.TKG)
    assert raised.value.exit_status is ExitStatus.DISAGREEMENT
    assert "fact(0," in (tmp_path / "disagreement-tkg.lp").read_text()


def test_a_mode_that_there_is_not(damaged: Damage) -> None:
    folder = damaged("manifest.json", lambda _: None)
    message = json.loads((folder / "manifest.json").read_text()) | {"mode": "backward"}
    (folder / "manifest.json").write_text(json.dumps(message))
    with pytest.raises(InputError, match="Invalid enum value 'backward'"):
        verify(folder, Kind.TKG)


def test_labels_that_all_name_one_instance(damaged: Damage) -> None:
    def merged(lines: list[str]) -> None:
        cells = [line.split("\t") for line in lines[1:]]
        lines[1:] = ["\t".join((*cell[:2], "0", *cell[3:])) for cell in cells]

    with pytest.raises(InputError, match=r"labels.tsv: found 708 labels of instance 0, expected"):
        verify(damaged("labels.tsv", merged), Kind.TKG)


def test_a_fact_that_is_there_again_and_again(damaged: Damage) -> None:
    folder = damaged("test.txt", lambda lines: lines.extend(["1\t1\t2\t59"] * 300))
    with pytest.raises(InputError, match=r"found \(1, 1, 2, 59\) 300 times, expected each fact"):
        verify(folder, Kind.TKG)
