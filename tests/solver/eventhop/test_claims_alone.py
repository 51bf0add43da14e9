"""``clingo encodings/temporal/claims.lp FACTS`` alone gives the labels that the engine gives."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grammar.eventhop.model import Item, Policy, Verdict
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.eventhop.engines.asp import encode_items

RandomItems = Callable[[int, int], list[Item]]

CLAIMS = Path(__file__).resolve().parents[3] / "encodings" / "temporal" / "claims.lp"


def alone(items: list[Item], policy: Policy, folder: Path) -> list[tuple[str, str, bool]]:
    """Status, label and consistency of each item, from what clingo prints."""
    (folder / "facts.lp").write_text(str(encode_items(items)), encoding="utf-8")
    options = ["-c", f"policy={policy}", "--warn=all", "0"]
    command = [sys.executable, "-m", "clingo", str(CLAIMS), "facts.lp", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    # Exactly one stable model: all were requested.
    assert re.search(r"^Models +: 1$", done.stdout, re.MULTILINE), done.stdout
    status = dict(re.findall(r"\bstatus\((\d+),(\w+)\)", done.stdout))
    label = dict(re.findall(r"\blabel\((\d+),(\w+)\)", done.stdout))
    consistent = set(re.findall(r"\bconsistent\((\d+)\)", done.stdout))
    numbers = [str(number) for number in range(len(items))]
    return [(status[number], label[number], number in consistent) for number in numbers]


def as_rows(verdicts: list[Verdict]) -> list[tuple[str, str, bool]]:
    return [(v.status.value, v.label.value, v.consistent) for v in verdicts]


@pytest.mark.parametrize("policy", [Policy.LOCAL, Policy.GLOBAL])
def test_clingo_alone_gives_the_labels_of_the_engine(
    random_items: RandomItems, policy: Policy, tmp_path: Path
) -> None:
    items = random_items(3, 200)
    decided = as_rows(engine(EngineName.ASP, policy).decide(items))
    assert len({label for _, label, _ in decided}) == 3
    assert alone(items, policy, tmp_path) == decided
