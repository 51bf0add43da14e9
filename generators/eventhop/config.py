"""The options of a data set, and their validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generators.eventhop.cells import Shape, shapes
from generators.eventhop.presets import TRAITS, Preset, SharedTrait, Split, Traits
from generators.eventhop.wording import names
from grammar.errors import HopcheckError
from grammar.eventhop.model import ClaimRelation, Domain

SIZES = {Split.TRAIN: 14_000, Split.TEST: 2_500}
"""The paper's sizes."""


class ConfigError(HopcheckError):
    """Options for which no data set can be generated."""

    code = "config"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The options of a data set.

    Attributes:
        sizes: number of items of each generated split.
        shapes: numbers of events and relations; None for those of the paper.
        hops: hop counts of items that have one; None for all that the shape allows, up to 8.
        contradiction: whether premises are inconsistent away from the claim; None for half of
            them.
        exact: whether a size has to divide into equal parts.
        keep_unbalanced: whether to generate shapes that lack a label, and so leak it.
    """

    preset: Preset = Preset.STRICT
    domain: Domain = Domain.TEMPORAL
    seed: int = 0
    sizes: Mapping[Split, int] = field(default_factory=lambda: dict(SIZES))
    shapes: tuple[Shape, ...] | None = None
    claims: tuple[ClaimRelation, ...] = tuple(ClaimRelation)
    hops: tuple[int, ...] | None = None
    contradiction: bool | None = None
    exact: bool = False
    keep_unbalanced: bool = False

    def __post_init__(self) -> None:
        for split, size in self.sizes.items():
            if size < 1:
                raise ConfigError(f"found {size} items for {split}, expected at least 1")
        for hops in self.hops or ():
            if hops < 1:
                raise ConfigError(f"found {hops} hops, expected at least 1")
        for shape in self.shapes or ():
            self._check(shape)
        if SharedTrait.TIMELINES in self.traits.shared and len(self.sizes) == len(Split):
            self._check_shared()

    def _check(self, shape: Shape) -> None:
        if shape.events < 3 or shape.relations < 2:
            raise ConfigError(
                f"found the shape {shape}, expected at least 3 events and 2 relations"
            )
        known = len(names(Split.TRAIN, self.domain))
        if shape.events > known:
            raise ConfigError(
                f"found {shape.events} events, but there are only {known} names",
                hint=f"use at most {known} events",
            )
        most = 2 * shape.events * (shape.events - 1)
        if shape.relations > most // 2:
            raise ConfigError(
                f"found {shape.relations} relations between {shape.events} events, expected at "
                f"most half of the {most} pairs of points",
                hint=f"use at most {most // 2} relations",
            )

    def _check_shared(self) -> None:
        train, test = self.sizes[Split.TRAIN], self.sizes[Split.TEST]
        if test > train:
            raise ConfigError(
                f"found {test:,} test items, but {train:,} train items cannot contain all of "
                "their timelines",
                hint="generate at least as many train items as test items",
            )

    @property
    def traits(self) -> Traits:
        """The traits of the preset."""
        return TRAITS[self.preset]

    @property
    def asked_shapes(self) -> tuple[Shape, ...]:
        """The shapes, sorted."""
        return shapes() if self.shapes is None else tuple(sorted(set(self.shapes)))

    def source(self, split: Split, shared: SharedTrait) -> Split:
        """The split whose names, phrases or timelines a split uses."""
        return Split.TRAIN if shared in self.traits.shared else split

    def as_json(self) -> dict[str, object]:
        """The options for the manifest."""
        return {
            "preset": self.preset.value,
            "domain": self.domain.value,
            "sizes": {split.value: size for split, size in sorted(self.sizes.items())},
            "shapes": [str(shape) for shape in self.asked_shapes],
            "claims": [claim.value for claim in self.claims],
            "hops": None if self.hops is None else list(self.hops),
            "contradiction": self.contradiction,
            "exact": self.exact,
            "keep_unbalanced": self.keep_unbalanced,
        }
