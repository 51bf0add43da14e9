"""Checks what one person of a family is to another, with nothing but this file.

    python check.py items.jsonl

Each line of items.jsonl, which ``audit`` writes, has a label, a verdict, and for each reading the
text with the words that are possible: see docs/family.md. The text is read again, and the words
are found from the generations of the family. Exit status: 0 if every line is right, 1 if one is
not, 2 if a file cannot be read.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

KIND = "family"
SENTENCE = re.compile(
    r"(?P<a>[A-Z][\w'’-]*) is married to (?P<b>[A-Z][\w'’-]*)\.\s*"
    r"(?:They have (?:a child|children) called (?P<children>[^.]*)\.\s*)?"
)
QUESTION = re.compile(
    r"(?:What is (?P<a>\S+) to (?P<b>\S+)|How is (?P<c>\S+) related to (?P<d>\S+)"
    r"|What relation is (?P<e>\S+) to (?P<f>\S+))\? [^?]*"
)
WORDS = {
    "M": ("husband", "wife"),
    "U": ("father", "mother"),
    "D": ("son", "daughter"),
    "UD": ("brother", "sister"),
    "UU": ("grandfather", "grandmother"),
    "DD": ("grandson", "granddaughter"),
    "UUD": ("uncle", "aunt"),
    "UDD": ("nephew", "niece"),
    "MU": ("father-in-law", "mother-in-law"),
    "DM": ("son-in-law", "daughter-in-law"),
    "MUD": ("brother-in-law", "sister-in-law"),
    "UDM": ("brother-in-law", "sister-in-law"),
}
"""The way from the other person: U to a parent, D to a child, M to the spouse; man or woman."""
HELD = "right"


class RejectedError(Exception):
    """A line is not right."""


def require(condition: object, reason: str) -> None:
    """Reject the line unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


def possible(text: str, couples: str) -> list[str]:
    """The words that the text leaves for what one person is to the other."""
    steps: dict[tuple[str, str], set[str]] = {}
    men, women, at = set[str](), set[str](), 0
    while (found := SENTENCE.match(text, at)) is not None and found.end() > at:
        at = found.end()
        pair = (found["a"], found["b"])
        children = re.findall(r"[A-Z][\w'’-]*", found["children"] or "")
        for one, other in (pair, pair[::-1]):
            steps.setdefault((one, "M"), set()).add(other)
            for child in children:
                steps.setdefault((one, "D"), set()).add(child)
                steps.setdefault((child, "U"), set()).add(one)
        if couples == "husband-first":
            men.add(pair[0])
            women.add(pair[1])
    asked = QUESTION.fullmatch(text[at:].strip())
    require(asked is not None and couples in ("husband-first", "any"), "it is no such story")
    assert asked is not None
    person, other = (name for name in asked.groups() if name)
    words = set()
    for way, (man, woman) in WORDS.items():
        reached = {other}
        for n, step in enumerate(way):
            reached = {name for each in reached for name in steps.get((each, step), ())}
            # Back down from a parent leads to others than the one whose parent it is.
            if way[max(0, n - 1) : n + 1] == "UD":
                before = {other}
                for earlier in way[: n - 1]:
                    before = {name for each in before for name in steps.get((each, earlier), ())}
                reached -= before
        if person in reached:
            words |= {man} - ({man} if person in women else set())
            words |= {woman} - ({woman} if person in men else set())
    return sorted(words)


def fault_of_case(case: Mapping[str, Any], gold: object) -> str | None:
    """What is wrong with the verdict about a label under one reading; None if it is proved."""
    try:
        words = possible(case["text"], case["couples"])
        require(case["label"] == gold, "the label is another one")
        require(case["words"] == words, f"the words are {words}")
        single = words[0] if len(words) == 1 else None
        right = gold in words
        verdict = "right" if right else "wrong" if single else "unanswerable"
        require(case["verdict"] == verdict, f"the verdict is {verdict}")
        require(case["decided"] == (gold if right else single), f"the answer is {single}")
    except RejectedError as error:
        return str(error)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return f"not a certificate: {type(error).__name__}: {error}"
    return None


def fault_of_row(row: Mapping[str, Any]) -> str | None:
    """What is wrong with a line of ``items.jsonl``; None if its verdict is proved."""
    if row.get("verdict") == "unread":
        return None if row.get("gold") is None and not row.get("certificate") else "not unread"
    certificate = row.get("certificate")
    cases = certificate.get("cases") if isinstance(certificate, dict) else None
    if not isinstance(certificate, dict) or not isinstance(cases, list) or not cases:
        return "it has no certificate"
    if not all(isinstance(case, dict) and isinstance(case.get("reading"), str) for case in cases):
        return "not a certificate"
    if certificate.get("kind", KIND) != KIND:
        return "the certificate is of another kind"
    for case in cases:
        fault = fault_of_case(case, row.get("gold"))
        if fault is not None:
            return f"reading {case['reading']}: {fault}"
    if certificate.get("gold", row.get("gold")) != row.get("gold"):
        return "the certificate is about another label"
    shown = {
        case["reading"]: {"verdict": case["verdict"], "decided": case["decided"]} for case in cases
    }
    if row.get("readings") != shown:
        return "its readings are not those of the certificate"
    held = [case["verdict"] == HELD for case in cases]
    verdict = "right-under" if any(held) and not all(held) else cases[0]["verdict"]
    if row.get("verdict") != verdict:
        return f"the verdict is {verdict}"
    if row.get("decided") != cases[0]["decided"]:
        return f"the answer is {cases[0]['decided']}"
    return None


def check_file(path: str) -> Iterator[tuple[int, str, str | None]]:
    """Check the lines of a file: number from 1, id, and fault of each."""
    with Path(path).open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                yield number, "", "not JSON"
                continue
            if not isinstance(row, dict):
                yield number, "", "not an object"
            elif row.get("kind", KIND) == KIND:
                yield number, str(row.get("id", "")), fault_of_row(row)


def main(paths: Sequence[str]) -> int:
    """Check files; returns the exit status."""
    rejected = 0
    for path in paths:
        try:
            for number, name, fault in check_file(path):
                if fault is not None:
                    rejected += 1
                    sys.stdout.write(f"{path}:{number}: {fault} (item {name})\n")
        except (OSError, UnicodeDecodeError) as error:
            sys.stderr.write(f"{path}: {error}\n")
            return 2
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
