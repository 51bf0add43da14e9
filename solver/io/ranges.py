"""Parts of files named by URIs, which workers read themselves: ranges of bytes, or row groups.

A file is cut in two steps. The driver cuts it at ends of lines about every ``PART`` bytes, or at
row groups, without reading what is between. Workers then scan these parts: they count lines and
rows, and find where each shard begins, so that another worker can read the shard alone, with its
line numbers. All rows are read by the reader of the whole file.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from solver.io.sources import InputError, Part, Source, open_uri, shown_path
from solver.processes import connected_cluster

if TYPE_CHECKING:
    import pyarrow as pa

PART = 4 * 1024**2
"""Bytes of a part, up to the next end of a line."""

GROUP_ROWS = 16_384
"""Maximum rows of a row group: workers decode all rows of the group before their own."""

_BLOCK = 64 * 1024


def text_parts(
    uri: str, format: str, *, least: int = 0, follows: Callable[[int, bool], bool] | None = None
) -> Iterator[Part]:
    """Cut a file at ends of lines.

    Args:
        uri: of an uncompressed file.
        format: name of its format.
        least: lines that are in the first part.
        follows: whether a part may begin after a line, by its number of tabs and whether it has
            quotes; by default after each line.
    """
    with open_uri(uri) as file:
        total, start, first = file.size(), 0, 0
        for number, (end, _, _) in enumerate(_line_ends(file, 0), start=1):
            if number > least:
                break
            first = end
        while start < total:
            end = _cut(file, max(start + PART, first), follows)
            yield Part(uri=uri, format=format, start=start, end=end)
            start = end


def _cut(file: pa.NativeFile, at: int, follows: Callable[[int, bool], bool] | None) -> int:
    """The first possible cut at a position or after it."""
    # The line that contains the byte before the position is seen without its beginning.
    whole = False
    with suppress(OSError):
        for end, tabs, quoted in _line_ends(file, at - 1):
            if follows is None or (whole and follows(tabs, quoted)):
                return end
            whole = True
    return int(file.size())


def _line_ends(file: pa.NativeFile, at: int) -> Iterator[tuple[int, int, bool]]:
    """The end of each line from a position on, its number of tabs, and whether it has quotes."""
    tabs, quoted = 0, False
    while block := file.read_at(_BLOCK, at):
        begin = 0
        while (end := block.find(b"\n", begin) + 1) > 0:
            line = block[begin:end]
            yield at + end, tabs + line.count(b"\t"), quoted or b'"' in line
            begin, tabs, quoted = end, 0, False
        tabs += block.count(b"\t", begin)
        quoted = quoted or block.find(b'"', begin) >= 0
        at += len(block)


def group_parts(uri: str, format: str) -> list[Part] | None:
    """The row groups of a Parquet file; None if one has more than ``GROUP_ROWS``.

    Raises:
        InputError: the file is damaged.
    """
    from solver.io.parquet import group_rows

    sizes = group_rows(uri)
    if max(sizes, default=0) > GROUP_ROWS:
        return None
    return [Part(uri=uri, format=format, start=0, end=n, group=g) for g, n in enumerate(sizes)]


class Window:
    """The bytes of a file from a start to an end; notes the ends of the lines that it reads."""

    def __init__(self, file: pa.NativeFile, part: Part) -> None:
        self._file, self._at, self._end = file, part.start, part.end
        self.ends = array("Q")
        file.seek(part.start)

    def read1(self, size: int) -> bytes:
        """The next bytes."""
        block: bytes = self._file.read(min(size, self._end - self._at))
        at = -1
        while (at := block.find(b"\n", at + 1)) >= 0:
            self.ends.append(self._at + at + 1)
        self._at += len(block)
        return block


@contextmanager
def open_part(part: Part) -> Iterator[tuple[Source, Window | None]]:
    """Open a part for its reader; in Parquet there is no window on bytes.

    Raises:
        InputError: the file cannot be opened.
    """
    with open_uri(part.uri) as file:
        window = None if part.group is not None else Window(file, part)
        name = shown_path(part.uri)
        yield Source(name, None, window or file, uri=part.uri, part=part), window


Row = TypeVar("Row")
Digest = TypeVar("Digest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard(Generic[Digest]):
    """Some rows of a file that a worker reads itself, and what the driver knows of each."""

    part: Part
    rows: tuple[Digest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan(Generic[Digest]):
    """The shards of a part, and its number of lines; None if it cannot be read to its end."""

    shards: tuple[Shard[Digest], ...]
    lines: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanner(Generic[Row, Digest]):
    """Scans parts, in workers.

    Attributes:
        read: the rows of a part that is open.
        line: the line at which a row begins.
        digest: what the driver needs of a row.
        size: rows of a shard.
    """

    read: Callable[[Source], Iterator[Row]]
    line: Callable[[Row], int]
    digest: Callable[[Row], Digest]
    size: int

    def scan(self, part: Part) -> Scan[Digest]:
        """The shards of a part, as if it began at line 1."""
        begins: list[int] = []
        digests: list[Digest] = []
        try:
            with open_part(part) as (source, window):
                for number, row in enumerate(self.read(source)):
                    if number % self.size == 0:
                        begins.append(self.line(row))
                    digests.append(self.digest(row))
        except InputError:
            return Scan(shards=(), lines=None)
        # What precedes the first row belongs to it: blank lines, a header.
        lines = [1, *begins[1:]]
        if window is None:
            starts, total = [part.start + line - 1 for line in lines], part.end - part.start
        else:
            starts = [part.start if line == 1 else window.ends[line - 2] for line in lines]
            total = len(window.ends)
        shards = tuple(
            Shard(
                part=replace(part, start=start, end=end, line=line),
                rows=tuple(digests[n * self.size : (n + 1) * self.size]),
            )
            for n, (start, end, line) in enumerate(
                zip(starts, [*starts[1:], part.end], lines, strict=True)
            )
        )
        return Scan(shards=shards if digests else (), lines=total)

    def rows(self, part: Part) -> Iterator[Row]:
        """The rows of a part, with the lines that it states.

        Raises:
            InputError: the part cannot be read to its end.
        """
        with open_part(part) as (source, _):
            yield from self.read(source)

    def shards(self, parts: Iterator[Part]) -> Iterator[Shard[Digest] | Row]:
        """The shards of parts, in order; of a part that cannot be scanned, the rows.

        Raises:
            InputError: a part cannot be read to its end; after the rows before that.
        """
        cluster = connected_cluster()
        assert cluster is not None
        coming: list[Part] = []

        def tasks() -> Iterator[Part]:
            for part in parts:
                coming.append(part)
                yield part

        before = 0
        for scan in cluster.stream(self.scan, tasks(), _FOREVER):
            part = coming.pop(0)
            if scan.lines is None:
                # Read here: the error has its line, or does not happen again.
                yield from self.rows(replace(part, line=before + 1))
                lines = self._lines(part)
            else:
                lines = scan.lines
                for shard in scan.shards:
                    yield replace(shard, part=replace(shard.part, line=before + shard.part.line))
            before += lines

    def _lines(self, part: Part) -> int:
        if part.group is not None:
            return part.end - part.start
        with open_uri(part.uri) as file:
            ends = (end for end, _, _ in _line_ends(file, part.start))
            return sum(1 for end in ends if end <= part.end)


_FOREVER = 2**31 - 1
