"""The times of a graph by what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solver.tkg.dataset import Vocabulary

_DIGITS = 19
"""Of the largest number of 64 bits."""


class Moments(Mapping[str, int]):
    """The number of each time, by its name, a date for one, or by itself where it has none.

    They are not listed: where times are seconds there are more of them than memory holds.

    Args:
        vocabulary: of the graph.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._size = vocabulary
        step = vocabulary.time_step
        self._named = {name: step * place for place, name in enumerate(vocabulary.time_names)}

    def __getitem__(self, said: str) -> int:
        number = self._named.get(said)
        if number is None:
            if not (said.isascii() and said.isdecimal() and len(said) <= _DIGITS):
                raise KeyError(said)
            number = int(said)
        if number >= self._size.times or self._size.time(number) != said:
            raise KeyError(said)
        return number

    def __iter__(self) -> Iterator[str]:
        return map(self._size.time, range(self._size.times))

    def __len__(self) -> int:
        return self._size.times
