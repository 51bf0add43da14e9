"""Help, errors and hints name the program as it was called."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.cli import COMMANDS, run
from solver.cli.program import PROGRAM, as_called, program_name

PAGES = [
    [],
    *([name] for name in COMMANDS),
    ["generate", "tkg"],
    ["score", "ranks"],
    ["verify", "--kind", "questions"],
    ["baseline", "recurrency"],
]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("bin/hopcheck", "hopcheck"),
        ("Scripts/hopcheck.exe", "hopcheck"),
        ("somewhere/hopcheck/__main__.py", "python -m hopcheck"),
        ("somewhere/solver/__main__.py", "python -m solver"),
    ],
)
def test_the_program_is_named_by_its_path(path: str, name: str) -> None:
    assert program_name(path) == name


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
def test_help_names_the_program(page: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*page, "--help"], program="hopcheck") == 0
    shown = capsys.readouterr().out
    assert shown.startswith(" ".join(["Usage: hopcheck", *page[:1]]))
    assert PROGRAM not in shown


def test_help_has_the_same_examples_in_a_checkout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--help"]) == 0
    assert "    python -m solver verify examples/right.tsv\n" in capsys.readouterr().out


def test_errors_name_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--no-such-option"], program="hopcheck") == 2
    assert "Try 'hopcheck verify --help' for help." in capsys.readouterr().err


def test_hints_name_the_program() -> None:
    assert as_called("first: python -m solver train", "hopcheck") == "first: hopcheck train"
    assert as_called("first: python -m solver train") == "first: python -m solver train"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["verfy", "x"], "No such command 'verfy'. Did you mean 'verify'?"),
        (["score", "rank"], "No such command 'rank'. Did you mean 'ranks'?"),
        (["zzz"], "No such command 'zzz'.\n"),
    ],
)
def test_a_misspelled_command(
    words: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize("name", ["yago", "graph"])
def test_import_by_its_older_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    pages = []
    for group in ("import", "export"):
        assert run([group, name, "--help"]) == 0
        pages.append(capsys.readouterr().out.split("\n", 1)[1])
    assert pages[0] == pages[1]
    assert run(["export", "--help"]) == 0
    assert name not in capsys.readouterr().out


def test_the_older_name_reads_the_same(tmp_path: Path) -> None:
    table = tmp_path / "edges.csv"
    table.write_text("head,relation,tail,time\nAda,meets,Ben,2031-05-10\n")
    for group in ("import", "export"):
        assert run([group, "graph", str(table), "--out", str(tmp_path / group)]) == 0
    written = [path.name for path in sorted((tmp_path / "import").iterdir())]
    assert "train.txt" in written
    for name in written:
        assert (tmp_path / "export" / name).read_bytes() == (
            tmp_path / "import" / name
        ).read_bytes()
