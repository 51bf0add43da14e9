"""A data set whose files are its shards, on disk or at a URI, which the same command resumes.

The shards of a split, one after another, are the bytes of its one file. Where a URI names the
folder, workers write the shards themselves; otherwise the process that started the command does.
The manifest with a checksum of each shard is written last.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from generators.dataset import README, decoded
from generators.eventhop.config import Config
from generators.eventhop.files import Census, card, described
from generators.eventhop.layout import layout
from generators.eventhop.presets import Split
from generators.eventhop.run import (
    KEPT,
    STAMP,
    remove_partial_files,
    require_same,
    resumption_reported,
    stamp_of,
)
from generators.eventhop.shards import Shard, make, shards
from solver.io.folders import Folder
from solver.io.sources import MANIFEST
from solver.manifest import manifest
from solver.processes import WORKER_LIFETIME, parallel_stream

MOST = WORKER_LIFETIME
"""Maximum number of items of a shard: a worker generates one at least."""

_STAMP = f"{KEPT}/{STAMP}"
_NAME = re.compile(rf"(?:{'|'.join(Split)})-\d{{6,}}\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """A file of the data set: its name, its checksum, and the counts of its items."""

    name: str
    sha256: str
    census: Census


def generate_sharded(
    config: Config,
    out: Folder,
    size: int,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Generate a data set of shards; an interrupted run resumes after its finished shards.

    Args:
        config: options of the data set.
        out: its folder.
        size: items of a shard, at most ``MOST``.
        jobs: number of worker processes; the bytes do not depend on it.
        progress: called with the number of items after each shard.

    Raises:
        ConfigError: the folder contains another data set.
        CensusError: the counts of the shards differ from the plan.
        HopcheckError: an item cannot be generated or fails verification.
    """
    planned = layout(config)
    finished = _prepare(config, out, size)
    censuses = {split: Census(config, split) for split in sorted(config.sizes)}
    checksums: dict[str, str] = {}
    for split, written in _written(config, out, size, finished, jobs):
        censuses[split].add(written.census)
        checksums[written.name] = written.sha256
        if progress is not None:
            progress(written.census.items)
    for split, census in censuses.items():
        census.check(layout(config, split))
    counts = {split: census.items for split, census in censuses.items()}
    page = card(config, planned, counts, size).encode()
    out.write(README, page)
    data = sorted(checksums)
    checksums[README] = hashlib.sha256(page).hexdigest()
    whole = (
        manifest(config=config.as_json(), seed=config.seed)
        | {"outputs": checksums, "shard_size": size}
        | described(config, planned, censuses, data)
    )
    encoded = msgspec.json.encode(whole, order="sorted")
    out.write(MANIFEST, msgspec.json.format(encoded, indent=2) + b"\n")
    out.remove_folder(KEPT)


def _prepare(config: Config, out: Folder, size: int) -> frozenset[str]:
    """The finished shards of this run; those of another one are deleted.

    Raises:
        ConfigError: the folder contains another data set.
    """
    require_same(config, out, size)
    expected, names = stamp_of(config, size), out.names()
    kept = out.has(_STAMP) and out.read(_STAMP) == expected
    if not out.remote:
        remove_partial_files(Path(str(out)))
    # A manifest must not describe a half-written folder.
    out.remove(MANIFEST)
    found = frozenset(name for name in names if _NAME.fullmatch(name))
    if not kept:
        for name in sorted(found):
            out.remove(name)
        out.remove_folder(KEPT)
        out.write(_STAMP, expected)
        found = frozenset()
    return found


def _written(
    config: Config, out: Folder, size: int, finished: frozenset[str], jobs: int
) -> Iterator[tuple[Split, _Written]]:
    """All shards, the finished ones first; each is counted from the bytes of its file."""
    every = list(shards(config, size))
    old = [shard for shard in every if shard.name in finished]
    new = [shard for shard in every if shard.name not in finished]
    lifetime = max(1, WORKER_LIFETIME // size)
    with resumption_reported():
        count = partial(_counted, config, out)
        if out.remote:
            yield from zip(
                (shard.split for shard in old),
                parallel_stream(count, old, jobs, lifetime=lifetime),
                strict=True,
            )
            yield from zip(
                (shard.split for shard in new),
                parallel_stream(partial(_made, config, out), new, jobs, lifetime=lifetime),
                strict=True,
            )
            return
        yield from ((shard.split, count(shard)) for shard in old)
        made = parallel_stream(partial(make, config), new, jobs, lifetime=lifetime)
        for shard, lines in zip(new, made, strict=True):
            out.write(shard.name, lines)
            yield shard.split, _census(config, shard, lines)


def _made(config: Config, out: Folder, shard: Shard) -> _Written:
    """Make a shard and write it."""
    lines = make(config, shard)
    out.write(shard.name, lines)
    return _census(config, shard, lines)


def _counted(config: Config, out: Folder, shard: Shard) -> _Written:
    """Count a shard that was written."""
    return _census(config, shard, out.read(shard.name))


def _census(config: Config, shard: Shard, lines: bytes) -> _Written:
    census = Census(config, shard.split)
    census.count(decoded([lines]))
    return _Written(name=shard.name, sha256=hashlib.sha256(lines).hexdigest(), census=census)
