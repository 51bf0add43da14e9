"""Settings of a verification of items."""

from __future__ import annotations

from dataclasses import dataclass

from grammar.eventhop.model import Domain, Policy, SpatialReading
from solver.eventhop.engines import EngineName
from solver.eventhop.published import Fault

DEFAULT_ENGINES = (EngineName.ASP, EngineName.GRAPH)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSettings:
    """How items are decided.

    Attributes:
        engines: engines that must agree; the first one's verdicts are reported.
        domain: the wording of the texts; None to detect it for each text.
        repaired: faults that are repaired under the ``published`` policy.
    """

    policy: Policy = Policy.LOCAL
    spatial: SpatialReading = SpatialReading.GEOMETRIC
    engines: tuple[EngineName, ...] = DEFAULT_ENGINES
    domain: Domain | None = None
    repaired: frozenset[Fault] = frozenset()

    def as_config(self) -> dict[str, object]:
        """The settings, for a manifest."""
        return {
            "policy": self.policy,
            "repaired": sorted(self.repaired),
            "spatial": self.spatial,
            "domain": self.domain,
            "engines": list(self.engines),
        }
