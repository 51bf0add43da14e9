"""The checker of generated graphs: the file alone, and what it says about damaged folders."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run
from solver.tkg import check


def test_the_file_runs_alone(generated: Path, alone: Callable[..., tuple[int, str, str]]) -> None:
    assert alone(check, generated) == (0, "932 items, 0 rejected\n", "")


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("test.txt", lambda lines: lines.append("3\t2\t8\t59"), "no label supports the fact"),
        ("valid.txt", lambda lines: lines.append(lines[-1]), "instance"),
        ("labels.tsv", lambda lines: lines.pop(), "no label supports the fact"),
        ("patterns.jsonl", lambda lines: lines.pop(), "there is no pattern"),
    ],
)
def test_a_damaged_folder_is_rejected(
    damaged: Callable[[str, Callable[[list[str]], None]], Path],
    name: str,
    change: Callable[[list[str]], None],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["check", str(damaged(name, change))]) == 1
    assert reason in capsys.readouterr().out


def test_another_checksum_is_rejected(
    damaged: Callable[[str, Callable[[list[str]], None]], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = damaged("train.txt", lambda _: None)
    lines = (folder / "train.txt").read_text().splitlines(keepends=True)
    (folder / "train.txt").write_text("".join(reversed(lines)))
    assert run(["check", str(folder)]) == 2
    assert "train.txt: found sha256" in capsys.readouterr().err
    assert run(["check", "--unsealed", str(folder)]) == 1
    assert "the checksum is not the manifest's" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["labels.tsv", "patterns.jsonl", "manifest.json"])
def test_an_unreadable_folder_is_reported(
    damaged: Callable[[str, Callable[[list[str]], None]], Path],
    name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def spoil(lines: list[str]) -> None:
        lines[:] = ["nothing of this kind"]

    assert run(["check", "--kind", "tkg", str(damaged(name, spoil))]) == 2
    assert re.search("cannot be checked|expected one manifest", capsys.readouterr().err)


STEPS = [check.Step(1, 0, 2), check.Step(2, 1, 3), check.Step(1, 2, 3)]
FACTS = [check.Fact(4, 0, 5, 1), check.Fact(5, 1, 6, 2), check.Fact(4, 2, 6, 4)]


def small(facts: list[check.Fact], **config: Any) -> check.Graph:
    """A graph of one planted instance of a pattern with two hops, and of derived ones."""
    manifest = {"mode": "forced", "forced_instances": 1, "config": {"steps": 10, **config}}
    patterns = {0: check.Pattern(STEPS, [(1, 2), (1, 3)], False)}
    return check.Graph(facts, [], patterns, [], manifest)


def labels(*rows: tuple[int, str, int], pattern: int = 0, instance: int = 0) -> list[check.Label]:
    """Labels from line 2 on: fact, role and position of each."""
    return [
        check.Label(line, fact, pattern, instance, role, position)
        for line, (fact, role, position) in enumerate(rows, 2)
    ]


ROWS = ((0, "antecedent", 1), (1, "antecedent", 2), (2, "consequence", 3))
TWO = [*labels(*ROWS[:2]), *labels(ROWS[2], pattern=1)]
LOOP = [check.Fact(4, 0, 5, 1), check.Fact(5, 1, 4, 2), check.Fact(4, 2, 4, 4)]
EARLY = [FACTS[0], check.Fact(5, 1, 6, 9)]


@pytest.mark.parametrize(
    ("facts", "given", "config", "reason"),
    [
        (FACTS, labels(*ROWS), {}, None),
        (LOOP, labels(*ROWS), {}, None),
        (EARLY, labels(*ROWS[:2]), {}, "step 2 is outside its lag"),
        ([*FACTS[:1], check.Fact(5, 1, 6, 3)], labels(*ROWS[:2]), {"steps": 6}, None),
        (FACTS, TWO, {}, "it has several patterns"),
        (FACTS, labels(*ROWS, pattern=3), {}, "there is no pattern 3"),
        (FACTS, labels(*ROWS[:2], (3, "consequence", 3)), {}, "line 4: there is no fact 3"),
        (FACTS, labels(*ROWS, (2, "consequence", 4)), {}, "line 5: the pattern has no step 4"),
        (FACTS, labels((0, "antecedent", 0), *ROWS[1:]), {}, "line 2: the pattern has no step 0"),
        (FACTS, labels(*ROWS[:2], (2, "antecedent", 3)), {}, "line 4: the step is the consequence"),
        (FACTS, labels(*ROWS, (2, "consequence", 3)), {},
         "line 5: the step has a label already"),
        ([FACTS[0], check.Fact(5, 2, 6, 2), FACTS[2]], labels(*ROWS), {},
         "step 2 has relation 1"),
        ([FACTS[0], check.Fact(7, 1, 6, 2), FACTS[2]], labels(*ROWS), {},
         "placeholder 2 is two entities"),
        (LOOP, labels(*ROWS), {"injective": True}, "two placeholders are one entity"),
        (LOOP, labels(*ROWS, instance=1), {}, "two placeholders are one entity"),
        (FACTS, labels(ROWS[0], ROWS[2]), {}, "a step is missing"),
        (FACTS, labels(*ROWS[:2], instance=1), {}, "a step is missing"),
        (FACTS, labels(*ROWS[:2]), {}, "a step is missing before the last time step"),
        ([*FACTS[:2], check.Fact(4, 2, 6, 6)], labels(*ROWS), {}, "step 3 is outside its lag"),
        ([FACTS[0], check.Fact(5, 1, 6, 1), FACTS[2]], labels(*ROWS), {},
         "step 2 is outside its lag"),
    ],
)  # fmt: skip
def test_each_condition_is_asked_for(
    facts: list[check.Fact], given: list[check.Label], config: dict[str, Any], reason: str | None
) -> None:
    graph = small(facts, **config)
    if reason is None:
        check.check_instance(graph, given)
    else:
        with pytest.raises(check.RejectedError, match=f"^{re.escape(reason)}$"):
            check.check_instance(graph, given)
