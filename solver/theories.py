"""Where the encodings lie: beside the packages in a checkout, inside this one in a wheel."""

from __future__ import annotations

from pathlib import Path

_SHIPPED = Path(__file__).with_name("encodings")
_CHECKOUT = Path(__file__).parent.parent / "encodings"

ENCODINGS = _SHIPPED if _SHIPPED.is_dir() else _CHECKOUT


def encoding(name: str) -> Path:
    """Path of an encoding, named as in ``encodings/README.md``: ``temporal/claims.lp``."""
    return ENCODINGS / name
