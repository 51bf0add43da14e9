"""Disjoint names and phrases of the two splits.

Phrases come from the grammars. Those that imply more than an order are excluded: *as a result of*
implies a cause.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from generators.eventhop.presets import Split
from grammar.lexicon import GAP, lexicon
from solver.model import Domain, Order

_CAUSAL = frozenset(
    {
        "occurred as a result of the",
        "followed in the aftermath of the",
        "unfolded in the wake of the",
    }
)


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


@lru_cache(maxsize=18)
def phrases(split: Split, domain: Domain, order: Order) -> tuple[str, ...]:
    """The phrases of a split for an order; logic has one symbol for both splits."""
    every = lexicon(domain).phrases(order)
    if len(every) == 1:
        return every
    plain = [phrase for phrase in every if phrase not in _CAUSAL and GAP not in phrase]
    half = (len(plain) + 1) // 2
    return tuple(plain[:half] if split is Split.TRAIN else plain[half:])
