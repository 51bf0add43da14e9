"""The libraries that encoders need: an optional part of what is installed."""

from __future__ import annotations

from importlib.metadata import version

from solver.extras import require

NEEDED = ("tokenizers", "torch", "transformers")


def require_libraries() -> None:
    """See that the libraries are there, and have them keep quiet and off the network.

    Raises:
        MissingLibraryError: one is not installed.
    """
    require("an encoder", *NEEDED)
    from transformers.utils import logging

    # They tell of loading bars and of heads that start untrained; what matters, we tell.
    logging.set_verbosity_error()
    logging.disable_progress_bar()


def library_versions() -> dict[str, str]:
    """Versions of the libraries: weights depend on them."""
    return {name: version(name) for name in NEEDED}
