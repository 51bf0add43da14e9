"""``generate patterns``, ``verify --kind patterns`` and ``explain --pattern``."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run

Solver = Callable[..., Any]
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("patterns")
    options = ["--hops", "1,2", "--flags", "1100", "--out", str(folder / "list.jsonl")]
    assert run(["generate", "patterns", *options]) == 0
    return folder


@pytest.fixture
def listed(made: Path, tmp_path: Path) -> Path:
    """Every pattern of one and two hops at 1100."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "list.jsonl"


def rows(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, changed: Rows) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in changed), encoding="utf-8")


def test_the_list_is_printed_with_shapes_and_counts(solver: Solver) -> None:
    ran = solver("generate", "patterns", "--hops", "1", "--flags", "unique,no-self")
    assert ran.status == 0
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[:4] == [
        "1 -1-> 2 => 1 -2-> 2  self_entailment",
        "1 -1-> 2 => 2 -1-> 1  inverse",
        "1 -1-> 2 => 2 -2-> 1  inverse",
        "",
    ]
    assert any(line.split() == ["inverse", "1", "2", "yes"] for line in lines)


def test_json_holds_the_list_and_the_counts(solver: Solver) -> None:
    output = solver("generate", "patterns", "--hops", "1,2", "--flags", "1100", "--json").json
    assert output["flags"] == "1100"
    assert output["cycle_reading"] == "fixed"
    assert output["counts"]["2"] == {
        "patterns": 154,
        "shapes": {
            "transitive_closure": 40, "reinforcement": 64, "bridge": 40, "multi_derivation": 10,
        },
        "unlisted": 0,
    }  # fmt: skip
    assert len(output["patterns"]) == 157


def test_same_list_same_bytes(solver: Solver, listed: Path) -> None:
    before = listed.read_bytes(), (listed.parent / "list.manifest.json").read_bytes()
    solver("generate", "patterns", "--hops", "2,1", "--flags", "no-self,unique", "--out", listed)
    assert (listed.read_bytes(), (listed.parent / "list.manifest.json").read_bytes()) == before


def test_a_made_list_is_right(solver: Solver, listed: Path) -> None:
    ran = solver("verify", "--kind", "patterns", listed)
    assert ran.status == 0
    assert "157 patterns" in ran.out
    assert "right: " in ran.out
    # Also without the manifest, given the options.
    (listed.parent / "list.manifest.json").unlink()
    assert solver("verify", "--kind", "patterns", listed, "--flags", "1100").status == 0


def taken_out(changed: Rows) -> None:
    del changed[20]


def renamed(changed: Rows) -> None:
    changed[1]["pattern"] = "2 -1-> 1 => 1 -1-> 2"


def doubled(changed: Rows) -> None:
    changed.append(dict(changed[5]))


def doubled_under_other_names(changed: Rows) -> None:
    changed.append({"pattern": "5 -9-> 4 => 4 -9-> 5"})


def looped(changed: Rows) -> None:
    changed.append({"pattern": "1 -1-> 1 => 1 -2-> 1"})


def repeating(changed: Rows) -> None:
    changed.append({"pattern": "1 -1-> 2, 1 -1-> 2 => 1 -2-> 2"})


def loose(changed: Rows) -> None:
    changed.append({"pattern": "1 -1-> 2, 3 -1-> 4 => 1 -1-> 2"})


def teleporting(changed: Rows) -> None:
    changed.append({"pattern": "1 -1-> 2, 2 -1-> 3 => 1 -1-> 4"})


def longer(changed: Rows) -> None:
    changed.append({"pattern": "1 -1-> 2, 2 -1-> 3, 3 -1-> 4 => 1 -1-> 4"})


def too_long(changed: Rows) -> None:
    changed.append({"pattern": "1 -1-> 2, 2 -1-> 3, 3 -1-> 4, 4 -1-> 5 => 1 -1-> 5"})


def misnamed(changed: Rows) -> None:
    changed[0]["shapes"] = ["inverse"]


def miscounted(changed: Rows) -> None:
    changed[0]["hops"] = 2


def misjudged(changed: Rows) -> None:
    changed[0]["relation_reuse"] = "copied"


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (taken_out, {"missing": 1}),
        (renamed, {"not_canonical": 1}),
        (doubled, {"listed_twice": 1}),
        (doubled_under_other_names, {"listed_twice": 1, "not_canonical": 1}),
        (looped, {"self_connection": 1}),
        (repeating, {"duplicate_triple": 1}),
        (loose, {"duplicate_triple": 1, "not_connected": 1}),
        (teleporting, {"new_entity": 1}),
        (longer, {"undeclared_hops": 1}),
        (too_long, {"too_many_hops": 1, "undeclared_hops": 1}),
        (misnamed, {"wrong_shapes": 1}),
        (miscounted, {"wrong_hops": 1}),
        (misjudged, {"wrong_relation_reuse": 1}),
    ],
)
def test_damage_is_found_by_name(
    solver: Solver, listed: Path, damage: Callable[[Rows], None], found: dict[str, int]
) -> None:
    changed = rows(listed)
    damage(changed)
    write(listed, changed)
    ran = solver("verify", "--kind", "patterns", listed, "--unsealed", "--json")
    assert ran.status == 1
    assert ran.json["violations"] == found


