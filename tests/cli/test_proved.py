"""``check --proved`` and ``verify --proved``: the checker compiled from the Coq proofs runs too."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run
from solver.eventhop import check, outcomes
from solver.eventhop.certificates import proved
from solver.eventhop.engines import Fault
from solver.links import check as links
from solver.questions import check as question_check
from solver.questions import proved as questions
from solver.tkg import check as graphs
from tests.cli.conftest import Solver


@pytest.fixture(params=["native", "JavaScript"])
def name(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[str]:
    """How the compiled checker runs; skipped where it cannot."""
    proved.compiled.cache_clear()
    outcomes.decider.cache_clear()
    if request.param == "JavaScript":
        monkeypatch.setattr(proved, "NATIVE", tmp_path / "none")
        if shutil.which("node") is None:
            pytest.skip("node is not installed")
    elif not proved.NATIVE.is_file():
        pytest.skip("the proofs are not built (make proofs)")
    yield str(request.param)
    proved.compiled.cache_clear()
    outcomes.decider.cache_clear()


@pytest.mark.parametrize("policy", ["local", "global", "published"])
def test_both_checkers_accept_what_verify_writes(
    solver: Solver, examples: Path, tmp_path: Path, name: str, policy: str
) -> None:
    flawed, report = examples / "flawed.tsv", tmp_path / "report"
    ran = solver("verify", flawed, "--policy", policy, "--proved", "--report", report)
    assert f"the proved checker ({name})" in " ".join(ran.out.split())
    plain = solver("check", report)
    ran = solver("check", report, "--proved")
    assert (ran.status, plain.out) == (0, "13 items: 13 proved, 0 rejected, 0 not proved\n")
    agree = f" (check.py and the proved checker, {name}, agree; 13 texts read by the proved reader)"
    assert ran.out == plain.out.replace("\n", f"{agree}\n")
    found = solver("check", report, "--proved", "--json").json
    assert (found["proved_checker"], found["proved_reader"]) == (name, 13)
    assert json.loads((report / "summary.json").read_bytes())["proved_reader"] == 13


def test_both_reject_what_is_wrong(
    solver: Solver, examples: Path, tmp_path: Path, name: str
) -> None:
    report = tmp_path / "report"
    solver("verify", examples / "flawed.tsv", "--report", report)
    rows = [json.loads(line) for line in (report / "items.jsonl").read_bytes().splitlines()]
    proofs = (row["verdict"] for row in rows[3:] if row["verdict"]["hops"] is not None)
    next(proofs)["hops"] += 1
    rows[1]["certificate"]["timelines"] = None
    rows[2]["premise"] = "no sentence"
    path = tmp_path / "items.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    ran = solver("check", path, "--proved", "--json")
    assert (ran.status, ran.json["proved"], ran.json["rejected"]) == (1, 10, 3)
    assert ran.json["proved_checker"] == name


@pytest.mark.parametrize("command", ["check", "verify"])
def test_checkers_that_differ_stop_the_run(
    solver: Solver,
    examples: Path,
    tmp_path: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    report = tmp_path / "report"
    solver("verify", examples / "flawed.tsv", "--report", report)
    right = proved.numbers
    monkeypatch.setattr(proved, "numbers", lambda *given: right(*given).replace(" 1 ", " 2 ", 1))
    outcomes.decider.cache_clear()
    path = report if command == "check" else examples / "flawed.tsv"
    ran = solver(command, path, "--proved")
    assert ran.status == 4
    assert f"the proved checker ({name}) rejects what check.py accepts" in ran.err


def test_without_a_compiled_checker_it_says_so(
    solver: Solver, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proved.compiled.cache_clear()
    outcomes.decider.cache_clear()
    monkeypatch.setattr(proved, "NATIVE", tmp_path / "none")
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    ran = solver("verify", examples / "flawed.tsv", "--proved")
    assert ran.status == 2
    assert "found neither build/proofs/check nor node" in ran.err


def test_other_kinds_have_none(solver: Solver, examples: Path) -> None:
    ran = solver("check", examples / "texts", "--kind", "facts", "--proved")
    assert (ran.status, "no checker of facts is compiled from proofs" in ran.err) == (2, True)


def test_links_and_their_repairs_are_checked_by_both(
    solver: Solver, examples: Path, tmp_path: Path, name: str
) -> None:
    solver("verify", "--kind", "links", examples / "links", "--report", tmp_path / "report")
    solver("repair", examples / "links", "--report", tmp_path / "repair")
    for report in ("report", "repair"):
        ran = solver("check", tmp_path / report, "--proved")
        agree = f"(check.py and the proved checker, {name}, agree)"
        assert (ran.status, agree in ran.out) == (0, True)


def test_checkers_of_links_that_differ_stop_the_run(
    solver: Solver, examples: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checker in Python is broken: it takes any bound for the least cost."""
    solver("repair", examples / "links", "--report", tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "documents.jsonl").read_text().splitlines()]
    repair = next(row["repair"] for row in rows if row["repair"]["conflicts"])
    repair["conflicts"] = []
    path = tmp_path / "documents.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert solver("check", path, "--proved", "--unsealed").status == 1
    monkeypatch.setattr(links, "unbreakable", lambda *_: True)
    ran = solver("check", path, "--proved", "--unsealed")
    assert ran.status == 4
    assert f"the proved checker ({name}) rejects what check.py accepts" in ran.err


