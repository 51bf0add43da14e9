"""Reading a file that a test has just written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from solver.eventhop.io import read_records
from solver.eventhop.records import ReadRecord


@pytest.fixture
def read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str | bytes, str], list[ReadRecord]]:
    """Write content to a file of that name in an empty current folder, and read it."""
    monkeypatch.chdir(tmp_path)

    def read_content(content: str | bytes, name: str) -> list[ReadRecord]:
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return list(read_records(name))

    return read_content
