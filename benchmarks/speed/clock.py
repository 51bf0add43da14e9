"""Times pieces of work in interleaved rounds, so that fluctuations affect all of them equally."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median

from benchmarks.speed.parts import Part


def milliseconds(
    parts: Sequence[Part], *, rounds: int, each: Callable[[Part], object] | None = None
) -> dict[str, float]:
    """Median process time of each part, in milliseconds.

    Args:
        parts: pieces of work; each runs once untimed before the rounds, to warm caches (grammars,
            solvers).
        rounds: number of timed rounds over all parts.
        each: called with each part before it runs.
    """
    taken: dict[str, list[float]] = {part.name: [] for part in parts}
    for number in range(rounds + 1):
        for part in parts:
            if each is not None:
                each(part)
            gc.collect()
            began = time.process_time()
            part.run()
            if number:
                taken[part.name].append(1000 * (time.process_time() - began))
    return {name: median(times) for name, times in taken.items()}
