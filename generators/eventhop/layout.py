"""How many items of each cell a data set contains, and which cells it cannot contain.

Items come in matched groups of three, one of each label, from one block: a shape and a claim
relation. So labels are balanced over shapes and claims. The groups of a block cycle through
combinations of cells that can be matched, chosen so that hops are as even as they can be; *false*
alternates between *refuted* and *unknown*. A shape without matched groups is excluded, unless
``keep_unbalanced`` is set: then its items are made one by one, and its groups cycle through the
cells of each status that exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import count, product
from math import gcd
from typing import NamedTuple

from generators.eventhop.config import (
    MOST_HOPS,
    Cell,
    Config,
    ConfigError,
    Shape,
    Split,
    hop_levels,
)
from generators.eventhop.matched import Statement, recipes, stated
from grammar.eventhop.model import ClaimRelation, Label, Status
from solver.io.sources import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Skeleton:
    """The size of a skeleton; ``inner`` events lie inside its chains."""

    relations: int
    events: int
    inner: int
    what: str

    def fits(self, cell: Cell) -> bool:
        """Whether the other relations can name the other events, and only these."""
        spare = cell.shape.relations - self.relations
        unnamed = cell.shape.events - self.events
        return spare >= 0 and 0 <= unnamed <= 2 * spare


def impossibility(cell: Cell, *, equal: bool = True) -> str | None:
    """Explain why the cell cannot exist; None if it can.

    Args:
        cell: the cell.
        equal: whether premises may contain *simultaneous*.
    """
    if cell.status is Status.CONTRADICTORY and not cell.contradiction:
        return "a claim whose points contradict each other makes the premise inconsistent"
    if cell.status is Status.CONTRADICTORY and cell.hops == 1:
        return "one relation between two events contradicts nothing: a cycle takes two"
    if (cell.hops is None) is not (cell.status is Status.UNKNOWN):
        return "only the status unknown has no hops"
    tried = list(_skeletons(cell, equal=equal))
    if any(skeleton.fits(cell) for skeleton in tried):
        return None
    least = min(
        tried, key=lambda skeleton: (skeleton.relations * 2 - skeleton.events, skeleton.relations)
    )
    return _reason(cell, least)


def _reason(cell: Cell, least: Skeleton) -> str:
    shape = cell.shape
    spare = shape.relations - least.relations
    takes = (
        f"{least.what} takes {counted(least.relations, 'relation')} on "
        f"{counted(least.events, 'event')}"
    )
    if spare < 0:
        return f"{takes}; there are {shape.relations}"
    if least.events > shape.events:
        return f"{takes}; there are {shape.events}"
    if spare == 0:
        unnamed = counted(shape.events - least.events, "event")
        return f"{takes}; no relation is left to name {unnamed} more"
    return (
        f"{takes}; the other {spare} name at most {2 * spare} more, and "
        f"{shape.events - least.events} are left"
    )


def _skeletons(cell: Cell, *, equal: bool) -> Iterator[Skeleton]:
    for skeleton in _showing(cell, equal=equal):
        if not cell.contradiction or cell.status is Status.CONTRADICTORY:
            yield skeleton
            continue
        what = f"{skeleton.what} with a cycle elsewhere" if skeleton.what else "a cycle"
        # On new events; through one point of an existing event; back along a chain.
        ways = [(2, 2), (2, 1)]
        if skeleton.inner:
            ways.append((1, 0))
        for relations, events in ways:
            yield Skeleton(
                relations=skeleton.relations + relations,
                events=skeleton.events + events,
                inner=skeleton.inner,
                what=what,
            )


def _showing(cell: Cell, *, equal: bool) -> Iterator[Skeleton]:
    hops = cell.hops or 0
    if cell.status is Status.UNKNOWN:
        # Some relation has to name each event of the claim.
        yield Skeleton(relations=1, events=2, inner=0, what="naming the claim's events")
        yield Skeleton(relations=2, events=4, inner=0, what="naming the claim's events")
    elif cell.status is Status.CONTRADICTORY:
        yield Skeleton(relations=hops, events=hops, inner=0, what=f"a cycle of {hops}")
    else:
        overlapping = cell.claim is ClaimRelation.OVERLAPS and cell.status is Status.ENTAILED
        if equal or not overlapping:
            what = f"a chain of {counted(hops, 'hop')}"
            # A cycle on a chain of ``=`` only would contain the claim's own points.
            inner = 0 if overlapping else hops - 1
            yield Skeleton(relations=hops, events=hops + 1, inner=inner, what=what)
        if overlapping:
            for back in range(1, hops + 1):
                yield Skeleton(
                    relations=hops + back,
                    events=hops + back,
                    inner=hops - 1,
                    what=f"two chains, of {counted(hops, 'hop')} and of {back},",
                )


LABELS = 3
UNMATCHED = "no matched group has an item of this cell"
UNMATCHED_SHAPE = "the shape has no matched groups, so counts of words would leak the label"
FLOORS = {
    Shape(events=4, relations=3): Fraction(2, 3),
    Shape(events=4, relations=4): Fraction(1, 3),
    Shape(events=4, relations=8): Fraction(1, 3),
}
"""The least accuracy of probes of counts, whichever items are chosen (``test_floors``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The existing cells of one shape and one claim relation, by status.

    Attributes:
        groups: the cells of matched groups, to be repeated; empty if there are none.
    """

    shape: Shape
    claim: ClaimRelation
    groups: tuple[tuple[Cell, ...], ...]
    entailed: tuple[Cell, ...]
    refuted: tuple[Cell, ...]
    unknown: tuple[Cell, ...]
    contradictory: tuple[Cell, ...]

    @property
    def missing(self) -> tuple[Label, ...]:
        """Labels that no item of the block has."""
        found = {
            Label.TRUE: self.entailed,
            Label.FALSE: self.refuted + self.unknown,
            Label.UNDEFINED: self.contradictory,
        }
        return tuple(label for label, cells in found.items() if not cells)

    def cells(self, turn: int) -> tuple[Cell, ...]:
        """The cells of a group, one for each label."""
        if self.groups:
            return self.groups[turn % len(self.groups)]
        if self.missing:
            return tuple(self._next(LABELS * turn + place) for place in range(LABELS))
        return (
            self.entailed[turn % len(self.entailed)],
            self._false(turn),
            self.contradictory[turn % len(self.contradictory)],
        )

    @property
    def every(self) -> tuple[Cell, ...]:
        """All its cells."""
        return self.entailed + self.refuted + self.unknown + self.contradictory

    @property
    def unmatched(self) -> tuple[Cell, ...]:
        """Cells of no matched group."""
        used = {cell for group in self.groups for cell in group}
        return tuple(cell for cell in self.every if cell not in used)

    def _next(self, number: int) -> Cell:
        statuses = (self.entailed, self.refuted, self.unknown, self.contradictory)
        found = [cells for cells in statuses if cells]
        turn, place = divmod(number, len(found))
        return found[place][turn % len(found[place])]

    def _false(self, turn: int) -> Cell:
        if self.refuted and self.unknown:
            cells = self.unknown if turn % 2 else self.refuted
            return cells[turn // 2 % len(cells)]
        cells = self.refuted or self.unknown
        return cells[turn % len(cells)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludedCell:
    """A cell without items, and the reason."""

    cell: Cell
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The blocks of a data set, the impossible cells, and those excluded for balance.

    Attributes:
        again: whether the premises are those of train, with the opposite claims.
    """

    blocks: tuple[Block, ...]
    impossible: tuple[ExcludedCell, ...]
    withheld: tuple[ExcludedCell, ...]
    again: bool = False

    @property
    def withheld_shapes(self) -> tuple[str, ...]:
        """A line for each excluded shape."""
        made = {block.shape for block in self.blocks}
        absent = (
            excluded_cell for excluded_cell in self.withheld if excluded_cell.cell.shape not in made
        )
        return tuple(
            dict.fromkeys(
                f"{excluded_cell.cell.shape}: {excluded_cell.reason}" for excluded_cell in absent
            )
        )

    def cells(self, number: int) -> tuple[Cell, ...]:
        """The cells of a group."""
        return opposite(self.built(number), number) if self.again else self.built(number)

    def built(self, number: int) -> tuple[Cell, ...]:
        """The cells of a group as it is built, before another claim is made about it."""
        turn, place = divmod(number, len(self.blocks))
        return self.blocks[place].cells(turn)

    def matched(self, number: int) -> bool:
        """Whether a group is matched."""
        return bool(self.blocks[number % len(self.blocks)].groups)

    def counts(self, size: int) -> Counter[str]:
        """Items of each cell in a split of that size, without the last incomplete group."""
        return Counter(cell.key for number in range(size // LABELS) for cell in self.cells(number))


def opposite(cells: Sequence[Cell], number: int) -> tuple[Cell, ...]:
    """The cells of a group about which the opposite is claimed.

    *Before* becomes *after*; *overlaps* becomes one of them in turn. What was false is true.
    """
    true, false, undefined = cells
    claim = ClaimRelation.AFTER
    if true.claim is claim or (true.claim is ClaimRelation.OVERLAPS and number % 2):
        claim = ClaimRelation.BEFORE
    return (
        replace(true, claim=claim, hops=false.hops),
        replace(false, claim=claim, hops=true.hops),
        replace(undefined, claim=claim),
    )


def layout(config: Config, split: Split = Split.TRAIN) -> Layout:
    """Lay out a split of a data set.

    Raises:
        ConfigError: requested cells cannot exist, or a size is too small or does not divide.
    """
    impossible: list[ExcludedCell] = []
    blocks: list[Block] = []
    withheld: list[ExcludedCell] = []
    for shape in config.asked_shapes:
        here = [_block(config, shape, claim, impossible) for claim in config.claims]
        missing = sorted({label for block in here for label in block.missing})
        if all(block.groups for block in here):
            blocks += here
            for block in here:
                withheld += (ExcludedCell(cell=cell, reason=UNMATCHED) for cell in block.unmatched)
            continue
        if config.keep_unbalanced:
            blocks += (replace(block, groups=()) for block in here if block.every)
            continue
        if config.shapes is not None or config.hops is not None:
            _refuse(here, missing, impossible)
        why = UNMATCHED_SHAPE
        if shape in FLOORS:
            least = float(FLOORS[shape])
            why += f": {least:.3f} of the labels or more, whatever the items; chance is 0.333"
        if missing:
            why = f"no item is {' or '.join(missing)}, so the shape would leak the label"
        withheld += (ExcludedCell(cell=cell, reason=why) for block in here for cell in block.every)
    if not blocks:
        raise ConfigError("no shape has items of all labels", hint="use other shapes")
    _require_filled(config, len(blocks))
    if config.exact:
        _divide(config, len(blocks))
    return Layout(
        again=config.traits.strong and split is Split.TEST,
        blocks=tuple(blocks),
        impossible=tuple(impossible),
        withheld=tuple(withheld),
    )


def _refuse(blocks: list[Block], missing: list[Label], impossible: list[ExcludedCell]) -> None:
    shape = blocks[0].shape
    if not missing:
        raise ConfigError(
            f"no matched groups of a true, a false and an undefined item of the shape {shape} are "
            "known",
            hint="use more events, more relations or other hops, or generate unmatched items with "
            "--keep-unbalanced",
        )
    lacking = {(block.claim, label) for block in blocks for label in block.missing}
    examples = (
        excluded_cell
        for excluded_cell in impossible
        if excluded_cell.cell.shape == shape
        and (excluded_cell.cell.claim, excluded_cell.cell.label) in lacking
    )
    # Prefer a cell without a contradiction elsewhere.
    example = min(examples, key=lambda cell: cell.cell.contradiction, default=None)
    why = f"a chain through {shape.events} events has at most {shape.events - 1} hops"
    if example is not None:
        why = f"{example.cell} cannot exist, as {example.reason}"
    raise ConfigError(
        f"no item of the shape {shape} is {' or '.join(missing)}: {why}",
        hint="use more relations, fewer events or other hops, or generate what exists with "
        "--keep-unbalanced",
    )


def _require_filled(config: Config, blocks: int) -> None:
    """Reject splits in which some shape and claim would have no item of some label."""
    least = LABELS * blocks
    for split, size in sorted(config.sizes.items()):
        if size < least:
            pairs = counted(blocks, "pair")
            raise ConfigError(
                f"{size:,} items of {split} cannot be balanced, expected at least {least:,}: one "
                f"of each label for each of {pairs} of a shape and a claim",
                hint=f"use at least {least:,} items, or fewer shapes or claims",
            )


def _divide(config: Config, blocks: int) -> None:
    part = LABELS * blocks
    for split, size in config.sizes.items():
        if size % part:
            low = size - size % part
            near = f"{low:,} or {low + part:,}" if low else f"{part:,}"
            raise ConfigError(
                f"{size:,} items of {split} do not divide into {blocks} blocks of {LABELS} labels",
                hint=f"use {near}",
            )


def _block(
    config: Config, shape: Shape, claim: ClaimRelation, impossible: list[ExcludedCell]
) -> Block:
    found: dict[Status, list[Cell]] = {status: [] for status in Status}
    for cell in _candidates(config, shape, claim):
        reason = impossibility(cell, equal=config.traits.equal)
        if reason is None:
            found[cell.status].append(cell)
        else:
            impossible.append(ExcludedCell(cell=cell, reason=reason))
    return Block(
        shape=shape,
        claim=claim,
        groups=_groups(_wanted(config, shape, claim), _quota(config, shape, claim)),
        entailed=_spread(found[Status.ENTAILED]),
        refuted=_spread(found[Status.REFUTED]),
        # Few timelines consist of "=" only; their groups need a consistent unknown.
        unknown=tuple(reversed(found[Status.UNKNOWN])),
        contradictory=_spread(found[Status.CONTRADICTORY]),
    )


PERIOD = 48
"""Number of groups of a block after which its cells are repeated."""

Quota = tuple[tuple[Statement, int], ...]
"""Numbers of groups in a period whose label depends on one sentence about the claim's events."""

Numbered = tuple[tuple[Cell, ...], tuple[int, ...]]
"""The cells of a group, with their numbers: to hash a cell takes longer than all else here."""


class _Wanted(NamedTuple):
    """What a configuration wants of the groups of a block."""

    shape: Shape
    claim: ClaimRelation
    hops: tuple[int, ...] | None
    contradiction: bool | None
    equal: bool
    strong: bool


def _wanted(config: Config, shape: Shape, claim: ClaimRelation) -> _Wanted:
    traits = config.traits
    return _Wanted(shape, claim, config.hops, config.contradiction, traits.equal, traits.strong)


@lru_cache(maxsize=256)
def _known(wanted: _Wanted) -> tuple[Mapping[tuple[bool, bool], list[Numbered]], int]:
    """The groups that can be made, and the number of their cells.

    By whether the second cell is unknown, and whether there is a contradiction elsewhere.
    """
    shape, claim, hops, contradiction, equal, strong = wanted
    levels = [n for n in range(1, MOST_HOPS + 1) if n < shape.events]
    if hops is not None:
        levels = [n for n in range(1, shape.events) if n in hops]
    states = (False, True) if contradiction is None else (contradiction,)
    numbers = count()

    def numbered(
        status: Status, levels: Sequence[int | None], states: Sequence[bool]
    ) -> dict[tuple[int | None, bool], tuple[Cell, int]]:
        return {
            (n, state): (
                Cell(shape=shape, claim=claim, status=status, contradiction=state, hops=n),
                next(numbers),
            )
            for n in levels
            for state in states
        }

    trues = numbered(Status.ENTAILED, levels, states)
    falses = numbered(Status.REFUTED, levels, states) | numbered(Status.UNKNOWN, (None,), states)
    undefined = numbered(Status.CONTRADICTORY, levels, (True,))
    known: dict[tuple[bool, bool], list[Numbered]] = {}
    for h, r, c, elsewhere in product(levels, (None, *levels), levels, states):
        if strong and r is None:
            continue
        parts = trues[h, elsewhere], falses[r, elsewhere], undefined[c, True]
        cells = tuple(cell for cell, _ in parts)
        if recipes(cells, equal=equal, strong=strong):
            group = (cells, tuple(number for _, number in parts))
            known.setdefault((r is None, elsewhere), []).append(group)
    return known, next(numbers)


@lru_cache(maxsize=256)
def _groups(wanted: _Wanted, quota: Quota = ()) -> tuple[tuple[Cell, ...], ...]:
    """The cells of matched groups, each hop count of a status as often as it can be.

    With a quota, as many groups have a label that depends on one sentence about both events.
    """
    known, size = _known(wanted)
    used = [0] * size

    def rank(group: Numbered) -> tuple[bool, int]:
        """First those with a cell that no group has had."""
        a, b, c = group[1]
        return bool(used[a] and used[b] and used[c]), used[a] + used[b] + used[c]

    found: list[tuple[Cell, ...]] = []
    for turn in range(PERIOD if known else 0):
        # In turn unknown and refuted; of both kinds, consistent and with a contradiction.
        sorts = sorted(known, key=lambda sort: (sort[0] == turn % 2, sort[1] == turn // 2 % 2))
        groups = known[sorts[-1]]
        if quota:
            made = Counter(map(stated, found))
            due = [kind for kind, most in quota if made[kind] * PERIOD < most * (turn + 1)]
            choices = (
                [pair for pair in groups if stated(pair[0]) is kind] for kind in (*due, None)
            )
            groups = next(filter(None, choices), groups)
        group, numbered = min(groups, key=rank)
        for number in numbered:
            used[number] += 1
        found.append(group)
    return tuple(found)


def _quota(config: Config, shape: Shape, claim: ClaimRelation) -> Quota:
    """Number of groups of a block whose label depends on one sentence about both events.

    Such a sentence makes *before* or *after* true, or *overlaps* false. It predicts no label if
    there are as many groups of *overlaps* as of *before* and *after* together. So *overlaps* is
    refuted in one hop more often, and the others are entailed in one hop less often, than if hops
    were even. Empty where this is not possible, or not wanted for the preset.
    """
    if config.traits.strong or set(config.claims) != set(ClaimRelation):
        return ()

    every = {some: _groups(_wanted(config, shape, some)) for some in ClaimRelation}
    overlaps = every[ClaimRelation.OVERLAPS]
    ordered = Counter(map(stated, every[ClaimRelation.BEFORE] + every[ClaimRelation.AFTER]))
    found = Counter(map(stated, overlaps))
    refuted = sum(false.status is Status.REFUTED for _, false, _ in overlaps)
    most = {Statement.STRICT: max(found[Statement.STRICT], refuted // 2)}
    half = {kind: min(ordered[kind], most.get(kind, found[kind])) // 2 for kind in Statement}
    factor = 2 if claim is ClaimRelation.OVERLAPS else 1
    return tuple((kind, factor * number) for kind, number in half.items())


def _spread(cells: list[Cell]) -> tuple[Cell, ...]:
    """Reorder cells so that every short run mixes all sorts of cells."""
    size = len(cells)
    stride = next((n for n in range(round(0.618 * size), size) if gcd(n, size) == 1), 1)
    return tuple(cells[number * stride % size] for number in range(size))


def _candidates(config: Config, shape: Shape, claim: ClaimRelation) -> Iterator[Cell]:
    """The requested cells.

    Contradictions come first and long cycles before short ones, so that cells with few timelines
    are in different groups.
    """
    levels = hop_levels(shape)
    if config.hops is not None:
        levels = tuple(hops for hops in config.hops if hops in hop_levels(shape, max(config.hops)))
    states = (True, False) if config.contradiction is None else (config.contradiction,)
    for status in Status:
        at_claim = status is Status.CONTRADICTORY
        hops: tuple[int | None, ...] = (None,) if status is Status.UNKNOWN else levels
        for contradiction in (True,) if at_claim else states:
            for level in reversed(hops) if at_claim else hops:
                yield Cell(
                    shape=shape,
                    claim=claim,
                    status=status,
                    contradiction=contradiction,
                    hops=level,
                )
