"""Settings of the verification of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from solver.io.parquet import exported
from solver.verification.settings import option


class Reading(StrEnum):
    """How a text is checked.

    ``grammar``: every sentence is parsed and states one of the facts. ``names``: names and full
    dates occur verbatim, no other full date, and no word denies a fact; only a text that also
    parses to its facts is right, any other is unverified. ``normalised``: the same, with names
    compared by letters and digits only.
    """

    GRAMMAR = "grammar"
    NAMES = "names"
    NORMALISED = "normalised"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSettings:
    """The file of reference facts, and how texts are checked.

    Attributes:
        facts: file of the reference facts.
        reading: how texts are checked.
        phrases: file of additional phrases of the texts.
    """

    facts: str = field(
        default="",
        metadata=option(
            "Reference facts of the texts, one Python literal per line: "
            "[['subject', 'relation', 'object', '2026-01-31'], ...]; by default those of the rows.",
            metavar="FILE",
        ),
    )
    reading: Reading = field(
        default=Reading.GRAMMAR,
        metadata=option(
            "How texts are checked: parse every sentence (grammar), require verbatim names and "
            "full dates and no other date (names), or the same with names compared by letters and "
            "digits only (normalised).",
            choices=Reading,
        ),
    )
    phrases: str | None = field(
        default=None,
        metadata=option(
            "Additional phrases of the texts: phrases.tsv of generate texts, or a table with its "
            "columns relation, past, ahead.",
            metavar="FILE",
        ),
    )

    def usage(self, paths: Sequence[str]) -> str:
        """The option that texts need, unless their rows, or folders, have their facts."""
        known = self.facts or all(is_folder(path) or has_rows(path) for path in paths)
        return "" if known else "Missing option '--facts'."


TEXTS, REFERENCES = "descriptions.txt", "references.txt"
ROWS, PHRASES = "texts.jsonl", "phrases.tsv"
"""Files of a folder of texts: aligned by line, both as JSON Lines, and additional phrases."""


def has_rows(path: str | Path) -> bool:
    """Whether the rows of a path may have facts besides texts."""
    name = str(path).removesuffix(".gz")
    return name.endswith((".jsonl", ".parquet")) or bool(exported(path, "texts"))


def is_folder(path: str | Path) -> bool:
    """Whether a path is a folder of texts with their facts."""
    return all((Path(path) / name).is_file() for name in (TEXTS, REFERENCES))
