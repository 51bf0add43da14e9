"""Means over seeds with 95% intervals of Student's t."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# 97.5% quantiles of Student's t by degrees of freedom from 1, and that of the normal distribution.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
_NORMAL = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean over seeds with half the width of its 95% interval; 0 for a single seed."""

    value: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """The mean of at least one value."""
        size = len(values)
        if size == 1:
            return cls(value=float(values[0]), half=0.0)
        deviation = float(np.std(values, ddof=1))
        return cls(value=float(np.mean(values)), half=_quantile(size - 1) * deviation / size**0.5)

    def __str__(self) -> str:
        """Format as ``.123 ± .004``."""
        return f"{self.value:.3f} ± {self.half:.3f}"

    def as_json(self) -> dict[str, float]:
        """Rounded numbers."""
        return {"mean": round(self.value, 5), "half": round(self.half, 5)}


def _quantile(degrees: int) -> float:
    """The 97.5% quantile of Student's t, to three decimals.

    Beyond the table it is the expansion of Fisher and Cornish (1960) around that of the normal
    distribution.
    """
    if degrees <= len(_STUDENT):
        return _STUDENT[degrees - 1]
    z = _NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3
