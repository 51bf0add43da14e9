"""Questions about the example graph."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def folder(example_questions: Path) -> Path:
    """Questions about the example graph."""
    return example_questions
