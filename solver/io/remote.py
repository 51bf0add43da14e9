"""Files named by a URI, such as ``s3://bucket/items.jsonl``: whatever ``pyarrow.fs`` opens.

They are read in ranges of bytes, or Parquet by row groups, and never as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.extras import require

if TYPE_CHECKING:
    import pyarrow as pa


def open_remote(uri: str) -> pa.NativeFile:
    """Open a file for reads at any position.

    Raises:
        OSError: it is missing, or cannot be reached.
        ValueError: there is no such file system, or it lacks a library.
        MissingLibraryError: pyarrow is not installed.
    """
    require("a URI", "pyarrow")
    import pyarrow as pa
    from pyarrow.fs import FileSystem

    try:
        system, path = FileSystem.from_uri(uri)
        return system.open_input_file(path)
    except pa.ArrowException as error:
        raise ValueError(_first_line(str(error))) from None
    except OSError as error:
        error.strerror = _first_line(error.strerror or str(error))
        raise


def _first_line(message: str) -> str:
    """The message of Arrow without its details and its hints for C++."""
    return message.partition("\n")[0].partition(". Detail:")[0].rstrip(".")
