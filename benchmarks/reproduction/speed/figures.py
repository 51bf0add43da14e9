"""The results of a run, as JSON and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.reproduction.speed.clock import Part, machine, rounded_figures
from benchmarks.reproduction.speed.parts import PLAIN

_OPENING = """# Speed

Process time on one core, in milliseconds per item, and as a multiple of the time of the plain loop
(`benchmarks/reproduction/speed/plain.py`: no certificates, one procedure) on the same items;
measured in interleaved rounds, in one run. In bold: from file to labels.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFigure:
    """The cost of a part: milliseconds per item, and the ratio to the plain loop."""

    name: str
    milliseconds: float
    ratio: float
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFigures:
    """Results for one file; memory is that of ``verify``, in MiB."""

    file: str
    items: int
    rounds: int
    parts: tuple[PartFigure, ...]
    mebibytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LongFigures:
    """Results for a long file: wall seconds with one and with two processes, and memory in MiB."""

    file: str
    items: int
    seconds: float
    seconds_on_two: float
    mebibytes: float

    @property
    def speed_up(self) -> float:
        """Ratio of the time of one process to that of two."""
        return self.seconds / self.seconds_on_two


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All results of a run."""

    files: tuple[FileFigures, ...]
    long: LongFigures | None
    help_milliseconds: float
    machine: dict[str, str] = field(default_factory=machine)

    def as_json(self) -> dict[str, Any]:
        """JSON values, rounded to reproducible digits."""
        values = asdict(self)
        if self.long is not None:
            values["long"]["speed_up"] = self.long.speed_up
        found: dict[str, Any] = rounded_figures(values, 3)
        return found


def part_figures(
    parts: Iterable[Part], milliseconds: dict[str, float], items: int
) -> tuple[PartFigure, ...]:
    """Convert milliseconds for all items to milliseconds per item and ratios."""
    return tuple(
        PartFigure(
            name=part.name,
            milliseconds=milliseconds[part.name] / items,
            ratio=milliseconds[part.name] / milliseconds[PLAIN],
            whole=part.whole,
        )
        for part in parts
    )


def page(figures: Figures) -> str:
    """The results as Markdown."""
    return "\n".join(_lines(figures)) + "\n"


def _lines(figures: Figures) -> Iterator[str]:
    described = ", ".join(f"{name} {value}" for name, value in sorted(figures.machine.items()))
    yield _OPENING
    yield f"Measured with {described}."
    for file in figures.files:
        yield from _file(file)
    if figures.long is not None:
        yield from _long(figures.long)
    yield ""
    yield f"`python -m solver --help` starts in {figures.help_milliseconds:.0f} ms (median)."


def _file(figures: FileFigures) -> Iterator[str]:
    yield ""
    yield f"## {figures.file}, {figures.items:,} items (medians of {figures.rounds} rounds)"
    yield ""
    yield "| part | ms per item | ratio to the plain loop |"
    yield "|---|---:|---:|"
    for part in figures.parts:
        mark = "**" if part.whole else ""
        yield f"| {mark}{part.name}{mark} | {part.milliseconds:.3f} | {part.ratio:.2f} |"
    yield ""
    yield f"Peak memory of `verify`: {figures.mebibytes:.0f} MiB."


def _long(figures: LongFigures) -> Iterator[str]:
    yield ""
    yield f"## {figures.items:,} items (those of {figures.file}, repeated)"
    yield ""
    yield "| | |"
    yield "|---|---:|"
    yield f"| one process | {figures.seconds:.1f} s |"
    yield f"| `--jobs 2` | {figures.seconds_on_two:.1f} s |"
    yield f"| speed-up | {figures.speed_up:.2f} |"
    yield f"| peak memory, one process | {figures.mebibytes:.0f} MiB |"
