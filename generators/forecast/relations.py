"""Compares the relations of a forecast with those of its reference year."""

from __future__ import annotations

import numpy as np

from generators.forecast.figures import Figures
from generators.forecast.reference import Reference
from solver.tkg.dataset import Vocabulary


def compared(
    figures: Figures, reference: Reference, words: Vocabulary
) -> tuple[tuple[str, str, str, str, str], ...]:
    """Rows of name, facts and share in the year, facts and share in the forecast.

    The most frequent relations of the year come first.
    """
    order = np.lexsort((np.arange(len(reference.relations)), -reference.relations))
    total = max(figures.facts, 1)
    return tuple(
        (
            words.relation(relation),
            f"{reference.relations[relation]:,}",
            f"{reference.shares[relation]:.2%}",
            f"{figures.counts[relation]:,}",
            f"{figures.counts[relation] / total:.2%}",
        )
        for relation in order.tolist()
        if reference.relations[relation] or figures.counts[relation]
    )
