"""The optional libraries that encoders require."""

from __future__ import annotations

from importlib.metadata import version

from solver.extras import require

NEEDED = ("tokenizers", "torch", "transformers")


def require_libraries() -> None:
    """Check that the libraries are installed, and silence their logging.

    Raises:
        MissingLibraryError: one is not installed.
    """
    require("an encoder", *NEEDED)
    from transformers.utils import logging

    # Suppress progress bars and warnings about untrained heads.
    logging.set_verbosity_error()
    logging.disable_progress_bar()


def library_versions() -> dict[str, str]:
    """Versions of the libraries, on which the weights depend."""
    return {name: version(name) for name in NEEDED}
