"""Runs the tests against the installed wheel instead of the checkout.

``python tests/installed.py prepare FOLDER`` makes in a folder:

- ``environment``: a virtual environment with the wheel and, by a path file, the libraries of the
  environment that runs this; the checkout cannot be imported there;
- ``work``: modules called ``solver``, ``grammar`` and so on, which raise an error when imported.

``python tests/installed.py run [PATH...]`` also copies the tests there, with their imports
rewritten like those of the wheel, and runs those of the paths, by default all that can run without
the sources; options after ``--`` go to pytest.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("solver", "grammar", "generators", "benchmarks")
HOSTILE = (
    *("solver.py", "generators.py"),
    *("grammar/__init__.py", "benchmarks/__init__.py", "encodings/__init__.py"),
)
# What tests read besides the packages.
BESIDE = ("examples", "docs", "encodings", "README.md", "CHANGELOG.md", "pyproject.toml")
# About the sources, the pages, the proofs, and what is not in the wheel.
SOURCES_ONLY = tuple(
    f"tests/{name}" for name in ("repository", "docs", "proofs", "reproduction", "campaigns")
)

_NAMES = "|".join(PACKAGES)
_IMPORT_IN_TEXT = re.compile(rf"\b(from|import) ({_NAMES})(?=[. ])(?! as | \w+ \w)")
_DOTTED_NAME = re.compile(rf"([\"'])({_NAMES})(?=\.[a-z_]+[.\"'])")
# A command line of a subprocess; help texts name `python -m solver` by default in both.
_MODULE_OPTION = re.compile(r"""("-m",\s*"|\} -m )solver\b""")


def prepare(folder: Path) -> Path:
    """Make the environment and the folder of hostile modules; gives the environment's Python."""
    build = ["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("hopcheck-*-py3-none-any.whl")
    python = install(folder / "environment", "--no-deps", "--no-index", str(wheel))
    (site,) = (folder / "environment").glob("lib/python*/site-packages")
    # A path file below another one is not read, so the editable install is not found.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    for name in HOSTILE:
        path = folder / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"raise ImportError('{name} of the working folder is imported')\n")
    return python


def install(environment: Path, *arguments: str) -> Path:
    """Install into a new environment by the pip of this one; gives the environment's Python."""
    venv.create(environment, with_pip=False)
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    python = environment / scripts / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-qq"]
    subprocess.run([*pip, *arguments], check=True, capture_output=True)
    return python


def copy_tests(work: Path, site: Path) -> None:
    """Copy the tests, and what they read, next to the hostile modules.

    Tests of modules that the wheel leaves out are not copied.

    Args:
        work: the folder of hostile modules.
        site: the folder in which the wheel is installed.
    """
    hook = _build_hook()
    for name in BESIDE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, work / name, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, work / name)
    for source in sorted((ROOT / "tests").rglob("*")):
        target = work / source.relative_to(ROOT)
        if "__pycache__" in source.parts or not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix != ".py":
            shutil.copyfile(source, target)
            continue
        rewritten = hook.rewritten(source.read_bytes(), PACKAGES, source.name).decode()
        if not all((site / path).exists() for path in _imported(rewritten)):
            continue
        # Programs and names in strings.
        rewritten = _IMPORT_IN_TEXT.sub(r"\1 hopcheck.\2", rewritten)
        rewritten = _DOTTED_NAME.sub(r"\1hopcheck.\2", rewritten)
        target.write_text(_MODULE_OPTION.sub(r"\1hopcheck", rewritten), encoding="utf-8")


def run(arguments: list[str]) -> int:
    """Run tests against the wheel; gives pytest's exit status."""
    paths, options = arguments, ["-m", "not slow"]
    if "--" in arguments:
        place = arguments.index("--")
        paths, options = arguments[:place], arguments[place + 1 :]
    with tempfile.TemporaryDirectory(prefix="installed-") as name:
        folder = Path(name)
        python = prepare(folder)
        (package,) = (folder / "environment").glob("lib/python*/site-packages/hopcheck")
        copy_tests(folder / "work", package.parent)
        ignored = [f"--ignore={path}" for path in SOURCES_ONLY]
        command = [str(python), "-m", "pytest", *options, *ignored, *(paths or ["tests"])]
        return subprocess.run(command, cwd=folder / "work", check=False).returncode


def _imported(source: str) -> Iterator[str]:
    """Files or folders of the modules of hopcheck that a test imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("hopcheck."):
            module = str(node.module).replace(".", "/")
            # A name of a package may be a module; only the package is checked.
            yield module if (ROOT / module.removeprefix("hopcheck/")).is_dir() else f"{module}.py"


def _build_hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> int:
    """Do what the arguments name."""
    match sys.argv[1:]:
        case ["prepare", folder]:
            prepare(Path(folder))
            return 0
        case ["run", *arguments]:
            return run(arguments)
    print(__doc__, file=sys.stderr)  # noqa: T201 - a script
    return 2


if __name__ == "__main__":
    sys.exit(main())
