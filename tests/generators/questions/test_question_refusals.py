"""What ``generate questions`` refuses, and its notes on graphs that lack something."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver.cli import run
from solver.questions.io import read_questions
from solver.questions.model import Question

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "questions" / "graph"


def generate(out: Path, *options: object, graph: Path = EXAMPLE) -> int:
    return run(["generate", "questions", str(graph), "--out", str(out), *map(str, options)])


def test_a_graph_without_the_split_for_reasoning_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    graph, out = EXAMPLE / "train.tsv", tmp_path / "asked"
    assert generate(out, "--reasoning", "test", graph=graph) == ExitStatus.OK
    note = "no fact reasoning: found no test in train.tsv; --reasoning train asks there\n"
    assert capfd.readouterr().err == note
    assert (
        generate(out, "--kinds", "fact-reasoning", "--reasoning", "test", graph=graph)
        == ExitStatus.UNREADABLE
    )
    assert "train.tsv: found nothing to ask in train, expected some question of fact-reasoning" in (
        capfd.readouterr().err
    )
    # What was there before is whole.
    assert (out / "manifest.json").exists()
    assert generate(out, "--reasoning", "train", graph=graph) == ExitStatus.OK
    assert capfd.readouterr().err == ""
    read = list(read_questions(out / "train.jsonl"))
    kinds = {question.kind.value for question in read if isinstance(question, Question)}
    assert kinds == {"1-hop", "2-hop", "yes-unknown", "fact-reasoning"}


@pytest.mark.parametrize("mark", ["?answer", "?party"])
def test_an_entity_that_is_called_as_a_mark_of_queries(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], mark: str
) -> None:
    graph = tmp_path / "graph.tsv"
    graph.write_text(f"A\tConsult\t{mark}\t1\n")
    assert generate(tmp_path / "asked", graph=graph) == ExitStatus.UNREADABLE
    message = f"error: graph.tsv: found an entity called {mark}, expected another name"
    assert capfd.readouterr().err.startswith(message)
    assert not (tmp_path / "asked").exists()


REFUSED = [
    (["--kinds", "3-hop"], "'3-hop' is not one of 1-hop, 2-hop, yes-unknown, fact-reasoning"),
    (["--seed", "-1"], "-1 is not in the range"),
    (["--two-hop-rules", "missing.tsv"], "missing.tsv"),
    (["--two-hop-rules", "other.tsv"], "row 0: found relation 'Sings', expected one of the graph"),
    (["--two-hop-rules", "twice.tsv"], "row 1: found the rule of row 0 again"),
    (["--two-hop-rules", "same.tsv"], "row 0: found the same relation twice"),
    (["--two-hop-rules", "word.tsv"], "word.tsv:2:44: curated: found 'maybe', expected no or yes"),
    (["--rules", "long.jsonl"], "long.jsonl: found no rule with a body of one fact"),
]
HEADING = (
    "rule\tgiven\tgiven_shared\tasked\tasked_shared\tdays\tbody_support\trule_support"
    "\tconfidence\tcurated\n"
)
ROWS = {
    "other.tsv": ["Sings\tsubject\tConsult\tobject", "yes"],
    "same.tsv": ["Accuse\tsubject\tAccuse\tsubject", "yes"],
    "word.tsv": ["Accuse\tsubject\tConsult\tobject", "maybe"],
    "twice.tsv": ["Accuse\tsubject\tConsult\tobject", "yes"],
}


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=[row[0][1] for row in REFUSED])
def test_what_is_refused(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, (relations, word) in ROWS.items():
        row = f"0\t{relations}\t1\t4\t3\t0.75\t{word}\n"
        Path(name).write_text(HEADING + row * (2 if name == "twice.tsv" else 1))
    mine = ["mine", str(EXAMPLE), "--lengths", "2", "--out", "long.jsonl"]
    assert run(mine) == ExitStatus.OK
    capfd.readouterr()
    assert generate(tmp_path / "asked", *options) == ExitStatus.UNREADABLE
    captured = capfd.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""
    assert not (tmp_path / "asked").exists()
