"""Closed sets of values are types: a misspelt one is refused by a type checker, as when it runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import hopcheck as hc
from benchmarks.eventhop.cases import Gold
from benchmarks.questions.run import Basis
from benchmarks.rules.strikingness.settings import Profile
from grammar.eventhop.model import Domain, Policy, SpatialReading
from grammar.links.model import During, Reading
from hopcheck import inputs
from hopcheck.analysis import _WRITERS
from hopcheck.exporting import FORMATS
from solver.eventhop.engines import EngineName
from solver.rules.application import RuleEngine
from solver.rules.model import Method, Transition

ROOT = Path(__file__).resolve().parents[2]
RIGHT = """
hc.verify([{"premise": "a", "claim": "b"}], kind="eventhop", policy="local", labels="nli3")
hc.explain(premise="a", claim="b", domain="temporal", spatial="published", policy="global")
hc.score("nli", "answers.jsonl", "items.tsv").figures
hc.diagnose("answers.jsonl", "items.tsv").to_pandas()
"""
WRONG = """
hc.verify("items.tsv", kind="evnthop")
hc.verify("items.tsv", policy="locl")
hc.verify("items.tsv", probes="every")
hc.explain(premise="a", claim="b", policy="locl")
hc.explain(premise="a", claim="b", domain="temprl")
hc.explain(premise="a", claim="b", engines=["asp", "grph"])
hc.explain(premise="a", clam="b")
hc.parse("a", "b", spatial="geometrc")
hc.score("nlii", "answers.jsonl", "items.tsv")
hc.export("hff", "data", "out")
hc.apply("rules.jsonl", "graph", engine="quick")
hc.mine("graph", method="exactly")
hc.repair("links", reading="strict")
hc.diagnose("answers.jsonl", "items.tsv", domain="temprl")
hc.compare({"A": "a.jsonl", "B": "b.jsonl"}, "items.tsv", gold_from="decide")
hc.generate("evnthop")
hc.audit("bbhh", "file.json")
"""


@pytest.fixture
def snippet(tmp_path: Path) -> tuple[Path, set[int]]:
    """A program, and the lines of it that a type checker has to refuse."""
    right, wrong = RIGHT.strip().splitlines(), WRONG.strip().splitlines()
    path = tmp_path / "snippet.py"
    path.write_text("\n".join(["import hopcheck as hc", *right, *wrong, ""]), encoding="utf-8")
    return path, set(range(len(right) + 2, len(right) + len(wrong) + 2))


def refused(command: list[str], error: str) -> set[int]:
    """The lines of which a type checker prints an error."""
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = {int(line.split(":")[1]) for line in ran.stdout.splitlines() if error in line}
    assert found, ran.stdout + ran.stderr
    return found


def test_mypy_refuses_misspelt_values(snippet: tuple[Path, set[int]]) -> None:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--hide-error-context"]
    command += ["--cache-dir", str(ROOT / ".mypy_cache"), str(snippet[0])]
    assert refused(command, ": error:") == snippet[1]


def test_pyright_refuses_misspelt_values(snippet: tuple[Path, set[int]], site: Path) -> None:
    program = site.parents[1] / "site" / "node_modules" / ".bin" / "pyright"
    command = [str(program), "--pythonpath", sys.executable, str(snippet[0])]
    assert refused(command, " - error: ") == snippet[1]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("DomainName", Domain),
        ("GoldName", Gold),
        ("PolicyName", Policy),
        ("SpatialName", SpatialReading),
        ("ReadingName", Reading),
        ("DuringName", During),
        ("ProfileName", Profile),
        ("EngineName", EngineName),
        ("JoinName", RuleEngine),
        ("MethodName", Method),
        ("TransitionName", Transition),
        ("BasisName", Basis),
        ("FormatName", FORMATS),
    ],
)
def test_types_have_the_values_that_are_read(name: str, values: object) -> None:
    assert sorted(get_args(getattr(inputs, name))) == sorted(map(str, values))


def test_every_kind_of_prediction_is_scored() -> None:
    scored = set(get_args(inputs.ScoreName))
    assert scored < set(_WRITERS)
    for kind in scored:
        with pytest.raises((hc.HopcheckError, TypeError)) as raised:
            hc.score(kind, "no-such-file.jsonl", "no-such-file.jsonl")
        assert "found kind" not in str(raised.value)
