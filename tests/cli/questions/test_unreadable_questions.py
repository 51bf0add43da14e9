"""Files without any question: every command reports them in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from solver.cli import run

ROOT = Path(__file__).resolve().parents[3]
GRAPH = str(ROOT / "examples" / "questions" / "graph")
COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "parse": lambda path: ["parse", "--kind", "questions", path],
    "realise": lambda path: ["realise", "--kind", "questions", path],
    "verify": lambda path: ["verify", "--kind", "questions", path, "--data", GRAPH],
}
FILES = {
    "nothing": (b"", "found nothing, expected questions"),
    "blank lines": (b"\n  \n", "found nothing, expected questions"),
    "binary": (b"\x00\x01\n\xff\n" * 9, "found binary data (a NUL byte), expected text"),
    "a zip archive": (b"PK\x03\x04\n\xff\n", "found a zip archive, expected text"),
}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_error_is_one_line(
    command: str, file: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    content, message = FILES[file]
    path = tmp_path / "asked.jsonl"
    path.write_bytes(content)
    assert run(COMMANDS[command](str(path))) == 2
    out, err = capfd.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert f"{path}:1:1: {message}" in line
