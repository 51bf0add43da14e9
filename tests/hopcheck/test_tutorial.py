"""The tutorial notebook runs."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


def code_cells() -> list[dict[str, Any]]:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_the_cells_run_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a kernel; cells with a data frame need pandas."""
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for cell in code_cells():
        if "pandas" in cell["metadata"].get("tags", ()) and find_spec("pandas") is None:
            continue
        exec("".join(cell["source"]), names)
    assert {"verdicts", "graph", "rules"} <= set(names)


def test_the_notebook_runs_in_a_kernel(notebook: None) -> None:  # noqa: ARG001
    import nbformat
    from nbclient import NotebookClient

    document = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(document, timeout=600, resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output for cell in document.cells for output in cell.get("outputs", ())]
    assert any("<svg" in output.get("data", {}).get("text/html", "") for output in shown)


def test_the_notebook_is_stored_without_outputs() -> None:
    assert all(cell["outputs"] == [] for cell in code_cells())
