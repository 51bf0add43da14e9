"""What is asked for, and whether it can be had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generators.eventhop.cells import Shape, shapes
from generators.eventhop.presets import TRAITS, Preset, Shared, Split, Traits
from generators.eventhop.words import names
from solver.errors import HopcheckError
from solver.model import ClaimRelation, Domain

SIZES = {Split.TRAIN: 14_000, Split.TEST: 2_500}
"""Those of the paper."""


class ConfigError(HopcheckError):
    """A data set that cannot be made as it is asked for."""

    code = "config"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A data set.

    Attributes:
        sizes: items of each split that is made.
        shapes: numbers of events and relations; None for those of the paper.
        hops: hops of the items that have any; None for as many as the shape allows, up to 8.
        contradiction: whether premises contradict themselves away from the claim; None for half
            of them.
        exact: whether a size has to divide into equal parts.
        keep_unbalanced: whether to make shapes that lack a label, which the shape then rules out.
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
        if Shared.TIMELINES in self.traits.shared and len(self.sizes) == len(Split):
            self._check_shared()

    def _check(self, shape: Shape) -> None:
        if shape.events < 3 or shape.relations < 2:
            raise ConfigError(
                f"found the shape {shape}, expected at least 3 events and 2 relations"
            )
        known = len(names(Split.TRAIN, self.domain))
        if shape.events > known:
            raise ConfigError(
                f"found {shape.events} events, but there are {known} names",
                hint=f"ask for at most {known} events",
            )
        most = 2 * shape.events * (shape.events - 1)
        if shape.relations > most // 2:
            raise ConfigError(
                f"found {shape.relations} relations between {shape.events} events; the {most} "
                "pairs of points leave no room to say each once and not all",
                hint=f"ask for at most {most // 2} relations",
            )

    def _check_shared(self) -> None:
        train, test = self.sizes[Split.TRAIN], self.sizes[Split.TEST]
        if test > train:
            raise ConfigError(
                f"found {test:,} items of test, whose timelines {train:,} items of train cannot "
                "all hold",
                hint="ask for at least as many items of train",
            )

    @property
    def traits(self) -> Traits:
        """What the preset is made of."""
        return TRAITS[self.preset]

    @property
    def asked_shapes(self) -> tuple[Shape, ...]:
        """The shapes, in their order."""
        return shapes() if self.shapes is None else tuple(sorted(set(self.shapes)))

    def source(self, split: Split, shared: Shared) -> Split:
        """The split whose names, phrases or timelines a split uses."""
        return Split.TRAIN if shared in self.traits.shared else split

    def as_json(self) -> dict[str, object]:
        """The options, as the manifest holds them."""
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
