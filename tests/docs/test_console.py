"""Console transcripts of the documentation match the actual output.

Blocks fenced as ``console`` are run: each line that begins with ``$`` is a command, what follows it
the output. A line ``...`` matches any lines. Other blocks are not run. The fixture that a block
needs besides the usual installation is named after ``console``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "=== next command ==="
MAY_RUN = (
    "python -c 'import hopcheck as hc; ",
    "python -m solver",
    "hopcheck",
    "make verify",
    "head",
    "cat",
    "ls",
    "echo",
    "cut",
    "printf",
)

VARIABLES = {
    "PYTHONPATH": str(ROOT),
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "MAKEFLAGS": "--no-print-directory",
}

# Timings differ from run to run, and column widths may depend on them.
CHANGING = [
    (re.compile(r"[\d,.]+ (s|ms)\b"), r"N \1"),
    (re.compile(r'"(seconds|items_per_second)": [\d.]+'), r'"\1": N'),
]


@dataclass(frozen=True, slots=True)
class Command:
    text: str
    shown: str


@dataclass(frozen=True, slots=True)
class Session:
    """A block of a page: commands that follow each other in one shell."""

    page: str
    line: int
    commands: tuple[Command, ...]
    needs: str | None = None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def sessions(name: str, text: str) -> list[Session]:
    found = []
    for block in BLOCK.finditer(text):
        parts = re.split(r"^\$ ", block[2], flags=re.MULTILINE)[1:]
        commands = []
        for part in parts:
            # A backslash carries a command on to the next line.
            command, _, shown = re.sub(r"\\\n", "\x00", part).partition("\n")
            commands.append(Command(command.replace("\x00", "\\\n"), shown))
        line = text[: block.start()].count("\n") + 1
        found.append(Session(name, line, tuple(commands), block[1]))
    return found


SESSIONS = [
    session
    for page in PAGES
    if page.is_file()
    for session in sessions(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="session")
def warm() -> Iterator[str]:
    """A command that takes the arguments of Python, and runs ``-m solver`` without its start."""
    program = ROOT / "tests" / "docs" / "warm.py"
    # Not below pytest's folder: the name of a socket may have a hundred characters.
    with tempfile.TemporaryDirectory(prefix="warm-") as folder:
        address = f"{folder}/socket"
        server = subprocess.Popen(
            [sys.executable, program, "serve", address],
            env=os.environ | VARIABLES,
            stdin=subprocess.PIPE,
        )
        while not Path(address).exists() and server.poll() is None:
            time.sleep(0.05)
        assert server.poll() is None
        yield shlex.join([sys.executable, "-S", "-E", str(program), address])
        server.communicate()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that looks like a checkout after set-up, so that the real one stays unchanged."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "constraints-extras.txt"):
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / ".ready").touch()
    install(shlex.quote(sys.executable), tmp_path)
    return tmp_path


def install(command: str, place: Path) -> None:
    """Make ``python``, and the program, another command."""
    for name, arguments in (("python", ""), ("hopcheck", " -m solver")):
        shim = place / ".venv" / "bin" / name
        shim.write_text(f'#!/bin/sh\nexec {command}{arguments} "$@"\n')
        shim.chmod(0o755)


def run(commands: tuple[Command, ...], place: Path) -> list[str]:
    """The output of each command, stdout and stderr as they come."""
    lines = [f"{command.text}\nstatus=$?; echo '{MARK}'; (exit $status)" for command in commands]
    path = f"{place / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | VARIABLES | {"PATH": path}
    environment.pop("PYTHONUNBUFFERED", None)
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    return done.stdout.split(f"{MARK}\n")[: len(commands)]


def settled(text: str) -> str:
    """Remove timings and trailing whitespace."""
    for pattern, instead in CHANGING:
        text = pattern.sub(instead, text)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def as_pattern(shown: str) -> str:
    lines = [
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in shown.split("\n")
    ]
    return "".join(lines)


@pytest.mark.parametrize("start", ["warm", pytest.param("new", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "session",
    [
        # These take ten seconds.
        pytest.param(
            session,
            marks=[pytest.mark.slow]
            * any(word in str(session.commands) for word in ("solver calibrate", "--regenerate")),
        )
        for session in SESSIONS
    ],
    ids=str,
)
def test_pages_show_what_one_sees(
    session: Session, start: str, place: Path, request: pytest.FixtureRequest
) -> None:
    """The slow tests start a new Python for each command."""
    if session.needs:
        request.getfixturevalue(session.needs)
    if start == "warm":
        install(request.getfixturevalue("warm"), place)
    shows_what_one_sees(session, place)


def test_commands_run_as_in_a_new_process(place: Path, warm: str) -> None:
    commands = tuple(
        Command(text, "")
        for text in (
            "python -m solver verify examples/flawed.tsv; echo $?",
            "python -m solver verify missing.tsv; echo $?",
            "python -m solver verify - < examples/right.tsv | head -n 2; echo ${PIPESTATUS[*]}",
            "cd examples; python -m solver --unknown; echo $?",
            "python -c 'import sys; print(sys.argv); sys.exit(3)' 1; echo $?",
        )
    )
    new = run(commands, place)
    install(warm, place)
    assert [*map(settled, run(commands, place))] == [*map(settled, new)]


def shows_what_one_sees(session: Session, place: Path) -> None:
    for command in session.commands:
        assert command.text.startswith(MAY_RUN), f"fence it as sh, not as console: {command.text}"
    outputs = run(session.commands, place)
    for command, output in zip(session.commands, outputs, strict=True):
        shown, found = settled(command.shown), settled(output)
        errors = re.findall(r"^error: .*", found, re.MULTILINE)
        assert all(error in shown for error in errors), f"{session}: $ {command.text}: {errors}"
        if not re.fullmatch(as_pattern(shown), found + "\n"):
            assert found == shown, f"{session}: $ {command.text}"


def test_outputs_are_compared(place: Path) -> None:
    page = "```console\n$ echo one \\\n  two\none two\n$ printf 'a\\nb\\nc\\n'\na\n...\nc\n```\n"
    (session,) = sessions("page", page)
    shows_what_one_sees(session, place)
    for wrong in (page.replace("one two\n", "one three\n"), page.replace("\nc\n", "\nd\n")):
        (session,) = sessions("page", wrong)
        with pytest.raises(AssertionError):
            shows_what_one_sees(session, place)


def test_a_status_can_be_shown(place: Path) -> None:
    commands = (Command("cat missing", ""), Command("echo $?", ""))
    assert run(commands, place)[1] == "1\n"


def test_other_commands_are_not_run(place: Path) -> None:
    (session,) = sessions("page", "```console\n$ rm -r examples\n```\n")
    with pytest.raises(AssertionError, match="fence it as sh"):
        shows_what_one_sees(session, place)
    assert (place / "examples").is_dir()


def test_a_block_names_what_it_needs() -> None:
    page = "```console models\n$ echo one\none\n```\n```console\n$ echo two\ntwo\n```\n"
    assert [session.needs for session in sessions("page", page)] == ["models", None]


def test_figures_of_time_do_not_count() -> None:
    first, second = (
        '12 items in 0.2 s, "seconds": 0.188',
        '12 items in 3 s, "seconds": 1.5',
    )
    assert settled(first) == settled(second)
    assert settled("12 items") != settled("13 items")
