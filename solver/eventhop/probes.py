"""The probes of event-order items: what a model sees of an item without reasoning.

The counts of a premise are those that a reader of single sentences can collect: which sentences
name the claim's events, with which of their points, and in which order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, product
from typing import TYPE_CHECKING, Any

from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Relation,
)
from solver.eventhop.cues import PROPERTIES, Seen, values
from solver.eventhop.hashes import sentence_hashes
from solver.eventhop.records import Record
from solver.eventhop.sentences import ORDERS, Sentences, Step
from solver.probes.learners import Bags, Coded, Cues, Features, Keys, Numbers, Sequences, Table
from solver.probes.probe import PROBED, Probe, ProbeLevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIMIT = PROBED[ProbeLevel.ALL]

_MARKS, _ROLES = ("\x00", "\x01", "\x02"), ("FIRST", "SECOND", "X")

KINDS = tuple(product(Bound, PUBLISHED_ORDERS, Bound))
"""The twelve kinds of premise relation, such as ``end before start``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The text and counts of an item, and its gold label.

    Attributes:
        id: the id of the item.
        relation: the claim relation; empty if unknown.
        events, relations: numbers of events and relations; 0 if unknown.
        counts: the counts of ``COLUMNS``; empty if unknown.
        names: the names of the claim's events, then those of the premise; empty if unknown.
        steps: what the sentences of the premise state; empty if unknown.
        graph, timeline: hashes of the premise, without and with the claim; None if unknown.
        outline: hash of what the premises of a matched group have in common; None if unknown.
    """

    premise: str
    claim: str
    gold: str
    id: str = ""
    relation: str = ""
    events: int = 0
    relations: int = 0
    counts: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    graph: int | None = None
    timeline: int | None = None
    outline: int | None = None

    def masked(self) -> str:
        """The text with ``FIRST`` and ``SECOND`` for the claim's events, and ``X`` for others."""
        text = f"{self.premise}. {self.claim}"
        if not self.names:
            return text
        roles = dict.fromkeys(self.names, 2) | {self.names[0]: 0, self.names[1]: 1}
        # Characters that are in no name, as a name can be part of a longer one, or of a role.
        for name in sorted(filter(None, roles), key=lambda name: (-len(name), name)):
            text = text.replace(name, _MARKS[roles[name]])
        for mark, role in zip(_MARKS, _ROLES, strict=True):
            text = text.replace(mark, role)
        return text


def sample(record: Record, item: Item | None) -> Sample | None:
    """The sample of a record: see ``samples``."""
    return next(iter(samples([(record, item)])), None)


def samples(read: Iterable[tuple[Record, Item | None]]) -> list[Sample]:
    """The samples of records that have a gold label.

    Args:
        read: records with the texts and the label, and their graphs; None if a text does not
            parse, which leaves the counts unknown.
    """
    labelled = [(record, item) for record, item in read if record.label is not None]
    items = [item for _, item in labelled if item is not None]
    steps, claimed = list(map(_steps, items)), [_events(item.claim) for item in items]
    stated = Sentences(steps, claimed)
    premises = [record.premise for record, item in labelled if item is not None]
    counts = _counts(premises, items, stated).tolist() if items else []
    relations = [item.claim.relation if isinstance(item.claim, Claim) else None for item in items]
    hashes = sentence_hashes(stated, relations) if items else ((), (), ())
    rows = zip(steps, claimed, counts, *hashes, strict=True)
    return [
        Sample(
            premise=record.premise,
            claim=record.claim,
            gold=str(record.label),
            id=record.id,
            **({} if item is None else _graph_of(item, *next(rows))),
        )
        for record, item in labelled
    ]


def _graph_of(
    item: Item,
    steps: tuple[Step, ...],
    claimed: tuple[str, str],
    counts: Sequence[float],
    *hashes: int,
) -> dict[str, Any]:
    """What a sample has of an item that is read."""
    lefts, _, _, _, rights = zip(*steps, strict=True) if steps else ((),) * 5
    named = dict.fromkeys(chain.from_iterable(zip(lefts, rights, strict=True)))
    graph, timeline, outline = hashes
    return {
        "relation": _claimed(item.claim),
        "events": len(named),
        "relations": len(item.premise),
        "counts": tuple(counts),
        "names": (*claimed, *named),
        "steps": steps,
        "graph": graph,
        "timeline": timeline,
        "outline": outline,
    }


def _claimed(claim: Claim | Relation) -> str:
    if isinstance(claim, Claim):
        return claim.relation.value
    return f"{claim.left.bound} {claim.order} {claim.right.bound}"


def _events(claim: Claim | Relation) -> tuple[str, str]:
    if isinstance(claim, Claim):
        return claim.left, claim.right
    return claim.left.event, claim.right.event


