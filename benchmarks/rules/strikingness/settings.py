"""Settings of strikingness: profile, deviations from the paper and parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from grammar.errors import HopcheckError

LARGEST = 2**31 - 1


class SettingsError(HopcheckError):
    """Invalid parameters or rules."""

    code = "strikingness-settings"


class Profile(StrEnum):
    """As in the released code, or as defined by equations 1 to 9 and appendix B.2 of the paper."""

    RELEASED = "released"
    PAPER = "paper"


class Element(StrEnum):
    """The element in which peers differ from an event; each has a component."""

    OBJECT = "object"
    SUBJECT = "subject"
    RELATION = "relation"


class Deviation(StrEnum):
    """A deviation of the released program from the paper; each is a switch."""

    SQUARED = "squared"
    MISSING = "missing"
    ONE_WAY = "one-way"
    RULELESS = "ruleless"
    STRICT = "strict"
    OWN_PEERS = "own-peers"


READINGS: Mapping[Deviation, tuple[str, str]] = MappingProxyType(
    {
        Deviation.SQUARED: ("v / ||v|| (eq. 7)", "v^2 / sum(v^2)"),
        Deviation.MISSING: ("without peers, 0", "without peers, 1"),
        Deviation.ONE_WAY: ("bodies may be inverse", "rules that invert a fact never fire"),
        Deviation.RULELESS: ("relations are expected by rules", "by each of their facts"),
        Deviation.STRICT: ("a repetition counts again", "every other repetition counts"),
        Deviation.OWN_PEERS: ("peers by rules alone", "also by facts of a ruled relation"),
    }
)
"""The meaning of each switch in the paper and in the released program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Weights of the components, in [0, 1] with sum 1; the alphas of eq. 9.

    Raises:
        SettingsError: a weight is out of range, or the sum is not 1.
    """

    object: float = 0.4
    subject: float = 0.4
    relation: float = 0.2

    def __post_init__(self) -> None:
        values = (self.object, self.subject, self.relation)
        if not all(0 <= value <= 1 for value in values) or not math.isclose(sum(values), 1):
            terms = " + ".join(f"{value:g}" for value in values)
            message = f"found the weights {terms} = {sum(values):g}, expected weights from 0 to 1"
            raise SettingsError(f"{message} that sum to 1")

    def of(self, element: Element) -> float:
        """The weight of a component."""
        share: float = getattr(self, element.value)
        return share


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of strikingness.

    Attributes:
        profile: the base profile, for reports.
        deviations: the switches set as released; others are as in the paper.
        shares: weights of the components.
        decay: lambda of eq. 6 per time step of the graph; at least 0.
        window: w of eq. 2, positive.
        snapshots: whether the window is in previous snapshots or in time steps.
        confidence: minimum confidence of rules.
        body_support: minimum body support of rules.
        decimals: decimals that weights are rounded to; None for no rounding.

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
            raise SettingsError(f"found confidence {self.confidence:g}, expected 0 to 1")

    def has(self, deviation: Deviation) -> bool:
        """Whether a switch is set as released."""
        return deviation in self.deviations

    @property
    def name(self) -> str:
        """The profile, and the switches that deviate from it."""
        other = [
            deviation.value
            for deviation in Deviation
            if self.reading(deviation) is not self.profile
        ]
        return f"{self.profile}, except {', '.join(other)}" if other else self.profile.value

    def reading(self, deviation: Deviation) -> Profile:
        """The profile that a switch is set to."""
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
