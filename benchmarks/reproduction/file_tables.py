"""Writes what the documentation has of the columns of files: schemas, and tables of fields.

python -m benchmarks.reproduction.file_tables
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.reproduction import ROOT
from solver.io.columns import schema
from solver.verification.kinds import built_in, fields_of_files

PAGE = Path("docs/files.md")
SCHEMAS = Path("docs/schemas")
HEADING = "## Fields of files\n"


def files() -> Iterator[tuple[Path, str]]:
    """The path of each file below the root, and its text."""
    for kind in built_in().values():
        for name, rows in kind.columns().items() if kind.columns is not None else ():
            text = json.dumps(schema(rows), indent=2) + "\n"
            yield SCHEMAS / f"{kind.name}.{name}.json", text
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    before, _, after = page.partition(HEADING)
    lead, _, _ = after.partition("\n### ")
    sections = "\n".join(fields_of_files(kind) for kind in built_in().values())
    yield PAGE, f"{before}{HEADING}{lead}\n{sections}"


if __name__ == "__main__":
    (ROOT / SCHEMAS).mkdir(exist_ok=True)
    for path, text in files():
        (ROOT / path).write_text(text, encoding="utf-8")
