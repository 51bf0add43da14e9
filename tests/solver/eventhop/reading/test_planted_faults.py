"""A fault in one reader never changes a verdict: the other one reads something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grammar.errors import HopcheckError
from grammar.eventhop import reader as readers
from grammar.eventhop import sentences
from grammar.eventhop.model import Bound, Order
from solver.eventhop import check
from solver.eventhop.certificates.lines import DifferentReadingError
from solver.eventhop.engines import ItemSettings
from solver.eventhop.explain import record_from_texts
from solver.eventhop.outcomes import FindingCode, ItemDecider

ITEMS = [
    ("A ended before B started. B happened before C", "A happens before C"),
    ("After A, B happened. B's end preceded the start of C", "A happens before C"),
    ("A took place during B, and B was followed by C", "A happens before C"),
    ("When A ended, B began. A and C began at the same time", "C overlaps with A"),
    ("A lasted until B began. A ended after C ended", "C happens before B"),
    ("A ended before B. B ended before C", "A happens before C"),
    ("A, which ended before B started, began after C ended", "C happens before B"),
    ("A overlapped the beginning of B. The end of B came before the start of C",
     "A happens before C"),
    ("A started and ended with B. A ended earlier than C", "B overlaps with C"),
    ("The end of A happened before the start of B. The end of B occurred following the end of C",
     "A happens before C"),
]  # fmt: skip


def verdicts() -> list[object]:
    """The verdict of each item; None if it is not read."""
    sentences.phrases.cache_clear()
    check._phrases.cache_clear()
    readers._cached.cache_clear()
    records = [record_from_texts(premise, claim) for premise, claim in ITEMS]
    outcomes = ItemDecider(ItemSettings()).outcomes(records)
    return [
        None
        if FindingCode.UNPARSED in outcome.findings or outcome.verdict is None
        else (outcome.verdict.status, outcome.hops)
        for outcome in outcomes
    ]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    yield
    sentences.phrases.cache_clear()
    check._phrases.cache_clear()
    readers._cached.cache_clear()


def swapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its sign, or bound, the other way round."""
    other = {"<": ">", ">": "<", "-": "+", "+": "-"}

    def turned(*arguments: Any) -> Any:
        found = function(*arguments)
        if isinstance(found, str):
            return "".join(other.get(letter, letter) for letter in found)
        first, *rest = found
        return (other.get(first, first), *rest)

    return turned


def last_lost(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without the last of several things."""

    def shorter(*arguments: Any) -> Any:
        found = tuple(function(*arguments))
        return found[:-1] if len(found) > 1 else found

    return shorter


def exchanged(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its last two arguments exchanged."""

    def turned(*arguments: Any) -> Any:
        *some, first, second = arguments
        return function(*some, second, first)

    return turned


def converse(relation: Any, *rest: Any) -> Any:
    """A relation with its sides exchanged."""
    left, sign, right = relation
    return _relation((right, sign, left), *rest)


_relation = sentences._relation
BUILDER = sentences._Builder
FAULTS: dict[str, tuple[Any, str, Any]] = {
    "before for after": (
        sentences, "_SIGN_OF", sentences._SIGN_OF | {"BEFORE": ">", "AFTER": "<"},
    ),
    "follow for precede": (
        sentences, "_SIGN_OF", sentences._SIGN_OF | {"PRECEDE": ">", "FOLLOW": "<"},
    ),
    "a whole event the wrong way": (sentences, "_beyond", swapped(sentences._beyond)),
    "the other edge": (sentences, "_edge", swapped(sentences._edge)),
    "the other bound of a verb": (BUILDER, "verb", swapped(BUILDER.verb)),
    "start for end": (BUILDER, "start_of", lambda *parts: (parts[-1][0], "+")),
    "end for start": (BUILDER, "finish_of", lambda *parts: (parts[-1][0], "-")),
    "a possessive of the other point": (
        BUILDER, "point_of", lambda _, name, bound: (name[0], "-+"[bound == "-"]),
    ),
    "names exchanged": (sentences, "_filled", exchanged(sentences._filled)),
    "during the wrong way": (sentences, "_within", swapped(sentences._within)),
    "last part lost": (BUILDER, "sentence", last_lost(BUILDER.sentence)),
    "last sentence lost": (sentences, "split", last_lost(sentences.split)),
    "relative clause lost": (sentences, "_extras", lambda _: ()),
    "sides of a relation exchanged": (sentences, "_relation", converse),
    "bounds of the model": (
        sentences, "Bound", type("Bound", (), {"START": Bound.END, "END": Bound.START}),
    ),
    "orders of the model": (
        sentences, "_ORDERS", {"<": Order.AFTER, ">": Order.BEFORE, "=": Order.SIMULTANEOUS},
    ),
    "converse phrase": (
        BUILDER, "relation",
        lambda self, verb, items: sentences._events(
            self._meanings[verb].replace("A", "?").replace("B", "A").replace("?", "B"), items
        ),
    ),
    "the checker: before for after": (
        check, "ORDERS", check.ORDERS | {"before": ">", "after": "<"},
    ),
    "the checker: whole events": (check, "_beyond", swapped(check._beyond)),
    "the checker: bounds of verbs": (
        check, "POINTED", {"begin": 1, "begun": 1, "end": 0, "ended": 0},
    ),
    "the checker: last sentence lost": (check, "_apart", last_lost(check._apart)),
    "the checker: relative clause lost": (check, "_clauses", lambda _: []),
}  # fmt: skip


def test_all_items_are_read() -> None:
    assert None not in verdicts()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_reader_changes_no_verdict(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = verdicts()
    monkeypatch.setattr(*FAULTS[name])
    try:
        found = verdicts()
    except HopcheckError as error:
        # The run stops with exit status 4; for no other reason.
        assert isinstance(error, DifferentReadingError)  # noqa: PT017 - one of two right ends
        return
    wrong = [(a, b) for a, b in zip(right, found, strict=True) if b is not None and a != b]
    assert wrong == []
    assert found != right, "the fault changes nothing"
