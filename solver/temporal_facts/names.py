"""Names that identify no entity: empty names and placeholders."""

from __future__ import annotations

import re

_PLACEHOLDERS = frozenset(
    ("-", "--", "?", "_", "anonymous", "blank", "generic instance", "n/a", "na", "nan", "nil",
     "none", "null", "placeholder", "tbd", "unknown", "unnamed", "untitled")
)  # fmt: skip
_GENERIC = " generic instance"
_ESCAPE = re.compile(r"\bU[0-9A-F]{4}\b")


def is_empty(name: str) -> bool:
    """Whether the name is empty or blank."""
    return not name.strip()


def is_placeholder(name: str) -> bool:
    """Whether the name is a placeholder such as ``unknown`` or ``n/a``."""
    return name.strip().lower() in _PLACEHOLDERS


def is_generic(name: str) -> bool:
    """Whether the name is a YAGO generic instance of a class: ``Morocco team generic instance``."""
    return name.strip().lower().endswith(_GENERIC)


def has_escape(name: str) -> bool:
    """Whether the name contains an undecoded escape, as in ``Smith U002C Jr``."""
    return _ESCAPE.search(name) is not None
