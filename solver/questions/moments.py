"""Index of the times of a graph by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solver.tkg.dataset import Vocabulary

_DIGITS = 19
"""Decimal digits of the largest 64-bit integer."""


class TimeIndex(Mapping[str, int]):
    """Lazy mapping from the name of a time (a date, or its number) to its number.

    Times are not materialised: with a resolution of seconds they exceed memory.

    Args:
        vocabulary: vocabulary of the graph.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._size = vocabulary
        step = vocabulary.time_step
        self._named = {name: step * place for place, name in enumerate(vocabulary.time_names)}

    def __getitem__(self, label: str) -> int:
        number = self._named.get(label)
        if number is None:
            if not (label.isascii() and label.isdecimal() and len(label) <= _DIGITS):
                raise KeyError(label)
            number = int(label)
        if number >= self._size.times or self._size.time(number) != label:
            raise KeyError(label)
        return number

    def __iter__(self) -> Iterator[str]:
        return map(self._size.time, range(self._size.times))

    def __len__(self) -> int:
        return self._size.times
