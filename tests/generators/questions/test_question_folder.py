"""``generate questions`` on the command line: its folder, its words, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.reproduction.questions.example import write_example
from grammar.errors import ExitStatus
from solver.cli import run
from solver.graph.model import Split
from solver.questions.io import read_questions
from solver.questions.model import Question, read_two_hop_rules

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "questions" / "graph"
FILES = {
    *(f"{split}.{ending}" for split in Split for ending in ("jsonl", "parquet")),
    *("rules.jsonl", "rules_train.jsonl", "rule_folds.tsv", "two_hop_rules.tsv"),
    *("statistics.json", "manifest.json"),
    *("README.md", "report.html"),
}


def generate(out: Path, *options: object, graph: Path = EXAMPLE) -> int:
    return run(["generate", "questions", str(graph), "--out", str(out), *map(str, options)])


def questions(path: Path) -> list[Question]:
    return [question for question in read_questions(path) if isinstance(question, Question)]


def counted(folder: Path) -> Counter[tuple[str, str]]:
    rows = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.open()]
    return Counter((row["kind"], row["split"]) for row in rows if "kind" in row)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "asked"
    assert generate(out) == ExitStatus.OK
    return out


def test_any_number_of_processes_makes_the_same_bytes(asked: Path, tmp_path: Path) -> None:
    assert generate(tmp_path / "two", "--jobs", 2) == ExitStatus.OK
    for path in asked.iterdir():
        assert (tmp_path / "two" / path.name).read_bytes() == path.read_bytes()


def test_a_killed_worker_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("generators.questions.run._Maker.__reduce__", lambda _: (os._exit, (1,)))
    assert generate(tmp_path / "two", "--jobs", 2) == ExitStatus.UNREADABLE
    error = capfd.readouterr().err.strip().splitlines()[-1]
    assert error == "error: a worker process was killed (fewer --jobs take less memory)"
    assert not (tmp_path / "two").exists()


def statistics(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "statistics.json").read_text())
    return value


def test_the_example_is_what_its_script_makes(tmp_path: Path) -> None:
    made = {path.name: path.read_bytes() for path in write_example(tmp_path)}
    assert made == {path.name: path.read_bytes() for path in EXAMPLE.iterdir()}


def test_the_folder(asked: Path) -> None:
    assert {path.name for path in asked.iterdir()} == FILES
    manifest = json.loads((asked / "manifest.json").read_text())
    assert set(manifest["outputs"]) == FILES - {"manifest.json"}
    for name, digest in manifest["outputs"].items():
        assert hashlib.sha256((asked / name).read_bytes()).hexdigest() == digest
    assert [entry["name"] for entry in manifest["inputs"]] == ["test.tsv", "train.tsv", "valid.tsv"]
    assert manifest["seed"] == 0
    assert manifest["encodings"]["questions/two_hop_rules.lp"]


def test_statistics_are_those_of_the_files(asked: Path) -> None:
    stats, counts = statistics(asked), counted(asked)
    assert {
        (kind, split): number
        for kind, splits in stats["questions"].items()
        for split, number in splits.items()
    } == counts
    assert (
        stats["total"]
        == counts.total()
        == sum(map(len, map(questions, asked.glob("t*.jsonl"))))
        + len(questions(asked / "valid.jsonl"))
    )
    train = questions(asked / "train.jsonl")
    answers = [len(question.answers) for question in train if question.kind == "2-hop"]
    assert stats["answers"]["2-hop"]["train"]["most"] == max(answers)
    assert stats["answers"]["2-hop"]["train"]["mean"] == pytest.approx(sum(answers) / len(answers))
    assert stats["yes"]["train"] == sum(question.answers == ("yes",) for question in train)
    day = train[0].time
    assert sum(stats["times"][day].values()) == sum(question.time == day for question in train)
    assert sum(sum(relation.values()) for relation in stats["relations"].values()) == stats["total"]
    assert stats["rules"]["two_hop"] == len(read_two_hop_rules(asked / "two_hop_rules.tsv")) > 0
    lines = [(asked / f"rules{name}.jsonl").read_text().splitlines() for name in ("", "_train")]
    assert stats["rules"]["one_fact"] == sum(map(len, lines)) > 0


def test_the_card_and_the_page(asked: Path) -> None:
    card, page = (asked / "README.md").read_text(), (asked / "report.html").read_text()
    total = f"{statistics(asked)['total']:,}"
    assert total in card
    assert total in page
    every = [q for split in Split for q in questions(asked / f"{split}.jsonl")]
    answers = [len(q.answers) for q in every if q.kind == "2-hop"]
    (row,) = (line for line in card.splitlines() if line.startswith("| 2-hop |"))
    assert row.endswith(f"| {len(answers):,} | {sum(answers) / len(answers):.2f} |")
    for word in ("Questions by time", "Most queried relations", "2-hop rules", "<svg"):
        assert word in page


LOAD = """
import json, sys
from datasets import load_dataset
print(json.dumps({split: list(rows) for split, rows in load_dataset(sys.argv[1]).items()}))
"""


def test_the_library_loads_it_by_its_card(
    hf: None,  # noqa: ARG001
    asked: Path,
    tmp_path: Path,
    python: Callable[..., Any],
) -> None:
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = python("-c", LOAD, asked, env=os.environ | offline)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    assert set(loaded) == {"train", "validation", "test"}
    for name, file in (("train", "train"), ("validation", "valid"), ("test", "test")):
        rows = [json.loads(line) for line in (asked / f"{file}.jsonl").open()]
        assert [_without_nulls(row) for row in loaded[name]] == rows


def _without_nulls(row: Any) -> Any:
    """Drop nulls, which the library adds for missing fields."""
    if isinstance(row, dict):
        return {name: _without_nulls(value) for name, value in row.items() if value is not None}
    return row


def test_the_same_bytes(asked: Path, tmp_path: Path) -> None:
    assert generate(tmp_path / "asked") == ExitStatus.OK
    for name in FILES:
        assert (asked / name).read_bytes() == (tmp_path / "asked" / name).read_bytes(), name
    assert generate(tmp_path / "other", "--seed", 1) == ExitStatus.OK
    for name in ("train.jsonl", "test.jsonl"):
        assert (asked / name).read_bytes() != (tmp_path / "other" / name).read_bytes(), name


def test_a_curator_decides(asked: Path, tmp_path: Path) -> None:
    """A curated table is accepted; rejected rules give no questions."""
    table = tmp_path / "curated.tsv"
    lines = (asked / "two_hop_rules.tsv").read_text().splitlines()
    rules = read_two_hop_rules(asked / "two_hop_rules.tsv")
    dropped = {str(next(row for row, rule in enumerate(rules) if rule.use))}
    cells = [line.split("\t") for line in lines]
    curated = [[*cell[:-1], "no" if cell[0] in dropped else cell[-1]] for cell in cells]
    table.write_text("".join("\t".join(names) + "\n" for names in curated))
    assert generate(tmp_path / "asked", "--two-hop-rules", table) == ExitStatus.OK
    assert (tmp_path / "asked" / "two_hop_rules.tsv").read_bytes() == table.read_bytes()
    before, after = (
        {str(q.rule) for split in Split for q in questions(folder / f"{split}.jsonl")}
        for folder in (asked, tmp_path / "asked")
    )
    assert dropped < before
    assert not dropped & after
    stats = [statistics(folder)["rules"]["two_hop_used"] for folder in (asked, tmp_path / "asked")]
    assert stats[0] - stats[1] == len(dropped)


def test_parquet_holds_the_same(asked: Path, tmp_path: Path) -> None:
    for split in Split:
        lines = questions(asked / f"{split}.jsonl")
        assert questions(asked / f"{split}.parquet") == lines != []
    again = tmp_path / "asked"
    shutil.copytree(asked, again)
    assert generate(again, "--format", "parquet") == ExitStatus.OK
    # What the first run left is no part of the second.
    assert {path.name for path in again.iterdir()} == FILES - {f"{s}.jsonl" for s in Split}
    for split in Split:
        name = f"{split}.parquet"
        assert (again / name).read_bytes() == (asked / name).read_bytes()
    assert generate(again, "--format", "jsonl", "--kinds", "1-hop") == ExitStatus.OK
    assert {path.name for path in again.iterdir() if path.stem in set(Split)} == {
        f"{split}.jsonl" for split in Split
    }
    assert not (again / "rules.jsonl").exists()
    assert {q.kind for q in questions(again / "test.jsonl")} == {"1-hop"}


def test_rules_of_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rules, split = tmp_path / "rules.json", ("--reasoning", "valid")
    mine = ["mine", str(EXAMPLE), "--lengths", "1,2", "--method", "sample", "--seed", "3"]
    assert run([*mine, "--out", str(rules)]) == ExitStatus.OK
    out = tmp_path / "asked"
    assert generate(out, "--kinds", "fact-reasoning", "--rules", rules, *split, "--json") == 0
    stats = json.loads(capfd.readouterr().out.partition("\n{")[2].join(("{", "")))
    assert stats["questions"] == {"fact-reasoning": {"valid": len(questions(out / "valid.jsonl"))}}
    assert not (out / "train.jsonl").exists()
    bodies = [json.loads(line)["body"] for line in (out / "rules.jsonl").open()]
    assert {len(body) for body in bodies} == {1}


@pytest.mark.parametrize("form", ["integers", "one file", "parquet"])
def test_graphs_of_other_formats(form: str, tmp_path: Path) -> None:
    rows = [(n % 5, n % 2, (n * n + 1) % 5, n // 4) for n in range(60)]
    if form == "integers":
        graph = tmp_path / "graph"
        graph.mkdir()
        (graph / "train.txt").write_text("".join("\t".join(map(str, r)) + "\n" for r in rows[:40]))
        (graph / "test.txt").write_text("".join("\t".join(map(str, r)) + "\n" for r in rows[40:]))
        splits = {"train", "test"}
    else:
        graph, splits = tmp_path / "graph.txt", {"train"}
        names = [(f"E {s}", f"does_{r}", f"E {o}", f"2031-02-{t + 1:02d}") for s, r, o, t in rows]
        graph.write_text("".join("\t".join(row) + "\n" for row in names))
    if form == "parquet":
        from solver.graph.io import read_dataset
        from solver.graph.io.parquet import write_parquet

        write_parquet(tmp_path / "graph.parquet", read_dataset(graph))
        graph = tmp_path / "graph.parquet"
    assert generate(tmp_path / "asked", graph=graph) == ExitStatus.OK
    assert {split for _, split in counted(tmp_path / "asked")} == splits
    texts = [q.text for q in questions(tmp_path / "asked" / "train.jsonl")]
    assert any(("“0”" if form == "integers" else "“does 0”") in text for text in texts)


# Ctrl-C after the first question of the first file.
INTERRUPTED = """
import os, signal, sys
from generators.dataset import DatasetFolder
from solver.cli import run
add_split = DatasetFolder.add_split
def interrupted(folder, split, blocks, *rest):
    def first():
        yield next(blocks)
        print(*(path.suffix for path in folder.path.iterdir()))
        os.kill(os.getpid(), signal.SIGINT)
        yield from blocks
    add_split(folder, split, first(), *rest)
DatasetFolder.add_split = interrupted
sys.exit(run(["generate", "questions", *sys.argv[1:], "--kinds", "1-hop"]))
"""


def test_ctrl_c_leaves_no_half_file(tmp_path: Path, python: Callable[..., Any]) -> None:
    out = tmp_path / "asked"
    ran = python("-c", INTERRUPTED, EXAMPLE, "--out", out, cwd=ROOT)
    assert ran.returncode == ExitStatus.INTERRUPTED, ran.stderr
    assert ran.stdout
    assert "Traceback" not in ran.stderr
    assert list(out.iterdir()) == []


def test_what_is_not_finished_is_the_earlier_data_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*_: object) -> Path:
        raise KeyboardInterrupt

    out, options = tmp_path / "asked", ("--kinds", "1-hop", "--format", "jsonl")
    assert generate(out, *options) == ExitStatus.OK
    earlier = {path.name: path.read_bytes() for path in out.iterdir()}
    assert "manifest.json" in earlier
    monkeypatch.setattr("generators.dataset.write_page", interrupted)
    assert generate(out, *options, "--seed", "5") == ExitStatus.INTERRUPTED
    assert {path.name: path.read_bytes() for path in out.iterdir()} == earlier
