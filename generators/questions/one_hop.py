"""1-hop questions: who is at the other end of a relation at a time?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OneHopItems:
    """Questions, a row each, sorted by time, relation and entity.

    Attributes:
        entity: the known end.
        relation: relation of the fact, or the inverse ``r + relations`` if the subject is queried.
        offsets: the answers of row ``k`` are ``answer[offsets[k]:offsets[k + 1]]``, ascending.
    """

    time: Ids
    entity: Ids
    relation: Ids
    offsets: Ids
    answer: Ids

    def __len__(self) -> int:
        return len(self.time)


def one_hop(facts: Quadruples, relations: int) -> OneHopItems:
    """Query both ends of each fact; facts that differ in that end only form one question.

    Args:
        facts: distinct facts of a split.
        relations: number of relations without inverses.
    """
    both = facts.both_ways(relations)
    both = both.take(np.lexsort((both.tail, both.head, both.relation, both.time)))
    asked = np.stack((both.time, both.relation, both.head))
    first = np.ones(len(both), dtype=np.bool_)
    first[1:] = (asked[:, 1:] != asked[:, :-1]).any(axis=0)
    begins = np.flatnonzero(first)
    return OneHopItems(
        time=both.time[begins],
        entity=both.head[begins],
        relation=both.relation[begins],
        offsets=np.append(begins, len(both)),
        answer=both.tail,
    )
