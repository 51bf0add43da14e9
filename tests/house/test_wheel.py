"""The wheel holds all that its code reads, and works away from the checkout."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("solver", "grammar", "generators", "benchmarks")

ITEM = "\t".join(
    [
        *("7", "possible", "false", "before", "2", "1", "1"),
        "The end of the Lantern Fair happened before the start of the Regatta",
        "The Lantern Fair happens before the Regatta",
        "True",
    ]
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("hopcheck-*-py3-none-any.whl")
    return built


def data_files() -> dict[str, Path]:
    """Where in the wheel each file belongs that is no module."""
    beside = {
        path.relative_to(ROOT).as_posix(): path
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
    }
    inside = {
        f"solver/{path.relative_to(ROOT).as_posix()}": path
        for path in (ROOT / "encodings").rglob("*")
    }
    return {
        name: path
        for name, path in (beside | inside).items()
        if path.is_file()
        and path.suffix not in {".py", ".pyc"}
        and not name.startswith("benchmarks/results/")
    }


def test_every_file_of_data_travels(wheel: Path) -> None:
    wanted = data_files()
    suffixes = {path.suffix for path in wanted.values()}
    assert {".lp", ".smt2", ".lark"} <= suffixes
    assert {f"{room}/py.typed" for room in ROOMS} <= set(wanted)
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
        assert set(wanted) - held == set()
        assert [name for name in wanted if archive.read(name) != wanted[name].read_bytes()] == []


def test_nothing_else_travels(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = archive.namelist()
    assert {name.split("/")[0] for name in held if ".dist-info/" not in name} == set(ROOMS)
    assert [name for name in held if "__pycache__" in name or "/results/" in name] == []
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in held)


def environment(folder: Path) -> Path:
    """An environment without anything, not even pip; gives its Python."""
    venv.create(folder, with_pip=False)
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    return folder / scripts / "python"


def install(python: Path, *arguments: str) -> None:
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-qq"]
    subprocess.run([*pip, *arguments], check=True, capture_output=True)


def works(python: Path, folder: Path) -> None:
    """Verifies and explains, run from a folder that has nothing to do with the checkout."""
    (folder / "one.tsv").write_text(ITEM + "\n", encoding="utf-8")

    def run(*arguments: str) -> str:
        command = [str(python), "-m", "solver", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    probe = "import solver; print(solver.__file__)"
    where = subprocess.run([str(python), "-c", probe], cwd=folder, capture_output=True, text=True)
    assert ROOT not in Path(where.stdout.strip()).parents
    assert '"unparsed": 0' in run("verify", "one.tsv", "--json", "--crosscheck", "asp,graph,smt")
    assert "entailed" in run("explain", "one.tsv", "--id", "7")
    assert "verify" in run("--help")


def test_works_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    """With the libraries of this environment, but without the checkout that it points at."""
    python = environment(tmp_path / "environment")
    install(python, "--no-deps", "--no-index", str(wheel))
    (site,) = (tmp_path / "environment").glob("lib/python*/site-packages")
    # A path file below another one is not read, so the editable install stays out.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    works(python, tmp_path)


@pytest.mark.slow
def test_installs_into_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "environment")
    install(python, "--constraint", str(ROOT / "constraints.txt"), str(wheel))
    works(python, tmp_path)
