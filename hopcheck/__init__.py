"""hopcheck: benchmarks of temporal reasoning whose every label is proved.

The public Python API. Names are resolved on first use, so that ``import hopcheck`` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from solver import NAMESPACE, __version__

if TYPE_CHECKING:
    from grammar.errors import ExitStatus, HopcheckError

__all__ = ["ExitStatus", "HopcheckError", "__version__"]

# Public name -> module that defines it. A new name goes here, into `__all__` and into the imports
# for type checkers above.
_MODULES = {
    "ExitStatus": "grammar.errors",
    "HopcheckError": "grammar.errors",
}


def __getattr__(name: str) -> object:
    """Import a public name from the module that defines it (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(NAMESPACE + _MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
