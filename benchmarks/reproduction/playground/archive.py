"""Writes the Python that the playground runs: the reader, the engines and the checker of chains.

    python -m benchmarks.reproduction.playground.archive FILE

The archive has the modules that ``site/python/chains.py`` imports, with their grammars and
encodings, and two packages as Pyodide takes them, with the versions and hashes of constraints.txt.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from modulefinder import ModuleFinder
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from benchmarks.reproduction import ROOT
from solver.encodings import ENCODINGS, with_included
from solver.traces.encode import VERDICTS

SITE = ROOT / "site" / "python"
PLACES = {"asp.py": "solver/asp.py", "chains.py": "chains.py"}
"""Where the modules of the page are in the archive."""

PACKAGES = ("lark", "msgspec")
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")
"""That of the version of Pyodide in site/package.json."""

_TIME = (1980, 1, 1, 0, 0, 0)


def files() -> dict[str, Path]:
    """The project's own files, by their names in the archive."""
    finder = ModuleFinder([str(ROOT)])
    finder.run_script(str(SITE / "chains.py"))
    origins = (getattr(module, "__file__", None) for module in finder.modules.values())
    found = [Path(origin) for origin in origins if origin]
    modules = [path for path in found if SITE not in path.parents]
    data = {
        data
        for path in modules
        for kind in ("lark", "toml")
        for data in path.parent.glob(f"*.{kind}")
    }
    encodings = (ENCODINGS / name for name in with_included([VERDICTS]))
    taken = {path.relative_to(ROOT).as_posix(): path for path in (*modules, *data, *encodings)}
    return taken | {place: SITE / name for name, place in PLACES.items()}


def wheels(folder: Path) -> list[Path]:
    """The packages, taken from the index that pip is set to."""
    pins = (ROOT / "constraints.txt").read_text("utf-8")
    wanted = folder / "wanted.txt"
    blocks = (re.search(rf"^{name}==[^\n]*(\n +--hash[^\n]*)*", pins, re.M) for name in PACKAGES)
    wanted.write_text("\n".join(block[0] for block in blocks if block), "utf-8")
    quiet = ("--quiet", "--quiet", "--disable-pip-version-check", "--no-input")
    choice = ("--no-deps", "--only-binary", ":all:", *PLATFORM, "--dest", str(folder))
    command = [sys.executable, "-m", "pip", "download", *quiet, *choice, "--require-hashes"]
    if subprocess.run([*command, "--requirement", str(wanted)], check=False).returncode:
        sys.exit(f"pip cannot get {' and '.join(PACKAGES)} for {PLATFORM[1]}: is there a network?")
    return sorted(folder.glob("*.whl"))


def main(path: str) -> None:
    """Write the archive, the same bytes each time."""
    with ZipFile(path, "w") as archive, tempfile.TemporaryDirectory() as folder:
        for name, source in sorted(files().items()):
            _add(archive, name, source.read_bytes())
        for wheel in wheels(Path(folder)):
            with ZipFile(wheel) as packed:
                for name in sorted(packed.namelist()):
                    if not name.endswith((".pyi", "/")):
                        _add(archive, name, packed.read(name))


def _add(archive: ZipFile, name: str, content: bytes) -> None:
    archive.writestr(ZipInfo(name, _TIME), content, ZIP_DEFLATED, 9)


if __name__ == "__main__":
    main(sys.argv[1])
