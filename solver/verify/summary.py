"""The summary of a run as one JSON object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from solver.verify.settings import Settings
from solver.verify.tally import Tally


def summary(
    files: Sequence[str], settings: Settings, tally: Tally, *, seconds: float
) -> dict[str, Any]:
    """The object printed by ``--json`` and written to ``summary.json``.

    Args:
        files: names of the inputs, as given.
        settings: settings of the run.
        tally: counts of the run.
        seconds: wall time from the first byte read to the last verdict.

    Returns:
        JSON values; counts are items. ``disagreements`` is 0: a disagreement stops the run.
    """
    return {
        "files": list(files),
        "items": tally.items,
        "unparsed": tally.unparsed,
        "policy": settings.policy.value,
        "repaired": sorted(fault.value for fault in settings.repaired),
        "spatial": settings.spatial.value,
        "engines": [engine.value for engine in settings.engines],
        "disagreements": 0,
        "confusion": _nested(tally.confusion),
        "declared": _nested(
            Counter(
                {
                    (_DECLARED[declared], _FOUND[found]): count
                    for (declared, found), count in tally.declared.items()
                }
            )
        ),
        "status": dict(sorted(tally.status.items())),
        "causes": dict(tally.causes.most_common()),
        "findings": dict(sorted(tally.findings.items())),
        "seconds": round(seconds, 3),
        "items_per_second": round(tally.items / seconds, 1) if seconds else 0.0,
    }


_DECLARED = {True: "possible", False: "impossible"}
_FOUND = {True: "consistent", False: "contradictory"}


def _nested(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (outer, inner), count in sorted(counts.items()):
        nested.setdefault(outer, {})[inner] = count
    return nested
