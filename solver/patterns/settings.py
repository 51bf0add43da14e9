"""Settings of the verification of lists of patterns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from solver.patterns.model import MOST_HOPS, CycleReading, Flag, PatternError, PatternFlags
from solver.verification.settings import OPTION, Option, option


def _flags(text: str) -> PatternFlags:
    try:
        return PatternFlags.read(text)
    except PatternError as error:
        raise ValueError(f"{error}.") from None


FLAGS = Option(
    metavar="FLAGS",
    convert=_flags,
    help=f"Comma-separated flags ({', '.join(Flag)}), none, all, or one digit per flag such as "
    "1100.",
)
READING = Option(
    name="cycle-reading",
    choices=CycleReading,
    help="Reading of Algorithm 10, line 22: the first two of three antecedents are disjoint if "
    "they share no entity (fixed), or unless the first contains both entities of the second "
    "(literal).",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternSettings:
    """What lists of patterns declare; None for what the manifest of each list states.

    Without a manifest, flags are required; hops default to those that occur, the reading to fixed.
    """

    hops: tuple[int, ...] | None = field(
        default=None,
        metadata=option(
            "Numbers of hops for which the lists must be complete. Default: from the manifest, or "
            "those that occur.",
            low=1,
            high=MOST_HOPS,
            several=True,
            metavar="HOPS",
        ),
    )
    flags: PatternFlags | None = field(
        default=None,
        metadata={OPTION: replace(FLAGS, help=f"{FLAGS.help} Default: from the manifest.")},
    )
    reading: CycleReading | None = field(
        default=None,
        metadata={
            OPTION: replace(READING, help=f"{READING.help} Default: from the manifest, or fixed.")
        },
    )
