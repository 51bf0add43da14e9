"""Times a program of rules and ``mine`` and ``apply`` on growing parts of a graph, in one run.

    python -m benchmarks.reproduction.speed.peers PROGRAM FOLDER --python PYTHON --out DIR [--write]

PROGRAM is the folder of the program of Liu et al. (TLogic, AAAI 2022), with ``mycode``; or of Li
et al. (TR-Rules, Findings of EMNLP 2023), which counts bodies with the same following facts once,
with ``--learner tr-rules`` and without its rules about constants. PYTHON runs it, and has
numpy below 2, pandas and joblib. A part has the first times of each split, in proportion, and
at most eight of the test split, as the program takes hours for all. Both mine rules of one to three
facts by 200 walks; both answer all queries of the test split, in both directions, with the
program's rules. With TLogic, candidates and scores are compared where the program has some;
``apply`` answers the others as the program's evaluation does. Times are process times of whole
commands with one process. Finished steps are kept in DIR, so that a run resumes. ``--write`` keeps
the results of other programs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from benchmarks.reproduction.speed.clock import machine, with_earlier, write_results
from benchmarks.reproduction.speed.processes import command
from grammar.errors import HopcheckError
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Split
from solver.io.writing import write_json

SHARES = ("1/8", "1/4", "1")
DAYS = 8
"""Times of the test split that are asked at most."""
WALKS, SEED = 200, 12
FILES = ("entity2id.json", "relation2id.json", "ts2id.json")
LEARNERS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tlogic": ((), ()),
    "tr-rules": (("-aw", "0"), ("-a", "0.5")),
}
"""Further words for ``learn.py`` and ``apply.py`` of a program."""
Candidates = dict[tuple[int, int, int], dict[int, float]]
"""Query (entity, relation, time) -> the score of each candidate."""


@click.command()
@click.argument("program", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--python", required=True, help="Interpreter of the program.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the run.")
@click.option("--learner", type=click.Choice([*LEARNERS]), default="tlogic", show_default=True)
@click.option("--share", "shares", multiple=True, default=SHARES, help="Parts of the graph.")
@click.option("--write", is_flag=True, help="Write benchmarks/results/peers.json too.")
def main(
    program: Path,
    folder: Path,
    python: str,
    out: Path,
    learner: str,
    shares: tuple[str, ...],
    *,
    write: bool,
) -> None:
    """Compare the cost of mining and applying rules with that of another program."""
    dataset = read_dataset(folder)
    parts = [compared(program, folder, dataset, python, out, share, learner) for share in shares]
    if write:
        parts = with_earlier("peers", "parts", parts, ["learner"])
        parts.sort(key=lambda part: (part["learner"], part["train"]))
    figures = {"data": dataset.name, "walks": WALKS, "machine": machine(), "parts": parts}
    if write:
        write_results("peers", figures, table(parts))
    print_json(figures)


def table(parts: list[dict[str, Any]]) -> str:
    """The costs of both in Markdown."""
    lines = [
        "| program | facts | `mine`: program | here | times | queries | `apply`: program | here "
        "| times |",
        f"|---|{'---:|' * 8}",
    ]
    for part in parts:
        cells = [part["learner"], f"{part['train']:,}"]
        for command_name, size in (("mine", f"{2 * part['test']:,}"), ("apply", "")):
            cost = part[command_name]
            cells += [f"{cost['program']:,.0f} s", f"{cost['own']:.1f} s", f"{cost['times']:.0f}"]
            cells += [size] if size else []
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def compared(
    program: Path,
    folder: Path,
    dataset: Dataset,
    python: str,
    out: Path,
    share: str,
    learner: str = "tlogic",
) -> dict[str, Any]:
    """The costs of both on a part of a graph, measured or kept from an earlier run."""
    name = share.replace("/", "-of-")
    own, theirs, kept = out / name, out / "program", out / f"{name}.json"
    found: dict[str, Any] = json.loads(kept.read_bytes()) if kept.exists() else {"share": share}

    def step(key: str, work: Callable[[], object]) -> None:
        if key not in found:
            found[key] = work()
            write_json(kept, found)

    step("facts", lambda: write_part(folder, dataset, own, theirs / "data" / name, share))
    if not (theirs / "mycode").exists():
        shutil.copytree(program / "mycode", theirs / "mycode")
    walks = ("-n", str(WALKS), "-s", str(SEED))
    learning, applying = LEARNERS[learner]
    step("program_mine", lambda: run(theirs, python, "learn.py", name, *walks, *learning))
    rules = next((theirs / "output" / name).glob("*_rules.json"))
    options = (
        "--lengths",
        "1,2,3",
        "--method",
        "sample",
        "--walks",
        str(WALKS),
        "--seed",
        str(SEED),
    )
    mined, scores = own / "rules.json", own / "candidates.scores.txt"
    mine = ("mine", str(own), *options, "--out", str(mined), "--json")
    apply = ("apply", str(rules), "--data", str(own), "--out", str(scores), "--json")
    step("own_mine", lambda: command(*mine).spent)
    step("own_apply", lambda: command(*apply).spent)
    given = ("-r", rules.name, "-w", "0", *applying)
    step("program_apply", lambda: run(theirs, python, "apply.py", name, *given))
    costs = {
        "learner": learner,
        "share": share,
        **found["facts"],
        "rules": [count_rules(rules), count_rules(mined)],
        "mine": ratio(found["program_mine"], found["own_mine"]),
        "apply": ratio(found["program_apply"], found["own_apply"]),
    }
    if learner != "tlogic":
        return costs
    saved = next((theirs / "output" / name).glob("*_cands_*.json"))
    return costs | agreement(
        program_candidates(saved, asked(dataset, share)), read_candidates(scores)
    )


def ratio(program: float, own: float) -> dict[str, float]:
    """Seconds of both, and how many times as fast this package is."""
    return {"program": round(program, 2), "own": round(own, 2), "times": round(program / own, 1)}


def ends(dataset: Dataset, share: str) -> dict[Split, tuple[int, int]]:
    """First time, and the time after the last, of each split of a part."""
    above, _, below = share.partition("/")
    found = {}
    for split in Split:
        times = dataset.facts(split).time
        first, size = int(times.min()), int(times.max() - times.min()) + 1
        after = -(-size * int(above) // int(below or 1))
        found[split] = (first, first + (min(after, DAYS) if split is Split.TEST else after))
    return found


def quadruples(dataset: Dataset, split: Split, share: str) -> list[list[int]]:
    """The facts of a split that belong to a part, in their order."""
    first, after = ends(dataset, share)[split]
    facts = dataset.facts(split)
    columns = (facts.head, facts.relation, facts.tail, facts.time)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [list(row) for row in rows if first <= row[3] < after]


def write_part(
    folder: Path, dataset: Dataset, own: Path, theirs: Path, share: str
) -> dict[str, int]:
    """Write a part of a graph as numbers for this package, as names for the program."""
    for place in (own, theirs):
        place.mkdir(parents=True, exist_ok=True)
        for file in FILES:
            shutil.copy(folder / file, place)
    shutil.copy(folder / "stat.txt", own)
    names = [
        {number: text for text, number in json.loads((folder / file).read_bytes()).items()}
        for file in FILES
    ]
    columns = (names[0], names[1], names[0], names[2])
    counts = {}
    for split in Split:
        rows = quadruples(dataset, split, share)
        counts[split.value] = len(rows)
        plain = "".join("\t".join(map(str, row)) + "\n" for row in rows)
        (own / f"{split}.txt").write_text(plain, encoding="utf-8")
        named = (
            [column[value] for column, value in zip(columns, row, strict=True)] for row in rows
        )
        text = "".join("\t".join(row) + "\n" for row in named)
        (theirs / f"{split}.txt").write_text(text, encoding="utf-8")
    return counts


def run(theirs: Path, python: str, script: str, name: str, *options: str) -> float:
    """Run a script of the program with one process; its process time in seconds.

    Raises:
        HopcheckError: it fails.
    """
    before = os.times()
    began = time.perf_counter()
    done = subprocess.run(
        [python, script, "-d", name, "-l", "1", "2", "3", "-p", "1", *options],
        cwd=theirs / "mycode", capture_output=True, text=True, check=False,
    )  # fmt: skip
    after = os.times()
    if done.returncode:
        raise HopcheckError(f"{script} ends with {done.returncode}: {done.stderr[-500:]}")
    click.echo(f"{script} of {name}: {time.perf_counter() - began:,.0f} s", err=True)
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def count_rules(path: Path) -> int:
    """The number of rules of a file."""
    return sum(map(len, json.loads(path.read_bytes()).values()))


def asked(dataset: Dataset, share: str) -> list[tuple[int, int, int]]:
    """The queries of the test split, forward, then inverse, as the program counts them."""
    rows, size = quadruples(dataset, Split.TEST, share), dataset.vocabulary.relations
    forward = [(head, relation, at) for head, relation, _, at in rows]
    return forward + [(tail, relation + size, at) for _, relation, tail, at in rows]


def program_candidates(path: Path, queries: list[tuple[int, int, int]]) -> Candidates:
    """The candidates that the program saved."""
    saved = json.loads(path.read_bytes())
    return {
        queries[int(number)]: {int(entity): score for entity, score in found.items()}
        for number, found in saved.items()
    }


def read_candidates(path: Path) -> Candidates:
    """The candidates that ``apply`` wrote."""
    found: Candidates = defaultdict(dict)
    with path.open(encoding="utf-8") as file:
        for line in file:
            entity, relation, at, candidate, score = line.split()
            found[int(entity), int(relation), int(at)][int(candidate)] = float(score)
    return found


def agreement(published: Candidates, ours: Candidates) -> dict[str, Any]:
    """Share of queries with the same candidates, and the largest difference of a score."""
    answered = [query for query, found in published.items() if found]
    same = [query for query in answered if published[query].keys() == ours[query].keys()]
    most = max(
        (abs(score - ours[query][entity]) for query in same
         for entity, score in published[query].items()),
        default=0.0,
    )  # fmt: skip
    return {
        "queries": len(published),
        "answered": len(answered),
        "same_candidates": round(len(same) / max(len(answered), 1), 6),
        "largest_difference": float(f"{most:.1e}"),
    }


if __name__ == "__main__":
    main()