def test_a_finding_names_pattern_place_and_reason(solver: Solver, listed: Path) -> None:
    changed = rows(listed)
    gone = changed.pop(20)["pattern"]
    write(listed, [*changed, {"pattern": "1 -1-> 1 => 1 -2-> 1"}])
    shown = solver("verify", "--kind", "patterns", listed, "--unsealed").out
    assert f"{gone} is valid and canonical, but not listed" in shown
    assert f"{listed}:157: self_connection" in shown
    assert "1 -1-> 1 => 1 -2-> 1 is invalid: a triple is a self-loop" in shown


def test_other_flags_make_other_lists(solver: Solver, listed: Path) -> None:
    verify = ("verify", "--kind", "patterns", listed, "--unsealed", "--json")
    assert solver(*verify, "--flags", "1110").json["violations"] == {"new_relation": 2 + 70}
    assert solver(*verify, "--flags", "1000").json["violations"] == {"missing": 5 + 191}
    assert solver(*verify, "--hops", "1").json["violations"] == {"undeclared_hops": 154}


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ('{"pattern": "1 -1- 2 => 2 -1-> 1"}', ":1:18: found '-', expected '->'"),
        ('{"pattern": "1 -1-> 2"}', ":1:22: found the end, expected ',' or '=>'"),
        ('{"pattern": 7}', "expected `str`, got `int`"),
        ('{"patterns": "1 -1-> 2 => 2 -1-> 1"}', "missing required field `pattern`"),
        ('{"pattern": "1 -1-> 2 => 2 -1-> 1"', ":1:35: broken JSON"),
        ("1 -1-> 2 => 2 -1-> 1", ":1: found no line of a list: expected `object`, got `int`"),
        ("[]", "expected `object`, got `array`"),
    ],
)
def test_unreadable_lines_are_reported(
    solver: Solver, listed: Path, line: str, output: str
) -> None:
    listed.write_text(f"{line}\n", encoding="utf-8")
    ran = solver("verify", "--kind", "patterns", listed, "--unsealed")
    assert ran.status == 2
    (message,) = [text for text in ran.err.splitlines() if str(listed) in text]
    assert output in message
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("text", ["", "{", "{}", '{"config": {"hops": [1], "flags": "12"}}'])
def test_a_broken_manifest_is_reported(solver: Solver, listed: Path, text: str) -> None:
    (listed.parent / "list.manifest.json").write_text(text, encoding="utf-8")
    ran = solver("verify", "--kind", "patterns", listed, "--unsealed")
    assert ran.status == 2
    assert "list.manifest.json:" in ran.err
    assert "manifest of a list of patterns" in ran.err
    assert "remove it and pass --flags and --hops" in ran.err


def test_a_list_without_declared_flags_is_refused(solver: Solver, listed: Path) -> None:
    (listed.parent / "list.manifest.json").unlink()
    ran = solver("verify", "--kind", "patterns", listed, "--unsealed")
    assert ran.status == 2
    assert "pass --flags" in ran.err


def test_an_empty_or_missing_list_is_refused(solver: Solver, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for path, output in ((empty, "found no patterns"), (tmp_path / "none.jsonl", "no such file")):
        ran = solver("verify", "--kind", "patterns", path, "--flags", "1100")
        assert ran.status == 2
        assert output in ran.err


@pytest.mark.parametrize(
    ("option", "value", "output"),
    [
        ("--flags", "uniq", "found flag 'uniq'"),
        ("--hops", "0", "expected numbers from 1 to 3"),
        ("--hops", "1;2", "expected numbers from 1 to 3"),
        ("--cycle-reading", "loose", "'fixed'"),
    ],
)
def test_bad_options_are_reported(solver: Solver, option: str, value: str, output: str) -> None:
    ran = solver("generate", "patterns", option, value)
    assert ran.status == 2
    assert output in ran.err


def test_a_pattern_is_explained(solver: Solver, tmp_path: Path) -> None:
    drawn = tmp_path / "pattern.svg"
    text = "1 -1-> 2, 3 -1-> 4 => 1 -1-> 2"
    ran = solver("explain", "--pattern", text, "--flags", "1100", "--svg", drawn)
    assert ran.status == 0
    assert ran.out.splitlines()[:4] == [
        f"pattern {text}",
        "flags unique,no-self: invalid",
        "  duplicate_triple: a triple occurs twice",
        "  not_connected: the antecedents are not connected, and no later step joins them",
    ]
    assert ElementTree.fromstring(drawn.read_bytes()).tag.endswith("svg")


def test_it_is_explained_as_json(solver: Solver) -> None:
    output = solver("explain", "--pattern", "2 -1-> 1 => 1 -2-> 2", "--json").json
    assert output["valid"] is True
    assert output["canonical"] == "1 -1-> 2 => 2 -2-> 1"
    assert output["shapes"] == ["inverse"]


def test_a_text_that_is_no_pattern_is_reported(solver: Solver) -> None:
    ran = solver("explain", "--pattern", "1 -1-> 2 = 2 -2-> 1")
    assert ran.status == 2
    assert ran.err.startswith("error: column 10: found '=', expected ',' or '=>'")