LENGTHS = ("words", "characters", "sentences", "events")
SENTENCES = tuple(f"sentences {' '.join(kind)}" for kind in KINDS)
CLAIMS = tuple(f"claim is {relation}" for relation in ClaimRelation)
FIRST, SECOND = "the first event", "the second event"
MENTIONS = (f"mentions of {FIRST}", f"mentions of {SECOND}", "sentences with both")
_SIDES = ("earlier", "later", "simultaneous")
POINTS = tuple(
    f"{bound} of {event} is {side}"
    for event, bound, side in product((FIRST, SECOND), Bound, _SIDES)
)
GRAPH = (f"neighbours of {FIRST}", f"neighbours of {SECOND}", "distance", "connected parts")
POSITIONS = tuple(
    f"{place} mention of {event}" for event, place in product((FIRST, SECOND), ("first", "last"))
)
COLUMNS = (*CLAIMS, *LENGTHS, *SENTENCES, *MENTIONS, *POINTS, *GRAPH, *POSITIONS)


_PLACE = {name: place for place, name in enumerate(COLUMNS)}
_POINT_PLACE = {
    (event, bound, side): _PLACE[f"{bound} of {event} is {side}"]
    for event, bound, side in product((FIRST, SECOND), Bound, _SIDES)
}
_EARLIER, _LATER, _SAME = _SIDES
_ORDER_SIDES = {
    Order.BEFORE: (_EARLIER, _LATER),
    Order.AFTER: (_LATER, _EARLIER),
    Order.SIMULTANEOUS: (_SAME, _SAME),
    Order.NOT_AFTER: (_EARLIER, _LATER),
    Order.NOT_BEFORE: (_LATER, _EARLIER),
}
"""How the left and the right point of a relation are placed."""


def surface(premise: str, item: Item) -> dict[str, float]:
    """The counts of an item, by name, in the order of ``COLUMNS``.

    A distance of -1 means that the claim's events are not connected; positions are shares of the
    premise, -1 for an event that is not mentioned.
    """
    row = _counts([premise], [item], Sentences([_steps(item)], [_events(item.claim)]))[0]
    return dict(zip(COLUMNS, row.tolist(), strict=True))


def _steps(item: Item) -> tuple[Step, ...]:
    return tuple(
        (r.left.event, r.left.bound, r.order, r.right.bound, r.right.event) for r in item.premise
    )


def _counts(
    premises: Sequence[str], items: Sequence[Item], stated: Sentences
) -> NDArray[np.float64]:
    """The values of ``COLUMNS`` of some items, which state these sentences."""
    import numpy as np

    steps, every = stated.steps, np.arange(len(items))
    table = np.zeros((len(items), len(COLUMNS)))
    for row, item in enumerate(items):
        place = _PLACE.get(f"claim is {_claimed(item.claim)}")
        if place is not None:
            table[row, place] = 1
    of_event = stated.events // len(stated.names.words)
    named = np.bincount(of_event[stated.mentions > 0], minlength=len(items))
    table[:, _PLACE["words"]] = [1 + premise.count(" ") for premise in premises]
    table[:, _PLACE["characters"]] = list(map(len, premises))
    table[:, _PLACE["sentences"]], table[:, _PLACE["events"]] = steps.sizes, named
    published = stated.order < len(PUBLISHED_ORDERS)
    kind = (stated.left_point * len(PUBLISHED_ORDERS) + stated.order) * 2 + stated.right_point
    np.add.at(table, (steps.of[published], _PLACE[SENTENCES[0]] + kind[published]), 1)
    (first_left, first_right), (second_left, second_right) = stated.mentioned
    both = (first_left & second_right) | (first_right & second_left)
    table[:, _PLACE["sentences with both"]] = steps.number(both)
    first, second = stated.neighbours
    others = stated.degree - np.bincount(first[first == second], minlength=len(stated.events))
    sides = np.array([[_SIDES.index(side) for side in _ORDER_SIDES[Order(o)]] for o in ORDERS])
    for role, name in enumerate((FIRST, SECOND)):
        left, right = stated.mentioned[role]
        for flag, point, side in ((left, stated.left_point, 0), (right, stated.right_point, 1)):
            column = point * len(_SIDES) + sides[stated.order, side]
            start = _POINT_PLACE[name, Bound.START, _EARLIER]
            np.add.at(table, (steps.of[flag], start + column[flag]), 1)
        table[:, _PLACE[f"mentions of {name}"]] = steps.number(left) + steps.number(right)
        table[:, _PLACE[f"neighbours of {name}"]] = others[stated.claims[role]]
        for which, at in (("first", steps.first), ("last", steps.last)):
            found = at(left | right)
            share = np.where(found < 0, -1, found / np.maximum(steps.sizes, 1))
            table[every, _PLACE[f"{which} mention of {name}"]] = share
    table[:, _PLACE["distance"]] = stated.distances[stated.claims[1]]
    table[:, _PLACE["connected parts"]] = stated.components
    return table


_OFTEN = (2, 3, 4, 6, 8)


