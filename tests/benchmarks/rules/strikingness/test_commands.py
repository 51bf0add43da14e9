"""``strikingness`` and ``explain --event`` as a user runs them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from benchmarks.rules.cli import strikingness
from benchmarks.rules.ranking.groups import read_strikingness
from benchmarks.rules.ranking.queries import SplitQueries
from benchmarks.rules.strikingness.settings import Deviation
from grammar.errors import HopcheckError
from solver import cli
from solver.graph.io import read_dataset
from solver.graph.model import Split
from solver.rules.kind import KIND

GRAPH = Path(__file__).resolve().parents[4] / "examples" / "tkg"
EVENT = ("Rossmere", "blames", "Pellworth", "2031-05-15")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Rules of length 1, mined from the example's train split."""
    path = tmp_path_factory.mktemp("rules") / "rules.json"
    assert cli.run(["mine", str(GRAPH), "--lengths", "1", "--out", str(path), "--json"]) == 0
    return str(path)


def run(command: click.Command, *arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), catch_exceptions=False)


def measured(*arguments: str, graph: Path = GRAPH) -> Result:
    return run(strikingness.command, str(graph), *arguments)


def explained(*arguments: str, event: tuple[str, ...] = EVENT) -> Result:
    return run(strikingness.explain, "--event", *event, "--data", str(GRAPH), *arguments)


def test_explain_finds_the_command() -> None:
    assert KIND.explain["--event"]() is strikingness.explain


@pytest.mark.parametrize("ending", [".txt", ".txt.gz"])
@pytest.mark.parametrize("more", [(), ("--components",), ("--profile", "paper", "--components")])
def test_score_ranks_reads_what_it_writes(
    rules: str, tmp_path: Path, more: tuple[str, ...], ending: str
) -> None:
    out = tmp_path / f"sk{ending}"
    done = measured("--rules", rules, "--out", str(out), "--json", *more)
    output = json.loads(done.stdout)
    values = read_strikingness(str(out), SplitQueries.of(read_dataset(GRAPH), Split.TEST))
    assert len(values) == output["events"] == 65
    assert values.mean() == pytest.approx(output["mean"], abs=1e-9)
    written = out.read_bytes()
    measured("--rules", rules, "--out", str(out), *more)
    assert out.read_bytes() == written


def test_each_switch_by_itself(rules: str) -> None:
    output = json.loads(measured("--rules", rules, "--json", "--ablate").stdout)
    assert output["switches"] == dict.fromkeys(sorted(Deviation), "released")
    by_name = {tuple(record["switches"]): record for record in output["ablation"]}
    assert len(by_name) == 7
    for name in Deviation:
        changed = json.loads(
            measured("--rules", rules, "--json", "--switch", f"{name}=paper").stdout
        )
        assert changed["switches"][name] == "paper"
        apart = abs(changed["mean"] - output["mean"])
        assert apart <= by_name[name,]["mean_difference"] + 1e-9
    assert max(record["mean_difference"] for record in output["ablation"]) > 0.1


def test_a_profile_is_its_switches(rules: str) -> None:
    every = [word for name in Deviation for word in ("--switch", f"{name}=paper")]
    turned = measured("--rules", rules, "--json", "--min-body-support", "0", *every)
    paper = json.loads(measured("--rules", rules, "--json", "--profile", "paper").stdout)
    assert json.loads(turned.stdout)["mean"] == pytest.approx(paper["mean"], abs=5e-4)


def test_tables(rules: str) -> None:
    output = measured("--rules", rules, "--ablate").stdout
    for words in ("65 events by", "most striking", "least striking", "own-peers", "all 6"):
        assert words in output
    assert "blames(Rossmere, Pellworth)" in output


