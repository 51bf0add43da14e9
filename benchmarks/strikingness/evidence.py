"""The evidence for expectations: the history of the graph, its rules, and the time window."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.strikingness.rulebook import Rulebook
from benchmarks.strikingness.settings import Settings, SettingsError
from solver.rules.history import History
from solver.rules.table import RuleTable
from solver.tkg.dataset import Dataset, Vocabulary
from solver.tkg.index import Index
from solver.tkg.quadruples import Ids
from solver.tkg.snapshots import Snapshots


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
