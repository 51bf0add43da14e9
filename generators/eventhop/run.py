"""A run: shards are made on any number of processes, kept until all are there, then joined."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from generators.eventhop.config import Config, ConfigError
from generators.eventhop.files import finish
from generators.eventhop.shards import ITEMS, Shard, make, shards
from solver.manifest import versions
from solver.processes import WORKER_LIFETIME, WorkerDiedError, parallel_stream
from solver.theories import ENCODINGS
from solver.writing import atomic
from solver.writing.atomic import os_errors_reported
from solver.writing.jsonl import line

KEPT = ".shards"
"""Folder of the shards of a run under way, in the folder of the data set."""


def generate(
    config: Config,
    out: Path,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Make a data set; a run that was interrupted goes on from its last shard.

    Args:
        config: what to make.
        out: the folder of the data set.
        jobs: processes; the bytes do not depend on it.
        progress: takes the number of items after each shard.

    Raises:
        ConfigError: the folder holds another data set.
        HopcheckError: an item cannot be made or is not what it should be.
    """
    home = _home(config, out)
    missing = []
    for shard in shards(config):
        if (home / shard.name).exists():
            _tell(progress, home / shard.name)
        else:
            missing.append(shard)
    for shard, made in _made(config, missing, jobs):
        with atomic(home / shard.name) as file:
            file.write(made)
        _tell(progress, home / shard.name)
    _sweep(out)
    finish(config, out, home)
    shutil.rmtree(home)


def _home(config: Config, out: Path) -> Path:
    """The folder for shards; those of another config, or of other versions, are taken away."""
    said = line({"config": config.as_json(), "seed": config.seed, "made_with": _made_with()})
    manifest = out / "manifest.json"
    if manifest.exists() and not _same(config, manifest):
        raise ConfigError(
            "the folder holds a data set that was made with other options",
            where=str(out),
            hint="give another --out, or make all splits at once",
        )
    home = out / KEPT
    stamp = home / "run.json"
    if stamp.exists() and stamp.read_bytes() != said:
        shutil.rmtree(home)
    with os_errors_reported(out):
        home.mkdir(parents=True, exist_ok=True)
    if not stamp.exists():
        with atomic(stamp) as file:
            file.write(said)
    return home


def _sweep(out: Path) -> None:
    """Take away what a run left half-written when it was killed."""
    for path in out.glob(".*"):
        if re.fullmatch(r"\.(?:README|manifest|train|test)\.\w+\.[0-9a-f]{8}", path.name):
            path.unlink()


def _same(config: Config, manifest: Path) -> bool:
    import msgspec

    try:
        told = msgspec.json.decode(manifest.read_bytes())
        return bool(told["config"] == config.as_json() and told["seed"] == config.seed)
    except (msgspec.DecodeError, KeyError, TypeError):
        return False


def _made_with() -> dict[str, object]:
    """What the bytes depend on beside the config."""
    from solver.manifest import sha256

    encodings = sorted(ENCODINGS.rglob("*.lp"))
    return {"versions": versions(), "encodings": [sha256(path) for path in encodings]}


def _tell(progress: Callable[[int], object] | None, path: Path) -> None:
    if progress is not None:
        progress(path.read_bytes().count(b"\n"))


def _made(config: Config, missing: list[Shard], jobs: int) -> Iterator[tuple[Shard, bytes]]:
    """The shards in their order, each with its lines."""
    try:
        made = parallel_stream(
            partial(make, config),
            missing,
            min(jobs, max(len(missing), 1)),
            lifetime=WORKER_LIFETIME // ITEMS,
        )
        yield from zip(missing, made, strict=True)
    except WorkerDiedError as ended:
        ended.hint = f"the same command goes on from the last shard; {ended.hint}"
        raise
