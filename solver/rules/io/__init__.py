"""Rule files: the published JSON, JSON Lines and Parquet; ASP facts can only be written."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from grammar.errors import HopcheckError
from solver.rules.model import RuleTable


class RuleFormat(StrEnum):
    """Format of a rule file, by file extension; all but Parquet may be compressed (``.gz``)."""

    PUBLISHED = ".json"
    JSONL = ".jsonl"
    PARQUET = ".parquet"
    FACTS = ".lp"


class RuleFormatError(HopcheckError):
    """An unknown file extension, or a format that cannot be read."""

    code = "rule-format"


def format_of(path: str | Path) -> RuleFormat:
    """The format of a file, by its extension.

    Raises:
        RuleFormatError: the extension is unknown.
    """
    name = str(path).removesuffix(".gz")
    for one in RuleFormat:
        if name.endswith(one.value):
            if one is RuleFormat.PARQUET and name != str(path):
                break
            return one
    message = f"found the file extension {Path(path).suffix or 'none'!r}, expected "
    expected = ".json, .jsonl or .lp, also with .gz, or .parquet"
    raise RuleFormatError(message + expected, where=str(path))


def read_rules(path: str | Path, *, relations: int | None = None) -> RuleTable:
    """Read rules in the order of the file.

    Args:
        path: the file.
        relations: number of relations without inverses; rules with other relations are refused.

    Raises:
        RuleFormatError: the extension is unknown, or the format cannot be read.
        InputError: the file cannot be read.
        RowError: a rule is invalid.
    """
    match format_of(path):
        case RuleFormat.PUBLISHED:
            from solver.rules.io.published import read_published

            return read_published(path, relations)
        case RuleFormat.JSONL:
            from solver.rules.io.rows import read_jsonl

            return read_jsonl(path, relations)
        case RuleFormat.PARQUET:
            from solver.extras import require

            require("Parquet", "pyarrow")
            from solver.rules.io.parquet import read_parquet

            return read_parquet(path, relations)
        case RuleFormat.FACTS:
            raise RuleFormatError(
                "ASP facts can be written, not read",
                where=str(path),
                hint="store the rules as .json, .jsonl or .parquet",
            )


def write_rules(path: str | Path, rules: RuleTable) -> None:
    """Write rules in their order, atomically; gzip if the path ends in ``.gz``.

    Raises:
        RuleFormatError: the extension is unknown.
        OutputError: the file cannot be written.
    """
    form = format_of(path)
    if form is RuleFormat.PARQUET:
        from solver.extras import require

        require("Parquet", "pyarrow")
        from solver.rules.io.parquet import write_parquet

        write_parquet(path, rules)
        return
    from solver.io.writing import packed
    from solver.rules.io import published
    from solver.rules.io import rows as facts
    from solver.rules.io import rows as jsonl

    writers = {
        RuleFormat.PUBLISHED: published.pieces,
        RuleFormat.JSONL: jsonl.lines,
        RuleFormat.FACTS: facts.lines_facts,
    }
    with packed(path) as file:
        file.writelines(writers[form](rules))
