"""Reads the standard folder layout: one text file per split, id maps, ``stat.txt``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from solver.reading.failures import InputError
from solver.tkg.dataset import Dataset, Split, Vocabulary
from solver.tkg.files.id_maps import IdMap, read_id_map
from solver.tkg.files.integers import cell_location, read_integers, width
from solver.tkg.files.soundness import (
    COLUMNS,
    HEAD,
    RELATION,
    TAIL,
    TIME,
    require_ids,
    require_order,
)
from solver.tkg.quadruples import Quadruples
from solver.tkg.statistics import time_step

_STAT = ("entities", "relations", "times")


def read_integer_files(
    name: str, files: Mapping[Split, Path], folder: Path | None, *, ordered: bool
) -> Dataset:
    """Read files of ``head relation tail time`` ids; further columns are ignored.

    Args:
        name: name of the data set.
        files: file of each split.
        folder: folder of the optional id maps and ``stat.txt``.
        ordered: reject facts out of time order and splits that overlap in time.

    Raises:
        InputError: a file cannot be read, or the files are inconsistent.
    """
    splits = {
        split: Quadruples.of(read_integers(path, 4, names=COLUMNS)) for split, path in files.items()
    }
    if not any(map(len, splits.values())):
        first = next(iter(files.values()))
        raise InputError("found no facts, expected at least one", where=f"{first}:1:1")
    maps = {
        column: read_id_map(folder, stem, steps=column == TIME) if folder else None
        for column, stem in ((HEAD, "entity2id"), (RELATION, "relation2id"), (TIME, "ts2id"))
    }
    limits = _limits(folder, maps)

    def places(split: Split, row: int, column: int) -> str:
        return cell_location(files[split], row, column)

    facts = Quadruples.joined(*splits.values())
    step = _named_step(maps[TIME], facts)
    if TIME in limits and (known := maps[TIME]) is not None:
        limits[TIME] = ((len(known.names) - 1) * step + 1, known.file)
    require_ids(splits, places, limits)
    if ordered:
        require_order(splits, places)
    return Dataset(name=name, vocabulary=_vocabulary(facts, maps, limits, step), splits=splits)


def _limits(folder: Path | None, maps: Mapping[int, IdMap | None]) -> dict[int, tuple[int, str]]:
    """Number of ids per column, from the id maps and ``stat.txt``, which must agree."""
    limits = {
        column: (len(known.names), known.file)
        for column, known in maps.items()
        if known is not None
    }
    stat = None if folder is None else folder / "stat.txt"
    if stat is not None and stat.is_file():
        counts = _stat(stat)
        for column, what in ((HEAD, 0), (RELATION, 1), (TIME, 2)):
            count = counts[what]
            known = limits.get(column)
            if column != TIME and known is not None and known[0] != count:
                message = f"found {count} {_STAT[what]}, but {known[1]} names {known[0]}"
                raise InputError(f"{message}, expected as many", where=cell_location(stat, 0, what))
            if count and known is None:
                limits[column] = (count, stat.name)
    if HEAD in limits:
        limits[TAIL] = limits[HEAD]
    return limits


def _stat(path: Path) -> tuple[int, int, int]:
    """Numbers of entities, relations and times; times are 0 if absent."""
    rows = read_integers(path, 2, names=_STAT[:2])
    if len(rows) != 1:
        message = f"found {len(rows)} lines, expected one: {', '.join(_STAT)}"
        raise InputError(message, where=f"{path}:1:1")
    if width(path) > 2:
        rows = read_integers(path, 3, names=_STAT)
    for what, count in enumerate(rows[0]):
        if count < (what < 2):
            message = f"found {count} {_STAT[what]}, expected at least one"
            raise InputError(message, where=cell_location(path, 0, what))
    entities, relations, *times = map(int, rows[0])
    return entities, relations, times[0] if times else 0


def _named_step(times: IdMap | None, facts: Quadruples) -> int:
    """Distance of named times: the map may count days where the facts count hours."""
    if times is None or times.step > 1 or facts.time.max() < len(times.names):
        return 1 if times is None else times.step
    step = time_step(facts.time)
    fits = facts.time.min() % step == 0 and facts.time.max() // step < len(times.names)
    return step if fits else 1


def _vocabulary(
    facts: Quadruples,
    maps: Mapping[int, IdMap | None],
    limits: Mapping[int, tuple[int, str]],
    step: int,
) -> Vocabulary:
    def names(column: int) -> tuple[str, ...]:
        known = maps[column]
        # Names equal to the ids carry no information.
        plain = known is None or all(name == str(n) for n, name in enumerate(known.names))
        return () if known is None or plain else known.names

    return Vocabulary(
        entities=limits[HEAD][0]
        if HEAD in limits
        else int(max(facts.head.max(), facts.tail.max())) + 1,
        relations=limits[RELATION][0] if RELATION in limits else int(facts.relation.max()) + 1,
        times=limits[TIME][0] if TIME in limits else int(facts.time.max()) + 1,
        entity_names=names(HEAD),
        relation_names=names(RELATION),
        time_names=names(TIME),
        time_step=step,
    )
