"""The options of a data set: presets and their traits, sizes and cells, and their validation.

Source: EventHopNLI, section 3.2. A data set is balanced over cells: events, relations, claim
relation, label, contradiction, hops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from generators.levels import Levels
from grammar.errors import HopcheckError
from grammar.eventhop.model import ClaimRelation, Domain, Label, Order, Status
from grammar.phrases import PhraseFile
from solver.io.sources import counted
from solver.verification.settings import setting

EVENTS = (4, 8, 16, 32)
MULTIPLIERS = (0.5, 1.0, 2.0)
FEWEST_RELATIONS, MOST_RELATIONS = 3, 32
MOST_HOPS = 8


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Shape:
    """Exact numbers of events and relations."""

    events: int
    relations: int

    @classmethod
    def of(cls, text: str) -> Shape:
        """Parse ``8x16``.

        Raises:
            ValueError: it has another form.
        """
        events, _, relations = text.partition("x")
        return cls(events=int(events), relations=int(relations))

    def __str__(self) -> str:
        """Format as ``8x16``."""
        return f"{self.events}x{self.relations}"


def shapes() -> tuple[Shape, ...]:
    """The paper's shapes; for 32 events two multipliers are clipped to the same number."""
    found = {
        Shape(
            events=events,
            relations=min(max(int(multiplier * events), FEWEST_RELATIONS), MOST_RELATIONS),
        )
        for events in EVENTS
        for multiplier in MULTIPLIERS
    }
    return tuple(sorted(found))


LEVELS: Levels = {
    1: {"shapes": (Shape(events=8, relations=8),), "hops": (1, 2, 3)},
    2: {"shapes": (Shape(events=12, relations=12),), "hops": (3, 4)},
    3: {"shapes": (Shape(events=16, relations=16),), "hops": (5,)},
    4: {"shapes": (Shape(events=32, relations=24),), "hops": (6,)},
    5: {"shapes": (Shape(events=32, relations=32),), "hops": (8,)},
}
"""By level: sizes of premises, and sentences that the answer needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One stratum of items.

    Attributes:
        contradiction: whether the premise is inconsistent; for the status *contradictory* at the
            claim, otherwise away from it.
        hops: None for *unknown*.
    """

    shape: Shape
    claim: ClaimRelation
    status: Status
    contradiction: bool
    hops: int | None

    @property
    def label(self) -> Label:
        """The label under the local policy."""
        return LABELS[self.status]

    @property
    def key(self) -> str:
        """Key for sorting and counting."""
        # The command reads the presets with each help page, and no cell.
        from solver.eventhop.dataset import cell_name

        return cell_name(
            events=self.shape.events,
            relations=self.shape.relations,
            claim=self.claim,
            status=self.status,
            consistent=not self.contradiction,
            hops=self.hops,
        )

    def __str__(self) -> str:
        """Format as ``8 events, 16 relations: before, entailed in 3 hops``."""
        hops = "" if self.hops is None else f" in {counted(self.hops, 'hop')}"
        away = ", contradiction elsewhere"
        more = away if self.contradiction and self.status is not Status.CONTRADICTORY else ""
        size = f"{counted(self.shape.events, 'event')}, {counted(self.shape.relations, 'relation')}"
        return f"{size}: {self.claim}, {self.status}{hops}{more}"


LABELS = {
    Status.ENTAILED: Label.TRUE,
    Status.REFUTED: Label.FALSE,
    Status.UNKNOWN: Label.FALSE,
    Status.CONTRADICTORY: Label.UNDEFINED,
}


def hop_levels(shape: Shape, most: int = MOST_HOPS) -> tuple[int, ...]:
    """Hop counts of a shape: a chain through every event has one hop fewer than events."""
    return tuple(range(1, min(shape.events - 1, most) + 1))


class Split(StrEnum):
    """The splits of a data set."""

    TRAIN = "train"
    TEST = "test"


