"""What expectations rest on: the graph's history, its rules, and how far back both are seen."""

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
    """A graph and rules over it.

    Attributes:
        history: the facts of all splits in both directions; an event sees those before its time.
        book: the rules.
        pairs: index of the history's triples by head and tail.
        times: at which there are facts, ascending.
        step: the shortest time between them: a day, say, written as 1 or as 24 hours.
        settings: how they are used.
    """

    history: History
    book: Rulebook
    pairs: Index
    times: Ids
    step: int
    settings: Settings

    @classmethod
    def of(cls, dataset: Dataset, rules: RuleTable, settings: Settings) -> Evidence:
        """Make a graph and rules ready.

        Raises:
            SettingsError: no rule can be used, one is there twice, or the graph is too large for
                keys of 63 bits.
        """
        facts, vocabulary = dataset.facts(), dataset.vocabulary
        try:
            history = History.of(facts, vocabulary)
        except OverflowError as error:
            message = f"the graph is too large: {error}"
            hint = "number its times from 0, in days say"
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
        """When the windows of events at these times begin."""
        window = self.settings.window
        if not self.settings.snapshots:
            return times - window * self.step
        places = np.searchsorted(self.times, times)
        begins: Ids = np.append(self.times, times.max(initial=0))[np.maximum(places - window, 0)]
        return begins

    def between(self, heads: Ids, tails: Ids) -> tuple[Ids, Ids]:
        """Ranges in ``pairs`` of the triples, of any relation, that lead from heads to tails."""
        return self.pairs.ranges(heads * self.vocabulary.entities + tails)

    def relation(self, triples: Ids) -> Ids:
        """The relations of triples of the history, by their numbers."""
        size = self.vocabulary
        relations: Ids = self.history.triples[triples] // size.entities % (2 * size.relations)
        return relations
