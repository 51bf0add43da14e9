"""``diagnose`` with the labels of a benchmark, as a command and from Python."""

from __future__ import annotations

import json
from pathlib import Path

import hopcheck as hc
from benchmarks.eventhop.ablations.reasoners import FULL, PUBLISHED
from grammar.eventhop.model import Status
from solver.eventhop.labels import SCHEMES
from tests.cli.conftest import Solver


def test_the_command_and_the_api_agree(solver: Solver, examples: Path, tmp_path: Path) -> None:
    items, answers = [], []
    for number, line in enumerate((examples / "reasoners/items.tsv").read_text().splitlines()):
        premise, claim = line.split("\t")[7:9]
        verdict = hc.explain(premise=premise, claim=claim)
        word = SCHEMES["nli3"].words[Status(verdict.status)]
        items.append({"id": str(number), "premise": premise, "claim": claim, "label": word})
        answers.append({"id": str(number), "answer": f"It is a {word}."})
    paths = tmp_path / "items.jsonl", tmp_path / "answers.jsonl"
    for path, rows in zip(paths, (items, answers), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = solver("diagnose", paths[1], "--data", paths[0], "--labels", "nli3", "--json")
    found = hc.diagnose(answers, items, labels="nli3")
    assert ran.status == 0
    printed = json.loads(ran.out)
    assert printed["reasoners"] == found.figures["reasoners"]
    assert FULL in json.dumps(printed["reasoners"][0])
    assert printed["findings"] == ["It makes no errors.", *printed["findings"][1:]]
    assert "labels alone" in printed["left_out"][PUBLISHED]
