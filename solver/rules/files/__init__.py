"""Files of rules: the published JSON, our JSON Lines and Parquet; ASP facts are written only."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from solver.errors import HopcheckError
from solver.rules.table import RuleTable


class RuleFormat(StrEnum):
    """How a file holds rules, told by how its name ends; all but Parquet may end in ``.gz``."""

    PUBLISHED = ".json"
    JSONL = ".jsonl"
    PARQUET = ".parquet"
    FACTS = ".lp"


class RuleFormatError(HopcheckError):
    """A name that tells no format, or a format that cannot be read."""

    code = "rule-format"


def format_of(path: str | Path) -> RuleFormat:
    """The format that a name ends in.

    Raises:
        RuleFormatError: it ends in none of them.
    """
    name = str(path).removesuffix(".gz")
    for one in RuleFormat:
        if name.endswith(one.value):
            if one is RuleFormat.PARQUET and name != str(path):
                break
            return one
    message = f"found a name that ends in {Path(path).suffix or 'nothing'!r}, expected "
    expected = ".json, .jsonl or .lp, also with .gz, or .parquet"
    raise RuleFormatError(message + expected, where=str(path))


def read_rules(path: str | Path, *, relations: int | None = None) -> RuleTable:
    """Read rules in the order of the file.

    Args:
        path: the file.
        relations: how many there are without inverses; rules of others are refused.

    Raises:
        RuleFormatError: the name tells no format that can be read.
        InputError: the file cannot be read.
        RowError: one of its rules is none.
    """
    match format_of(path):
        case RuleFormat.PUBLISHED:
            from solver.rules.files.published import read_published

            return read_published(path, relations)
        case RuleFormat.JSONL:
            from solver.rules.files.jsonl import read_jsonl

            return read_jsonl(path, relations)
        case RuleFormat.PARQUET:
            from solver.extras import require

            require("Parquet", "pyarrow")
            from solver.rules.files.parquet import read_parquet

            return read_parquet(path, relations)
        case RuleFormat.FACTS:
            raise RuleFormatError(
                "facts are written for clingo, not read",
                where=str(path),
                hint="keep the rules as .json, .jsonl or .parquet",
            )


def write_rules(path: str | Path, rules: RuleTable) -> None:
    """Write rules in their order, whole or not at all; gzip if the path ends in ``.gz``.

    Raises:
        RuleFormatError: the name tells no format.
        OutputError: the system refuses to write.
    """
    form = format_of(path)
    if form is RuleFormat.PARQUET:
        from solver.extras import require

        require("Parquet", "pyarrow")
        from solver.rules.files.parquet import write_parquet

        write_parquet(path, rules)
        return
    from solver.rules.files import facts, jsonl, published
    from solver.writing.packing import packed

    writers = {
        RuleFormat.PUBLISHED: published.pieces,
        RuleFormat.JSONL: jsonl.lines,
        RuleFormat.FACTS: facts.lines,
    }
    with packed(path) as file:
        file.writelines(writers[form](rules))
