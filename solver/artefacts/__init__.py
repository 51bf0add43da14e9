"""Artefact checks: how much of the label is given away without any reasoning.

A benchmark whose labels follow from its wording measures the wording. Looked at are guesses from
the claim alone, from counts of words and from counts of relations, each against chance; the
balance of labels; and duplicates.
"""

from __future__ import annotations

from solver.artefacts.findings import Artefacts, Finding, measure
from solver.artefacts.sample import LIMIT, Sample, sample

__all__ = ["LIMIT", "Artefacts", "Finding", "Sample", "measure", "sample"]
