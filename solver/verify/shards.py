"""Runs a verifier over a stream of records, shard by shard, in one process or several."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice

from solver.processes import WORKER_LIFETIME, parallel_stream
from solver.reading import InputError
from solver.records import BrokenRecord, ReadRecord
from solver.verify.eventhop import Verifier
from solver.verify.inventory import Inventory
from solver.verify.outcome import Finding, Outcome
from solver.verify.rows import as_json
from solver.verify.settings import Settings
from solver.verify.tally import Tally
from solver.writing.jsonl import line

# Four batches of the derivation engine: short enough to keep memory flat and progress smooth.
SHARD = 256
# Maximum number of errors listed: a file of another format would produce one per row.
ERRORS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Some consecutive records, and what to return for them.

    Attributes:
        repeated: positions of records whose texts occurred before in the stream.
        limit: maximum number of outcomes with wrong labels to return, and of outcomes with only
            other findings.
        lines: whether to return a line of JSON for each outcome.
        listed: files to take an inventory of.
    """

    records: tuple[ReadRecord, ...]
    repeated: frozenset[int]
    limit: int
    lines: bool
    listed: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardResult:
    """The result of a shard: counts, first flawed outcomes and errors, JSON lines, inventories."""

    tally: Tally
    errors: tuple[str, ...]
    wrong: tuple[Outcome, ...]
    otherwise_flawed: tuple[Outcome, ...]
    lines: bytes
    inventories: dict[str, Inventory]


def verify_shards(
    records: Iterable[ReadRecord],
    settings: Settings,
    *,
    jobs: int = 1,
    limit: int = 50,
    lines: bool = False,
    listed: frozenset[str] = frozenset(),
) -> Generator[ShardResult, None, None]:
    """Verify a stream; results are in the order of the records for any ``jobs``.

    The results include at least the first ``limit`` outcomes with wrong labels, and the first
    ``limit`` with only other findings, but few after these.

    Raises:
        HopcheckError: as ``Verifier.outcomes`` does.
    """
    left = limit

    def tasks() -> Iterator[Shard]:
        for shard in _shards(records, lines=lines, listed=listed):
            yield replace(shard, limit=left)

    decide = partial(_verify_shard, settings)
    for result in parallel_stream(decide, tasks(), jobs, lifetime=WORKER_LIFETIME // SHARD):
        left = max(0, left - len(result.wrong))
        yield result


def _verify_shard(settings: Settings, shard: Shard) -> ShardResult:
    tally = Tally()
    wrong: list[Outcome] = []
    otherwise_flawed: list[Outcome] = []
    errors: list[str] = []
    lines: list[bytes] = []
    inventories: dict[str, Inventory] = {}
    for position, outcome in enumerate(_verifier(settings).outcomes(shard.records)):
        if position in shard.repeated:
            outcome = replace(outcome, findings=(*outcome.findings, Finding.DUPLICATE))
        tally.count(outcome)
        if outcome.error is not None and len(errors) < ERRORS:
            errors.append(f"{_error_code(outcome)}: {outcome.error}")
        if outcome.findings:
            group = wrong if Finding.WRONG_LABEL in outcome.findings else otherwise_flawed
            if len(group) < shard.limit:
                group.append(outcome)
        if shard.lines:
            lines.append(line(as_json(outcome)))
        file = outcome.record.place.file
        if file in shard.listed:
            inventories.setdefault(file, Inventory()).count(outcome)
    return ShardResult(
        tally=tally,
        errors=tuple(errors),
        wrong=tuple(wrong),
        otherwise_flawed=tuple(otherwise_flawed),
        lines=b"".join(lines),
        inventories=inventories,
    )


def _error_code(outcome: Outcome) -> str:
    return Finding.UNPARSED if outcome.verdict is None else Finding.SELF_CLAIM


@cache
def _verifier(settings: Settings) -> Verifier:
    """One verifier per process."""
    return Verifier(settings)


def _shards(
    records: Iterable[ReadRecord], *, lines: bool, listed: frozenset[str]
) -> Iterator[Shard]:
    stream = iter(records)
    seen: set[int] = set()
    broken: InputError | None = None
    while broken is None:
        part: list[ReadRecord] = []
        try:
            # Unlike tuple(), extending a list keeps the records before an error in the file.
            part.extend(islice(stream, SHARD))
        except InputError as error:
            broken = error
        if not part:
            break
        repeated = frozenset(i for i, record in enumerate(part) if _repeats(record, seen))
        yield Shard(records=tuple(part), repeated=repeated, limit=0, lines=lines, listed=listed)
    if broken is not None:
        raise broken


def _repeats(record: ReadRecord, seen: set[int]) -> bool:
    """Whether an item with the same texts occurred before, by a 64-bit hash."""
    if isinstance(record, BrokenRecord):
        return False
    text = f"{record.premise}\t{record.claim}".encode(errors="surrogatepass")
    digest = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
    if digest in seen:
        return True
    seen.add(digest)
    return False
