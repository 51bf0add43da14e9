"""Follows the pages as a new user does, with the wheel alone in an empty environment.

    python -m tests.campaigns.newcomer [--out FOLDER]

The wheel of this checkout is installed by the command of the README into a new environment, and
everything is run in an empty folder, as it is written: the README from top to bottom, all tasks of
``docs/start.md``, and the tutorial, with the extra that it names. What a transcript shows has to
be what is printed. Of the README only what needs a checkout is left out: blocks that run make.

Exit status: 0 if all ran and printed what is shown, else 1. Needs the network, for pip.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.docs.test_console import as_pattern, sessions, settled

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(sh|console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TUTORIAL = "docs/tutorial.ipynb"
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
NotebookClient(nbformat.read(sys.argv[1], 4), timeout=600).execute()
"""


def environment(home: Path, wheels: Path) -> dict[str, str]:
    """The variables of a new user: programs of the system and of a new environment."""
    venv.create(home / "env", with_pip=True)
    system = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    return {
        **system,
        **pip,
        "PATH": f"{home / 'env' / 'bin'}:/usr/bin:/bin",
        "HOME": str(home),
        "PIP_FIND_LINKS": str(wheels),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }


def faults_of(page: str, text: str, work: Path, variables: Mapping[str, str]) -> Iterator[str]:
    """Run the blocks of a page in their order; gives what does not run, or prints other things."""
    for kind, block in BLOCK.findall(text):
        if kind == "console":
            (session,) = sessions(page, f"```console\n{block}```")
            pairs = [(command.text, command.shown) for command in session.commands]
        elif kind == "python":
            pairs = [(f"python - <<'END'\n{block}END", "...")]
        else:
            pairs = [(block, "...")]
        if any(command.startswith("make ") for command, _ in pairs):
            continue
        for command, shown in pairs:
            ran = subprocess.run(
                ["bash", "-c", command], cwd=work, env=dict(variables), text=True, check=False,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            where = f"{page}: $ {command}"
            if ran.returncode not in (0, 1) or "Traceback" in ran.stdout:
                yield f"{where}\nexit status {ran.returncode}\n{ran.stdout}"
            elif not re.fullmatch(as_pattern(settled(shown)), settled(ran.stdout) + "\n"):
                yield f"{where}\nprints\n{ran.stdout}"
            else:
                sys.stdout.write(f"ran: {where.splitlines()[0]}\n")


def tutorial_faults(work: Path, variables: Mapping[str, str]) -> Iterator[str]:
    """Run the notebook with the extra that it names."""
    text = (ROOT / TUTORIAL).read_text("utf-8")
    install = re.search(r"pip install '?(hopcheck\[[\w,]+\])", text)
    wanted = install[1] if install else "hopcheck[notebook]"
    commands = (
        ["python", "-m", "pip", "install", "--quiet", wanted],
        ["python", "-c", EXECUTE, str(work / "tutorial.ipynb")],
    )
    shutil.copy(ROOT / TUTORIAL, work)
    for command in commands:
        ran = subprocess.run(
            command, cwd=work, env=dict(variables), text=True, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if ran.returncode:
            yield f"{TUTORIAL}: exit status {ran.returncode}\n{ran.stdout}"
            return
    cells = sum(cell["cell_type"] == "code" for cell in json.loads(text)["cells"])
    sys.stdout.write(f"ran: {TUTORIAL}: {cells} cells\n")


def follow(home: Path) -> list[str]:
    """Follow all pages in a folder; gives what went wrong."""
    wheels, work = home / "wheels", home / "work"
    work.mkdir(parents=True)
    build = ("-m", "hatchling", "build", "--target", "wheel", "--directory", str(wheels))
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    variables = environment(home, wheels)
    readme = (ROOT / "README.md").read_text("utf-8")
    # The page is read from the top, but it is installed first.
    first = next(block for kind, block in BLOCK.findall(readme) if kind == "sh")
    found = list(faults_of("README.md", f"```sh\n{first}```", work, variables))
    if found:
        return found
    rest = readme.replace(f"```sh\n{first}```", "")
    start = (ROOT / "docs" / "start.md").read_text("utf-8")
    found += faults_of("README.md", rest, work, variables)
    found += faults_of("docs/start.md", start, work, variables)
    return found + list(tutorial_faults(work, variables))


def main() -> int:
    """Follow the pages and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="folder to keep, which must not exist")
    chosen = parser.parse_args().out
    with tempfile.TemporaryDirectory() as folder:
        faults = follow(chosen or Path(folder) / "home")
    sys.stdout.write("".join(f"\nfault: {fault}\n" for fault in faults))
    sys.stdout.write(f"{len(faults)} faults\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
