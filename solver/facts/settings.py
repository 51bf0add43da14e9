"""Settings of the verification of dated facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from solver.verification.settings import option

if TYPE_CHECKING:
    from solver.facts.certificates import ForecastRules
    from solver.facts.model import Window

ENGINES = ("asp", "sweep")


def _window(days: tuple[datetime, datetime]) -> Window:
    from solver.facts.model import Window

    first, last = (day.toordinal() for day in days)
    if last < first:
        raise ValueError("the window ends before it begins")
    return Window(first=first, last=last)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSettings:
    """Options of a verification run.

    Attributes:
        schema: file or folder; None to skip class constraints.
        types: classes of entities; default ``types.tsv`` in the schema folder.
        history: files of earlier facts.
        certificates: files of certificates; if given, every fact needs a valid one.
        exclusive: whether findings of the exclusive level are violations.
        marks: the schema column that marks exclusive relations.
        require_types: whether an entity without a class is a violation.
        whole_history: whether an end without a known start is a violation.
        rules: the rules of the forecast, for the numbers and confidences of certificates.
    """

    schema: Path | None = field(
        default=None,
        metadata=option(
            "Schema: folder with relations.csv and classes.csv, such a table, or SHACL shapes "
            "(.ttl).",
            path=True,
            metavar="DIR|FILE",
        ),
    )
    types: Path | None = field(
        default=None,
        metadata=option(
            "Classes of entities: entity, tab, classes separated by |. Default: DIR/types.tsv.",
            path=True,
            metavar="FILE",
        ),
    )
    history: tuple[str, ...] = field(
        default=(),
        metadata=option(
            "Earlier facts: used as context, not checked themselves. Repeatable.",
            repeated=True,
            metavar="FILE",
        ),
    )
    certificates: tuple[str, ...] = field(
        default=(),
        metadata=option(
            "Certificates of the facts (facts.jsonl of forecast) to check. Repeatable.",
            repeated=True,
            metavar="FILE",
        ),
    )
    window: Window | None = field(
        default=None,
        metadata=option(
            "First and last allowed day.", number=2, date=True, metavar="FROM TO", convert=_window
        ),
    )
    exclusive: bool = field(default=False, metadata=option("Enforce one object at a time."))
    marks: str | None = field(
        default=None,
        metadata=option(
            "Column that marks exclusive relations. Default: exclusive, else exclusive_in_code.",
            name="exclusive-column",
            metavar="NAME",
        ),
    )
    require_types: bool = field(
        default=False, metadata=option("Report entities without a class as violations.")
    )
    whole_history: bool = field(
        default=False,
        metadata=option("Treat the history as complete: an end without a start is a violation."),
    )
    rules: ForecastRules | None = None

    def usage(self, paths: Sequence[str]) -> str:
        """The option that needs a schema, if there is none."""
        needing = {
            "types": self.types,
            "require-types": self.require_types,
            "exclusive-column": self.marks,
        }
        given = [name for name, value in needing.items() if value]
        if not given or self.schema is not None or any(Path(path).is_dir() for path in paths):
            return ""
        return f"--{given[0]} needs --schema."

    def as_config(self) -> dict[str, object]:
        """The settings that decide the findings, for the manifest."""
        days = () if self.window is None else (self.window.first, self.window.last)
        return {
            "engines": list(ENGINES),
            "history": list(self.history),
            "exclusive": self.exclusive,
            "require_types": self.require_types,
            "schema": None if self.schema is None else str(self.schema),
            "whole_history": self.whole_history,
            "certificates": list(self.certificates),
            "window": [date.fromordinal(day).isoformat() for day in days],
        }
