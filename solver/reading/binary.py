"""Detects archives and binary files by their first bytes."""

from __future__ import annotations

from solver.reading.failures import InputError
from solver.reading.source import Source

_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ\x00": "an xz file",
    b"BZh": "a bzip2 file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
}


def require_text(source: Source) -> None:
    """Reject an archive or a binary file as a whole, not line by line.

    Raises:
        InputError: the first bytes are those of an archive or binary data.
    """
    head = source.head()
    for magic, name in _ARCHIVES.items():
        if head.startswith(magic):
            raise InputError(
                f"found {name}, expected text, gzip or Parquet",
                where=f"{source.name}:1:1",
                hint="unpack it first",
            )
    at = head.find(b"\0")
    if at >= 0:
        before = head[:at]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        raise InputError(
            "found binary data (a NUL byte), expected text in UTF-8",
            where=f"{source.name}:{line}:{column}",
            hint="text in UTF-16 is converted with iconv -f utf-16 -t utf-8",
        )
