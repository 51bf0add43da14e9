"""Instances of planted patterns, from labels: a consequence with its antecedents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.errors import HopcheckError
from solver.reading.failures import InputError
from solver.tkg.dataset import Dataset
from solver.tkg.generated import LABELS
from solver.tkg.index import Index, expand
from solver.tkg.labels import Labels, read_labels
from solver.tkg.quadruples import Ids, Quadruples


class UnlabelledError(HopcheckError):
    """A graph without labels."""

    code = "unlabelled"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Instances:
    """Instances with a consequence, sorted by pattern, time of the consequence and number.

    Attributes:
        facts: facts of the graph.
        pattern: pattern id of each instance.
        consequence: row of each instance's consequence.
        number: instance number in the labels.
        antecedents: rows of the antecedents, grouped by instance and sorted by position.
        offsets: begin of each instance's antecedents, and the end of the last.
        of_fact: index of instances by the row of their consequence.
    """

    facts: Quadruples
    pattern: Ids
    consequence: Ids
    number: Ids
    antecedents: Ids
    offsets: Ids
    of_fact: Index

    def __len__(self) -> int:
        return len(self.pattern)

    @classmethod
    def of(cls, labels: Labels, facts: Quadruples) -> Instances:
        """Collect the instances of labels; all labels must refer to existing facts."""
        ends = np.flatnonzero(labels.consequence)
        order = np.lexsort(
            (labels.instance[ends], facts.time[labels.fact[ends]], labels.pattern[ends])
        )
        ends = ends[order]
        before = np.flatnonzero(~labels.consequence)
        before = before[np.lexsort((labels.position[before], labels.instance[before]))]
        by_instance = Index.of(labels.instance[before])
        begins, stops = by_instance.ranges(labels.instance[ends])
        _, places = expand(begins, stops)
        return cls(
            facts=facts,
            pattern=labels.pattern[ends],
            consequence=labels.fact[ends],
            number=labels.instance[ends],
            antecedents=labels.fact[before][by_instance.order[places]],
            offsets=np.append(0, np.cumsum(stops - begins)),
            of_fact=Index.of(labels.fact[ends]),
        )

    def antecedents_of(self, instance: int) -> Ids:
        """Rows of an instance's antecedents, by position."""
        return self.antecedents[self.offsets[instance] : self.offsets[instance + 1]]

    def of_consequence(self, row: int) -> int | None:
        """The lowest-numbered instance with this fact as its consequence."""
        found = self.of_fact.rows(row)
        return int(found[self.number[found].argmin()]) if len(found) else None

    def analogy(self, instance: int) -> int | None:
        """The instance of the latest earlier consequence of the same pattern with other entities.

        Its head and tail both differ from the head and tail of this instance's consequence.
        """
        facts, row = self.facts, self.consequence[instance]
        own = {int(facts.head[row]), int(facts.tail[row])}
        begin = int(np.searchsorted(self.pattern, self.pattern[instance]))
        for one in range(instance - 1, begin - 1, -1):
            other = self.consequence[one]
            entities = {int(facts.head[other]), int(facts.tail[other])}
            if facts.time[other] < facts.time[row] and not own & entities:
                return one
        return None


def read_instances(folder: Path, dataset: Dataset) -> Instances:
    """Read the instances of a generated graph's folder.

    Raises:
        UnlabelledError: the folder has no labels.
        InputError: the labels cannot be read or refer to missing facts.
    """
    path = folder / LABELS
    if not path.is_file():
        hint = "generate tkg writes them; naive-entity and naive-pair need none"
        raise UnlabelledError("not found, expected the labels of facts", where=f"{path}", hint=hint)
    labels, facts = read_labels(path), dataset.facts()
    wrong = np.flatnonzero(labels.fact >= len(facts))
    if len(wrong):
        row = int(wrong[0])
        message = f"found fact {labels.fact[row]}, expected 0 to {len(facts) - 1:,}"
        raise InputError(message, where=f"{path}:{row + 2}:1")
    number, count = np.unique(labels.instance[labels.consequence], return_counts=True)
    if (count > 1).any():
        message = f"found {count.max()} consequences of instance {number[count.argmax()]}"
        raise InputError(f"{message}, expected one at most", where=f"{path}")
    return Instances.of(labels, facts)
