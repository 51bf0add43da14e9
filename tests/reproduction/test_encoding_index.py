"""The headers of the encodings are correct, and ``encodings/README.md`` is up to date."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from benchmarks.reproduction.encoding_index import Encoding, encodings, header, index
from solver.asp import Part

ENCODINGS = Path(__file__).resolve().parents[2] / "encodings"
PATHS = sorted(ENCODINGS.glob("*/**/*.lp"))

every_encoding = pytest.mark.parametrize(
    "listed_encoding", PATHS, ids=lambda path: path.relative_to(ENCODINGS).as_posix(), indirect=True
)


@cache
def theory(name: str) -> dict[Path, Encoding]:
    """The encodings of a theory, by their files."""
    return {encoding.path: encoding for encoding in encodings(ENCODINGS / name)}


def encoding(path: Path) -> Encoding:
    return theory(path.relative_to(ENCODINGS).parts[0])[path]


@pytest.fixture
def listed_encoding(request: pytest.FixtureRequest) -> Encoding:
    return encoding(request.param)


def closure(given_encoding: Encoding) -> list[Encoding]:
    """An encoding with its transitive includes."""
    found = [given_encoding]
    for each in found:
        for name in each.includes:
            # Relative to the including file, or to the root of the encodings.
            part = encoding((each.path.parent / name).resolve())
            if part not in found:
                found.append(part)
    return found


def signatures(files: list[Encoding], *parts: Part) -> set[tuple[str, int]]:
    return {(m.name, m.arity) for file in files for m in file.mentions if m.part in parts}


def test_every_encoding_is_listed() -> None:
    folders = [path.name for path in ENCODINGS.iterdir() if path.is_dir()]
    assert sorted(path for name in folders for path in theory(name)) == PATHS


def test_the_index_is_up_to_date() -> None:
    """Otherwise run ``python -m benchmarks.reproduction.encoding_index``."""
    assert (ENCODINGS / "README.md").read_text(encoding="utf-8") == index()


@every_encoding
def test_headers_are_complete(listed_encoding: Encoding) -> None:
    assert listed_encoding.header.purpose.endswith((".", "?"))
    assert listed_encoding.header.outputs
    assert listed_encoding.header.grounds


@every_encoding
def test_headers_list_all_inputs(listed_encoding: Encoding) -> None:
    files = closure(listed_encoding)
    missing = signatures(files, Part.BODY, Part.DEFINED) - signatures(files, Part.HEAD)
    if "ablations" in listed_encoding.path.parts:
        # An ablation may lack the predicates of the part that it leaves out.
        missing -= signatures(
            [*theory(listed_encoding.path.parent.parent.name).values()], Part.HEAD
        )
    assert set(listed_encoding.header.inputs) >= missing
    used = signatures(files, Part.BODY, Part.DEFINED)
    assert set(listed_encoding.header.inputs) <= used


@every_encoding
def test_listed_outputs_are_derived(listed_encoding: Encoding) -> None:
    assert set(listed_encoding.header.outputs) <= signatures(closure(listed_encoding), Part.HEAD)


@every_encoding
def test_shown_predicates_are_listed_outputs(listed_encoding: Encoding) -> None:
    shown = signatures([listed_encoding], Part.SHOWN)
    assert shown <= set(listed_encoding.header.outputs)


@every_encoding
def test_inputs_are_declared(listed_encoding: Encoding) -> None:
    """So that an instance without one of them causes no warning."""
    files = closure(listed_encoding)
    missing = signatures(files, Part.BODY) - signatures(files, Part.HEAD)
    assert missing <= signatures(files, Part.DEFINED)


@every_encoding
def test_atoms_of_four_arguments_have_full_words(listed_encoding: Encoding) -> None:
    letters = re.compile(r"\b[A-Z]\b")
    assert [
        m.text for m in listed_encoding.mentions if m.arity > 3 and letters.search(m.text)
    ] == []


@every_encoding
def test_rules_have_their_meaning_above(listed_encoding: Encoding) -> None:
    body = listed_encoding.path.read_text(encoding="utf-8").split("\n")[
        listed_encoding.header.lines :
    ]
    lines = [
        line for line in body if not line.startswith(("#include", "#defined", "#const", "#show"))
    ]
    paragraphs = "\n".join(lines).strip("\n").split("\n\n")
    assert [text for text in paragraphs if text.strip() and not text.lstrip().startswith("%")] == []


def test_a_header_is_parsed() -> None:
    read = header(
        "% Seating: who sits where? One seat each.\n"
        "% Source: the seating plan.\n"
        "% Constraints are written as violations.\n"
        "% Input   guest(G)  chair(C)         as they come\n"
        "%         knows(G,at(C,(left;right)))  G knows who sits next to C;\n"
        "%                                    not G itself\n"
        "% Output  sits(G,C)\n"
        "% Grounds O(guests * chairs).\n"
        "sits(G,C) :- guest(G), chair(C).\n"
    )
    assert read.purpose == "Seating: who sits where?"
    assert read.lines == 8
    assert list(read.inputs) == [("guest", 1), ("chair", 1), ("knows", 2)]
    assert read.inputs[("guest", 1)].meaning == "as they come"
    assert read.inputs[("knows", 2)].meaning == "G knows who sits next to C; not G itself"
    assert read.outputs[("sits", 2)].written == "sits(G,C)"
    assert read.grounds == "O(guests * chairs)"
