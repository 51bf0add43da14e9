"""The Recurrency baseline: predicts recent and frequent answers.

Source: Gastinger et al. 2024, History Repeats Itself. A query uses all facts before its time,
including those of the queried split.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from benchmarks.history import TimeIndex
from benchmarks.metrics.ranking import Numbers, mrr
from benchmarks.rules.ranking.models import place
from benchmarks.rules.ranking.queries import FilteredAnswers, SplitQueries
from solver.graph.model import Ids, expand
from solver.graph.queries import Tie
from solver.verification.settings import setting

DECAYS = (0.0001, 0.001, 0.005, 0.01, 0.1)
SHARES = (0.5, 0.9, 0.99, 0.99999)
"""The grid of ``tuned``."""


class Form(StrEnum):
    """The earlier facts that predict o for ``(s, r, ?, t)``.

    ``strict``: (s, r, o). ``relaxed``: (any subject, r, o). ``combined``: both.
    """

    STRICT = "strict"
    RELAXED = "relaxed"
    COMBINED = "combined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Parameters of Recurrency."""

    form: Form = setting(
        Form.COMBINED,
        "Predict recent answers of the query's subject and relation (strict), frequent answers of "
        "its relation (relaxed), or combine both.",
    )
    decay: float = setting(0.001, "Decay rate lambda of the strict score.", least=0)
    share: float = setting(
        0.9, "Weight alpha of the strict score in the combined one.", least=0, most=1
    )


class Recurrency:
    """The baseline; scores are in [0, 1].

    strict: ``2 ** (-decay * (t - k))`` with the latest k < t at which (s, r, o) holds, 0 without
    one; relaxed: the share of facts of r before t whose object is o; combined: ``share * strict +
    (1 - share) * relaxed``. Times are in time steps of the graph.
    """

    def __init__(self, queries: SplitQueries, settings: Settings) -> None:
        self.model = f"recurrency ({settings.form})"
        self._settings = settings
        self._queries = queries
        self._entities = queries.entities
        known, asked = queries.known, queries.asked
        vocabulary = queries.dataset.vocabulary
        exact = TimeIndex(known, ("head", "relation"), vocabulary)
        self._strict = exact.before(asked)
        self._tails, self._times = known.tail[exact.order], known.time[exact.order]
        loose = TimeIndex(known, ("relation",), vocabulary)
        self._relaxed = loose.before(asked)
        self._frequent = known.tail[loose.order]
        self._asked_at = asked.time

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        match self._settings.form:
            case Form.STRICT:
                return self._recent(rows)
            case Form.RELAXED:
                return self._often(rows)
            case Form.COMBINED:
                share = self._settings.share
                return share * self._recent(rows) + (1 - share) * self._often(rows)

    def _recent(self, rows: Ids) -> Numbers:
        scores = np.zeros((len(rows), self._entities))
        places, found = expand(self._strict[0][rows], self._strict[1][rows])
        steps = (self._asked_at[rows][places] - self._times[found]) / self._queries.step
        # The latest time is written last: the facts of a query are in temporal order.
        scores[places, self._tails[found]] = np.exp2(-self._settings.decay * steps)
        return scores

    def _often(self, rows: Ids) -> Numbers:
        begins, ends = self._relaxed[0][rows], self._relaxed[1][rows]
        ranges, place = np.unique(np.stack((begins, ends)), axis=1, return_inverse=True)
        shares = np.stack(
            [
                np.bincount(self._frequent[begin:end], minlength=self._entities)
                / max(end - begin, 1)
                for begin, end in ranges.T
            ]
        )
        often: Numbers = shares[place.ravel()]
        return often


def tuned(queries: SplitQueries, filtered: FilteredAnswers) -> Settings:
    """Tune decay and share by MRR; the first in case of ties.

    Args:
        queries: queries of the validation split.
        filtered: their filtered answers.
    """
    tried = [Settings(decay=decay, share=share) for decay in DECAYS for share in SHARES]
    return max(
        tried,
        key=lambda settings: mrr(
            place(Recurrency(queries, settings), queries, filtered).values(Tie.REALISTIC)
        ),
    )
