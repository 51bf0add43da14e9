"""Compares the counts of audits with those of a brute force, and proves each item that differs.

The data are not part of this project::

    python -m benchmarks.reproduction.audits DATA --generated FOLDER

DATA contains files of public sets by these names. For each file it prints the counts of both and
the seconds; where counts differ, the items of that verdict with their proofs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from benchmarks.audits.report import AuditedFile, in_words
from benchmarks.audits.run import audit

_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a brute force found in a file.

    Attributes:
        set: the set.
        path: the file, below the folder of the data.
        verdicts: number of items by verdict.
        reading: conventions that are fixed.
    """

    set: str
    path: str
    verdicts: Mapping[str, int]
    reading: Mapping[str, str] = field(default_factory=dict)


CALENDAR = (
    Expected(
        set="bbh",
        path="bbh/date_understanding.json.gz",
        verdicts={
            "right": 216,
            "wrong": 7,
            "no-right-option": 13,
            "false-premise": 6,
            "unanswerable": 8,
        },
    ),
    Expected(set="bbh", path="bbh/temporal_sequences.json.gz", verdicts={"right": 250}),
    Expected(
        set="tempreason", path="timebench/date_arith_4000.jsonl.gz", verdicts={"right": 4_000}
    ),
    Expected(
        set="timex-nli",
        path="timebench/order(s2)_2332.jsonl.gz",
        verdicts={"right": 2_279, "right-under": 45, "wrong": 8},
    ),
    Expected(
        set="timex-nli",
        path="timebench/order(s2)_2332.jsonl.gz",
        verdicts={"right": 2_245, "right-under": 43, "wrong": 44},
        reading={"week": "monday"},
    ),
    Expected(
        set="timex-nli",
        path="timebench/duration(s1)_2213.jsonl.gz",
        verdicts={"right": 1_110, "right-under": 1_103},
    ),
    Expected(
        set="timex-nli",
        path="timebench/conversion_duration(s3)_2420.jsonl.gz",
        verdicts={"right": 2_405, "right-under": 15},
    ),
)

UNCHANGED = (
    Expected(
        set="tot", path="tot/tot_arithmetic_test.json.gz", verdicts={"right": 1_823, "wrong": 27}
    ),
)
"""Counts of our own, of files that no brute force covers: they show if an audit has changed."""


def _stepgame(steps: int, right: int, under: int, wrong: int, unanswerable: int) -> Expected:
    verdicts = {"right": right, "right-under": under, "wrong": wrong, "unanswerable": unanswerable}
    return Expected(
        set="stepgame", path=f"stepgame/clean-qa{steps}_test.json.gz", verdicts=verdicts
    )


POSITIONS = (
    _stepgame(1, 9_460, 0, 457, 83),
    _stepgame(2, 7_804, 1_532, 544, 120),
    _stepgame(3, 6_579, 2_666, 607, 148),
    Expected(
        set="babi",
        path="babi/qa14_time-reasoning_test.txt.gz",
        verdicts={"right": 882, "right-under": 118},
    ),
    Expected(
        set="babi",
        path="babi/qa17_positional-reasoning_test.txt.gz",
        verdicts={"right": 245, "right-under": 755},
    ),
    Expected(
        set="babi",
        path="babi/qa19_path-finding_test.txt.gz",
        verdicts={"right": 931, "right-under": 69},
    ),
)
ASSIGNMENTS = (
    Expected(
        set="bbh", path="bbh/logical_deduction_three_objects.json.gz", verdicts={"right": 250}
    ),
    Expected(
        set="bbeh",
        path="bbeh/bbeh_zebra_puzzles.json.gz",
        verdicts={"right": 195, "right-under": 5},
    ),
)


EXPECTED = (*CALENDAR, *UNCHANGED, *POSITIONS, *ASSIGNMENTS)


def compared(data: Path, expected: Expected, jobs: int) -> Iterator[str]:
    """The comparison of a file, line by line; its last line begins with ``equal`` or ``other``."""
    begun = time.perf_counter()
    report = audit(expected.set, [data / expected.path], reading=expected.reading, jobs=jobs)
    found = {name: number for name, number in report.verdicts.items() if number}
    seconds = time.perf_counter() - begun
    reading = "".join(f" {name}={value}" for name, value in expected.reading.items())
    counts = ", ".join(f"{number:,} {name}" for name, number in found.items())
    yield f"{expected.path}{reading}: {counts} ({seconds:.0f} s)"
    other = [name for name in {*found, *expected.verdicts}
             if found.get(name, 0) != expected.verdicts.get(name, 0)]  # fmt: skip
    for name in sorted(other):
        yield f"  {name}: {found.get(name, 0):,}, brute force {expected.verdicts.get(name, 0):,}"
        for file in report.files:
            yield from _proofs(file, name)
    yield "other counts" if other else "equal counts"


def _proofs(file: AuditedFile, verdict: str) -> Iterator[str]:
    items = [item for item in file.items if item.verdict.value == verdict]
    for item in items[:_SHOWN]:
        yield from (f"    {line}" for line in in_words(item))


GENERATED = ("calendar_arithmetic", "time_intervals", "family_relationships")
"""Tasks of reasoning-gym."""


def of_generated(folder: Path) -> Iterator[str]:
    """The counts of items that reasoning-gym generated, in JSON files named by their tasks."""
    for task in GENERATED:
        report = audit("reasoning-gym", [folder / f"{task}.json"])
        counts = ", ".join(f"{n:,} {name}" for name, n in report.verdicts.items() if n)
        yield f"{task}: {counts}"


@click.command()
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--jobs", type=click.IntRange(1), default=1, help="Number of worker processes.")
@click.option(
    "--generated",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of generated items of reasoning-gym.",
)
def main(data: Path, jobs: int, generated: Path | None) -> None:
    """Compare the counts of the files in DATA."""
    lines = [line for file in EXPECTED for line in _printed(compared(data, file, jobs))]
    if generated:
        list(_printed(of_generated(generated)))
    sys.exit(1 if "other counts" in lines else 0)


def _printed(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        click.echo(line)
        yield line


if __name__ == "__main__":
    main()
