"""``verify`` of a folder of ``generate traces``: all that repeats something else is computed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run

Row = dict[str, Any]
Renew = Callable[[Path], None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("traces") / "chains"
    made = ["generate", "traces", "--train", "2", "--test", "8", "--probes", "none"]
    assert run([*made, "--format", "jsonl", "--out", str(out)]) == 0
    return out


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy to be edited."""
    return Path(shutil.copytree(whole, tmp_path / "chains"))


def edit(path: Path, change: Callable[[list[Row]], object]) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(rows)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def verified(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    status = run(["verify", str(folder), *words])
    return status, "".join(capsys.readouterr())


@pytest.mark.usefixtures("parquet")
@pytest.mark.parametrize("form", ["jsonl", "parquet", "both"])
def test_a_folder_is_right_in_each_format(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "chains"
    made = ["generate", "traces", "--test", "3", "--probes", "none", "--format", form]
    assert run([*made, "--out", str(out)]) == 0
    status, printed = verified(out, capsys)
    assert status == 0, printed
    last = printed.splitlines()[-1]
    equal = "test.jsonl and test.parquet equal; " if form == "both" else ""
    assert last.startswith(f"{equal}6 traces decided; not decidable: certificate")


def turned(row: Row) -> None:
    row["lucky"] = not row["lucky"]


def other_use(row: Row) -> None:
    statement = next(s for step in row["steps"] for s in step["statements"] if s["uses"])
    statement["uses"] = ["premise 99"]


def unproved(row: Row) -> None:
    row["certificate"] = {}


def other_sentence(row: Row) -> None:
    row["premise"] = ". ".join(reversed(row["premise"].split(". ")))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (turned, "wrong-field"),
        (other_use, "wrong-field"),
        (lambda row: row.pop("supported"), "wrong-field"),
        (lambda row: row.update(twin="test-000009"), "wrong-field"),
        (lambda row: row.update(answer_correct=None), "wrong-field"),
        (unproved, "wrong-certificate"),
        (lambda row: row.update(hops=9), "wrong-twin"),
        (lambda row: row.update(id="test-000001-a"), "wrong-twin"),
        (lambda row: row.update(policy="global"), "wrong-twin"),
        (other_sentence, "wrong-twin"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_field_that_differs_is_found(
    folder: Path,
    renew: Renew,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Row], object],
    code: str,
) -> None:
    edit(folder / "test.jsonl", lambda rows: change(rows[5]))
    renew(folder)
    assert verified(folder, capsys)[0] in (1, 2)  # 2 where config and seed already give another
    status, printed = verified(folder, capsys, "--unsealed")
    assert status == 1, printed
    assert code in printed


def other_statistics(folder: Path) -> None:
    path = folder / "statistics.json"
    stated = json.loads(path.read_text(encoding="utf-8"))
    stated["counts"]["right"] += 1
    path.write_text(json.dumps(stated), encoding="utf-8")


def reordered(folder: Path) -> None:
    edit(folder / "test.jsonl", lambda rows: rows.insert(2, rows.pop(0)))


def shortened(folder: Path) -> None:
    edit(folder / "test.jsonl", list.pop)


def without_a_split(folder: Path) -> None:
    (folder / "train.jsonl").unlink()


def configured(name: str, value: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "manifest.json"
        described = json.loads(path.read_text(encoding="utf-8"))
        described["config"][name] = value
        path.write_text(json.dumps(described), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (other_statistics, "right: found 11, expected 10"),
        (lambda folder: (folder / "statistics.json").unlink(), "statistics.json"),
        (reordered, "found the id"),
        (shortened, "rows, expected 16"),
        (without_a_split, "train.jsonl"),
        (configured("format", "both"), "test.parquet: found no such file"),
        (configured("irrelevant", 1), "the first item is not the one that config and seed give"),
        (configured("hops", [3, 2, 4, 5]), "found the cell"),
        (configured("test", 7), "found 16 rows, expected 14"),
    ],
    ids=[
        *("counts", "no counts", "order", "rows", "split"),
        *("format", "irrelevant", "hops", "size"),
    ],
)
def test_files_counts_and_config_are_compared(
    folder: Path,
    renew: Renew,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], object],
    expected: str,
) -> None:
    spoil(folder)
    renew(folder)
    status, printed = verified(folder, capsys)
    assert status in (1, 2)
    if status == 2 and expected not in printed:  # what the config gives is compared first
        status, printed = verified(folder, capsys, "--unsealed")
        assert status == 1
    assert expected in printed


@pytest.mark.usefixtures("parquet")
def test_copies_are_compared(
    tmp_path: Path, renew: Renew, capsys: pytest.CaptureFixture[str]
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = tmp_path / "chains"
    assert run(["generate", "traces", "--test", "3", "--probes", "none", "--out", str(out)]) == 0
    table = pq.read_table(out / "test.parquet")
    rows = table.to_pylist()
    rows[4]["steps"][0]["statements"][0]["verdict"] = "open"
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), out / "test.parquet")
    renew(out)
    status, printed = verified(out, capsys)
    assert status == 1
    assert "1 row of test.parquet differ from test.jsonl, the first: steps" in printed
