"""Writes ``encodings/README.md``: every predicate, its arguments, who gives it and who reads it.

Run as ``python -m solver.encoding_index`` after a change of an encoding. What a predicate means is
taken from the headers of the files, or from the comment above the first rule that gives it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from solver.asp import Mention, Part, mentions
from solver.encoding_header import Header, Signature, header
from solver.theories import ENCODINGS, INCLUDE

_CONSTANT = re.compile(r"^#const (\w+ = \w+)\.", re.MULTILINE)
_MACRO = re.compile(r"^\(define-fun (\w+) \((.*?)\) Bool", re.MULTILINE)
_VARIABLES = re.compile(r"\w+\((?:[A-Z]\w*)(?:,[A-Z]\w*)*\)")

_OPENING = """# Encodings
What is true stands here: answer set programs (`.lp`) and SMT-LIB (`.smt2`), one folder a theory,
data only. Each file also runs alone: `clingo encodings/temporal/claims.lp facts.lp`.

This page is written by `python -m solver.encoding_index`; a test keeps it current. Roles: *input*
predicates are facts, *shown* ones are what a program answers, *output* ones what a file promises to
those that include it, *inner* ones are its own affair.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """An ASP file.

    Attributes:
        path: where it lies.
        name: what the tables call it: its path below the theory's folder, without suffix.
        header: what it says of itself.
        includes: the files that it includes.
        constants: its constants, with the values they have unless told otherwise.
        mentions: where it speaks of predicates.
    """

    path: Path
    name: str
    header: Header
    includes: tuple[str, ...]
    constants: tuple[str, ...]
    mentions: tuple[Mention, ...]

    def has(self, predicate: Signature, *parts: Part) -> bool:
        """Whether the file mentions a predicate in one of these parts."""
        return any(m.part in parts and _signature(m) == predicate for m in self.mentions)

    def comment_above(self, line: int) -> str:
        """The comment that the rules at a line stand under; empty below the header."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        above = lines[self.header.lines : line - 1]
        while above and not above[-1].startswith("%"):
            above.pop()
        block: list[str] = []
        while above and above[-1].startswith("%"):
            block.insert(0, above.pop().lstrip("% "))
        return " ".join(block)


@dataclass(slots=True, kw_only=True)
class Row:
    """A predicate of a theory, over all its files."""

    signature: Signature
    written: str = ""
    meaning: str = ""
    roles: list[str] = field(default_factory=list)
    given_by: list[str] = field(default_factory=list)
    read_by: list[str] = field(default_factory=list)

    def cells(self) -> list[str]:
        """The row of the table."""
        name = f"`{self.signature.name}/{self.signature.arity}`"
        files = (", ".join(self.given_by), ", ".join(self.read_by))
        return [name, f"`{self.written}`", ", ".join(self.roles), self.meaning, *files]


def encodings(folder: Path) -> list[Encoding]:
    """The ASP files of a theory, by name."""
    return [_encoding(path, folder) for path in sorted(folder.rglob("*.lp"))]


def _encoding(path: Path, folder: Path) -> Encoding:
    text = path.read_text(encoding="utf-8")
    return Encoding(
        path=path,
        name=path.relative_to(folder).with_suffix("").as_posix(),
        header=header(text),
        includes=tuple(INCLUDE.findall(text)),
        constants=tuple(_CONSTANT.findall(text)),
        mentions=tuple(mentions(path.relative_to(ENCODINGS).as_posix())),
    )


def rows(files: Iterable[Encoding]) -> list[Row]:
    """The predicates of a theory, by name."""
    every = list(files)
    signatures = {_signature(m) for one in every for m in one.mentions}
    return [_row(signature, every) for signature in sorted(signatures)]


def _row(signature: Signature, files: list[Encoding]) -> Row:
    return Row(
        signature=signature,
        written=_written(signature, files),
        meaning=_meaning(signature, files),
        roles=list(_roles(signature, files)),
        given_by=[one.name for one in files if one.has(signature, Part.GIVEN)],
        read_by=[one.name for one in files if one.has(signature, Part.READ)],
    )


def _roles(signature: Signature, files: list[Encoding]) -> Iterator[str]:
    entries = [one for one in files if any(m.part is Part.SHOWN for m in one.mentions)]
    given = any(one.has(signature, Part.GIVEN) for one in files)
    asked = any(signature in one.header.inputs for one in entries)
    shown = any(one.has(signature, Part.SHOWN) for one in files)
    promised = any(signature in one.header.outputs for one in files)
    if asked or not given:
        yield "input"
    if shown:
        yield "shown"
    elif promised:
        yield "output"
    elif given and not asked:
        yield "inner"


def _written(signature: Signature, files: list[Encoding]) -> str:
    for one in files:
        for told in (one.header.outputs, one.header.inputs):
            if signature in told:
                return told[signature].written
    texts = [m.text for one in files for m in one.mentions if _signature(m) == signature and m.text]
    return next((text for text in texts if _VARIABLES.fullmatch(text)), texts[0] if texts else "")


def _meaning(signature: Signature, files: list[Encoding]) -> str:
    told = [
        entry.meaning
        for one in files
        for entries in (one.header.outputs, one.header.inputs)
        # A header that only points to another one says less than that other one.
        if (entry := entries.get(signature)) and entry.meaning and not _elsewhere(entry.meaning)
    ]
    if told:
        return told[0]
    for one in files:
        for mention in one.mentions:
            if mention.part is Part.GIVEN and _signature(mention) == signature:
                return one.comment_above(mention.line)
    return ""


def _elsewhere(meaning: str) -> bool:
    return meaning.startswith(("as in ", "the latter ", "from "))


def _signature(mention: Mention) -> Signature:
    return Signature(name=mention.name, arity=mention.arity)


def _table(head: list[str], body: Iterable[list[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *body]
    rows = ([cell.replace("|", r"\|") for cell in line] for line in lines)
    return [f"| {' | '.join(cells)} |" for cells in rows]


def _macros(path: Path) -> Iterator[list[str]]:
    """The macros of an SMT-LIB file, with the comment that each stands under."""
    text = path.read_text(encoding="utf-8")
    for found in _MACRO.finditer(text):
        above = text[: found.start()].rsplit("\n\n", 1)[-1].splitlines()
        said = " ".join(line.lstrip("; ") for line in above if line.startswith(";"))
        arguments = ", ".join(re.findall(r"\((\w+) \w+\)", found[2]))
        yield [f"`{found[1]}`", arguments, said]


def _theory(folder: Path) -> Iterator[str]:
    files = encodings(folder)
    yield f"## {folder.name}/"
    summary = (
        [
            f"[{one.name}]({one.path.relative_to(ENCODINGS).as_posix()})",
            one.header.purpose,
            ", ".join(name.removesuffix(".lp") for name in one.includes),
            ", ".join(one.constants),
            one.header.grounds,
        ]
        for one in files
    )
    yield from _table(["file", "what it says", "includes", "constants", "grounds"], summary)
    yield ""
    head = ["predicate", "arguments", "role", "meaning", "given by", "read by"]
    yield from _table(head, (row.cells() for row in rows(files)))
    for path in sorted(folder.rglob("*.smt2")):
        yield f"\n### [{path.name}]({path.relative_to(ENCODINGS).as_posix()})"
        yield from _table(["macro", "arguments", "meaning"], _macros(path))
    yield ""


def index() -> str:
    """The page."""
    theories = sorted(path for path in ENCODINGS.iterdir() if path.is_dir())
    lines = [line for folder in theories for line in _theory(folder)]
    return "\n".join([_OPENING, *lines]).rstrip("\n") + "\n"


def main() -> None:
    """Write the page."""
    page = ENCODINGS / "README.md"
    page.write_text(index(), encoding="utf-8")
    sys.stdout.write(f"{page}\n")


if __name__ == "__main__":
    main()
