"""A generated folder whose files are not what its manifest says: order, splits, digests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from solver.dataset.seal import SealError, opening
from solver.verification.report import Finding, Kind, VerifyReport
from solver.verification.run import verify

Damage = Callable[[str, Callable[[list[str]], None]], Path]


def only(checked: VerifyReport, code: str) -> list[Finding]:
    return [finding for finding in checked.findings if finding.code == code]


def test_facts_out_of_order(damaged: Damage) -> None:
    def swap(lines: list[str]) -> None:
        lines[99], lines[400] = lines[400], lines[99]

    folder = damaged("train.txt", swap)
    (finding,) = only(verify(folder, Kind.TKG), "time-order")
    assert finding.where.startswith(f"{folder}/train.txt:101:")
    assert "expected times in order" in finding.message


def test_facts_in_another_split(
    damaged: Damage, generated: Path, renew: Callable[[Path], None]
) -> None:
    first = (generated / "valid.txt").read_text().splitlines()[0]
    folder = damaged("train.txt", lambda lines: lines.append(first))
    valid = (folder / "valid.txt").read_text().split("\n", 1)[1]
    (folder / "valid.txt").write_text(valid)
    renew(folder)
    checked = verify(folder, Kind.TKG)
    (finding,) = only(checked, "wrong-split")
    assert "is in train, expected times 0 to 47 there" in finding.message
    assert set(checked.findings.counts()) <= {
        *("wrong-split", "time-order", "parquet-differs", "statistics-differs")
    }


def test_files_that_are_not_those_of_the_manifest(damaged: Damage) -> None:
    folder = damaged("statistics.json", lambda _: None)
    with (folder / "statistics.json").open("a") as file:
        file.write(" ")
    (folder / "facts.parquet").unlink()
    with pytest.raises(SealError, match=r"facts\.parquet: found no such file.*; 1 more"):
        verify(folder, Kind.TKG)
    with opening(unsealed=True):
        checked = verify(folder, Kind.TKG)
    assert checked.findings.counts() == {"digest": 1, "missing-file": 1}
    (finding,) = only(checked, "digest")
    assert finding.where == f"{folder}/statistics.json"
    assert finding.certificate["sha256"] != finding.certificate["manifest"]
