"""Measures the constants of ``docs/scale.md``: bytes and times per item.

    python -m benchmarks.reproduction.speed.scale [--items N] [--write]

Items of the preset ``strict`` are generated and verified in one process. ``--write`` writes the
results to ``benchmarks/results/scale.json``.
"""

from __future__ import annotations

import gzip
import pickle
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from benchmarks.reproduction import ROOT
from benchmarks.reproduction.speed.clock import machine, write_results
from benchmarks.reproduction.speed.processes import command
from generators.eventhop.config import Config, Split
from generators.eventhop.run import generate
from solver.cli.printing import print_json
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.shards import SHARD, verify_shards


@click.command()
@click.option("--items", type=click.IntRange(SHARD), default=2_560, show_default=True)
@click.option("--write", is_flag=True, help="Write benchmarks/results/scale.json too.")
def main(items: int, *, write: bool) -> None:
    """Measure bytes and milliseconds per item."""
    figures = constants(items)
    if write:
        write_results("scale", figures)
    print_json(figures)


def constants(items: int) -> dict[str, object]:
    """Bytes and milliseconds of one core per item, and the start of a worker in seconds."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        config = Config(sizes={Split.TEST: items})
        begun = time.process_time()
        generate(config, home / "made")
        generating = time.process_time() - begun
        path = home / "made" / "test.jsonl"
        begun = time.process_time()
        records = list(read_records(path))
        reading = time.process_time() - begun
        begun = time.process_time()
        shards = list(verify_shards(records, ItemSettings(), lines=True))
        verifying = time.process_time() - begun
        text = path.read_bytes()
        lines = b"".join(shard.lines for shard in shards)
        start = command("verify", str(_few(home)), "--probes", "none").spent
    per_item = partial(_per, number=len(records))
    return {
        "machine": machine(),
        "items": len(records),
        "generate_milliseconds": per_item(1000 * generating),
        "read_milliseconds": per_item(1000 * reading),
        "verify_milliseconds": per_item(1000 * verifying),
        "start_seconds": round(start, 2),
        "bytes": {
            "text": per_item(len(text)),
            "text_gzip": per_item(len(gzip.compress(text, 6))),
            "lines": per_item(len(lines)),
            "lines_gzip": per_item(len(gzip.compress(lines, 6))),
            "task": per_item(len(pickle.dumps(records))),
            "result": per_item(len(pickle.dumps(shards))),
        },
    }


def _few(home: Path) -> Path:
    """A file of one item."""
    path = home / "few.tsv"
    example = ROOT / "examples" / "right.tsv"
    path.write_bytes(example.read_bytes().splitlines(keepends=True)[0])
    return path


def _per(total: float, *, number: int) -> float:
    return round(total / number, 3)


if __name__ == "__main__":
    main()
