"""A generated graph in a folder, and how to damage a copy of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generators.tkg.config import Config
from generators.tkg.files import write_graph
from generators.tkg.run import generate


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph in the mode forward, of some hundred facts."""
    folder = tmp_path_factory.mktemp("graphs") / "small"
    folder.mkdir()
    config = Config()
    write_graph(folder, generate(config, 3), config, 3)
    return folder


@pytest.fixture
def damaged(
    generated: Path, tmp_path: Path, renew: Callable[[Path], None]
) -> Callable[[str, Callable[[list[str]], None]], Path]:
    """Copy the graph and change the lines of one of its files, with a renewed checksum."""

    def damage(name: str, change: Callable[[list[str]], None]) -> Path:
        folder = tmp_path / "damaged"
        shutil.copytree(generated, folder)
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        change(lines)
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        if name != "manifest.json":
            renew(folder)
        return folder

    return damage
