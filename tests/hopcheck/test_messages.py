"""Messages of the API name arguments, not options of commands."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hopcheck as hc
from grammar.errors import HopcheckError
from hopcheck.inputs import in_arguments, sealed

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
OPTION = re.compile(r"(?<![\w-])--[a-z]")


def literals() -> Iterator[tuple[str, str]]:
    """The texts of the program that name an option, with their places; not those of commands."""
    for folder in ("grammar", "solver", "generators", "benchmarks", "hopcheck"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            if "cli" in place or "reproduction" in place:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                text = node.value if isinstance(node, ast.Constant) else None
                if isinstance(text, str) and OPTION.search(text) and "\n" not in text:
                    yield place, text


def test_no_message_keeps_an_option() -> None:
    found = list(literals())
    assert len(found) > 40
    for place, text in found:
        with pytest.raises(HopcheckError) as raised, in_arguments():
            raise HopcheckError(text, hint=text)
        assert not OPTION.search(str(raised.value)), (place, text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("correct --map, or leave it out", "correct columns, or leave it out"),
        (
            "name the graph of the groundings (--data GRAPH)",
            "name the graph of the groundings (graph)",
        ),
        ("pass --flags, such as --flags 1100", "pass flags, such as flags 1100"),
        ("pass --allow-leak to evaluate it", "pass allow_leak to evaluate it"),
        ('found "a --map b", see --map', 'found "a --map b", see columns'),
        ("2031-05-10--2031-05-12, a -- b, x--y", "2031-05-10--2031-05-12, a -- b, x--y"),
    ],
)
def test_options_become_arguments(text: str, named: str) -> None:
    @sealed
    def call() -> None:
        raise HopcheckError("found nothing", hint=text)

    with pytest.raises(HopcheckError) as raised:
        call()
    assert str(raised.value) == f"found nothing ({named})"


def test_places_stay_as_they_are() -> None:
    for where, kept in (("--reading", "reading"), ("/data/--map.tsv:3", "/data/--map.tsv:3")):
        with pytest.raises(HopcheckError) as raised, in_arguments():
            raise HopcheckError("found nothing", where=where)
        assert raised.value.where == kept


def test_findings_name_no_option() -> None:
    premise = "the storm immediately preceded the parade"
    for row, argument in (
        ({"text": "a", "claim": "b"}, "columns premise=COLUMN"),
        ({"premise": premise, "claim": "the storm happens before the parade"}, "with names"),
    ):
        report = hc.verify([row])
        (finding,) = report.findings
        assert argument in finding.message
        assert not OPTION.search(finding.message + report.unreadable[0].message)
        assert report.findings.counts() == {"unparsed": 1}


CALLS: list[Callable[[], object]] = [
    lambda: hc.verify(EXAMPLES / "right.tsv", labels="nli4"),
    lambda: hc.verify(EXAMPLES / "patterns.txt"),
    lambda: hc.explain(rule=1, rules=EXAMPLES / "right.tsv", graph=EXAMPLES / "tkg"),
    lambda: hc.explain(pattern="1 -1-> 2"),
    lambda: hc.score("ranks", EXAMPLES / "right.tsv", EXAMPLES / "tkg"),
    lambda: hc.answer(EXAMPLES / "questions" / "flawed.jsonl", EXAMPLES / "tkg"),
    lambda: hc.forecast(EXAMPLES / "tkg", "2031-05-10", "2031-05-01"),
    lambda: list(hc.generate("eventhop", shapes=["2x2"], hops=[9], test_size=1, split="test")),
    lambda: hc.export("tgb", EXAMPLES / "right.tsv", "out"),
]


@pytest.mark.parametrize("call", CALLS)
def test_what_is_raised_names_no_option(call: Callable[[], object]) -> None:
    with pytest.raises(HopcheckError) as raised:
        call()
    assert not OPTION.search(str(raised.value))
