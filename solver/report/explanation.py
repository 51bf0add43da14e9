"""What explanations of all kinds have in common: text, JSON, a table, a drawing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grammar.errors import HopcheckError
from solver.drawing.canvas import PICTURE_FORMATS
from solver.io.writing import atomic, write_json
from solver.report.notebook import data_frame

if TYPE_CHECKING:
    from pandas import DataFrame


class NothingDrawnError(HopcheckError):
    """A drawing of an explanation that has none."""

    code = "nothing-drawn"


class WrittenExplanation(ABC):
    """An explanation that can be printed, tabulated, drawn and written."""

    __slots__ = ()

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """The explanation in words, line by line."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """The explanation as JSON values."""

    @abstractmethod
    def columns(self) -> Sequence[str]:
        """Names of the columns of the table."""

    @abstractmethod
    def rows(self) -> list[Mapping[str, object]]:
        """The rows of the table."""

    @abstractmethod
    def picture(self, form: str = "svg") -> bytes | None:
        """The drawing as the bytes of a file; None if there is nothing to draw.

        Args:
            form: svg, png or pdf.
        """

    def svg(self) -> str:
        """The drawing as SVG; empty if there is nothing to draw."""
        return (self.picture() or b"").decode()

    def to_pandas(self) -> DataFrame:
        """The table as a data frame.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        return data_frame(self.rows(), self.columns())

    def write(self, path: str | Path) -> Path:
        """Write JSON (.json), the drawing (.svg, .png, .pdf) or text (all other extensions).

        Raises:
            HopcheckError: there is nothing to draw, or the file cannot be written.
        """
        target = Path(path)
        form = target.suffix.removeprefix(".").lower()
        if form == "json":
            write_json(target, self.as_json())
            return target
        text = "".join(f"{line}\n" for line in self.lines()).encode()
        written = self.picture(form) if form in PICTURE_FORMATS else text
        if written is None:
            raise NothingDrawnError("there is nothing to draw", where=str(target))
        with atomic(target) as file:
            file.write(written)
        return target

    def _repr_html_(self) -> str:
        """The drawing and the words, for notebooks."""
        words = escape("\n".join(self.lines()))
        # Without the XML declaration of a file.
        drawing = self.svg()
        return f"<div>{drawing[max(drawing.find('<svg'), 0) :]}<pre>{words}</pre></div>"
