"""The rules for expectations: bodies of one fact with enough confidence and support."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.strikingness.settings import Deviation, Settings, SettingsError
from solver.graph.model import Dataset, Ids, Index, Snapshots, Vocabulary
from solver.rules.history import History
from solver.rules.model import RuleTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rulebook:
    """Rules ``(E1, head, E2, T2) <- (E1, body, E2, T1)`` (eq. 1), sorted by head.

    Attributes:
        head: head relations, which may be inverse.
        body: body relations, which may be inverse.
        confidence: confidences, in [0, 1].
        looped: whether E1 and E2 have to be equal.
        number: number of each rule in its file, from 0.
        ruled: relations with a rule above the thresholds, even if it never fires; ascending.
        by_body: index of ``body``.
        left_out: number of rules of the file that are longer or below the thresholds.
    """

    head: Ids
    body: Ids
    confidence: Numbers
    looped: NDArray[np.bool_]
    number: Ids
    ruled: Ids
    by_body: Index
    left_out: int

    @classmethod
    def of(cls, rules: RuleTable, settings: Settings, relations: int) -> Rulebook:
        """Select the usable rules of a file.

        Args:
            rules: rules of any lengths.
            settings: thresholds, and whether rules may invert facts.
            relations: number of relations without inverses.

        Raises:
            SettingsError: no rule has a body of one fact, or rules are duplicates.
        """
        short = rules.length == 1
        if not short.any():
            message = f"found {len(rules):,} rules, none with a body of one fact"
            raise SettingsError(message, hint="mine them with --lengths 1")
        body = rules.body[:, 0]
        enough = (rules.confidence >= settings.confidence) & (
            rules.body_support >= settings.body_support
        )
        used = passing = short & enough
        if settings.has(Deviation.ONE_WAY):
            used = passing & ((rules.head >= relations) == (body >= relations))
        number = np.flatnonzero(used)
        number = number[np.argsort(rules.head[number], kind="stable")]
        _refuse_doubled(rules.take(number), number)
        return cls(
            head=rules.head[number],
            body=body[number],
            confidence=rules.confidence[number],
            looped=rules.same[number] != 0,
            number=number,
            ruled=np.unique(rules.head[passing]),
            by_body=Index.of(body[number]),
            left_out=int((~passing).sum()),
        )

    def __len__(self) -> int:
        return len(self.head)

    def leading_to(self, relations: Ids) -> tuple[Ids, Ids]:
        """For each relation, the range of the rules with this head."""
        return (
            np.searchsorted(self.head, relations, side="left"),
            np.searchsorted(self.head, relations, side="right"),
        )


def _refuse_doubled(rules: RuleTable, number: Ids) -> None:
    seen: dict[tuple[int, int, int], int] = {}
    columns = (rules.head, rules.body[:, 0], rules.same, number)
    for head, body, same, row in zip(*(column.tolist() for column in columns), strict=True):
        first = seen.setdefault((head, body, same), row)
        if first != row:
            message = f"rules {first} and {row} are the same, {head} <- {body}"
            raise SettingsError(f"{message}, expected distinct rules", hint="numbered from 0")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """A graph and its rules, indexed.

    Attributes:
        history: the facts of all splits in both directions; only facts before an event are used.
        book: the rules.
        pairs: index of the triples of the history by head and tail.
        times: the distinct times of facts, ascending.
        step: the shortest time between facts, such as 1 day or 24 hours.
        settings: the settings.
    """

    history: History
    book: Rulebook
    pairs: Index
    times: Ids
    step: int
    settings: Settings

    @classmethod
    def of(cls, dataset: Dataset, rules: RuleTable, settings: Settings) -> Evidence:
        """Index a graph and rules.

        Raises:
            SettingsError: no rule can be used, rules are duplicates, or the graph is too large for
                keys of 63 bits.
        """
        facts, vocabulary = dataset.facts(), dataset.vocabulary
        try:
            history = History.of(facts, vocabulary)
        except OverflowError as error:
            message = f"the graph is too large: {error}"
            hint = "number its times from 0, for example in days"
            raise SettingsError(message, where=dataset.name, hint=hint) from None
        leading, tail = np.divmod(history.triples, vocabulary.entities)
        times = Snapshots.of(facts).times
        return cls(
            history=history,
            book=Rulebook.of(rules, settings, vocabulary.relations),
            pairs=Index.of(leading // (2 * vocabulary.relations) * vocabulary.entities + tail),
            times=times,
            step=int(np.diff(times).min()) if len(times) > 1 else 1,
            settings=settings,
        )

    @property
    def vocabulary(self) -> Vocabulary:
        """Sizes and names."""
        return self.history.vocabulary

    def since(self, times: Ids) -> Ids:
        """The start times of the windows of events at these times."""
        window = self.settings.window
        if not self.settings.snapshots:
            return times - window * self.step
        places = np.searchsorted(self.times, times)
        begins: Ids = np.append(self.times, times.max(initial=0))[np.maximum(places - window, 0)]
        return begins

    def between(self, heads: Ids, tails: Ids) -> tuple[Ids, Ids]:
        """Ranges in ``pairs`` of the triples from heads to tails, of any relation."""
        return self.pairs.ranges(heads * self.vocabulary.entities + tails)

    def relation(self, triples: Ids) -> Ids:
        """The relations of triples, given by their numbers in the history."""
        size = self.vocabulary
        relations: Ids = self.history.triples[triples] // size.entities % (2 * size.relations)
        return relations