def test_a_graph_is_checked_by_both(solver: Solver, tmp_path: Path, name: str) -> None:
    sizes = ("--entities", "60", "--relations", "8", "--steps", "40", "--patterns", "4,3,0")
    solver("generate", "tkg", *sizes, "--seed", "1", "--out", tmp_path / "graph")
    plain = solver("check", tmp_path / "graph")
    ran = solver("check", tmp_path / "graph", "--proved")
    agree = f" (check.py and the proved checker, {name}, agree)\n"
    assert (ran.status, ran.out) == (0, plain.out.replace("proved\n", f"proved{agree}", 1))


def test_checkers_of_graphs_that_differ_stop_the_run(
    solver: Solver, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checker in Python is broken: it takes any lag for right."""
    solver("generate", "tkg", "--mode", "forced", "--steps", "20", "--seed", "1", "--out", tmp_path)
    labels = (tmp_path / "patterns.jsonl").read_text().replace("[[1,3]", "[[7,9]")
    (tmp_path / "patterns.jsonl").write_text(labels)
    assert solver("check", tmp_path, "--proved", "--unsealed").status == 1
    monkeypatch.setattr(graphs, "check_instance", lambda _graph, _labels: None)
    ran = solver("check", tmp_path, "--proved", "--unsealed")
    assert ran.status == 4
    assert f"the proved checker ({name}) rejects what check.py accepts" in ran.err


def test_a_fault_of_the_published_procedure_is_noticed(
    solver: Solver, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes a label, which the checkers' own procedure does not print."""
    monkeypatch.setattr("solver.eventhop.published._Run._overlaps_forwards", lambda *_: True)
    ran = solver("verify", examples / "flawed.tsv", "--policy", "published")
    assert ran.status == 4
    assert "the label is false" in ran.err


def test_the_published_label_is_that_of_the_faults_that_are_repaired(
    solver: Solver, examples: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report"
    options = ("--policy", "published", "--repair", "all", "--report", report)
    solver("verify", examples / "flawed.tsv", *options)
    path = report / "items.jsonl"
    assert solver("check", report).out.startswith("13 items: 13 proved")
    rows: list[Any] = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert {tuple(row["repaired"]) for row in rows} == {tuple(sorted(Fault))}
    printed = [{**row, "repaired": []} for row in rows]
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(f"{json.dumps(row)}\n" for row in printed), encoding="utf-8")
    wrong = {int(found[0]) for found in check.check_file(str(changed)) if found[2] is not None}
    labels = solver("verify", examples / "flawed.tsv", "--policy", "published", "--json").json
    assert labels["items"] == 13
    assert 0 < len(wrong) < 13


@pytest.mark.parametrize("repaired", [["seen"], "seen-early", [1], ["seen-early"]])
def test_a_line_names_faults_of_the_procedure(
    solver: Solver, examples: Path, tmp_path: Path, repaired: Any
) -> None:
    """They are of a closed list, and go with the policy ``published``, which the last one lacks."""
    report = tmp_path / "report"
    solver("verify", examples / "right.tsv", "--report", report)
    row = json.loads((report / "items.jsonl").read_bytes().splitlines()[0])
    with pytest.raises(check.RejectedError):
        check.check_row({**row, "repaired": repaired})
    check.check_row({**row, "repaired": []})


def test_the_script_is_made_from_the_sources() -> None:
    """Also where no js_of_ocaml is installed; where it is, ``make proofs`` writes the script."""
    root = Path(__file__).resolve().parents[2]
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    (theories,) = (line for line in makefile.splitlines() if line.startswith("THEORIES := "))
    names = [f"{name}.v" for name in theories.split()[2:]] + ["lines.ml", "main.ml", "page.ml"]
    sources = b"".join((root / "proofs" / name).read_bytes() for name in names)
    first = proved.SCRIPT.read_text(encoding="utf-8").partition("\n")[0]
    assert first.endswith(hashlib.sha256(sources).hexdigest())


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Path:
    """Questions that were generated about the example graph."""
    out = tmp_path_factory.mktemp("generated")
    graph = str(examples / "questions" / "graph")
    assert run(["generate", "questions", graph, "--seed", "7", "--out", str(out)]) == 0
    return out


@pytest.fixture
def asked(generated: Path, examples: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A copy of the questions, and their graph."""
    return shutil.copytree(generated, tmp_path / "asked"), examples / "questions" / "graph"


def questions_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "test.jsonl").read_bytes().splitlines()]


def test_questions_are_checked(solver: Solver, asked: tuple[Path, Path], name: str) -> None:
    folder, graph = asked
    ran = solver("check", folder, "--data", graph, "--proved", "--json")
    assert (ran.status, ran.json["proved"], ran.json["rejected"]) == (0, ran.json["items"], 0)
    assert ran.json["proved_checker"] == name


def test_other_names_rules_without_folds_and_odd_times(
    solver: Solver, tmp_path: Path, name: str
) -> None:
    """A name that the graph lacks is no answer; times that share a number are refused."""
    graph, asked = tmp_path / "graph", tmp_path / "asked"
    graph.mkdir()
    asked.mkdir()
    facts = [("x", "r", "a", day) for day in "123"] + [("x", "r", "b", "9")]
    text = "\n".join("\t".join(fact) for fact in facts)
    (graph / "test.txt").write_text(text, encoding="utf-8")
    rules = [
        {"head": 0, "body": [0], "same": [], "rule_support": number, "body_support": 1_000}
        for number in (500, 20)
    ]
    (asked / "rules.jsonl").write_text("\n".join(map(json.dumps, rules)), encoding="utf-8")
    every = question_check.read_data(str(asked), [str(graph)])
    choices = [("x", "r", "a", day) for day in "123"]
    ages = [every.moment("9") - every.moment(day) for day in "123"]
    row = {"split": "test", "text": "", "time": "9", "kind": "yes-unknown", "answers": ["unknown"]}
    row |= {"query": [["x", "r", "new"]], "certificate": {"source": ["x", "r", "b", "9"]}}
    lines = [row | {"id": "1"}, row | {"id": "2", "answers": ["yes"], "time": "3"}]
    lines.append(row | {"id": "3", "query": [["new", "r", "?answer"]], "kind": "1-hop"})
    path = asked / "test.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    ran = solver("check", path, "--data", graph, "--proved", "--json")
    assert (ran.status, ran.json["proved"], ran.json["rejected"]) == (1, 1, 2)
    assert ran.json["proved_checker"] == name

    numbers = questions.Numbers(every)
    value = max(question_check._contribution(every.rules[0], age) for age in ages)
    reasoned = {"kind": "fact-reasoning", "query": [["x", "r", "a"]], "time": "9", "answers": ["A"]}
    reasoned |= {"choices": [{"fact": choices[2]}]}
    reasoned |= {"certificate": {"rules": [0], "contributions": [value]}}
    assert numbers.question(reasoned).startswith("question 3 0 ")

    every = question_check.Graph([("x", "r", "a", "5"), ("x", "r", "b", "6")], ["r"])
    every.step = 5
    with pytest.raises(ValueError, match="two times"):
        questions.Numbers(every)


@pytest.mark.parametrize("options", [(), ("--proved",)])
def test_questions_need_their_graph(
    solver: Solver, asked: tuple[Path, Path], options: tuple[str, ...]
) -> None:
    folder, graph = asked
    ran = solver("check", folder, *options)
    assert (ran.status, ran.out, "name the graph" in ran.err) == (2, "", True)
    ran = solver("check", folder, "--data", graph / "none", *options)
    assert (ran.status, ran.out, "No such file" in ran.err) == (2, "", True)


def test_wrong_questions_are_rejected_by_both(
    solver: Solver, asked: tuple[Path, Path], name: str
) -> None:
    folder, graph = asked
    changed = questions_of(folder)
    for row in changed:
        if row["kind"] == "yes-unknown":
            row["answers"] = ["yes" if row["answers"] == ["unknown"] else "unknown"]
        elif row["kind"] == "fact-reasoning":
            row["answers"] = ["ABCD"[("ABCD".index(row["answers"][0]) + 1) % 4]]
        else:
            row["answers"] = row["answers"][1:]
    path = folder / "changed.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in changed), encoding="utf-8")
    ran = solver("check", path, "--data", graph, "--proved", "--json")
    assert (ran.status, ran.json["proved"], ran.json["rejected"]) == (1, 0, len(changed))
    assert ran.json["proved_checker"] == name


@pytest.mark.parametrize("part", ["_all_answered", "_one_hop", "_most"])
def test_a_fault_in_the_checker_of_questions_is_noticed(
    asked: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, name: str, part: str
) -> None:
    folder, graph = asked
    changed = questions_of(folder)
    for row in changed:
        if row["kind"] == "fact-reasoning":
            row["certificate"]["contributions"] = [1, 1, 1, 2]
            row["answers"] = ["D"]
        elif len(row["answers"]) > 1:
            row["certificate"]["facts"] = row["certificate"]["facts"][len(row["query"]) :]
            row["answers"] = row["answers"][1:]
    path = folder / "changed.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in changed), encoding="utf-8")
    sound = [fault for *_, fault in questions.check_file(str(path), [str(graph)])]
    assert None in sound
    assert sound.count(None) < len(sound)
    if part == "_one_hop":
        monkeypatch.setattr(question_check, part, lambda *_: set())
    else:
        monkeypatch.setattr(question_check, part, lambda *_: None)
        monkeypatch.setattr(question_check, "_reasoning_faults", lambda *_: ())
    with pytest.raises(proved.CheckersDifferError, match=name):
        list(questions.check_file(str(path), [str(graph)]))
