"""Contents of a manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grammar.eventhop.model import Policy
from solver.encodings import encoding
from solver.io.writing import write_json
from solver.manifest import manifest, versions

# selection.lp includes the first one, which includes the others.
INCLUDED = tuple(f"patterns/{name}.lp" for name in ("subpatterns", "places", "first"))


def test_checksums_of_inputs_and_outputs(tmp_path: Path) -> None:
    source, made = tmp_path / "items.tsv", tmp_path / "summary.json"
    source.write_bytes(b"in")
    made.write_bytes(b"out")
    described = manifest(
        config={"policy": Policy.LOCAL, "engines": ("asp", "graph"), "report": tmp_path / "run"},
        seed=7,
        encodings=["patterns/selection.lp"],
        inputs=[source, "-"],
        outputs=[made],
    )
    named = ("patterns/selection.lp", *INCLUDED)
    digests = {name: hashlib.sha256(encoding(name).read_bytes()).hexdigest() for name in named}
    assert described == {
        "versions": versions(),
        "config": {"policy": "local", "engines": ["asp", "graph"], "report": "run"},
        "seed": 7,
        "encodings": digests,
        "inputs": [
            {"name": "items.tsv", "sha256": hashlib.sha256(b"in").hexdigest()},
            {"name": "-", "sha256": None},
        ],
        "outputs": {"summary.json": hashlib.sha256(b"out").hexdigest()},
    }


def test_all_encodings_are_listed_by_default() -> None:
    checksums = manifest(config={})["encodings"]
    assert isinstance(checksums, dict)
    assert {"temporal/claims.lp", "temporal/order.lp"} <= set(checksums)
    assert all(len(digest) == 64 for digest in checksums.values())


def test_manifests_are_reproducible(tmp_path: Path) -> None:
    written = []
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "items.tsv").write_bytes(b"in")
        config = {"report": folder / "run", "z": 1, "a": {"nested": {3, 1, 2}}}
        write_json(folder / "m.json", manifest(config=config, inputs=[folder / "items.tsv"]))
        written.append((folder / "m.json").read_text(encoding="utf-8"))
    assert written[0] == written[1]
    assert str(tmp_path) not in written[0]
    assert list(json.loads(written[0])) == sorted(json.loads(written[0]))


def test_versions_import_no_package(python: Callable[..., Any]) -> None:
    program = (
        "import sys; from solver.manifest import versions; found = versions(); "
        "print(found['clingo'] is not None, {'clingo', 'z3', 'lark'} & set(sys.modules))"
    )
    assert python("-c", program).stdout == "True set()\n"
