"""How a verification run was asked to decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solver.engines import EngineName
from solver.model import Domain, Policy, SpatialReading
from solver.published import Fault


class Kind(StrEnum):
    """The kinds of artefact that can be checked."""

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
        engines: those that have to agree; the first one's verdicts are reported.
        domain: the wording of the texts; None to tell it from each text.
        repaired: faults that the ``published`` policy leaves out.
    """

    policy: Policy = Policy.LOCAL
    spatial: SpatialReading = SpatialReading.GEOMETRIC
    engines: tuple[EngineName, ...] = DEFAULT_ENGINES
    domain: Domain | None = None
    repaired: frozenset[Fault] = frozenset()
