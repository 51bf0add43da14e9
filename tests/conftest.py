"""Fixtures for every room's tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real fixtures beside the checkout; a clone without it skips the test.

    With ``HOPCHECK_REQUIRE_SHARED=1`` its absence is a failure.
    """
    if not (SHARED / "data").is_dir():
        reason = "the real data are not beside this checkout"
        if os.environ.get("HOPCHECK_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return SHARED
