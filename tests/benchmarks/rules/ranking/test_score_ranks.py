"""The commands ``score ranks`` and ``baseline recurrency``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.reproduction.rules.example_ranks import main as example
from benchmarks.rules.ranking.queries import SplitQueries
from grammar.errors import ExitStatus
from solver.cli import run
from solver.graph.io import read_dataset
from solver.graph.model import Split

ROOT = Path(__file__).resolve().parents[4]
EXAMPLES = ROOT / "examples" / "ranks"
GRAPH = str(EXAMPLES / "graph")
RANKS = [str(EXAMPLES / f"{name}.ranks.txt") for name in ("dice", "relaxed", "strict")]
WEIGHTS = str(EXAMPLES / "strikingness.txt")
Rows = list[list[Any]]


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["score", "ranks", *arguments, "--json"]) == ExitStatus.OK
    output: dict[str, Any] = json.loads(capsys.readouterr().out)
    return output


def test_the_examples_are_what_the_script_makes(tmp_path: Path) -> None:
    assert CliRunner().invoke(example, [str(tmp_path)]).exit_code == 0
    made, kept = (
        {p.relative_to(top).as_posix(): p.read_bytes() for p in top.rglob("*") if p.is_file()}
        for top in (tmp_path, EXAMPLES)
    )
    assert made == kept


def test_figures_are_those_of_a_loop(capsys: pytest.CaptureFixture[str]) -> None:
    output = figures(capsys, *RANKS, "--data", GRAPH, "--weights", WEIGHTS, "--bias", "0.5")
    rows = np.loadtxt(WEIGHTS)
    sk = {tuple(map(int, row[:4])): row[4] for row in rows}
    for path, model in zip(RANKS, output["models"], strict=True):
        weighed = total = plain = 0.0
        lines = np.loadtxt(path)
        for s, r, o, t, rank in lines:
            key = (s, r, o, t) if r < 4 else (o, r - 4, s, t)
            weight = sk[tuple(map(int, key))] + 0.5
            weighed += weight / rank
            total += weight
            plain += 1 / rank
        assert model["model"] == Path(path).name.partition(".")[0]
        assert model["plain"]["mrr"] == pytest.approx(plain / len(lines))
        assert model["weighted"]["mrr"] == pytest.approx(weighed / total)
    # What the example is for: the order turns with the weights.
    usual = figures(capsys, *RANKS, "--data", GRAPH, "--weights", WEIGHTS)
    assert usual["best"]["plain"]["mrr"] == ["strict"]
    assert usual["best"]["weighted"]["mrr"] == ["relaxed"]
    assert {c["above"] for c in usual["sweep"]["crossings"]} == {"strict"}


def test_the_order_of_rows_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turned = tmp_path / "strict.ranks.txt"
    turned.write_text("".join(reversed(Path(RANKS[2]).read_text().splitlines(keepends=True))))
    first, second = (
        figures(capsys, path, "--data", GRAPH, "--not-returned", "0")
        for path in (RANKS[2], str(turned))
    )
    assert first["models"][0]["plain"] == second["models"][0]["plain"]


def test_scores_give_bounds_by_tie_breaking(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "strict.scores.txt")
    output = figures(capsys, path, "--data", GRAPH, "--weights", WEIGHTS)
    (model,) = output["models"]
    known = figures(capsys, RANKS[2], "--data", GRAPH)["models"][0]
    assert model["plain"] == known["plain"]
    for form in ("plain", "weighted"):
        bounds = model["bounds"][form]
        for metric in ("mrr", "hits1", "hits3", "hits10"):
            low, mean, high = (
                bounds[name][metric] for name in ("pessimistic", "expected", "optimistic")
            )
            assert low <= mean <= high
            assert low <= model[form][metric] <= high
    assert model["bounds"]["plain"]["pessimistic"]["mrr"] < model["plain"]["mrr"]
    optimistic = figures(capsys, path, "--data", GRAPH, "--ties", "optimistic")
    assert optimistic["models"][0]["plain"] == model["bounds"]["plain"]["optimistic"]


def test_an_ensemble_finds_its_share_on_valid(capsys: pytest.CaptureFixture[str]) -> None:
    pair = [str(EXAMPLES / f"{name}.scores.txt") for name in ("strict", "relaxed")]
    valid = [str(EXAMPLES / "valid" / f"{name}.scores.txt") for name in ("strict", "relaxed")]
    arguments = [*RANKS, "--data", GRAPH, "--ensemble", *pair]
    output = figures(capsys, *arguments, "--valid", *valid)
    tried = {record["share"]: record["mrr"] for record in output["ensemble_search"]}
    top = max(tried, key=lambda share: tried[share])
    assert output["models"][-1]["model"] == f"{top:g} strict + {1 - top:g} relaxed"
    known = figures(capsys, *arguments, "--eta", str(top))
    assert known["models"][-1]["plain"] == output["models"][-1]["plain"]
    alone = figures(capsys, *arguments, "--eta", "1")
    assert alone["models"][-1]["plain"] == alone["models"][2]["plain"]
    assert run(["score", "ranks", *arguments]) == ExitStatus.UNREADABLE
    assert "--ensemble needs --valid" in capsys.readouterr().err


def test_a_report_shows_who_wins_where_and_is_the_same_bytes(
    repeated: Callable[[Callable[[Path], object]], Path],
) -> None:
    def write(folder: Path) -> None:
        arguments = [*RANKS, "--data", GRAPH, "--weights", WEIGHTS, "--report", str(folder)]
        assert run(["score", "ranks", *arguments]) == ExitStatus.OK

    folder = repeated(write)
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["manifest.json", "report.html", "scores.json"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "By MRR strict (55.46) leads, by weighted MRR relaxed (28.22)." in page
    for title in (
        "Best model by strikingness",
        "Bias",
        "Strikingness",
        "By repetition",
        "Agreement",
    ):
        assert f"<h2>{title}</h2>" in page
    assert page.count("<svg") == 10
    assert "<image" not in page
    assert re.search(r'class="number best"[^>]*>55.46', page)
    groups = json.loads((folder / "scores.json").read_bytes())["groups"]
    assert sum(group["events"] for group in groups if group["by"] == "strikingness") == 28


def test_groups_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*RANKS, "--data", GRAPH, "--weights", WEIGHTS, "--groups"]
    assert run(["score", "ranks", *arguments]) == ExitStatus.OK
    output = capsys.readouterr().out
    assert "MRR by strikingness, in percent" in output
    assert "[0.9, 1.0]" in output
    assert "repairs" in output
    agreement = output[output.index("Agreement") :].splitlines()
    assert "3 models  2 models  1 model" in agreement[2]
    assert agreement[4].split()[:2] == ["all", "28"]
    assert "Mann-Whitney" in output


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("option", ["--bias", "--eta"])
def test_settings_that_are_no_numbers_print_none(
    capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    arguments = [*RANKS, "--data", GRAPH, "--weights", WEIGHTS, option, value, "--json"]
    assert run(["score", "ranks", *arguments]) == ExitStatus.UNREADABLE
    output = capsys.readouterr()
    assert output.out == ""
    assert option in output.err


@pytest.mark.parametrize("option", ["--decay", "--share"])
def test_a_baseline_of_no_number_writes_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    out = tmp_path / "ranks.txt"
    arguments = ["--data", GRAPH, "--out", str(out), option, "nan"]
    assert run(["baseline", "recurrency", *arguments]) == ExitStatus.UNREADABLE
    assert f"'{option}': nan is not a finite number" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("measure", ["freq-inverse", "temporal-inverse"])
def test_plain_measures_weigh_too(capsys: pytest.CaptureFixture[str], measure: str) -> None:
    output = figures(capsys, RANKS[0], "--data", GRAPH, "--weights", measure)
    assert output["weights"] == measure
    (model,) = output["models"]
    assert model["weighted"] != model["plain"]


@pytest.mark.parametrize("form", ["strict", "relaxed", "combined"])
def test_the_baseline_writes_ranks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    out = tmp_path / f"{form}.ranks.txt"
    arguments = ["--data", GRAPH, "--form", form, "--decay", "0.02", "--out", str(out)]
    assert run(["baseline", "recurrency", *arguments]) == ExitStatus.OK
    capsys.readouterr()
    output = figures(capsys, str(out), "--data", GRAPH)
    assert output["models"][0]["plain"]["mrr"] > 0.2
    if form != "combined":
        assert out.read_bytes() == (EXAMPLES / f"{form}.ranks.txt").read_bytes()


def test_the_baseline_has_a_name_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["baseline", "recurrency", "--help"]) == ExitStatus.OK
    assert "baseline recurrency [OPTIONS]" in capsys.readouterr().out
    assert run(["baseline", "--help"]) == ExitStatus.OK
    assert "bag-of-" in capsys.readouterr().out


def test_the_baseline_tunes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "ranks.txt")
    assert run(["baseline", "recurrency", "--data", GRAPH, "--tune", "--out", out]) == 0
    assert "decay 0." in capsys.readouterr().err
    assert run(["baseline", "majority"]) == ExitStatus.UNREADABLE


BROKEN = {
    "missing": (lambda rows: rows[1:], "1 of 56 queries of test have no row"),
    "doubled": (lambda rows: [*rows, rows[0]], "1 have more than one row"),
    "unknown": (lambda rows: [*rows, [1, 1, 1, 1, 1]], "1 are not in test"),
    "rank 0": (lambda rows: [[*rows[0][:4], 0], *rows[1:]], ":1: found rank 0"),
    "nan": (lambda rows: [[*rows[0][:4], "nan"], *rows[1:]], ":1: found rank nan"),
    "inf": (lambda rows: [[*rows[0][:4], "inf"], *rows[1:]], ":1: found rank inf"),
    "id": (lambda rows: [[12, *rows[0][1:]], *rows[1:]], ":1: found entity 12"),
}


@pytest.mark.parametrize("damage", BROKEN)
def test_invalid_ranks_print_no_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], write_rows: Any, damage: str
) -> None:
    change, message = BROKEN[damage]
    rows: Rows = [line.split() for line in Path(RANKS[0]).read_text().splitlines()]
    path = write_rows(tmp_path / "model.txt", change(rows))
    for more in ([], ["--json"]):
        status = run(["score", "ranks", RANKS[2], path, "--data", GRAPH, *more])
        output = capsys.readouterr()
        assert status == ExitStatus.UNREADABLE
        assert output.out == ""
        assert message in output.err
        assert len(output.err.strip().splitlines()) == 1


def test_the_strikingness_of_another_split_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = (EXAMPLES / "graph" / "valid.txt").read_text().splitlines()
    path = tmp_path / "sk.txt"
    path.write_text("".join(f"{line}\t0.5\n" for line in facts))
    status = run(["score", "ranks", *RANKS, "--data", GRAPH, "--weights", str(path)])
    output = capsys.readouterr()
    assert (status, output.out) == (ExitStatus.UNREADABLE, "")
    assert "all of them facts of valid" in output.err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[::-1], "expected times in order"),
        (lambda lines: ["0\t0\t12\t48", *lines], "found tail 12"),
        (lambda lines: ["0\t9\t1\t48", *lines], "found relation 9"),
    ],
)
def test_a_graph_out_of_order_or_range_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Any, message: str
) -> None:
    for path in (EXAMPLES / "graph").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = (tmp_path / "test.txt").read_text().splitlines()
    (tmp_path / "test.txt").write_text("\n".join(change(lines)) + "\n")
    status = run(["score", "ranks", *RANKS, "--data", str(tmp_path)])
    output = capsys.readouterr()
    assert (status, output.out) == (ExitStatus.UNREADABLE, "")
    assert "test.txt:" in output.err
    assert message in output.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--data", GRAPH],
        [*RANKS, "--data", "nowhere"],
        ["nowhere.txt", "--data", GRAPH],
        [*RANKS, "--data", GRAPH, "--bias", "0"],
        [*RANKS, "--data", GRAPH, "--not-returned", "dice"],
        [*RANKS, "--data", GRAPH, "--not-returned", "other=20"],
        [*RANKS, "--data", GRAPH, "--not-returned", "=20"],
        [RANKS[0], RANKS[0], "--data", GRAPH],
    ],
)
def test_what_cannot_be_done_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(["score", "ranks", *arguments]) == ExitStatus.UNREADABLE
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err
    assert "Traceback" not in output.err


def test_distinct_queries_are_those_of_first_times() -> None:
    queries = SplitQueries.of(read_dataset(GRAPH), Split.TEST)
    asked = queries.asked.rows().tolist()
    seen: set[tuple[int, ...]] = set()
    expected = []
    for number in sorted(range(queries.events), key=lambda n: asked[n][3]):
        if tuple(asked[number][:3]) not in seen:
            seen.add(tuple(asked[number][:3]))
            expected.append(number)
    rows = queries.first().tolist()
    assert rows == [*sorted(expected), *(n + queries.events for n in sorted(expected))]
    some = queries.only(queries.first())
    assert some.asked.rows().tolist() == [asked[row] for row in rows]
    assert some.rows_of(some.asked).tolist() == list(range(len(rows)))
    assert len(rows) < len(asked)


def test_distinct_queries_are_stated(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--data", GRAPH, "--resamples", "100")
    plain = figures(capsys, RANKS[0], *arguments)
    distinct = figures(capsys, RANKS[0], *arguments, "--queries", "distinct", "--groups")
    assert distinct["events"] < plain["events"]
    assert (distinct["config"]["queries"], plain["config"]["queries"]) == ("distinct", "facts")
    assert run(["score", "ranks", RANKS[0], *arguments, "--queries", "distinct"]) == ExitStatus.OK
    assert "distinct heads, relations and tails of test" in capsys.readouterr().out
    weighed = figures(capsys, RANKS[0], *arguments, "--weights", WEIGHTS, "--queries", "distinct")
    assert weighed["events"] == distinct["events"]
