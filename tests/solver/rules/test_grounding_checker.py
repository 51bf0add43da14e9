"""The checker of groundings that runs alone, compared with all groundings of small graphs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run
from solver.rules import check
from solver.rules.encode import Fact
from solver.rules.notation import forwards, rule_text

GRAPH = Path(__file__).resolve().parents[3] / "examples" / "tkg"


def mutated(facts: Sequence[Fact], entities: int, draw: random.Random) -> list[Fact]:
    changed = [list(fact) for fact in facts]
    match draw.randrange(4):
        case 0:
            row = draw.choice(changed)
            row[draw.choice((0, 2))] = draw.randrange(entities)
        case 1:
            draw.choice(changed)[3] += draw.choice((-1, 1))
        case 2:
            draw.shuffle(changed)
        case _:
            changed.insert(draw.randrange(len(changed)), draw.choice(changed))
    return [(s, r, o, t) for s, r, o, t in changed]


def test_groundings_are_accepted_and_nothing_else(world: Callable[..., Any]) -> None:
    draw = random.Random(0)
    right = wrong = 0
    for seed in range(30):
        here = world(seed)
        words = here.vocabulary
        size = words.relations
        names = {words.relation(number): number for number in range(size)}
        facts = {tuple(row) for row in here.graph.rows().tolist()}
        graph = check.Graph(facts, names)
        for rule in here.rules:
            head, time = draw.randrange(words.entities), draw.randint(1, words.times)
            every = list(here.groundings(rule, head, time))
            ends = {
                (tuple(forwards(value, words) for value in some), some[-1][2]) for some in every
            }
            read = check.read_rule(rule_text(rule, words))
            for some in draw.sample(every, min(3, len(every))):
                for given in (some, *(mutated(some, words.entities, draw) for _ in range(3))):
                    candidate = some[-1][2]
                    pair = (head, candidate) if rule.head < size else (candidate, head)
                    plain = tuple(forwards(value, words) for value in given), candidate
                    try:
                        check.check_grounding(graph, read, pair, time, list(map(list, given)))
                    except check.RejectedError:
                        assert plain not in ends
                        wrong += 1
                    else:
                        assert plain in ends
                        right += 1
    assert right > 100
    assert wrong > 100


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "rules.json"
    run(["mine", str(GRAPH), "--out", str(path)])
    return path


@pytest.mark.parametrize(
    ("question", "items"),
    [
        (["--rule", "blames(A, B) <- allies(C, A), sanctions(B, C)", "--groundings", "2"], 2),
        (["--query", "Hestia Bay", "threatens", "?", "2031-05-10", "--candidates", "2"], 6),
        (["--query", "?", "threatens", "Hestia Bay", "2031-05-10", "--candidates", "2"], 6),
    ],
)
def test_explanations_are_proved(
    question: list[str],
    items: int,
    rules: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    alone: Callable[..., tuple[int, str, str]],
) -> None:
    capsys.readouterr()
    run(["explain", *question, "--rules", str(rules), "--data", str(GRAPH), "--json"])
    path = tmp_path / "explained.json"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    command = ["check", "--kind", "rules", str(path), "--data", str(GRAPH)]
    assert run(command) == 0
    assert capsys.readouterr().out == f"{items} items: {items} proved, 0 rejected, 0 not proved\n"
    wrong = (
        path.read_text(encoding="utf-8")
        .replace("threatens(A", "signs(A")
        .replace("blames(A", "signs(A")
    )
    path.write_text(wrong, encoding="utf-8")
    assert run(command) == 1
    assert "has another relation in its head" in capsys.readouterr().out
    status, _, err = alone(check, path, "--data", GRAPH)
    assert (status, err) == (1, "")


SMALL = check.Graph({(0, 0, 1, 3), (1, 1, 2, 4), (0, 1, 0, 4)}, {"visits": 0, "hosts": 1})
FACTS = [[0, 0, 1, 3], [1, 1, 2, 4]]


@pytest.mark.parametrize(
    ("rule", "ends", "time", "facts", "reason"),
    [
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 2), 5, FACTS, None),
        ("hosts(A, A) <- visits(A, B), hosts(B, A)", (0, 2), 5, FACTS, "one entity twice"),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 2), 5, FACTS[:1], "one fact for each"),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 2), 5,
         [[0, 0, 1, 3, 9], FACTS[1]], "a fact has four numbers"),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 2), 5,
         [[0, False, 1, 3], FACTS[1]], "a fact has four numbers"),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 2), 5,
         [[0, 4, 1, 3], FACTS[1]], "there is no such relation"),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 2), 5,
         [[1, 2, 0, 3], FACTS[1]], None),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 2), 5,
         [[0, 0, 1, 2], FACTS[1]], "(0, 0, 1, 2) is not in the graph"),
        ("hosts(A, C) <- hosts(A, B), hosts(B, C)", (0, 2), 5, FACTS, "it is no fact of hosts"),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (1, 2), 5, FACTS, "A is two entities"),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 0), 5, FACTS, "C is two entities"),
        ("hosts(A, C) <- hosts(B, C), visits(A, B)", (0, 2), 5, FACTS[::-1],
         "the facts are not in order of time"),
        ("hosts(A, C) <- visits(A, B), hosts(B, C)", (0, 2), 4, FACTS,
         "a fact is not earlier than the head"),
    ],
)  # fmt: skip
def test_each_condition_is_asked_for(
    rule: str, ends: tuple[int, int], time: int, facts: list[list[int]], reason: str | None
) -> None:
    if reason is None:
        check.check_grounding(SMALL, check.read_rule(rule), ends, time, facts)
    else:
        with pytest.raises(check.RejectedError, match=re.escape(reason)):
            check.check_grounding(SMALL, check.read_rule(rule), ends, time, facts)


@pytest.mark.parametrize("text", [None, 3, ["p"], "p <- q", "p(A, B) <- q(A, B) <- r(A, B)"])
def test_what_is_no_rule(text: object) -> None:
    with pytest.raises(check.RejectedError, match="is no rule"):
        check.read_rule(text)


@pytest.mark.parametrize("facts", [None, {}, tuple(FACTS), [tuple(FACTS[0]), FACTS[1]]])
def test_facts_are_arrays(facts: object) -> None:
    rule = check.read_rule("hosts(A, C) <- visits(A, B), hosts(B, C)")
    with pytest.raises(check.RejectedError, match="is no array"):
        check.check_grounding(SMALL, rule, (0, 2), 5, facts)
