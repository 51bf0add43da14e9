"""Column of a value in a line of JSON, which decoders do not report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

Step: TypeAlias = str | int
"""Key of an object member, or index of an array element from 0."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s"\[\]{}:,]+')


def column_of_value(text: str, path: Sequence[Step]) -> int:
    """The column, from 1, at which the value of a path starts; 1 if there is no such path.

    Args:
        text: valid JSON.
        path: from the outermost value, as ``("choices", 1, "text")``.
    """
    wanted = list(path)
    # As in decoding, the last of several members with the same key counts.
    return max((start + 1 for at, start in _values(text) if at == wanted), default=1)


def _values(text: str) -> Iterator[tuple[list[Step | None], int]]:
    """The path of each value, one list updated in place, and where the value starts."""
    path: list[Step | None] = []
    for token in _TOKEN.finditer(text):
        match token[0]:
            case ":":
                pass
            case ",":
                path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
            case "}" | "]":
                path.pop()
            case written if path and path[-1] is None:
                path[-1] = msgspec.json.decode(written, type=str)
            case written:
                yield path, token.start()
                if written in ("{", "["):
                    path.append(None if written == "{" else 0)
