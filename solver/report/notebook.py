"""Results in notebooks: tables as HTML and as pandas data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_ROWS = 10
"""Rows of a table that a notebook shows."""


def data_frame(rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> DataFrame:
    """Rows as a pandas data frame.

    Args:
        rows: one mapping per row; missing values become None.
        columns: columns of the frame, also if there is no row.

    Raises:
        MissingLibraryError: pandas is not installed.
    """
    from solver.extras import require

    require("a data frame", "pandas")
    import pandas as pd

    return pd.DataFrame([[row.get(name) for name in columns] for row in rows], columns=[*columns])


def html_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    size: int | None = None,
) -> str:
    """A table as HTML with a caption; all texts are escaped.

    Args:
        title: the caption.
        columns: the head of the table.
        rows: the rows to show.
        size: the total number of rows, if more than those shown.
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    shown = [[escape(str(cell)) for cell in row] for row in rows]
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in shown)
    left = 0 if size is None else size - len(shown)
    more = f"<p>and {left:,} more</p>" if left > 0 else ""
    return (
        f"<div><table><caption>{escape(title)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"
    )
