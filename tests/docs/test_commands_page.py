"""docs/cli.md shows the help page of every command as it is."""

from __future__ import annotations

import pytest

from benchmarks.reference import PAGE, help_pages, reference
from solver.cli import COMMANDS, cli
from solver.cli.program import PROGRAM


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run python -m benchmarks.reference"


@pytest.mark.parametrize(
    "name", [*COMMANDS, "generate tkg", "score ranks --answers", "verify --kind facts"]
)
def test_every_command_has_a_section(name: str) -> None:
    assert name in dict(help_pages(cli, PROGRAM, None))
