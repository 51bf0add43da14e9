"""Libraries that are installed with an extra: ``pip install 'hopcheck[parquet]'``."""

from __future__ import annotations

from importlib.util import find_spec

from grammar.errors import HopcheckError

EXTRAS = {
    "pyarrow": "parquet",
    "sklearn": "probes",
    "scipy": "probes",
    "threadpoolctl": "probes",
    "networkx": "graphs",
    "torch": "models",
    "transformers": "models",
    "tokenizers": "models",
    "datasets": "hf",
    "pandas": "notebook",
    "optuna": "calibrate",
    "ray": "ray",
}
"""Module -> the extra that installs it."""

_DISTRIBUTIONS = {"sklearn": "scikit-learn"}


class MissingLibraryError(HopcheckError):
    """A library that is not installed; the hint names the extra that installs it."""

    code = "missing-library"


def available(*modules: str) -> bool:
    """Whether the modules can be imported; none of them is imported."""
    return not _missing(modules)


def require(purpose: str, *modules: str) -> None:
    """Check that the modules can be imported.

    Args:
        purpose: what needs them, the subject of the message: ``Parquet``.
        modules: names in ``EXTRAS``, all of the same extra.

    Raises:
        MissingLibraryError: one of them is not installed.
    """
    missing = _missing(modules)
    if missing:
        names = " and ".join(map(distribution, missing))
        message = f"{purpose} needs {names}, which is not installed"
        raise MissingLibraryError(message, hint=install_hint(missing[0]))


def install_hint(module: str) -> str:
    """The command that installs a module, with the rest of its extra."""
    return f"pip install 'hopcheck[{EXTRAS[module]}]'"


def distribution(module: str) -> str:
    """The name under which a module is installed: ``scikit-learn`` for ``sklearn``."""
    return _DISTRIBUTIONS.get(module, module)


def of_failed_import(error: ModuleNotFoundError) -> MissingLibraryError | None:
    """The error to report for a failed import; None if no extra installs the module."""
    module = (error.name or "").partition(".")[0]
    if module not in EXTRAS:
        return None
    message = f"this command needs {distribution(module)}, which is not installed"
    return MissingLibraryError(message, hint=install_hint(module))


def _missing(modules: tuple[str, ...]) -> list[str]:
    return [name for name in modules if find_spec(name) is None]
