"""Option types for output paths, validated before a command starts its work."""

from __future__ import annotations

from os import fsdecode
from pathlib import Path
from typing import Any

import click


class NewFolder(click.Path):
    """An existing folder, or one that can be created with its parents."""

    name = "directory"

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path; nothing is created yet.

        Raises:
            OutputError: its nearest existing parent is not a folder.
        """
        if not str(value):
            self.fail("the path is empty, expected a folder.", param, ctx)
        path = Path(fsdecode(super().convert(value, param, ctx)))
        from solver.writing.atomic import OutputError, os_errors_reported

        with os_errors_reported(path):
            above = next(one for one in (path, *path.parents) if one.exists())
            if not above.is_dir():
                raise OutputError("cannot be made: Not a directory", where=str(path))
        return path


class NewFile(click.Path):
    """A file to write into an existing folder."""

    name = "file"

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path; nothing is written yet.

        Raises:
            OutputError: its parent is not an existing folder.
        """
        if not str(value):
            self.fail("the path is empty, expected a file.", param, ctx)
        path = Path(fsdecode(super().convert(value, param, ctx)))
        from solver.writing.atomic import os_errors_reported

        with os_errors_reported(path):
            # Raises the system's own error if the folder is missing.
            (path.parent / ".").stat()
            if not path.parent.is_dir():
                raise NotADirectoryError(20, "Not a directory")
        return path
