"""The pages as a new user follows them, with the wheel alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.campaigns.newcomer import faults_of, follow


def test_what_does_not_run_or_prints_other_things_is_found(tmp_path: Path) -> None:
    page = (
        "```console\n$ echo right\nright\n$ echo wrong\nright\n```\n"
        "```python\nprint(1)\n```\n```python\nprint(1 / 0)\n```\n"
        "```sh\nexit 2\n```\n```console\n$ make verify\nwhat a checkout prints\n```\n"
    )
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    found = list(faults_of("page", page, tmp_path, {"PATH": path}))
    assert [fault.splitlines()[0] for fault in found] == [
        "page: $ echo wrong",
        "page: $ python - <<'END'",
        "page: $ exit 2",
    ]
    assert "ZeroDivisionError" in found[1]


@pytest.mark.slow
def test_a_new_user_gets_what_the_pages_show(tmp_path: Path) -> None:
    assert follow(tmp_path / "home") == []
