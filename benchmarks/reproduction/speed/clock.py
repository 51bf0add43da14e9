"""Process time of pieces of work, the machine it was measured on, and files of results."""

from __future__ import annotations

import gc
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeVar

from benchmarks.reproduction import RESULTS
from solver import asp
from solver.io.json_lines import read_document
from solver.io.writing import atomic, write_json

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A step on all items of a file; ``whole`` if it covers everything from file to label."""

    name: str
    run: Callable[[], object]
    whole: bool = False


def milliseconds(
    parts: Sequence[Part], *, rounds: int, each: Callable[[Part], object] | None = None
) -> dict[str, float]:
    """Median process time of each part, in milliseconds.

    The rounds are interleaved, so that fluctuations affect all parts equally.

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


def fastest(
    work: Callable[[], Result], rounds: int, *, before: Callable[[], object] | None = None
) -> tuple[float, Result]:
    """The minimum process time of several rounds, in seconds, and the last result.

    Args:
        work: the work to time.
        rounds: number of rounds, at least 1.
        before: called before each round, untimed.
    """
    taken = []
    for _ in range(rounds):
        if before is not None:
            before()
        began = time.process_time()
        result = work()
        taken.append(time.process_time() - began)
    return min(taken), result


def machine() -> dict[str, str]:
    """Hardware and software of the measurement."""
    return {
        "clingo": asp.version(),
        "cores": str(os.cpu_count()),
        "processor": platform.machine(),
        "python": platform.python_version(),
        "system": platform.system(),
    }


def write_results(name: str, values: object, page: str | None = None) -> None:
    """Write ``benchmarks/results/NAME.json`` and, with a page, ``NAME.md``.

    Raises:
        OutputError: writing failed.
    """
    write_json(RESULTS / f"{name}.json", values)
    if page is not None:
        with atomic(RESULTS / f"{name}.md") as file:
            file.write(page.encode())


def with_earlier(
    name: str, part: str, rows: Sequence[dict[str, Any]], keys: Sequence[str]
) -> list[dict[str, Any]]:
    """Rows of results, and those that were written before with other values of the keys.

    Args:
        name: name of the results.
        part: the field that has the rows.
        rows: new rows.
        keys: the fields that identify a row, or the rows of a run.
    """
    file = RESULTS / f"{name}.json"
    earlier = read_document(file, dict[str, Any], "results")[part] if file.is_file() else []

    def key(row: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(row[field] for field in keys)

    here = set(map(key, rows))
    return [*rows, *(row for row in earlier if key(row) not in here)]


def rounded_figures(value: Any, digits: int) -> Any:  # noqa: ANN401 - JSON values of any kind
    """JSON values with all floats rounded."""
    if isinstance(value, float):
        return round(value, digits)
    if isinstance(value, dict):
        return {name: rounded_figures(part, digits) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded_figures(part, digits) for part in value]
    return value
