"""``verify --kind links`` on files, folders and archives."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "links"


Solver = Callable[..., Any]


def figures(solver: Solver, *arguments: object) -> dict[str, Any]:
    return dict(solver("verify", *arguments, "--json").json)


def test_the_example(solver: Solver) -> None:
    done = solver("verify", EXAMPLE)
    assert done.status == 1
    assert 'l4: ei4 "called" AFTER ei3 "rose"' in done.out
    found = figures(solver, EXAMPLE)
    expected = {
        "kind": "links", "documents": 2, "links": 13, "reading": "lenient", "inconsistent": 1,
        "inconsistent_documents": ["harbour"], "duplicates": 0, "dangling": 0, "redundant": 0,
        "vague_determined": 1,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected


def test_a_consistent_document(solver: Solver) -> None:
    done = solver("verify", EXAMPLE / "market.tml")
    assert done.status == 0
    assert "the links of every document are consistent" in done.out


def test_files_folders_and_archives_are_the_same(solver: Solver, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    shutil.copytree(EXAMPLE, folder)
    packed = gzip.compress((folder / "market.tml").read_bytes())
    (folder / "market.tml").unlink()
    (folder / "market.tml.gz").write_bytes(packed)
    (folder / "README.md").write_text("not a document", encoding="utf-8")
    with tarfile.open(tmp_path / "corpus.tar.gz", "w:gz") as archive:
        archive.add(folder, "corpus")
    every = [
        figures(solver, folder),
        figures(solver, tmp_path / "corpus.tar.gz"),
        figures(solver, *folder.glob("*.tml*")),
    ]
    for record in every:
        assert record["kind"] == "links"
        assert (record["documents"], record["inconsistent_documents"]) == (2, ["harbour"])


def test_the_result_does_not_depend_on_the_number_of_processes(
    solver: Solver, tmp_path: Path
) -> None:
    table = tmp_path / "links.tsv"
    rows = [f"d{n}\te1\te2\tb\nd{n}\te2\te3\t{'b' if n % 3 else 'ii'}" for n in range(30)]
    rows += [f"d{n}\te3\te1\tb" for n in range(0, 30, 2)]
    table.write_text("\n".join(rows), encoding="utf-8")
    record, two = (figures(solver, "--kind", "links", table, "--jobs", jobs) for jobs in "12")
    assert record["inconsistent"] == 15
    assert {**record, "seconds": 0} == {**two, "seconds": 0}


def test_tables_are_detected(solver: Solver, tmp_path: Path) -> None:
    table = tmp_path / "links.tsv"
    table.write_text("d\te1\te2\ta\nd\te2\te1\ta\nd\te1\te1\ts\nd\te1\te2\n", encoding="utf-8")
    done = solver("verify", table)
    assert done.status == 2
    assert "links.tsv:4: found 3 columns" in done.err
    found = figures(solver, table)
    assert (found["inconsistent"], found["conflicting"], found["self_links"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tml", b'<!DOCTYPE a [<!ENTITY x "y">]><TimeML>&x;</TimeML>', "entity"),
        ("a.tml", b"", "no element found"),
        ("a.tml.gz", gzip.compress(b"<TimeML>" + b"<a>" * 1_000_000, mtime=0), "nested"),
        ("a.tml.gz", gzip.compress(b"<TimeML/>", mtime=0)[:-6], "gzip data end early"),
        ("a.tar.gz", gzip.compress(b"x" * 2000, mtime=0), "damaged archive"),
        ("a.tml", "<TimeML/>".encode("utf-16"), "UTF-16"),
        ("a.jsonl", b'{"document": "d", "links": [{"id": 3}]}', "found no document"),
    ],
)
def test_broken_files_get_one_line(
    solver: Solver, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    done = solver("verify", "--kind", "links", path)
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_a_report(solver: Solver, tmp_path: Path) -> None:
    done = solver("verify", EXAMPLE, "--report", tmp_path / "report", "--cores", "5")
    assert done.status == 1
    html = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    for text in ("harbour", "The captain called the coast guard", "<svg", "Contradictory cycle"):
        assert text in html
    summary = json.loads((tmp_path / "report" / "summary.json").read_bytes())
    assert summary["inconsistent"] == 1


def test_an_archive_member_may_not_escape(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("../outside.tml", "/outside.tml"):
            data = (EXAMPLE / "market.tml").read_bytes()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    assert figures(solver, path)["documents"] == 2
    assert [file.name for file in tmp_path.iterdir()] == ["a.tar.gz"]


@pytest.mark.parametrize("name", ["empty.tsv", "folder"])
def test_no_document_at_all_is_an_error(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    if path.suffix:
        path.touch()
    else:
        path.mkdir()
    assert run(["verify", "--kind", "links", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) <= 2
    assert "found no" in printed.err
