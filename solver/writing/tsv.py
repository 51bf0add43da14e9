"""The published format: tab-separated, csv quoting, lines that end in CR LF, 10 or 9 columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from solver.records import Record
from solver.writing.atomic import OutputError

_DECLARED = {True: "possible", False: "impossible", None: ""}
_FORCED = {True: "true", False: "false", None: ""}


def tsv_lines(records: Iterable[Record], *, forced: bool = True) -> Iterator[bytes]:
    """Encode one row per item; without ``forced``, in the older format of 9 columns.

    Raises:
        OutputError: an item has no label, which this format requires.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t")
    for record in records:
        if record.gold is None:
            raise OutputError(
                f"item {record.id} has no label, expected one on each row of a TSV",
                where=record.place.at(),
                hint="write JSON Lines or Parquet, where a label may be absent",
            )
        # csv writes None as an empty cell.
        writer.writerow(
            [
                record.id,
                _DECLARED[record.declared],
                *([_FORCED[record.forced]] if forced else []),
                record.sampled,
                record.events,
                record.relations,
                record.event_distance,
                record.premise,
                record.claim,
                record.gold,
            ]
        )
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
