"""Times pieces of work in turns, so that a machine's moods fall on all of them alike."""

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
        parts: what to do; each is done once before the rounds, untimed, so that what is made at
            the first call (grammars, solvers) is there.
        rounds: how often each is timed, one part after the other in every round.
        each: told of each part before it is done.
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
