"""Annotation artefacts: how well labels can be predicted without reasoning.

Probes predict the label from the claim alone, from word counts and from relation counts, each
compared with chance. Label balance and duplicates are measured as well.
"""

from __future__ import annotations

from solver.probes.findings import Artefacts, Finding, measure
from solver.probes.sample import LIMIT, Sample, sample

__all__ = ["LIMIT", "Artefacts", "Finding", "Sample", "measure", "sample"]
