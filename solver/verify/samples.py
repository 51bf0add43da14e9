"""A bounded, order-independent sample of a stream of records."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grammar.domains import detect
from grammar.errors import ParseError
from grammar.reader import reader
from solver.model import Item
from solver.records import ReadRecord, Record
from solver.verify.settings import Settings

if TYPE_CHECKING:
    from solver.artefacts import Artefacts, Sample

SAMPLED = 20_000


@dataclass(slots=True)
class Samples:
    """The ``limit`` labelled records whose texts have the smallest hashes."""

    limit: int = SAMPLED
    # A heap with the largest hash on top; the running number breaks ties.
    _heap: list[tuple[int, int, Record]] = field(default_factory=list)

    def drawn_from(self, records: Iterable[ReadRecord]) -> Iterator[ReadRecord]:
        """Yield the records of a stream unchanged while sampling them."""
        for number, record in enumerate(records):
            if isinstance(record, Record) and record.label is not None:
                entry = (-_hash(record), -number, record)
                if len(self._heap) < self.limit:
                    heapq.heappush(self._heap, entry)
                else:
                    heapq.heappushpop(self._heap, entry)
            yield record

    def records(self) -> list[Record]:
        """The sample, sorted by hash."""
        return [record for _, _, record in sorted(self._heap, reverse=True)]

    def artefacts(self, settings: Settings) -> Artefacts:
        """Run the artefact checks on the sample."""
        from solver.artefacts import measure

        seen = (_sample(record, settings) for record in self.records())
        return measure([one for one in seen if one is not None])


def _sample(record: Record, settings: Settings) -> Sample | None:
    from solver.artefacts import sample

    domain = settings.domain or detect(record.premise, record.claim)
    item: Item | None
    try:
        item = reader(domain, settings.spatial).read(record.id, record.premise, record.claim)
    except ParseError:
        item = None
    return sample(record, item)


def _hash(record: Record) -> int:
    text = f"{record.premise}\t{record.claim}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8, person=b"sample").digest(), "big")
