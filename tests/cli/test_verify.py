"""``verify`` from file to exit status."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.eventhop.engines import Fault
from solver.io.sources import sha256

Solver = Callable[..., Any]

ROW = (
    "0\tpossible\tfalse\tbefore\t2\t1\t1\tThe end of Ferry Race happened before the start of Tea "
    "Tasting\tFerry Race happens before Tea Tasting\tTrue\n"
)


def rows(number: int, row: str = ROW) -> str:
    """A row under the ids 0, 1, and so on."""
    return "".join(row.replace("0\t", f"{n}\t", 1) for n in range(number))


def test_a_right_file(solver: Solver, examples: Path) -> None:
    ran = solver("verify", examples / "right.tsv", "--json", "--crosscheck", "asp,graph,smt")
    assert ran.status == 0
    assert ran.json["items"] == 16
    assert ran.json["findings"] == {}
    assert ran.json["engines"] == ["asp", "graph", "smt"]
    assert ran.json["disagreements"] == 0


def test_a_flawed_file_shows_each_cause(solver: Solver, examples: Path) -> None:
    ran = solver("verify", examples / "flawed.tsv", "--json")
    assert ran.status == 1
    named = {fault for cause in ran.json["causes"] for fault in cause.split("+")}
    assert named == {fault.value for fault in Fault}
    assert ran.json["findings"] == {
        "duplicate": 1,
        "self-claim": 1,
        "wrong-consistency": 9,
        "wrong-label": 9,
    }


def test_the_screen_shows_what_is_wrong_and_why(solver: Solver, examples: Path) -> None:
    ran = solver("verify", examples / "flawed.tsv", "--show", 2)
    assert "flawed: 1 duplicate, 1 self-claim" in ran.out
    assert "cause: overlap-by-absence" in ran.out
    assert "The conflict is among sentences 1 and 2; dropping any one ends it." in ran.out
    errors = ran.err.splitlines()
    assert len(errors) == 1
    assert "flawed.tsv:12:" in errors[0]
    assert "claim of item 11: found the same event on both sides, expected two" in errors[0]


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("\tTrue\n", "\tFalse\n", "wrong-label"),
        (
            "The end of Ferry Race happened before",
            "The end of Ferry Race happened after",
            "wrong-label",
        ),
        ("\tpossible\t", "\timpossible\t", "wrong-consistency"),
        (
            "Ferry Race happens before Tea Tasting",
            "Tea Tasting happens before Tea Tasting",
            "self-claim",
        ),
        (ROW, ROW + ROW.replace("0\t", "1\t", 1), "duplicate"),
    ],
)
def test_mutated_data_are_found_out(
    solver: Solver, tmp_path: Path, old: str, new: str, finding: str
) -> None:
    path = tmp_path / "items.tsv"
    path.write_text(ROW)
    assert solver("verify", path).status == 0
    assert old in ROW
    path.write_text(ROW.replace(old, new))
    ran = solver("verify", path, "--json")
    assert ran.status == 1
    assert ran.json["findings"][finding] == 1


def test_declared_hops_are_checked(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    item = {
        "id": "7",
        "premise": "The end of Ferry Race happened before the start of Tea Tasting",
        "claim": "Ferry Race happens before Tea Tasting",
        "label": "true",
    }
    for hops, status, findings in ((1, 0, {}), (2, 1, {"wrong-hops": 1})):
        path.write_text(json.dumps(item | {"hops": hops}))
        ran = solver("verify", path, "--json")
        assert (ran.status, ran.json["findings"]) == (status, findings)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "items.tsv:1:1: found no items"),
        (b"\x00\x01\x02" * 9, "items.tsv:1:1: found binary data (a NUL byte)"),
        (b"a\tb\n", "unparsed: "),
        (ROW.replace("True", "Maybe").encode(), "unparsed: "),
        (ROW.replace("happened before", "will outshine").encode(), "unparsed: "),
        (ROW.encode().replace(b"Ferry", b"F\xff\xfe"), "unparsed: "),
        (b"x" * (10 * 1024 * 1024) + b"\n", "unparsed: "),
        (gzip.compress(rows(400).encode(), mtime=0)[:-30], "items.tsv"),
    ],
    ids=[
        "empty",
        "binary",
        "columns",
        "label",
        "phrase",
        "utf-8",
        "10 MB line",
        "truncated gzip",
    ],
)
def test_bad_input_gets_one_clear_line(
    solver: Solver, tmp_path: Path, content: bytes, line: str
) -> None:
    path = tmp_path / "items.tsv"
    path.write_bytes(content)
    ran = solver("verify", path, "--json")
    assert ran.status == 2
    errors = ran.err.strip().splitlines()
    assert len(errors) == 1
    assert line in errors[0]
    assert "items.tsv:" in errors[0] or "gzip" in errors[0]
    assert "expected" in errors[0]


def test_an_unparsed_item_is_placed_in_the_file(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "items.tsv"
    bad = ROW.replace("happened before", "will outshine").replace("0\t", "1\t", 1)
    path.write_text(ROW + bad)
    ran = solver("verify", path, "--json")
    assert ran.json["items"] == 2
    assert ran.json["unparsed"] == 1
    column = bad.index("Ferry Race will outshine") + 1
    assert f"items.tsv:2:{column}: premise of item 1: found " in ran.err


def test_engines_agree_on_nothing_that_is_not_read(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "items.tsv"
    path.write_text("premise\tclaim\tlabel\nA nearly began.\tA happens before B\ttrue\n")
    done = solver("verify", path, "--report", tmp_path / "report")
    assert done.status == 2
    assert ": 1 item, policy local, none could be read\n" in done.out
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "agree on every item" not in page
    assert "1 item could not be read." in page


def test_what_comes_before_a_fault_of_the_file_is_verified(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "items.tsv.gz"
    text = "".join(ROW.replace("0\t", f"{n}\t", 1).replace("Tea", f"Tea{n}") for n in range(900))
    path.write_bytes(gzip.compress(text.encode())[:-9])
    for jobs in (1, 2):
        ran = solver("verify", path, "--json", "--jobs", jobs)
        assert ran.status == 2
        assert ran.json["items"] > 600
        assert ran.json["confusion"] == {"True": {"true": ran.json["items"]}}


def test_missing_files_and_folders(solver: Solver, tmp_path: Path) -> None:
    missing = solver("verify", tmp_path / "nothing.tsv")
    assert missing.status == 2
    assert missing.err.count("\n") == 1
    assert "nothing.tsv: no such file or directory" in missing.err
    folder = solver("verify", tmp_path)
    assert folder.status == 2
    assert folder.err.count("\n") == 1


def test_a_claim_about_events_the_premise_never_names(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "items.tsv"
    path.write_text(
        ROW.replace("Race happens before Tea Tasting\tTrue", "Race happens before Noon\tFalse")
    )
    ran = solver("verify", path, "--json", "--crosscheck", "asp,graph,smt")
    assert ran.status == 0
    assert ran.json["status"] == {"unknown": 1}


@pytest.mark.parametrize("number", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_relations(solver: Solver, tmp_path: Path, number: int) -> None:
    sentence = "The end of Show {0} happened before the start of Show {1}"
    premise = ". ".join(sentence.format(n, n + 1) for n in range(number))
    path = tmp_path / "items.tsv"
    cells = ["0", "possible", "false", "before", str(number + 1), *[str(number)] * 2, premise]
    path.write_text("\t".join([*cells, f"Show 0 happens before Show {number}", "True"]) + "\n")
    ran = solver("verify", path, "--json")
    assert (ran.status, ran.json["status"]) == (0, {"entailed": 1})


def test_the_report_folder_is_the_same_for_any_number_of_jobs(
    solver: Solver, examples: Path, tmp_path: Path
) -> None:
    for jobs in (1, 2):
        ran = solver(
            "verify", examples / "flawed.tsv", "--report", tmp_path / str(jobs), "--jobs", jobs
        )
        assert ran.status == 1
    for name in ("items.jsonl", "manifest.json", "report.html"):
        data, two = ((tmp_path / str(jobs) / name).read_bytes() for jobs in (1, 2))
        assert data == two, name
    rows = [json.loads(line) for line in (tmp_path / "1" / "items.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == [str(n) for n in range(13)]
    assert len(rows[0]["certificate"]["timelines"]) == 2
    summary = json.loads((tmp_path / "1" / "summary.json").read_text())
    assert summary["items"] == 13
    assert sorted(path.name for path in (tmp_path / "1").iterdir()) == [
        "items.jsonl",
        "manifest.json",
        "report.html",
        "summary.json",
    ]


@pytest.mark.parametrize("size", [1, 5, 13, 1_000])
def test_lines_of_items_in_numbered_files(
    size: int, solver: Solver, examples: Path, tmp_path: Path
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    out.mkdir()
    # Of an earlier run.
    for name in ("items.jsonl", "items-000099.jsonl"):
        (out / name).write_text("{}\n")
    arguments = ("verify", examples / "flawed.tsv", "--probes", "none", "--report")
    assert solver(*arguments, whole).status == 1
    assert solver(*arguments, out, "--shard-size", size).status == 1
    lines = (whole / "items.jsonl").read_bytes()
    shards = sorted(out.glob("items*.jsonl"))
    count = lines.count(b"\n")
    assert [shard.name for shard in shards] == [
        f"items-{number:06d}.jsonl" for number in range(-(-count // size))
    ]
    found = [shard.read_bytes() for shard in shards]
    assert b"".join(found) == lines
    assert {data.count(b"\n") for data in found[:-1]} <= {size}
    outputs = json.loads((out / "manifest.json").read_bytes())["outputs"]
    assert outputs == {path.name: sha256(path) for path in (*shards, out / "report.html")}
    assert not list(out.glob("*.partial"))
    assert solver("check", out).out == solver("check", whole).out
    # The other way round.
    assert solver(*arguments, out).status == 1
    assert [path.name for path in out.glob("items*.jsonl")] == ["items.jsonl"]


def test_published_policy_gives_the_labels_of_the_flawed_file(
    solver: Solver, examples: Path
) -> None:
    printed = solver("verify", examples / "flawed.tsv", "--policy", "published", "--json")
    assert "wrong-label" not in printed.json["findings"]
    repaired = solver(
        "verify", examples / "flawed.tsv", "--policy", "published", "--repair", "all", "--json"
    )
    local = solver("verify", examples / "flawed.tsv", "--json")
    assert repaired.json["confusion"] == local.json["confusion"]


def test_a_claim_the_published_procedure_does_not_know(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "items.tsv"
    path.write_text(
        ROW.replace(
            "Ferry Race happens before Tea",
            "the end of Ferry Race happened before the start of Tea",
        )
    )
    assert solver("verify", path).status == 0
    ran = solver("verify", path, "--policy", "published")
    assert ran.status == 2
    assert "items.tsv:1:" in ran.err


def test_standard_input(solver: Solver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "stdin"
    path.write_text(ROW)
    with path.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert solver("verify", "-").status == 0


def test_a_data_set_is_a_folder_with_a_manifest(solver: Solver, tmp_path: Path) -> None:
    (tmp_path / "test.tsv").write_text(ROW)
    (tmp_path / "other.tsv").write_text("not of the data set")
    (tmp_path / "manifest.json").write_text('{"outputs": {"test.tsv": "", "README.md": ""}}')
    ran = solver("verify", tmp_path, "--json")
    assert (ran.status, ran.json["items"]) == (0, 1)
    for manifest in ("{}", "[]", "{", '{"outputs": {"README.md": ""}}'):
        (tmp_path / "manifest.json").write_text(manifest)
        ran = solver("verify", tmp_path)
        assert ran.status == 2
        assert "manifest.json:" in ran.err
        assert ": found" in ran.err


def test_fail_fast_stops_early(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "items.tsv"
    path.write_text(rows(2000, ROW.replace("True", "False")))
    ran = solver("verify", path, "--fail-fast", "--json")
    assert ran.status == 1
    assert ran.json["items"] < 2000


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["verify", "x", "--policy", "wishful"],
        ["verify", "x", "--crosscheck", "asp,oracle"],
        ["verify", "x", "--jobs", "0"],
        ["verify", "x", "--shard-size", "5"],
        ["conjure"],
    ],
)
def test_bad_usage(solver: Solver, arguments: list[str]) -> None:
    ran = solver(*arguments)
    assert ran.status == 2
    assert "Traceback" not in ran.err
