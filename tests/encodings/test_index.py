"""The headers of the encodings tell the truth, and ``encodings/README.md`` repeats it."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.asp import Part
from solver.encoding_header import header
from solver.encoding_index import Encoding, encodings, index

ENCODINGS = Path(__file__).resolve().parents[2] / "encodings"
THEORIES = sorted(path for path in ENCODINGS.iterdir() if path.is_dir())
THEORY = {folder: encodings(folder) for folder in THEORIES}
BY_PATH = {one.path: one for files in THEORY.values() for one in files}

every_encoding = pytest.mark.parametrize("one", BY_PATH.values(), ids=lambda one: one.name)


def closure(one: Encoding) -> list[Encoding]:
    """An encoding with all that it includes."""
    found = [one]
    for each in found:
        for name in each.includes:
            # clingo looks beside the file first, then in the folder it was started from.
            part = BY_PATH[(each.path.parent / name).resolve()]
            if part not in found:
                found.append(part)
    return found


def signatures(files: list[Encoding], *parts: Part) -> set[tuple[str, int]]:
    return {(m.name, m.arity) for one in files for m in one.mentions if m.part in parts}


def test_the_page_is_current() -> None:
    """If not: ``python -m solver.encoding_index``."""
    assert (ENCODINGS / "README.md").read_text(encoding="utf-8") == index()


@every_encoding
def test_headers_say_what_for_what_from_what_and_how_large(one: Encoding) -> None:
    assert one.header.purpose.endswith((".", "?"))
    assert one.header.outputs
    assert one.header.grounds


@every_encoding
def test_headers_tell_all_inputs(one: Encoding) -> None:
    files = closure(one)
    missing = signatures(files, Part.READ, Part.DEFINED) - signatures(files, Part.GIVEN)
    if "ablations" in one.path.parts:
        # A reasoner that lacks a piece of the logic lacks what that piece gives: no fact stands in.
        missing -= signatures(THEORY[one.path.parent.parent], Part.GIVEN)
    assert set(one.header.inputs) >= missing
    used = signatures(files, Part.READ, Part.DEFINED)
    assert set(one.header.inputs) <= used


@every_encoding
def test_headers_promise_only_what_is_given(one: Encoding) -> None:
    assert set(one.header.outputs) <= signatures(closure(one), Part.GIVEN)


@every_encoding
def test_what_is_shown_is_promised(one: Encoding) -> None:
    shown = signatures([one], Part.SHOWN)
    assert shown <= set(one.header.outputs)


@every_encoding
def test_inputs_are_declared(one: Encoding) -> None:
    """So that an instance without one of them is no reason for a remark."""
    files = closure(one)
    missing = signatures(files, Part.READ) - signatures(files, Part.GIVEN)
    assert missing <= signatures(files, Part.DEFINED)


def test_a_header_is_read() -> None:
    read = header(
        "% Chairs: who sits where? Nobody stands.\n"
        "% Source: a house rule.\n"
        "% Input   guest(G)  chair(C)         as they come\n"
        "%         knows(G,at(C,(left;right)))  G knows who sits beside C;\n"
        "%                                    not G itself\n"
        "% Output  sits(G,C)\n"
        "% Grounds O(guests * chairs).\n"
        "sits(G,C) :- guest(G), chair(C).\n"
    )
    assert read.purpose == "Chairs: who sits where?"
    assert read.lines == 7
    assert list(read.inputs) == [("guest", 1), ("chair", 1), ("knows", 2)]
    assert read.inputs[("guest", 1)].meaning == "as they come"
    assert read.inputs[("knows", 2)].meaning == "G knows who sits beside C; not G itself"
    assert read.outputs[("sits", 2)].written == "sits(G,C)"
    assert read.grounds == "O(guests * chairs)"