class Preset(StrEnum):
    """Kind of train and test split."""

    STRICT = "strict"
    SAME_NAMES = "same-names"
    SAME_PHRASES = "same-phrases"
    SAME_TIMELINES = "same-timelines"
    SAME_ITEMS = "same-items"
    BEFORE_AFTER = "before+after"
    AFTER_SIMULTANEOUS = "after+simultaneous"
    BEFORE_SIMULTANEOUS = "before+simultaneous"
    ONLY_BEFORE = "only-before"
    MINIMAL_PAIRS = "minimal-pairs"
    SORTED = "sorted"
    ONLY_BEFORE_SORTED = "only-before-sorted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """The properties of a preset.

    Attributes:
        orders: relations that a premise may contain.
        in_order: whether sentences are sorted by their earliest point.
        minimal: whether the items of a group are worded alike, and the file names the group.
        shared: what the test split shares with the train split.
    """

    orders: tuple[Order, ...] = (Order.BEFORE, Order.AFTER, Order.SIMULTANEOUS)
    in_order: bool = False
    minimal: bool = False
    shared: frozenset[SharedTrait] = frozenset()

    @property
    def strong(self) -> bool:
        """Whether claims are asked again in the opposite order."""
        return SharedTrait.TIMELINES in self.shared and SharedTrait.ITEMS not in self.shared

    @property
    def equal(self) -> bool:
        """Whether *simultaneous* occurs."""
        return Order.SIMULTANEOUS in self.orders

    @property
    def strict(self) -> tuple[Order, ...]:
        """The strict orders that may occur."""
        return tuple(order for order in self.orders if order is not Order.SIMULTANEOUS)


class SharedTrait(StrEnum):
    """What two splits can share."""

    NAMES = "names"
    PHRASES = "phrases"
    TIMELINES = "timelines"
    ITEMS = "items"


TRAITS = {
    Preset.STRICT: Traits(),
    Preset.SAME_NAMES: Traits(shared=frozenset({SharedTrait.NAMES})),
    Preset.SAME_PHRASES: Traits(shared=frozenset({SharedTrait.PHRASES})),
    Preset.SAME_TIMELINES: Traits(shared=frozenset({SharedTrait.TIMELINES})),
    Preset.SAME_ITEMS: Traits(shared=frozenset({SharedTrait.TIMELINES, SharedTrait.ITEMS})),
    Preset.BEFORE_AFTER: Traits(orders=(Order.BEFORE, Order.AFTER)),
    Preset.AFTER_SIMULTANEOUS: Traits(orders=(Order.AFTER, Order.SIMULTANEOUS)),
    Preset.BEFORE_SIMULTANEOUS: Traits(orders=(Order.BEFORE, Order.SIMULTANEOUS)),
    Preset.ONLY_BEFORE: Traits(orders=(Order.BEFORE,)),
    Preset.MINIMAL_PAIRS: Traits(minimal=True),
    Preset.SORTED: Traits(in_order=True),
    Preset.ONLY_BEFORE_SORTED: Traits(orders=(Order.BEFORE,), in_order=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """The parts that the names of a split are composed of."""

    stems: tuple[str, ...]
    endings: tuple[str, ...]
    occasions: tuple[str, ...]
    grounds: tuple[str, ...]


_PARTS = {
    Split.TRAIN: _Parts(
        stems=(
            *("Alder", "Bram", "Caster", "Dorn", "Elm", "Farn", "Garth", "Hazel", "Ivel"),
            *("Jarrow", "Kelm", "Lind", "Marl", "Nether", "Oaken", "Pell"),
        ),
        endings=("bury", "combe", "dale", "ford", "ham", "ley", "stow", "wick"),
        occasions=(
            *("Regatta of", "Concert at", "Picnic at", "Marathon of", "Parade of", "Auction at"),
            *("Bazaar of", "Recital at", "Tournament of", "Pageant of", "Luncheon at"),
        ),
        grounds=("Moor", "Park", "Green", "Gardens", "Terrace"),
    ),
    Split.TEST: _Parts(
        stems=(
            *("Quill", "Rother", "Sandal", "Tarn", "Ulver", "Venn", "Whit", "Yarl", "Amber"),
            *("Birch", "Cress", "Dewer", "Esker", "Flax", "Gorse", "Heath"),
        ),
        endings=("by", "bourne", "holm", "minster", "port", "thorpe", "ton", "worth"),
        occasions=(
            *("Carnival of", "Lecture at", "Banquet at", "Jubilee of", "Rehearsal at"),
            *("Exhibition of", "Workshop at", "Derby of", "Gala of", "Symposium at", "Harvest at"),
        ),
        grounds=("Common", "Quay", "Orchard", "Harbour", "Square"),
    ),
}


@lru_cache(maxsize=6)
def names(split: Split, domain: Domain) -> tuple[str, ...]:
    """The names of events (or places, or tokens) of a split."""
    parts = _PARTS[split]
    towns = [stem + ending for ending in parts.endings for stem in parts.stems]
    if domain is Domain.LOGICAL:
        return tuple(town.lower() for town in towns)
    if domain is Domain.SPATIAL:
        return tuple(f"{town} {_turn(parts.grounds, i)}" for i, town in enumerate(towns))
    return tuple(f"{_turn(parts.occasions, i)} {town}" for i, town in enumerate(towns))


def _turn(words: tuple[str, ...], number: int) -> str:
    return words[number % len(words)]


SIZES = {Split.TRAIN: 14_000, Split.TEST: 2_500}
"""The paper's sizes."""