def _table(samples: Sequence[Sample]) -> Table:
    """The counts of all columns."""
    import numpy as np

    unknown = (0.0,) * len(COLUMNS)
    values = np.array([sample.counts or unknown for sample in samples], dtype=float)
    return Table(names=COLUMNS, values=values.reshape(len(samples), len(COLUMNS)))


def _of_columns(name: str, *columns: str, fast: bool = False) -> Probe[Sample]:
    """A probe of some columns, and of the claim's relation."""
    kept = tuple(dict.fromkeys((*CLAIMS, *columns)))
    return Probe(name=name, features=_table, columns=kept, fast=fast)


def _split(text: str) -> list[str]:
    return text.lower().replace(".", " ").split()


@lru_cache(100_000)
def _of_name(name: str) -> tuple[str, ...]:
    return tuple(f"{word} in a name" for word in name.split(" "))


def _of_names(sample: Sample) -> Iterator[str]:
    """The words of the names of a premise, each name once."""
    return chain.from_iterable(map(_of_name, sample.names[2:]))


def _claim_words(samples: Sequence[Sample]) -> Features:
    return Bags(bags=[_split(sample.claim) for sample in samples])


def _words(samples: Sequence[Sample]) -> Features:
    return Bags(bags=[list(_counted(sample)) for sample in samples])


def _counted(sample: Sample) -> Iterator[str]:
    """The words of a premise, how often they occur, and the words of the claim."""
    for word, number in Counter(_split(sample.premise)).items():
        yield word
        for often in _OFTEN:
            if number >= often:
                yield f"{word}, {often} times"
    yield from (f"claim: {word}" for word in _split(sample.claim))


def _grams(samples: Sequence[Sample]) -> Features:
    return Sequences(
        words=[sample.masked().replace(".", " . ").split() for sample in samples], sizes=(2, 3, 4)
    )


def _cues(samples: Sequence[Sample], *, pairs: bool) -> Cues:
    seen = Seen(
        [sample.premise for sample in samples],
        [sample.claim for sample in samples],
        [sample.steps for sample in samples],
        [(sample.names[0], sample.names[1]) if sample.names else ("", "") for sample in samples],
        [sample.names[2:] for sample in samples],
    )
    # One item at a time, to save memory.
    words = ([*_split(sample.premise), *_of_names(sample)] for sample in samples if not pairs)
    return Cues(names=PROPERTIES, columns=values(seen), words=words, pairs=pairs)


def _numbers(samples: Sequence[Sample]) -> Features:
    """All counts, and the cues: words by their places in the alphabet."""
    import numpy as np

    columns = [_ordered(column) for column in _cues(samples, pairs=False).columns]
    return Numbers(values=np.column_stack([_table(samples).values, *columns]))


def _ordered(column: Coded) -> NDArray[np.float64]:
    """Numbers as they are; words by their places in the alphabet; -1 for none."""
    import numpy as np

    present = np.unique(column.codes)
    words = sorted(word for n in present if n >= 0 and isinstance(word := column.values[n], str))
    place: dict[Hashable, float] = {word: number for number, word in enumerate(words)}
    known = [
        float(place.get(value, 0 if isinstance(value, str) else value))  # type: ignore[arg-type]
        for value in column.values
    ]
    return np.array([*known, -1.0])[column.codes]


def _graphs(samples: Sequence[Sample]) -> Features:
    return Keys(
        keys=[sample.premise if sample.graph is None else sample.graph for sample in samples]
    )


def _timelines(samples: Sequence[Sample]) -> Features:
    return Keys(
        keys=[
            f"{sample.premise}\t{sample.claim}" if sample.timeline is None else sample.timeline
            for sample in samples
        ]
    )


MEMORISED = ("the premise graph, memorised", "the premise graph and claim, memorised")
"""Names of the probes of premises of train."""

PROBES: tuple[Probe[Sample], ...] = (
    _of_columns("the claim's relation", fast=True),
    Probe(name="single cues", features=partial(_cues, pairs=False)),
    Probe(name="pairs of cues", features=partial(_cues, pairs=True), fast=False),
    Probe(name="the words of the claim", features=_claim_words),
    Probe(name="the words of premise and claim", features=_words, fast=False),
    Probe(name="sequences of 2 to 4 words", features=_grams, fast=False),
    _of_columns("lengths", *LENGTHS),
    _of_columns("kinds of sentence", *SENTENCES),
    _of_columns("mentions of the claim's events", *MENTIONS),
    _of_columns("starts, ends and orders of the claim's events", *POINTS, fast=True),
    _of_columns("neighbours and distance of the claim's events", *GRAPH),
    _of_columns("positions of the claim's events", *POSITIONS),
    _of_columns("all counts and positions", *COLUMNS, fast=True),
    Probe(name="counts and cues, in boosted trees", features=_numbers, fast=False),
    Probe(name=MEMORISED[0], features=_graphs),
    Probe(name=MEMORISED[1], features=_timelines),
)
"""The probes of ``verify``; counts include the claim's relation."""
