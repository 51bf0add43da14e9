"""A data set whose files are its shards, on disk or at a URI, which the same command resumes.

The shards of a split, one after another, are the bytes of its one file. Where a URI names the
folder, workers write the shards themselves; otherwise the process that started the command does.
The manifest with a checksum of each shard is written last.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from generators.dataset import README, decoded
from generators.eventhop.certificates import certified
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
from solver.io.remote import Folder
from solver.io.sources import MANIFEST
from solver.io.writing import line
from solver.manifest import manifest
from solver.processes import WORKER_LIFETIME, parallel_stream

MOST = 24_576
"""Maximum number of items of a shard, for which a worker takes some 300 MiB."""

_STAMP = f"{KEPT}/{STAMP}"
_NAME = re.compile(rf"(?:items-)?(?:{'|'.join(Split)})-\d{{6,}}\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The checksums of the files of a shard, by name, and the counts of its items."""

    files: dict[str, str]
    census: Census


def generate_sharded(
    config: Config,
    out: Folder,
    size: int,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
    certificates: bool = False,
) -> None:
    """Generate a data set of shards; an interrupted run resumes after its finished shards.

    Args:
        config: options of the data set.
        out: its folder.
        size: items of a shard, at most ``MOST``.
        jobs: number of worker processes; the bytes do not depend on it.
        progress: called with the number of items after each shard.
        certificates: whether to write a file of certificates for each shard, too.

    Raises:
        ConfigError: the folder contains another data set.
        CensusError: the counts of the shards differ from the plan.
        HopcheckError: an item cannot be generated or fails verification.
    """
    planned = layout(config)
    finished = _prepare(config, out, size, certificates=certificates)
    censuses = {split: Census(config, split) for split in sorted(config.sizes)}
    outputs: dict[str, str] = {}
    every = list(shards(config, size))
    for shard, written in _written(config, out, every, finished, jobs, certificates=certificates):
        censuses[shard.split].add(written.census)
        outputs |= written.files
        if progress is not None:
            progress(written.census.items)
    for split, census in censuses.items():
        census.check(layout(config, split))
    counts = {split: census.items for split, census in censuses.items()}
    page = card(config, planned, counts, size).encode()
    out.write(README, page)
    outputs[README] = hashlib.sha256(page).hexdigest()
    whole = (
        manifest(config=config.as_json(), seed=config.seed)
        | {"outputs": outputs, "shard_size": size}
        | described(config, planned, censuses, [shard.name for shard in every])
    )
    encoded = msgspec.json.encode(whole, order="sorted")
    out.write(MANIFEST, msgspec.json.format(encoded, indent=2) + b"\n")
    out.remove(KEPT)


def _prepare(config: Config, out: Folder, size: int, *, certificates: bool) -> frozenset[str]:
    """The finished shards of this run; those of another one are deleted.

    Raises:
        ConfigError: the folder contains another data set.
    """
    require_same(config, out, size)
    expected, names = stamp_of(config, size, certificates=certificates), out.names()
    kept = out.has(_STAMP) and out.read(_STAMP) == expected
    if not out.remote:
        remove_partial_files(Path(str(out)))
    # A manifest must not describe a half-written folder.
    out.remove(MANIFEST)
    found = frozenset(name for name in names if _NAME.fullmatch(name))
    if not kept:
        for name in sorted(found):
            out.remove(name)
        out.remove(KEPT)
        out.write(_STAMP, expected)
        found = frozenset()
    return found


def _written(
    config: Config,
    out: Folder,
    every: list[Shard],
    finished: frozenset[str],
    jobs: int,
    *,
    certificates: bool,
) -> Iterator[tuple[Shard, _Written]]:
    """All shards, the finished ones first; each is counted from the bytes of its file."""
    old = [shard for shard in every if shard.name in finished]
    new = [shard for shard in every if shard.name not in finished]
    lifetime = max(1, WORKER_LIFETIME // every[0].size)
    make_files = partial(_made, config, certificates=certificates)
    read_files = partial(_read, out, certificates=certificates)
    with resumption_reported():
        if out.remote:
            for function, some in (
                (partial(_counted, config, read_files), old),
                (partial(_made_there, config, make_files, out), new),
            ):
                found = parallel_stream(function, some, jobs, lifetime=lifetime)
                yield from zip(some, found, strict=True)
            return
        yield from ((shard, _counted(config, read_files, shard)) for shard in old)
        for shard, files in zip(
            new, parallel_stream(make_files, new, jobs, lifetime=lifetime), strict=True
        ):
            _write(out, files)
            yield shard, _counts(config, shard, files)


def _made(config: Config, shard: Shard, *, certificates: bool) -> dict[str, bytes]:
    """The files of a shard by name, the shard itself last."""
    lines = make(config, shard)
    if not certificates:
        return {shard.name: lines}
    rows = certified(decoded([lines]), shard.split.value, config.domain)
    return {_certified_name(shard): b"".join(map(line, rows)), shard.name: lines}


def _certified_name(shard: Shard) -> str:
    return f"items-{shard.name}"


def _read(out: Folder, shard: Shard, *, certificates: bool) -> dict[str, bytes]:
    """The files of a shard that was written."""
    names = (_certified_name(shard), shard.name) if certificates else (shard.name,)
    return {name: out.read(name) for name in names}


def _write(out: Folder, files: Mapping[str, bytes]) -> None:
    # The shard itself is the last one: where it is, the shard is finished.
    for name, data in files.items():
        out.write(name, data)


def _made_there(
    config: Config, make_files: Callable[[Shard], dict[str, bytes]], out: Folder, shard: Shard
) -> _Written:
    """Make a shard and write it."""
    files = make_files(shard)
    _write(out, files)
    return _counts(config, shard, files)


def _counted(
    config: Config, read_files: Callable[[Shard], dict[str, bytes]], shard: Shard
) -> _Written:
    """Count a shard that was written."""
    return _counts(config, shard, read_files(shard))


def _counts(config: Config, shard: Shard, files: Mapping[str, bytes]) -> _Written:
    census = Census(config, shard.split)
    census.count(decoded([files[shard.name]]))
    checksums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    return _Written(files=checksums, census=census)
