"""Limits on untrusted input; every reader of ``solver.io`` observes them.

A file beyond a limit is refused in one line with exit status 2; a line beyond one is refused on
its own and reading continues. Modules read these values when they are used, so that a program can
change them.
"""

from __future__ import annotations

LINE_LIMIT = 4 * 1024 * 1024
"""Maximum bytes in a line, without its end; 10,000 sentences take about 1 MB."""

ROW_LINES = 1_000
"""Maximum number of lines in one row of a table with quoted line ends."""

NESTING = 200
"""Maximum depth of arrays and objects in JSON."""

WHOLE = 1024**3
"""Maximum bytes of a file that is read into memory, after decompression; of Parquet, the bytes of
its columns."""

STREAM = 16 * 1024**3
"""Maximum decompressed bytes of a gzip file that is read line by line."""


def in_words(size: int) -> str:
    """Format a limit: ``16 GiB``, ``1,000 bytes``."""
    for power, unit in ((3, "GiB"), (2, "MiB")):
        if size >= 1024**power:
            return f"{size / 1024**power:g} {unit}"
    return f"{size:,} bytes"
