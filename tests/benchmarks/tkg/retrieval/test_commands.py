"""``baseline frequency|recency``, ``prompts tkg`` and ``score ranks --answers``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus
from grammar.tkg.prompts import read_prompt
from solver.cli import run
from solver.graph.io import read_dataset
from solver.tkg.io import read_labels

ROOT = Path(__file__).resolve().parents[4]
EXAMPLE = str(ROOT / "examples" / "ranks" / "graph")
Captured = pytest.CaptureFixture[str]


def json_of(capsys: Captured, *arguments: object) -> dict[str, Any]:
    assert run([*map(str, arguments), "--json"]) == ExitStatus.OK
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: Captured, *arguments: object) -> str:
    capsys.readouterr()
    assert run([*map(str, arguments)]) == ExitStatus.UNREADABLE
    streams = capsys.readouterr()
    assert streams.out == ""
    assert "Traceback" not in streams.err
    return streams.err


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("name", ["frequency", "recency"])
@pytest.mark.parametrize("context", ["entity", "pair"])
def test_ranks_and_scores_are_what_score_ranks_reads(
    name: str, context: str, capsys: Captured, tmp_path: Path
) -> None:
    ranks, scores = tmp_path / "one.txt", tmp_path / "two.scores.txt"
    options = ("--data", EXAMPLE, "--context", context)
    found = json_of(capsys, "baseline", name, *options, "--out", ranks)
    assert json_of(capsys, "baseline", name, *options, "--out", scores) == found
    by_rank, by_score = json_of(capsys, "score", "ranks", ranks, scores, "--data", EXAMPLE)[
        "models"
    ]
    both = found["hits"]["both"]
    for cut in ("1", "3"):
        bounds = both[cut]
        assert bounds["pessimistic"] <= by_rank["plain"][f"hits{cut}"] <= bounds["optimistic"]
        # An answer that is no candidate shares score 0 with all others that are none.
        assert by_score["bounds"]["plain"]["pessimistic"][f"hits{cut}"] == pytest.approx(
            bounds["pessimistic"]
        )
    assert 0.1 < both["10"]["expected"] < 1


def test_both_directions_are_reported(capsys: Captured) -> None:
    found = json_of(capsys, "baseline", "frequency", "--data", EXAMPLE)["hits"]
    for cut in ("1", "3", "10"):
        tail, head, both = (found[side][cut]["expected"] for side in ("tail", "head", "both"))
        assert both == pytest.approx((tail + head) / 2)


def test_a_table_is_printed(capsys: Captured) -> None:
    assert run(["baseline", "recency", "--data", EXAMPLE, "--context", "pair"]) == ExitStatus.OK
    out = capsys.readouterr().out
    assert "recency over the last 25 facts by pair, 28 facts of test" in out
    assert [row.split()[0] for row in out.splitlines()[4:7]] == ["tail", "head", "both"]


def test_baselines_of_other_kinds_are_left(capsys: Captured) -> None:
    items = str(ROOT / "examples" / "right.tsv")
    assert run(["baseline", "majority", "--data", items]) == ExitStatus.OK
    assert run(["prompts", items, "--id", "3"]) == ExitStatus.OK
    assert "Statements:" in capsys.readouterr().out
    refused(capsys, "baseline", "frequency", "--data", EXAMPLE, "--out", "a.scores.npz")


def test_each_line_holds_a_prompt(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "prompts.jsonl"
    command = ["prompts", "tkg", str(folder), "--strategy", "bar", "--split", "test"]
    assert run([*command, "--out", str(out)]) == ExitStatus.OK
    dataset, labels = read_dataset(folder), read_labels(folder / "labels.tsv")
    facts = dataset.facts().rows().tolist()
    begin = len(facts) - len(dataset.splits["test"])  # type: ignore[index]
    rows = lines(out)
    asked = {row for row in labels.fact[labels.consequence].tolist() if row >= begin}
    assert {row["id"] for row in rows} == {f"bar-{row}" for row in asked}
    for row in rows:
        head, relation, tail, time = facts[int(row["id"].removeprefix("bar-"))]
        assert row["query"] == {"head": head, "relation": relation, "time": time}
        assert row["gold"] == tail
        assert row["strategy"] == "bar"
        read = read_prompt(row["prompt"])
        assert read.question == (head, relation, time)
        assert row["reachable"] == any(tail in (fact.head, fact.tail) for fact in read.context)
        assert len(read.context) <= 25
    again = tmp_path / "again.jsonl"
    assert run([*command, "--out", str(again)]) == ExitStatus.OK
    assert again.read_bytes() == out.read_bytes()


def test_samples_and_facts_that_are_no_consequence(
    folder: Path, tmp_path: Path, capsys: Captured
) -> None:
    drawn = {}
    for seed in (0, 1):
        out = tmp_path / f"{seed}.jsonl"
        options = ["--sample", "5", "--seed", str(seed), "--out", str(out)]
        naive = ["--strategy", "naive-pair", "--strategy", "naive-entity", "--all-facts"]
        assert run(["prompts", "tkg", str(folder), *naive, *options]) == ExitStatus.OK
        drawn[seed] = [row["id"] for row in lines(out)]
        assert len(drawn[seed]) == 10
    assert drawn[0] != drawn[1]
    assert run(["prompts", "tkg", EXAMPLE, "--strategy", "naive-pair"]) == ExitStatus.OK
    streams = capsys.readouterr()
    assert len(streams.out.splitlines()) == 28
    assert "naive-pair: 28 prompts, " in streams.err


def test_ceilings(folder: Path, tmp_path: Path, capsys: Captured) -> None:
    found = json_of(capsys, "prompts", "tkg", folder, "--ceiling")
    out = tmp_path / "prompts.jsonl"
    assert run(["prompts", "tkg", str(folder), "--out", str(out)]) == ExitStatus.OK
    rows = lines(out)
    for ceiling in found["ceilings"]:
        own = [row["reachable"] for row in rows if row["strategy"] == ceiling["strategy"]]
        assert len(own) == ceiling["prompts"] >= 10
        assert ceiling["reachable"] == pytest.approx(sum(own) / len(own))
    by_name = {ceiling["strategy"]: ceiling for ceiling in found["ceilings"]}
    assert list(by_name) == ["naive-entity", "naive-pair", "oicl", "ah", "ar", "bar"]
    assert by_name["oicl"]["reachable"] == 1
    capsys.readouterr()
    assert run(["prompts", "tkg", str(folder), "--ceiling"]) == ExitStatus.OK
    assert "oicl" in capsys.readouterr().out


def test_answers_are_scored(folder: Path, tmp_path: Path, capsys: Captured) -> None:
    prompts, answers = tmp_path / "prompts.jsonl", tmp_path / "answers.jsonl"
    assert run(["prompts", "tkg", str(folder), "--out", str(prompts)]) == ExitStatus.OK
    rows = lines(prompts)
    perfect = []
    for row in rows:
        entities, gold = read_prompt(row["prompt"]).entities, row["gold"]
        message = f"It is {entities.index(gold)}. {gold}." if row["reachable"] else "?"
        perfect.append({"id": row["id"], "answer": message})
    answers.write_text("".join(f"{json.dumps(row)}\n" for row in perfect))
    command = ["score", "ranks", "--answers", str(answers), "--prompts", str(prompts)]
    # Answering every reachable prompt reaches exactly the ceiling.
    for figure in json_of(capsys, *command)["figures"]:
        right = figure["hits"]["1"]["expected"]
        assert right == pytest.approx(figure["ceiling"])
        assert figure["unreadable"] == figure["prompts"] - round(right * figure["prompts"])
    assert run(command) == ExitStatus.OK
    assert "ceiling" in capsys.readouterr().out
    answers.write_text("".join(f"{json.dumps(row)}\n" for row in [*perfect[2:], perfect[3]]))
    assert run(command) == ExitStatus.VIOLATIONS
    message = capsys.readouterr().err
    assert f"2 prompts without an answer: {rows[0]['id']}, {rows[1]['id']}" in message
    assert "1 prompt answered more than once" in message


def test_what_cannot_be_asked_is_refused(folder: Path, tmp_path: Path, capsys: Captured) -> None:
    missing = refused(capsys, "prompts", "tkg", EXAMPLE, "--strategy", "bar")
    assert "labels.tsv: not found, expected the labels of facts" in missing
    assert "naive strategies only" in refused(capsys, "prompts", "tkg", folder, "--all-facts")
    assert "--ceiling" in refused(capsys, "prompts", "tkg", folder, "--json")
    assert "--prompts" in refused(capsys, "score", "ranks", "--answers", "a.jsonl")
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    labels = (broken / "labels.tsv").read_text().splitlines()
    (broken / "labels.tsv").write_text("\n".join([*labels, "99999\t0\t0\tantecedent\t1"]) + "\n")
    message = refused(capsys, "prompts", "tkg", broken, "--unsealed")
    assert f"labels.tsv:{len(labels) + 1}:1: found fact 99999, expected 0 to " in message
    last = next(line for line in labels if "consequence" in line)
    (broken / "labels.tsv").write_text("\n".join([*labels, last]) + "\n")
    assert "found 2 consequences of instance" in refused(
        capsys, "prompts", "tkg", broken, "--unsealed"
    )
    (broken / "labels.tsv").write_text(labels[0] + "\n")
    assert "found no consequences in the split test" in refused(
        capsys, "prompts", "tkg", broken, "--unsealed"
    )
