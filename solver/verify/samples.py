"""A bounded sample of the texts of a stream, the same for the same items in any order."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from solver.records import ReadRecord, Record

SAMPLED = 20_000


@dataclass(slots=True)
class Samples:
    """Labelled records, those whose texts have the least hashes; at most ``limit``."""

    limit: int = SAMPLED
    # A heap with the greatest hash on top; the running number only breaks ties.
    _heap: list[tuple[int, int, Record]] = field(default_factory=list)

    def drawn_from(self, records: Iterable[ReadRecord]) -> Iterator[ReadRecord]:
        """Pass a stream on, keeping the sample."""
        for number, record in enumerate(records):
            if isinstance(record, Record) and record.label is not None:
                entry = (-_hash(record), -number, record)
                if len(self._heap) < self.limit:
                    heapq.heappush(self._heap, entry)
                else:
                    heapq.heappushpop(self._heap, entry)
            yield record

    def records(self) -> list[Record]:
        """The sample, in the order of the hashes."""
        return [record for _, _, record in sorted(self._heap, reverse=True)]


def _hash(record: Record) -> int:
    text = f"{record.premise}\t{record.claim}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8, person=b"sample").digest(), "big")
