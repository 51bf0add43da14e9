"""Published results of FREQUENCY and RECENCY.

Source: synthetic temporal knowledge graphs, Table 7, columns F-E, F-P, R-E, R-P.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from benchmarks.ranking.metrics import CUTS
from benchmarks.retrieval.context import ContextKey
from benchmarks.retrieval.heuristics import Heuristic
from generators.tkg.published import Preset

Column = tuple[Heuristic, ContextKey, int]
"""A heuristic over a context, and the k of Hits@k."""

COLUMNS: tuple[Column, ...] = tuple(
    (heuristic, shared, cut)
    for heuristic in Heuristic
    for shared in (ContextKey.ENTITY, ContextKey.PAIR)
    for cut in CUTS
)


def _row(*figures: float) -> Mapping[Column, float]:
    return MappingProxyType(dict(zip(COLUMNS, figures, strict=True)))


TABLE_7: Mapping[Preset, Mapping[Column, float]] = MappingProxyType(
    {
        Preset.ONLY_1_HOP: _row(
            0.327, 0.448, 0.551, 0.194, 0.249, 0.293, 0.246, 0.379, 0.508, 0.098, 0.207, 0.281
        ),
        Preset.ONLY_2_HOP: _row(
            0.243, 0.360, 0.473, 0.139, 0.196, 0.234, 0.165, 0.273, 0.412, 0.079, 0.153, 0.221
        ),
        Preset.ONLY_3_HOP: _row(
            0.172, 0.298, 0.436, 0.100, 0.148, 0.194, 0.125, 0.213, 0.338, 0.056, 0.108, 0.176
        ),
        Preset.LAG_1_3: _row(
            0.235, 0.358, 0.485, 0.140, 0.191, 0.230, 0.149, 0.255, 0.410, 0.059, 0.144, 0.219
        ),
        Preset.LAG_1_5: _row(
            0.223, 0.338, 0.457, 0.131, 0.182, 0.222, 0.137, 0.240, 0.384, 0.071, 0.145, 0.212
        ),
        Preset.LAG_1_8: _row(
            0.248, 0.363, 0.482, 0.148, 0.207, 0.259, 0.164, 0.259, 0.406, 0.078, 0.160, 0.223
        ),
        Preset.ENT_GAMMA_REL_GAMMA: _row(
            0.204, 0.245, 0.270, 0.023, 0.034, 0.035, 0.081, 0.174, 0.263, 0.019, 0.034, 0.035
        ),
        Preset.ENT_GAMMA_REL_U: _row(
            0.214, 0.273, 0.296, 0.016, 0.024, 0.024, 0.120, 0.224, 0.292, 0.015, 0.024, 0.024
        ),
        Preset.ENT_U_REL_GAMMA: _row(
            0.133, 0.203, 0.248, 0.014, 0.019, 0.019, 0.081, 0.164, 0.247, 0.014, 0.019, 0.019
        ),
        Preset.ENT_U_REL_U: _row(
            0.145, 0.218, 0.274, 0.006, 0.008, 0.009, 0.099, 0.189, 0.272, 0.006, 0.008, 0.009
        ),
    }
)
"""Rows of Table 7 by data set; there is none for ICEWS14-Synth."""
