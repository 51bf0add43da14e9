"""The wheel contains all that its code reads, below ``hopcheck``, and works in any folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("solver", "grammar", "generators", "benchmarks")
DATA = ("encodings", "examples")
TIMEOUT = 120

IMPORT_ALL = """
import importlib, pkgutil, hopcheck
names = [found.name for found in pkgutil.walk_packages(hopcheck.__path__, "hopcheck.")]
assert len(names) > 300, names
for name in names:
    module = importlib.import_module(name)
    assert "environment" in module.__file__, module.__file__
import sys
wrong = {"solver", "grammar", "generators", "benchmarks"} & set(sys.modules)
assert not wrong, wrong
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The wheel, and an environment in which it is installed and the checkout is not.

    Attributes:
        wheel: the file.
        python: the environment's interpreter.
        work: a folder with modules named like our packages, which raise an error when imported.
    """

    wheel: Path
    python: Path
    work: Path

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment, in the folder of hostile modules."""
        return subprocess.run(
            [str(self.python.with_name(command[0])), *command[1:]],
            cwd=self.work,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            | variables,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )

    def hopcheck(self, *arguments: str, status: int = 0) -> str:
        """Run ``python -m hopcheck``; gives what it prints."""
        done = self.run("python", "-m", "hopcheck", *arguments)
        assert done.returncode == status, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    script = [str(ROOT / "tests" / "installed.py"), "prepare", str(folder)]
    done = subprocess.run([sys.executable, *script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    (wheel,) = folder.glob("*.whl")
    python = folder / "environment" / scripts / "python"
    return Installed(wheel=wheel, python=python, work=folder / "work")


LEFT_OUT = {ROOT / "benchmarks" / name for name in ("reproduction", "results")}


def data_files() -> dict[str, Path]:
    """Files that are not modules, by their name in the wheel."""
    return {
        f"hopcheck/{path.relative_to(ROOT).as_posix()}": path
        for folder in (*PACKAGES, *DATA)
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"} and not LEFT_OUT & {*path.parents}
    }


def test_every_file_of_data_is_in_the_wheel(installed: Installed) -> None:
    wanted = data_files()
    assert {".lp", ".smt2", ".lark"} <= {path.suffix for path in wanted.values()}
    with zipfile.ZipFile(installed.wheel) as archive:
        names = set(archive.namelist())
        # Those of packages that the wheel leaves out are no loss.
        missing = {name for name in wanted if name not in names and name.count("/") != 2}
        kept = [name for name in wanted if name in names]
        assert missing == set()
        assert [name for name in kept if archive.read(name) != wanted[name].read_bytes()] == []


def test_one_package_at_the_top_level(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as archive:
        names = archive.namelist()
    assert len(names) == len(set(names))
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"hopcheck"}
    assert "hopcheck/py.typed" in names
    assert [name for name in names if "__pycache__" in name or "/results/" in name] == []
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_playground_is_in_the_wheel(installed: Installed, site: Path) -> None:
    assert installed.wheel.stat().st_size < 6_000_000
    with zipfile.ZipFile(installed.wheel) as archive:
        assert archive.read("hopcheck/playground.html") == (site / "packaged.html").read_bytes()
    path = Path(installed.hopcheck("playground", "--no-browser").strip())
    assert path.read_bytes() == (site / "packaged.html").read_bytes()


def test_the_bill_of_materials_has_what_is_needed(installed: Installed) -> None:
    """CycloneDX, where PEP 770 puts it: each dependency with its pinned version and its hashes."""
    with zipfile.ZipFile(installed.wheel) as archive:
        (name,) = [name for name in archive.namelist() if ".dist-info/sboms/" in name]
        bill = json.loads(archive.read(name))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    (licence,) = bill["metadata"]["component"]["licenses"]
    assert licence == {"expression": "Apache-2.0"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {component["name"]: component for component in bill["components"]}
    needed = {re.split(r"[<>=\[]", need)[0].lower() for need in project["dependencies"]}
    assert needed <= found.keys()
    (own,) = bill["dependencies"]
    assert {ref.removeprefix("pkg:pypi/").partition("@")[0] for ref in own["dependsOn"]} == needed
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    hashes = set()
    for component in bill["components"]:
        assert f"\n{component['name']}=={component['version']} " in pins
        for reference in component["externalReferences"]:
            hashes |= {file["content"] for file in reference["hashes"]}
    assert hashes == set(re.findall(r"sha256:([0-9a-f]{64})", pins))


def test_no_line_moves(installed: Installed) -> None:
    """Tracebacks of an installed wheel point at the lines of the checkout."""
    with zipfile.ZipFile(installed.wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                source = ROOT / name
                if not source.is_file():
                    source = ROOT / name.removeprefix("hopcheck/")
                changed = source.read_bytes().count(b"\n")
                assert archive.read(name).count(b"\n") == changed, name


def test_scripts_of_figures_stay_out(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as archive:
        names = archive.namelist()
    assert [
        name for name in names if re.match(r"hopcheck/benchmarks/(speed|reproduction)/", name)
    ] == []
    mains = [name for name in names if name.endswith("/__main__.py")]
    assert mains == ["hopcheck/__main__.py", "hopcheck/solver/__main__.py"]


def test_every_module_imports(installed: Installed) -> None:
    done = installed.run("python", "-c", IMPORT_ALL)
    assert done.returncode == 0, done.stderr


def test_hostile_modules_are_found_by_plain_imports(installed: Installed) -> None:
    """Otherwise the tests below would show nothing."""
    for package in PACKAGES:
        done = installed.run("python", "-c", f"import {package}")
        assert "of the working folder is imported" in done.stderr


def test_commands_work_among_hostile_modules(installed: Installed) -> None:
    listed = installed.hopcheck("examples", "copied")
    assert "python -m hopcheck verify copied/right.tsv" in listed
    assert "python -m hopcheck" in installed.hopcheck("--help")
    every = ("verify", "copied/right.tsv", "--json", "--crosscheck", "asp,graph,smt")
    assert '"unparsed": 0' in installed.hopcheck(*every)
    installed.hopcheck("verify", "copied/flawed.tsv", "--report", "report", status=1)
    assert "entailed" in installed.hopcheck("explain", "copied/right.tsv", "--id", "1")
    installed.hopcheck("doctor")


def test_processes_work_among_hostile_modules(installed: Installed) -> None:
    sizes = ("--shape", "8x8", "--train-size", "24", "--test-size", "24")
    made = ("generate", "eventhop", *sizes, "--out", "made")
    installed.hopcheck(*made, "--jobs", "2")
    assert '"unparsed": 0' in installed.hopcheck("verify", "made", "--json", "--jobs", "2")


def test_the_console_script(installed: Installed) -> None:
    done = installed.run("hopcheck", "verify", "--help")
    assert done.stdout.startswith("Usage: hopcheck verify ")
    assert "hopcheck verify examples/right.tsv" in done.stdout
    assert "python -m" not in done.stdout
    refused = installed.run("hopcheck", "verify", "--unknown")
    assert "Try 'hopcheck verify --help'" in refused.stderr
    assert refused.returncode == 2


COMPLETE = {
    "bash": lambda words: {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)},
    "zsh": lambda words: {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)},
    "fish": lambda words: {"COMP_WORDS": " ".join(words), "COMP_CWORD": words[-1]},
}


WORDS = [
    (["hopcheck", "ver"], "verify"),
    (["hopcheck", "generate", "event"], "eventhop"),
    (["hopcheck", "verify", "--cross"], "--crosscheck"),
    (["hopcheck", "verify", "--kind", "q"], "questions"),
    (["hopcheck", "verify", "--kind", "questions", "--da"], "--data"),
    (["hopcheck", "score", "ranks", "--wei"], "--weights"),
]


@pytest.mark.parametrize(
    ("shell", "words", "expected"),
    [
        # Shells differ in how they pass the words, not in what is offered.
        pytest.param(
            shell, *words, marks=[pytest.mark.slow] * (shell != "bash" and number not in {0, 4})
        )
        for shell in COMPLETE
        for number, words in enumerate(WORDS)
    ],
)
def test_completion(installed: Installed, shell: str, words: list[str], expected: str) -> None:
    done = installed.run(
        "hopcheck", **{"_HOPCHECK_COMPLETE": f"{shell}_complete"}, **COMPLETE[shell](words)
    )
    assert expected in re.split(r"[\s,]", done.stdout), (done.stdout, done.stderr)


@pytest.mark.parametrize("shell", COMPLETE)
def test_completion_scripts(installed: Installed, shell: str) -> None:
    done = installed.run("hopcheck", **{"_HOPCHECK_COMPLETE": f"{shell}_source"})
    assert f"_HOPCHECK_COMPLETE={shell}_complete" in done.stdout, done.stderr


@pytest.mark.slow
def test_installs_into_an_empty_environment(installed: Installed, tmp_path: Path) -> None:
    """Without any extra: what is verified by default works, and what needs an extra names it."""
    pins = tmp_path / "pins.txt"
    hashed = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pins.write_text("\n".join(re.findall(r"^[\w.-]+==[^\s;]+", hashed, re.MULTILINE)))
    script = (
        "import runpy, sys; from pathlib import Path; "
        f"found = runpy.run_path({str(ROOT / 'tests' / 'installed.py')!r}); "
        f"found['install'](Path({str(tmp_path / 'environment')!r}), '--constraint', "
        f"{str(pins)!r}, {str(installed.wheel)!r})"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    python = tmp_path / "environment" / scripts / "python"
    bare = Installed(wheel=installed.wheel, python=python, work=installed.work)
    bare.hopcheck("examples", "copied", "--force")
    bare.hopcheck("verify", "copied/right.tsv")
    bare.hopcheck("verify", "copied/right.tsv", "--report", "report")
    refused = bare.run("hopcheck", "mine", "copied/tkg", "--out", "rules.parquet")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "pip install 'hopcheck[parquet]'" in refused.stderr
