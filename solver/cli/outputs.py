"""Types of options that name what a command will write: refused before it has worked for long."""

from __future__ import annotations

from os import fsdecode
from pathlib import Path
from typing import Any

import click


class NewFolder(click.Path):
    """A folder that is there, or that can be made with the folders above it."""

    name = "directory"

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Give the path; nothing is made yet.

        Raises:
            OutputError: what stands above it is no folder.
        """
        if not str(value):
            self.fail("the path is empty, expected a folder.", param, ctx)
        path = Path(fsdecode(super().convert(value, param, ctx)))
        from solver.writing.atomic import OutputError, told

        with told(path):
            above = next(one for one in (path, *path.parents) if one.exists())
            if not above.is_dir():
                raise OutputError("cannot be made: Not a directory", where=str(path))
        return path


class NewFile(click.Path):
    """A file to write in a folder that is there."""

    name = "file"

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Give the path; nothing is written yet.

        Raises:
            OutputError: its folder is none.
        """
        if not str(value):
            self.fail("the path is empty, expected a file.", param, ctx)
        path = Path(fsdecode(super().convert(value, param, ctx)))
        from solver.writing.atomic import told

        with told(path):
            # Asks the system for what is there, so that it says in its words what is not.
            (path.parent / ".").stat()
            if not path.parent.is_dir():
                raise NotADirectoryError(20, "Not a directory")
        return path
