"""The optional libraries that models of texts require."""

from __future__ import annotations

from importlib.metadata import version

from solver.extras import require

NEEDED = ("tokenizers", "torch", "transformers")


def require_libraries(purpose: str = "an encoder") -> None:
    """Check that the libraries are installed, and silence their logging.

    Args:
        purpose: what requires them, for the message.

    Raises:
        MissingLibraryError: one is not installed.
    """
    require(purpose, *NEEDED)
    from transformers.utils import logging

    # Suppress progress bars and warnings about untrained heads.
    logging.set_verbosity_error()
    logging.disable_progress_bar()


def library_versions() -> dict[str, str]:
    """Versions of the libraries, on which the weights depend."""
    return {name: version(name) for name in NEEDED}
