"""Settings of a verification run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grammar.eventhop.model import Domain, Policy, SpatialReading
from solver.eventhop.engines import EngineName
from solver.eventhop.published import Fault


class Kind(StrEnum):
    """The kinds of artefact that can be verified."""

    EVENTHOP = "eventhop"
    PATTERNS = "patterns"
    TKG = "tkg"
    FACTS = "facts"
    TEXT = "text"
    QUESTIONS = "questions"


DEFAULT_ENGINES = (EngineName.ASP, EngineName.GRAPH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a run.

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
