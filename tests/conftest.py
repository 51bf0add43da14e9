"""Fixtures shared by all tests."""

from __future__ import annotations

import gc
import os
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_configure() -> None:
    """Undo an ignored SIGINT (``nohup``, ``make test &``), which every child would inherit.

    A process with a handler of its own gives its children the default action instead.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Keep what was imported out of later garbage collections, where it is most of the work."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real fixtures next to the checkout; the test is skipped without it.

    With ``HOPCHECK_REQUIRE_SHARED=1`` its absence is a failure.
    """
    if not (SHARED / "data").is_dir():
        reason = "the real data are not next to this checkout"
        if os.environ.get("HOPCHECK_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return SHARED


def _installed(*libraries: str) -> None:
    missing = [name for name in libraries if find_spec(name) is None]
    if missing:
        reason = f"{', '.join(missing)} not installed (make models)"
        if os.environ.get("HOPCHECK_REQUIRE_MODELS") == "1":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def models() -> None:
    """Requirements of the encoders; the test is skipped without them.

    With ``HOPCHECK_REQUIRE_MODELS=1`` its absence is a failure.
    """
    _installed("torch", "transformers", "tokenizers")
    import torch

    # Threads of several test processes would wait for each other.
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def parquet() -> None:
    """The library ``pyarrow``, in the same way."""
    _installed("pyarrow")


@pytest.fixture(scope="session")
def hf() -> None:
    """The library ``datasets``, in the same way."""
    _installed("datasets")


@pytest.fixture(scope="session")
def notebook() -> None:
    """The libraries of notebooks, pandas among them, in the same way."""
    _installed("pandas", "nbclient", "ipykernel")
