"""Names that name nothing: empty ones, and those that stand in for a name."""

from __future__ import annotations

import re

_STAND_INS = frozenset(
    ("-", "--", "?", "_", "anonymous", "blank", "generic instance", "n/a", "na", "nan", "nil",
     "none", "null", "placeholder", "tbd", "unknown", "unnamed", "untitled")
)  # fmt: skip
_GENERIC = " generic instance"
_ESCAPE = re.compile(r"\bU[0-9A-F]{4}\b")


def is_empty(name: str) -> bool:
    """Whether there is nothing but space."""
    return not name.strip()


def is_placeholder(name: str) -> bool:
    """Whether the name stands in for one that is not known."""
    return name.strip().lower() in _STAND_INS


def is_generic(name: str) -> bool:
    """Whether the name is that of some member of a class, as in ``Morocco team generic instance``.

    YAGO makes such members where a class stands for one thing.
    """
    return name.strip().lower().endswith(_GENERIC)


def has_escape(name: str) -> bool:
    """Whether a character is left in its escaped form, as in ``Smith U002C Jr``."""
    return _ESCAPE.search(name) is not None
