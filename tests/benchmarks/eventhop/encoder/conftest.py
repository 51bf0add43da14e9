"""Items that anyone can learn, and small trainings on them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from solver import cli

NAMES = [
    f"{what} {where}"
    for what in ("Fair", "Regatta", "Recital", "Banquet", "Auction")
    for where in ("of Ashby", "at Corwen", "in Dunmore", "of Elmstead")
]

Command = Callable[..., int]


@pytest.fixture
def command() -> Command:
    """Call the command line: ``command("train", "--data", path)`` gives its exit status."""

    def call(*arguments: object) -> int:
        return cli.run([str(argument) for argument in arguments])

    return call


def learnable(path: Path, *, items: int, seed: int) -> Path:
    """Write items whose label follows from how many sentences there are and from the claim's verb.

    One sentence says that A came before B; a second one, that B came before A.
    """
    source = random.Random(seed)
    lines = []
    for number in range(items):
        left, right = source.sample(NAMES, 2)
        kind = number % 3
        premise = f"The end of {left} happened before the start of {right}"
        if kind == 2:
            premise += f". The end of {right} happened before the start of {left}"
        verbs = ("happens before", "overlaps with")
        claim = f"{left} {verbs[kind] if kind < 2 else source.choice(verbs)} {right}"
        label = ("true", "false", "undefined")[kind]
        lines.append(json.dumps({"id": number, "premise": premise, "claim": claim, "label": label}))
    source.shuffle(lines)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with items to learn (train.jsonl) and others to answer (test.jsonl)."""
    folder = tmp_path_factory.mktemp("lessons")
    learnable(folder / "train.jsonl", items=180, seed=1)
    learnable(folder / "test.jsonl", items=60, seed=2)
    return folder
