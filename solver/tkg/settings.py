"""Settings of the verification of generated graphs."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.verification.settings import option


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSettings:
    """Settings of a verification.

    Attributes:
        regenerate: whether to rebuild the folder from its config and seed, and compare bytes.
    """

    regenerate: bool = field(
        default=False,
        metadata=option(
            "Also rebuild the graph from the config and seed of its manifest, and compare all "
            "bytes."
        ),
    )
