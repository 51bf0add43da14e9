"""The labelled records that the probes see: those whose texts have the smallest hashes."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from grammar.errors import HopcheckError
from grammar.eventhop.model import Item
from solver.eventhop.engines import ItemSettings
from solver.eventhop.outcomes import decider
from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.probes.probe import FEWEST_PROBED
from solver.processes import parallel_stream

if TYPE_CHECKING:
    from solver.eventhop.probes import Sample
    from solver.io.ranges import Shard as RemoteShard

PART = 256
"""Number of records that a worker reads at once."""

SAMPLED = b"sample"
"""Purpose of the hashes that select a sample."""


@dataclass(slots=True)
class Samples:
    """The ``limit`` labelled records whose texts have the smallest hashes."""

    limit: int
    # A heap with the largest hash on top; the running number breaks ties.
    _heap: list[tuple[int, int, Record]] = field(default_factory=list)
    _drawn: int = 0

    def drawn_from(
        self, records: Iterable[ReadRecord | RemoteShard[int]]
    ) -> Iterator[ReadRecord | RemoteShard[int]]:
        """Yield a stream unchanged while sampling its records; those of shards are added later."""
        for record in records:
            if isinstance(record, Record | BrokenRecord):
                if isinstance(record, Record) and record.label is not None:
                    self.add([(text_hash(record, SAMPLED), self._drawn, record)])
                self._drawn += 1
            else:
                self._drawn += len(record.rows)
            yield record

    def add(self, entries: Iterable[tuple[int, int, Record]]) -> None:
        """Add labelled records, each with its hash and its number in the stream."""
        for digest, number, record in entries:
            entry = (-digest, -number, record)
            if len(self._heap) < self.limit:
                heapq.heappush(self._heap, entry)
            else:
                heapq.heappushpop(self._heap, entry)

    @property
    def bound(self) -> int:
        """Records with this hash, or a larger one, do not get into the sample any more."""
        return 1 << 64 if len(self._heap) < self.limit else -self._heap[0][0] + 1

    def records(self) -> list[Record]:
        """The sample, sorted by hash."""
        return [record for _, _, record in sorted(self._heap, reverse=True)]

    @property
    def enough(self) -> bool:
        """Whether the labels can be probed: two at least, with ``FEWEST_PROBED`` items each."""
        labels = Counter(record.label for _, _, record in self._heap if record.label is not None)
        return sum(number >= FEWEST_PROBED for number in labels.values()) > 1

    def samples(self, settings: ItemSettings, jobs: int = 1) -> list[Sample]:
        """What the probes see of the sample."""
        records = self.records()
        parts = [records[first : first + PART] for first in range(0, len(records), PART)]
        read, prepare = partial(_samples, settings), partial(decider, settings)
        found = parallel_stream(read, parts, jobs, lifetime=len(parts) + 1, prepare=prepare)
        return [sample for part in found for sample in part]


def _samples(settings: ItemSettings, records: Iterable[Record]) -> list[Sample]:
    from solver.eventhop.probes import samples

    return samples((record, _item(record, settings)) for record in records)


def _item(record: Record, settings: ItemSettings) -> Item | None:
    try:
        return decider(settings).read(record)[1]
    except HopcheckError:
        return None


def text_hash(record: Record, purpose: bytes = b"") -> int:
    """A hash of the texts of a record, of 64 bits; different for each purpose."""
    text = f"{record.premise}\t{record.claim}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8, person=purpose).digest(), "big")
