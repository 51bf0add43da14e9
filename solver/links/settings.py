"""Settings of the verification of annotated documents."""

from __future__ import annotations

from dataclasses import dataclass, field

from grammar.links.model import During, Interpretation, Reading
from solver.verification.settings import Option, option

ENGINES = ("asp", "graph")

INTERPRETATION = {
    "reading": Option(
        choices=Reading,
        help="Whether events that meet count as before each other, and so on (lenient: < is read "
        "as <=), or not (allen).",
    ),
    "during": Option(
        choices=During,
        help="Whether DURING means IS_INCLUDED or, as in the TempEval-3 scorer, SIMULTANEOUS.",
    ),
    "dates": Option(help="Add the order of times that are normalised to calendar dates."),
}
"""The options of an ``Interpretation``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSettings:
    """Options of a verification.

    Attributes:
        interpretation: what the links mean.
        cores: maximum number of minimal contradictory sets to list of each document.
        redundancy: whether to count links that follow from the others.
    """

    interpretation: Interpretation = field(
        default_factory=Interpretation,
        metadata=option(fields=INTERPRETATION, convert=Interpretation),
    )
    cores: int = field(
        default=0,
        metadata=option(
            "Number of minimal contradictory sets of links to list for each document.",
            low=0,
            high=10_000,
        ),
    )
    redundancy: bool = field(
        default=True,
        metadata=option(
            "Skip counting links that follow from others.", name="no-redundancy", negative=True
        ),
    )

    def as_config(self) -> dict[str, object]:
        """The settings that decide the findings, for the manifest."""
        return {
            "engines": list(ENGINES),
            "reading": str(self.interpretation.reading),
            "during": str(self.interpretation.during),
            "dates": self.interpretation.dates,
            "cores": self.cores,
        }
