"""Where in a line of JSON a value stands, which decoders do not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

Step: TypeAlias = str | int
"""The key of an object's member, or the number of an array's, from 0."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s"\[\]{}:,]+')


def column_of_value(text: str, path: Sequence[Step]) -> int:
    """The column at which the value of a path starts, from 1; 1 if the path leads nowhere.

    Args:
        text: JSON that can be decoded.
        path: from the outermost value, as ``("choices", 1, "text")``.
    """
    wanted = list(path)
    # As in decoding, the last of several members with one key counts.
    return max((start + 1 for at, start in _values(text) if at == wanted), default=1)


def _values(text: str) -> Iterator[tuple[list[Step | None], int]]:
    """The path of each value, which changes as one goes on, and where it starts."""
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
