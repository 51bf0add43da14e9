"""A fault in a reader, in a table of phrases or in the writer stops ``verify`` or ``generate``.

Each fault changes what one of both readers makes of a text, so that a verdict would be of something
else; the run ends with a refusal or a disagreement, never with a verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grammar.eventhop import claims, meanings, sentences, verbs, wordings
from grammar.eventhop.model import Bound, Order
from grammar.eventhop.words import Phrases, phrases
from grammar.eventhop.writer import Writer
from solver.cli import run
from solver.eventhop import check

STOPPED = (2, 4)
SIZE = ("--split", "test", "--test-size", "45")
ITEMS = [
    ("The end of Tide happened before the start of Mill", "Tide happens before Mill", "true"),
    ("Tide ended before Mill started. Mill ended before Fair started", "Tide happens before Fair",
     "true"),
    ("Tide started after Mill", "Mill happens before Tide", "true"),
    ("Tide preceded Mill", "Mill happens after Tide", "true"),
    ("Tide ended no later than Mill started", "Tide happens before Mill", "true"),
    ("Tide ended by the time Mill started", "Tide happens before Mill", "true"),
    ("Tide began once Mill had ended", "Mill happens before Tide", "true"),
    ("When Mill started, Tide had ended", "Tide happens before Mill", "true"),
    ("Tide's end preceded the start of Mill", "Tide happens before Mill", "true"),
    ("First came Tide, then Mill", "Tide happens before Mill", "true"),
    ("Tide took place during Mill", "Tide overlaps with Mill", "true"),
    ("Tide contained Mill", "Tide overlaps with Mill", "true"),
    ("Tide began before Mill did. It ended after Mill began", "Mill happens before Tide", "false"),
    ("Tide was followed by Mill", "Did Tide take place before Mill?", "true"),
    ("Tide lasted until Mill began", "Tide preceded Mill", "true"),
    ("Tide ended when Mill began. Mill ended when Fair began", "Tide ended before Fair", "true"),
    ("Tide ended after Mill but before Fair", "Mill happens before Fair", "true"),
    ("Tide and Mill both ended before Fair", "Mill happens before Fair", "true"),
    ("Between Mill and Fair, Tide took place", "Mill happens before Fair", "true"),
    ("In order came Tide, Mill and Fair", "Tide happens before Fair", "true"),
    ("Tide was met by Mill", "Mill happens directly before Tide", "true"),
]  # fmt: skip
Patch = pytest.MonkeyPatch
Fault = Callable[[Patch], None]


def _sign(kind: str, sign: str) -> Fault:
    return lambda patch: patch.setitem(meanings.SIGN_OF, kind, sign)


def _category(words: str, name: str) -> Fault:
    """A phrase in another category."""

    def plant(patch: Patch) -> None:
        def changed(*arguments: Any) -> Phrases:
            found = phrases(*arguments)
            return replace(found, categories={**found.categories, tuple(words.split()): name})

        for module in (sentences, claims, wordings):
            patch.setattr(module, "phrases", changed)

    return plant


def _meaning(words: str, meaning: str) -> Fault:
    def plant(patch: Patch) -> None:
        def changed(*arguments: Any) -> Phrases:
            found = phrases(*arguments)
            return replace(found, meanings={**found.meanings, words: meaning})

        for module in (sentences, claims, wordings):
            patch.setattr(module, "phrases", changed)

    return plant


def _changed(owner: Any, name: str, change: Callable[[Any], Any]) -> Fault:
    """A function whose results are changed."""

    def plant(patch: Patch) -> None:
        real = getattr(owner, name)
        for module in (owner, meanings):
            if getattr(module, name, None) is real:
                patch.setattr(module, name, lambda *args, **kwargs: change(real(*args, **kwargs)))

    return plant


def _checker_phrase(words: str, kind: str) -> Fault:
    def plant(patch: Patch) -> None:
        real = check._phrases

        def changed(*arguments: Any) -> Any:
            found, nouns = real(*arguments)
            return {**found, words: kind}, nouns

        patch.setattr(check, "_phrases", changed)

    return plant


def _swapped(stated: Any) -> Any:
    return stated[2], stated[1], stated[0]


def _swap(row: Any) -> Any:
    return (
        row._replace(left=row.right, right=row.left) if hasattr(row, "_replace") else _swapped(row)
    )


def _other(bound: str) -> str:
    return {"-": "+", "+": "-"}[bound]


def _strict(sign: Any) -> Any:
    return {"<=": "<", ">=": ">"}.get(sign, sign)


def _beyond(meaning: str) -> str:
    return {"A+ < B-": "A- > B+", "A- > B+": "A+ < B-"}[meaning]


def _as_before(during: Any) -> Any:
    return replace(during, kind="events", parts=("<", True, *during.parts))


def _without_last(rows: Any) -> list[Any]:
    every = list(rows)
    return every[:-1] if len(every) > 1 else every


FAULTS: dict[str, Fault] = {
    # The grammar's reader.
    "before for after": _sign("BEFORE", ">"),
    "after for before": _sign("AFTER", "<"),
    "a weak order as strict": _sign("BY", "<"),
    "not later as earlier": _sign("NOT_LATER", "<"),
    "once as after": _sign("ONCE", ">"),
    "start for end": _changed(meanings.Meanings, "start_of", lambda place: (place[0], "+")),
    "end for start": _changed(meanings.Meanings, "point_of", lambda p: (p[0], _other(p[1]))),
    "another edge of an event": _changed(verbs, "edge_before", _other),
    "the converse of a whole order": _changed(verbs, "beyond", _beyond),
    "names swapped": _changed(verbs, "filled", _swapped),
    "the last sentence lost": _changed(sentences, "split", _without_last),
    "a perfect verb as a plain one": _changed(verbs, "_timed", _strict),
    "a series backwards": _changed(verbs, "in_order", lambda rows: tuple(map(_swapped, rows))),
    "during as before": _changed(meanings.Meanings, "inside", _as_before),
    "points of other events": _changed(
        sentences, "_relation", lambda row: replace(row, left=replace(row.left, bound=Bound.END))
    ),
    "another order of points": _changed(
        sentences, "_relation", lambda row: replace(row, order=Order.SIMULTANEOUS)
    ),
    "a converse phrase": _category("preceded", "FOLLOW"),
    "a verb of the other point": _category("ended", "BEGIN"),
    "another meaning of a relation": _meaning("contained", "B- < A-, A+ < B+"),
    "a claim's converse": lambda patch: patch.setattr(
        claims, "_WHOLE", {key: pair[::-1] for key, pair in claims._WHOLE.items()}
    ),
    "a coordination lost": _changed(meanings.Meanings, "both_names", lambda items: items[:1]),
    "a conjunct lost": _changed(
        meanings.Meanings, "timed", lambda verb: replace(verb, groups=verb.groups[:1])
    ),
    "between as after": _changed(
        meanings.Meanings, "between", lambda two: replace(two, parts=two.parts[::-1])
    ),
    "after as at or after": _sign("AFTER", ">="),
    "met by as meets": _meaning("was met by", "A+ = B-"),
    # The checker's reader.
    "the checker: a coordination lost": _changed(
        check, "_all", lambda state: lambda subjects: state(subjects)[:1]
    ),
    "the checker: between backwards": _changed(
        check, "_between", lambda state: lambda subjects: list(map(_swap, state(subjects)))
    ),
    "the checker: met by as meets": _checker_phrase("was met by", "A+ = B-"),
    "the checker: a series backwards": _changed(
        check, "_in_order", lambda rows: list(map(_swap, rows))
    ),
    "the checker: weak for strict": lambda patch: patch.setattr(
        check, "BARE", check.BARE | {"after": ">="}
    ),
    "the checker: names swapped": _changed(
        check, "_resolved", lambda rows: list(map(_swap, rows))
    ),
    "the checker: before for after": lambda patch: patch.setattr(
        check, "ORDERS", check.ORDERS | {"before": ">"}
    ),
    "the checker: a weak order as strict": lambda patch: patch.setattr(
        check, "ORDERS", check.ORDERS | {"by": "<"}
    ),
    "the checker: not later as earlier": lambda patch: patch.setattr(
        check, "ORDERS", check.ORDERS | {"not_later": "<"}
    ),
    "the checker: start for end": lambda patch: patch.setattr(
        check, "POINTED", {kind: 1 - bound for kind, bound in check.POINTED.items()}
    ),
    "the checker: the last sentence lost": _changed(check, "_apart", _without_last),
    "the checker: a converse": _changed(check, "_beyond", _beyond),
    "the checker: a perfect verb": _changed(check, "_timed", _strict),
    "the checker: a converse phrase": _checker_phrase("preceded", "follow"),
    "the checker: no pronoun": _changed(
        check, "_resolved", lambda rows: [row._replace(left=rows[0].left) for row in rows]
    ),
    "the checker: a claim's converse": lambda patch: patch.setattr(
        check, "WHOLE", {key: pair[::-1] for key, pair in check.WHOLE.items()}
    ),
}  # fmt: skip


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    rows = [
        {"id": str(n), "premise": premise, "claim": claim, "label": label}
        for n, (premise, claim, label) in enumerate(ITEMS)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_without_a_fault_each_item_is_right(items: Path) -> None:
    assert run(["verify", str(items), "--probes", "none"]) == 0


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_reader_stops_the_run(
    fault: str, items: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    FAULTS[fault](monkeypatch)
    status = run(["verify", str(items), "--probes", "none", "--json"])
    printed = capsys.readouterr().out
    assert status in STOPPED
    assert "wrong-label" not in printed


WRITERS: dict[str, Callable[[str], str]] = {
    "start for end": lambda text: text.replace("start of", "end of", 1),
    "end for start": lambda text: text.replace("end of", "start of", 1),
    "the last sentence lost": lambda text: text.rpartition(". ")[0] or text,
    "before for after": lambda text: text.replace("earlier than", "later than", 1),
    "names swapped": lambda text: re.sub(
        r"^The (start|end) of ([\w ]+?) (was (?:later|earlier) than the) (start|end) of ([^.]+)\.",
        r"The \1 of \5 \3 \4 of \2.",
        text,
    ),
    "a sentence twice as another": lambda text: text.replace("end of", "start of"),
}


@pytest.mark.parametrize("fault", WRITERS)
def test_a_fault_in_the_writer_stops_generation(
    fault: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    """Even if the writer does not read its text back."""
    real, changed = Writer.write, list[bool]()

    def write(writer: Writer, item: Any) -> Any:
        text = real(writer, item)
        premise = WRITERS[fault](text.premise)
        changed.append(premise != text.premise)
        return replace(text, premise=premise)

    monkeypatch.setattr(Writer, "write", write)
    target = tmp_path / "data"
    status = run(["generate", "eventhop", "--out", str(target), *SIZE])
    assert any(changed)
    assert status in STOPPED
    assert not (target / "manifest.json").exists()
