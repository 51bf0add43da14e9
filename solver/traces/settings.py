"""Settings of the verification of chains of thought; a row's own fields take precedence."""

from __future__ import annotations

from dataclasses import dataclass, field

from grammar.eventhop.model import Policy, SpatialReading
from solver.verification.settings import option

ENGINES = ("asp", "graph")


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSettings:
    """How rows are read that do not state it themselves.

    Attributes:
        policy: when a label is undefined.
        spatial: which edge of a place is its start.
        proved: whether the checker that is compiled from the Coq proofs also checks certificates.
    """

    policy: Policy = field(
        default=Policy.LOCAL,
        metadata=option(
            "When a label is undefined, for rows without a policy of their own.", choices=Policy
        ),
    )
    spatial: SpatialReading = field(
        default=SpatialReading.GEOMETRIC,
        metadata=option(
            "Which edge of a place is its start, for rows that do not state it.",
            choices=SpatialReading,
        ),
    )

    proved: bool = field(
        default=False,
        metadata=option(
            "Also run the checker that is compiled from the Coq proofs, and stop where it differs."
        ),
    )

    def as_config(self) -> dict[str, object]:
        """The settings, for a manifest."""
        compiled = {"proved": self.proved} if self.proved else {}
        return compiled | {
            "engines": list(ENGINES),
            "policy": self.policy,
            "spatial": self.spatial,
        }
