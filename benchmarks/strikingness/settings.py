"""What strikingness is computed by: a profile, its deviations from the paper, its parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from solver.errors import HopcheckError

LARGEST = 2**31 - 1


class SettingsError(HopcheckError):
    """Parameters that give no strikingness."""

    code = "strikingness-settings"


class Profile(StrEnum):
    """Equations 1 to 9 and appendix B.2 of the paper to the letter; or the published weights."""

    PAPER = "paper"
    RELEASED = "released"


class Element(StrEnum):
    """What peers have in the place of an event's own: each gives a component."""

    OBJECT = "object"
    SUBJECT = "subject"
    RELATION = "relation"


class Deviation(StrEnum):
    """Where the released program departs from the paper; each is a switch of its own."""

    SQUARED = "squared"
    MISSING = "missing"
    ONE_WAY = "one-way"
    RULELESS = "ruleless"
    STRICT = "strict"
    OWN_PEERS = "own-peers"


READINGS: Mapping[Deviation, tuple[str, str]] = MappingProxyType(
    {
        Deviation.SQUARED: ("v / ||v|| (eq. 7)", "v^2 / sum(v^2)"),
        Deviation.MISSING: ("where nothing is expected, 0", "where nothing is expected, 1"),
        Deviation.ONE_WAY: ("bodies may be inverse", "rules that turn a fact round never fire"),
        Deviation.RULELESS: ("relations are expected by rules", "by each of their facts"),
        Deviation.STRICT: ("a repetition counts again", "every other repetition counts"),
        Deviation.OWN_PEERS: ("peers are of bodies alone", "also of the head relation's facts"),
    }
)
"""What each switch means: in the paper, and in the released program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """The alphas of eq. 9: what each component counts, in [0, 1], together 1.

    Raises:
        SettingsError: they are not so.
    """

    object: float = 0.4
    subject: float = 0.4
    relation: float = 0.2

    def __post_init__(self) -> None:
        values = (self.object, self.subject, self.relation)
        if not all(0 <= one <= 1 for one in values) or not math.isclose(sum(values), 1):
            told = " + ".join(f"{one:g}" for one in values)
            message = f"found the shares {told} = {sum(values):g}, expected shares from 0 to 1"
            raise SettingsError(f"{message} that sum to 1")

    def of(self, element: Element) -> float:
        """What a component counts."""
        share: float = getattr(self, element.value)
        return share


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How strikingness is computed.

    Attributes:
        profile: where the rest came from, for reports.
        deviations: what is as released; the rest is as in the paper.
        shares: of the components.
        decay: lambda of eq. 6, for a step of the graph's time; not negative.
        window: w of eq. 2, positive.
        snapshots: whether the window counts previous times with facts, or steps of time.
        confidence: less confident rules are left out.
        body_support: rules with fewer body groundings are left out.
        decimals: of the weights; None to leave them as they are.

    Raises:
        SettingsError: a value is out of range.
    """

    profile: Profile
    deviations: frozenset[Deviation]
    shares: Shares = Shares()
    decay: float = 0.1
    window: int = 200
    snapshots: bool
    confidence: float = 0.01
    body_support: int
    decimals: int | None

    def __post_init__(self) -> None:
        if not 1 <= self.window <= LARGEST:
            raise SettingsError(f"found a window of {self.window}, expected 1 or more")
        if not 0 <= self.decay < math.inf:
            raise SettingsError(f"found lambda {self.decay:g}, expected 0 or more")
        if not 0 <= self.confidence <= 1:
            raise SettingsError(f"found confidence {self.confidence:g}, expected one from 0 to 1")

    def has(self, deviation: Deviation) -> bool:
        """Whether it is as released."""
        return deviation in self.deviations

    @property
    def name(self) -> str:
        """The profile, and the switches that stand the other way."""
        other = [one.value for one in Deviation if self.reading(one) is not self.profile]
        return f"{self.profile}, but for {', '.join(other)}" if other else self.profile.value

    def reading(self, deviation: Deviation) -> Profile:
        """Whose reading of it is followed."""
        return Profile.RELEASED if self.has(deviation) else Profile.PAPER


PROFILES: Mapping[Profile, Settings] = MappingProxyType(
    {
        Profile.PAPER: Settings(
            profile=Profile.PAPER,
            deviations=frozenset(),
            snapshots=False,
            body_support=0,
            decimals=None,
        ),
        Profile.RELEASED: Settings(
            profile=Profile.RELEASED,
            deviations=frozenset(Deviation),
            snapshots=True,
            body_support=2,
            decimals=3,
        ),
    }
)
