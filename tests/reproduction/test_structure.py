"""How much of the code a command imports, and the sizes that ``make lint`` warns of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.reproduction import structure
from benchmarks.reproduction.structure import COMMANDS, PACKAGES, entered, lines, long_ones, modules
from solver.cli import run
from solver.verification.report import Kind


def followed(names: list[str], kind: Kind) -> set[str]:
    """The modules without the declarations of other kinds, which every command imports."""
    others = {f"solver.{other}" for other in Kind if other is not kind}
    return set(names) - others - {f"{other}.kind" for other in others}


def test_verifying_items_imports_few_modules() -> None:
    status, names = entered(COMMANDS["verify right.tsv"])
    assert status == 0
    assert {"solver.eventhop.verify", "solver.asp", "grammar.eventhop.reader"} <= set(names)
    assert not any(name.startswith("generators") for name in names)
    # Ten of them open the data set: its seal, copies and origin, and the readers of their formats.
    assert len(followed(names, Kind.EVENTHOP)) <= 70


def test_verifying_questions_imports_few_modules(tmp_path: Path) -> None:
    generate, verify = (
        [word.format(out=tmp_path) for word in COMMANDS[name]]
        for name in ("generate questions", "verify --kind questions")
    )
    assert run(generate) == 0
    # What this version made is compared with what its config gives, which imports its generator.
    manifest = tmp_path / "questions" / "manifest.json"
    manifest.write_text(re.sub(r'"python": "[^"]*"', '"python": "3.0.0"', manifest.read_text()))
    status, names = entered(tuple(verify))
    assert status == 0
    assert {"solver.questions.verify", "solver.asp", "solver.rules.application"} <= set(names)
    assert "solver.questions.probes" in names
    assert not any(name.startswith("generators") for name in names)
    assert len(followed(names, Kind.QUESTIONS)) <= 71


def test_modules_are_not_small() -> None:
    paths = [path for package in PACKAGES for path in modules(package)]
    assert len(paths) > 100
    assert sum(map(lines, paths)) / len(paths) > 175


def test_long_functions_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "FUNCTION_LINES", 30)
    found = list(long_ones())
    assert any("has 3" in line for line in found)
    assert all(": " in line for line in found)
