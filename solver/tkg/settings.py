"""Settings of the verification of generated graphs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from solver.verification.settings import option


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSettings:
    """Settings of a verification.

    Attributes:
        regenerate: whether to rebuild the folder from its config and seed, and compare bytes.
        labelled: folder with the labels, patterns and manifest of facts that are given as rows.
    """

    regenerate: bool = field(
        default=False,
        metadata=option(
            "Also rebuild the graph from the config and seed of its manifest, and compare all "
            "bytes."
        ),
    )
    labelled: str | Path | None = field(
        default=None,
        metadata=option(
            "Folder with the labels and patterns of facts that are given as a table of rows, such "
            "as an export for the hub.",
            path=True,
            metavar="DIR",
        ),
    )
