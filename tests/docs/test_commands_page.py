"""docs/cli.md shows the help page of every command as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.reproduction.command_reference import PAGE, help_pages
from solver.cli import COMMANDS, cli
from solver.cli.program import PROGRAM


def test_the_page_is_up_to_date(python: Callable[..., Any]) -> None:
    """In a process of its own: click keeps the help option of the first call of a command."""
    module = "benchmarks.reproduction.command_reference"
    program = f"from {module} import reference; print(reference(), end='')"
    written = python("-c", program, check=True).stdout
    assert PAGE.read_text(encoding="utf-8") == written, f"run python -m {module}"


@pytest.fixture(scope="module")
def sections() -> set[str]:
    return set(dict(help_pages(cli, PROGRAM, None)))


@pytest.mark.parametrize(
    "name", [*COMMANDS, "generate tkg", "score ranks --answers", "verify --kind facts"]
)
def test_every_command_has_a_section(sections: set[str], name: str) -> None:
    assert name in sections