def test_a_report(rules: str, tmp_path: Path) -> None:
    pages = []
    for name in ("one", "two"):
        folder = tmp_path / name
        measured("--rules", rules, "--report", str(folder), "--profile", "paper")
        assert {path.name for path in folder.iterdir()} == {
            *("report.html", "summary.json", "manifest.json"),
            *("strikingness.txt", "strikingness.txt.manifest.json"),
        }
        pages.append((folder / "report.html").read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    for words in (
        "Most striking",
        "Least striking",
        "By relation",
        "Switches",
        "<svg",
        "Pellworth",
    ):
        assert words in pages[0]


def test_an_explanation(rules: str, tmp_path: Path) -> None:
    for name, begin in (("e.svg", b"<?xml"), ("e.png", b"\x89PNG")):
        done = explained("--rules", rules, "--svg", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(begin)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("blames(Rossmere, Pellworth) at 2031-05-15: strikingness 0.993")
    assert sum(line.endswith("the event itself") for line in lines) == 3
    assert any("blames(A, B) <- hosts(A, B); body at 2031-03-04" in line for line in lines)
    output = json.loads(explained("--rules", rules, "--json").stdout)
    assert output["proved"]
    assert output["in_graph"]
    assert output["strikingness"] == 0.993
    assert list(output["sides"]) == ["object", "relation", "subject"]


def test_names_ids_and_inverses_mean_the_same(rules: str) -> None:
    size = read_dataset(GRAPH).vocabulary
    ids = (
        str(size.entity_names.index("Rossmere")),
        str(size.relation_names.index("blames")),
        str(size.entity_names.index("Pellworth")),
        str(size.time_names.index("2031-05-15")),
    )
    turned = (EVENT[2], "blames^-1", EVENT[0], EVENT[3])
    output = {explained("--rules", rules, event=event).stdout for event in (EVENT, ids, turned)}
    assert len(output) == 1


def test_events_that_did_not_happen(rules: str) -> None:
    event = ("Pellworth", "signs", "Rossmere", "2031-05-15")
    output = explained("--rules", rules, event=event).stdout
    assert ", not in the graph: strikingness" in output


@pytest.mark.parametrize(
    ("more", "output"),
    [
        (("--alpha", ".5", ".5", ".5"), "0.5 + 0.5 + 0.5 = 1.5, expected weights from 0 to 1"),
        (("--window", "0"), "found a window of 0, expected 1 or more"),
        (("--window", "-5"), "found a window of -5"),
    ],
)
def test_parameters_out_of_range(rules: str, more: tuple[str, ...], output: str) -> None:
    with pytest.raises(HopcheckError, match=output.replace("+", r"\+")):
        measured("--rules", rules, *more)
    with pytest.raises(HopcheckError, match=output.replace("+", r"\+")):
        explained("--rules", rules, *more)


@pytest.mark.parametrize(
    ("option", "value", "output"),
    [
        ("--switch", "square=paper", "is not a switch, expected squared"),
        ("--switch", "strict=yes", "is not strict=paper"),
        ("--lambda", "nan", "nan is not a finite number"),
        ("--min-confidence", "2", "2.0 is not in the range"),
    ],
)
def test_values_that_there_are_not(rules: str, option: str, value: str, output: str) -> None:
    done = measured("--rules", rules, option, value)
    assert done.exit_code == 2
    assert output in done.stderr


def test_files_of_other_graphs(rules: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(GRAPH, bare)
    (bare / "test.txt").unlink()
    with pytest.raises(HopcheckError, match="found no facts of the split test"):
        measured("--rules", rules, graph=bare)
    small = tmp_path / "small"
    small.mkdir()
    (small / "train.txt").write_text("0\t0\t1\t0\n1\t0\t0\t1\n", encoding="utf-8")
    (small / "test.txt").write_text("0\t0\t1\t2\n", encoding="utf-8")
    with pytest.raises(HopcheckError, match=r"found relation .* expected 0 to 1"):
        measured("--rules", rules, graph=small)
    (small / "stat.txt").write_text("2\t1\t3\n", encoding="utf-8")
    (small / "test.txt").write_text("0\t1\t1\t2\n", encoding="utf-8")
    with pytest.raises(HopcheckError, match="found relation 1"):
        measured("--rules", rules, graph=small)


def test_names_that_are_misspelt(rules: str) -> None:
    with pytest.raises(HopcheckError, match="near: Rossmere"):
        explained("--rules", rules, event=("Rosmere", *EVENT[1:]))


def test_components_need_a_file(rules: str) -> None:
    done = measured("--rules", rules, "--components")
    assert done.exit_code == 2
    assert "--components needs --out" in done.stderr
