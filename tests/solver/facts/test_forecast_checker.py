"""The checker of forecasts that runs alone: changed certificates, and facts that do not fit."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run
from solver.facts import check

GRAPH = Path(__file__).resolve().parents[3] / "examples" / "tkg"


@pytest.fixture(scope="module")
def forecast(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("facts") / "future"
    days = ["--from", "2032-03-02", "--to", "2032-03-16"]
    run(["forecast", str(GRAPH), *days, "--seed", "7", "--out", str(folder)])
    return folder


def follows(row: dict[str, Any], known: set[tuple[str, ...]]) -> bool:
    """Whether a fact follows by its rule: some entities make the rule's atoms the facts."""
    atoms = re.findall(r"(\w+)\((\w), (\w)\)", row["rule"])
    head, *body = atoms
    fact = [row["subject"], row["relation"], row["object"], row["date"]]
    given = [fact, *row["grounding"]]
    days = [sequence[3] for sequence in row["grounding"]]
    if len(given) != len(atoms) or not days or max(days) >= row["date"]:
        return False
    if "role_rule" not in row and days != sorted(days):
        return False
    cited = {tuple(value) for value in row["grounding"]}
    early = date.fromisoformat(row["date"]).toordinal() - date.fromisoformat(min(days)).toordinal()
    if "role_rule" not in row and len(cited) < len(body):
        return False
    if not cited <= known or early > 2048:
        return False
    variables = sorted({variable for atom in (head, *body) for variable in atom[1:]})
    entities = sorted({end for sequence in given for end in (sequence[0], sequence[2])})
    return any(
        all(
            [sequence[0], sequence[1], sequence[2]] == [values[a], relation, values[b]]
            for sequence, (relation, a, b) in zip(given, atoms, strict=True)
        )
        for chosen in product(entities, repeat=len(variables))
        for values in [dict(zip(variables, chosen, strict=True))]
    )


def mutated(row: dict[str, Any], rows: list[dict[str, Any]], draw: random.Random) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(row))
    other = draw.choice(rows)
    match draw.randrange(6):
        case 0:
            place = draw.choice(changed["grounding"])
            at = draw.randrange(4)
            place[at] = draw.choice(other["grounding"])[at]
        case 1:
            changed["grounding"] = other["grounding"]
        case 2:
            for name in ("rule", "rule_number", "role_rule", "rule_confidence", "confidence"):
                changed.pop(name, None)
                changed |= {name: other[name]} if name in other else {}
        case 3:
            draw.shuffle(changed["grounding"])
        case 4:
            changed["grounding"].append(changed["grounding"][0])
        case _:
            name = draw.choice(["subject", "relation", "object"])
            changed[name] = other[name]
    return changed


def test_no_fact_is_accepted_that_does_not_follow(forecast: Path) -> None:
    read = check.read_forecast(forecast)
    names = ("facts.tsv", "history.tsv")
    known = {
        tuple(line.split("\t"))
        for name in names
        for line in (forecast / name).read_text(encoding="utf-8").splitlines()
    }
    lines = (forecast / "facts.jsonl").read_bytes().splitlines()
    rows = [json.loads(line) for line in lines]
    draw = random.Random(0)
    right = wrong = 0
    for row in rows:
        assert follows(row, known)
        check.check_fact(read, row)
        for _ in range(6):
            changed = mutated(row, rows, draw)
            fact = tuple(changed[name] for name in ("subject", "relation", "object", "date"))
            try:
                check.check_fact(read, changed)
            except check.RejectedError:
                wrong += 1
                assert not (follows(changed, known) and fact in known)
            else:
                assert follows(changed, known)
                assert fact in known
                right += 1
    assert right > 20
    assert wrong > 200


def test_a_forecast_is_proved_by_the_file_alone(
    forecast: Path, alone: Callable[..., tuple[int, str, str]]
) -> None:
    status, out, err = alone(check, forecast)
    assert (status, err) == (0, "")
    assert out.endswith(" items, 0 rejected\n")
    assert run(["check", str(forecast)]) == 0


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ("startLead", "a fact that is open"),
        ("endLead", "the end of what has not started"),
        ("startLead endLead startLead", None),
        ("startLead endLead endLead", "a fact that has ended"),
        ("visits visits", None),
    ],
)
def test_facts_that_do_not_fit_are_found(facts: str, reason: str | None) -> None:
    written = [("a", word, "b", day) for day, word in enumerate(facts.split(), 10)]
    history = [("a", "startLead", "b", 1)] if facts == "startLead" else []
    config = {"unknown": False}
    read = check.Forecast(written, history, check.Background([]), config)
    assert [*check.incoherent(read).values()] == ([] if reason is None else [reason])


def test_a_changed_folder_is_rejected(
    forecast: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in forecast.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = (tmp_path / "facts.tsv").read_bytes().splitlines(keepends=True)
    (tmp_path / "facts.tsv").write_bytes(b"".join([*lines, lines[-1]]))
    assert run(["check", str(tmp_path)]) == 2
    assert "facts.tsv: found sha256" in capsys.readouterr().err
    assert run(["check", "--unsealed", str(tmp_path)]) == 1
    found = capsys.readouterr().out
    assert "it has no certificate" in found
    assert "the checksum is not the manifest's" in found
    (tmp_path / "rules.jsonl").write_bytes(b"nothing\n")
    assert run(["check", "--unsealed", str(tmp_path)]) == 2
    assert "rules.jsonl" in capsys.readouterr().err


VISITED = "hosts(A, B) <- visits(B, A)"
LOOP = "visits(A, A) <- visits(A, B), hosts(B, A)"
KNOWN = [("a", "visits", "b", 1), ("b", "hosts", "a", 2), ("b", "hosts", "c", 1)]


def test_facts_that_follow_are_accepted() -> None:
    background = check.Background(KNOWN)
    check.check_grounding(background, VISITED, ("b", "hosts", "a", 3), KNOWN[:1])
    check.check_grounding(background, LOOP, ("a", "visits", "a", 3), KNOWN[:2])


@pytest.mark.parametrize(
    ("rule", "fact", "cited"),
    [
        (VISITED, ("b", "hosts", "a", 3), [("a", "visits", "b", 2)]),  # not known
        (VISITED, ("b", "hosts", "a", 1), KNOWN[:1]),  # not later than its body
        (VISITED, ("b", "hosts", "c", 3), KNOWN[:1]),  # leads elsewhere
        (VISITED, ("b", "visits", "a", 3), KNOWN[:1]),  # of another relation than the head
        (VISITED, ("b", "hosts", "a", 3), []),
        (VISITED, ("b", "hosts", "a", 3), [*KNOWN[:1], *KNOWN[:1]]),
        (LOOP, ("a", "visits", "c", 3), [KNOWN[0], KNOWN[2]]),  # entities differ
        ("visits(A, A) <- hosts(A, B), visits(B, A)", ("a", "visits", "a", 3), KNOWN[:2]),
        ("visits(A, A) <- hosts(B, A), visits(A, B)", ("a", "visits", "a", 3), KNOWN[1::-1]),
        ("visits(A, B) <- hosts(C, D)", ("a", "visits", "c", 3), KNOWN[1:2]),  # no walk
    ],
)
def test_facts_that_do_not_follow_are_rejected(
    rule: str, fact: check.Fact, cited: list[check.Fact]
) -> None:
    with pytest.raises(check.RejectedError):
        check.check_grounding(check.Background(KNOWN), rule, fact, cited)
