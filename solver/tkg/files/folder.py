"""The usual folder of a data set: a text file a split, id maps, ``stat.txt``."""

from __future__ import annotations

from pathlib import Path

import msgspec

from solver.reading.failures import InputError
from solver.tkg.dataset import Dataset, Split, Vocabulary
from solver.tkg.files.integers import read_integers
from solver.tkg.quadruples import Quadruples

COLUMNS = ("head", "relation", "tail", "time")


def read_dataset(path: str | Path) -> Dataset:
    """Read a folder.

    Raises:
        InputError: it is no such folder, or one of its files cannot be read.
    """
    folder = Path(path)
    splits = {
        split: Quadruples.of(read_integers(folder / f"{split}.txt", 4, names=COLUMNS))
        for split in Split
        if (folder / f"{split}.txt").is_file()
    }
    if not splits:
        raise InputError("found no train.txt, valid.txt or test.txt", where=str(folder))
    entities = _names(folder / "entity2id.json")
    relations = _names(folder / "relation2id.json")
    times = _names(folder / "ts2id.json")
    facts = Quadruples.joined(*splits.values())
    vocabulary = Vocabulary(
        entities=len(entities) or int(max(facts.head.max(), facts.tail.max())) + 1,
        relations=len(relations) or int(facts.relation.max()) + 1,
        times=len(times) or int(facts.time.max()) + 1,
        entity_names=entities,
        relation_names=relations,
        time_names=times,
    )
    return Dataset(name=folder.name, vocabulary=vocabulary, splits=splits)


def _names(path: Path) -> tuple[str, ...]:
    if not path.is_file():
        return ()
    ids = msgspec.json.decode(path.read_bytes(), type=dict[str, int])
    return tuple(sorted(ids, key=ids.__getitem__))