class ConfigError(HopcheckError):
    """Options for which no data set can be generated."""

    code = "config"


def _shapes(given: Sequence[str]) -> tuple[Shape, ...] | None:
    """The shapes of texts such as ``8x16``; None without one."""
    found = []
    for text in given:
        events, _, relations = text.partition("x")
        if not (events.isdecimal() and relations.isdecimal()):
            message = f"{text!r} is not a shape; expected events x relations, as 8x16."
            raise ValueError(message)
        found.append(Shape(events=int(events), relations=int(relations)))
    return tuple(found) or None


def _hops(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise ValueError(f"{text!r} is not a list of hops; expected numbers, as 1,2,5.")
    return tuple(dict.fromkeys(map(int, parts)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The options of a data set.

    Attributes:
        sizes: number of items of each generated split.
        shapes: numbers of events and relations; None for those of the paper.
        hops: hop counts of items that have one; None for all that the shape allows, up to 8.
        contradiction: whether premises are inconsistent away from the claim; None for half of
            them.
        phrases: phrase files with which the texts are read back, as users of the data set will.
    """

    preset: Preset = setting(
        Preset.STRICT,
        f"Overlap of train and test, or form of the premises: {', '.join(Preset)}.",
        metavar="PRESET",
    )
    domain: Domain = setting(Domain.TEMPORAL, "Domain of the wording.")
    seed: int = setting(0, "Random seed.", low=0)
    sizes: Mapping[Split, int] = field(default_factory=lambda: dict(SIZES))
    shapes: tuple[Shape, ...] | None = setting(
        None,
        "Numbers of events and relations, such as 8x16; repeatable.",
        name="shape",
        metavar="NxM",
        repeated=True,
        convert=_shapes,
    )
    claims: tuple[ClaimRelation, ...] = setting(
        tuple(ClaimRelation),
        f"Claim relations: {', '.join(ClaimRelation)}; all by default.",
        choices=ClaimRelation,
        several=True,
        hidden=True,
        metavar="CLAIMS",
    )
    hops: tuple[int, ...] | None = setting(
        None, "Hop counts, such as 1,2,5; all by default.", metavar="HOPS", convert=_hops
    )
    contradiction: bool | None = None
    exact: bool = setting(False, "Reject sizes that do not divide into equal cells.")
    keep_unbalanced: bool = setting(
        False, "Keep shapes without items of some label; the shape then leaks the label."
    )
    phrases: tuple[PhraseFile, ...] = ()

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

    @classmethod
    def of_json(cls, config: Mapping[str, Any], seed: int) -> Config:
        """The options of a manifest.

        Raises:
            ConfigError: there are no such options.
            KeyError, TypeError, ValueError: an entry is missing or malformed.
        """
        hops = config["hops"]
        default = [str(shape) for shape in shapes()]
        return cls(
            preset=Preset(config["preset"]),
            domain=Domain(config["domain"]),
            seed=seed,
            sizes={Split(split): int(size) for split, size in config["sizes"].items()},
            # Of those of the paper, some lack items of some label.
            shapes=None
            if config["shapes"] == default
            else tuple(Shape.of(shape) for shape in config["shapes"]),
            claims=tuple(map(ClaimRelation, config["claims"])),
            hops=None if hops is None else tuple(map(int, hops)),
            contradiction=config["contradiction"],
            exact=config["exact"],
            keep_unbalanced=config["keep_unbalanced"],
        )

    def as_json(self) -> dict[str, object]:
        """The options for the manifest."""
        worded = {"phrases": [file.digest for file in self.phrases]} if self.phrases else {}
        return worded | {
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
