"""Verifies a stream of records in shards, in parallel; results come in the order of the records."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_by_workers, read_part
from solver.eventhop.outcomes import FindingCode, Outcome, as_json, decider
from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.eventhop.samples import SAMPLED, Samples, text_hash
from solver.eventhop.tally import Tally
from solver.io.columns import SeenHashes
from solver.io.sources import InputError
from solver.io.writing import line
from solver.processes import WORKER_LIFETIME, parallel_stream

if TYPE_CHECKING:
    from solver.eventhop.certificates.proved import Judgement
    from solver.eventhop.columns import ItemMap
    from solver.eventhop.dataset import Inventory
    from solver.io.ranges import Shard as RemoteShard

SHARD = 256
"""Records of a shard, four batches of the derivation engine: memory stays flat, progress smooth."""

ERRORS = 20
"""Maximum number of errors listed: a file of another format would produce one per row."""

MOST_ROWS = 100_000
"""Maximum number of flawed items that the page lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Some consecutive records.

    Attributes:
        records: empty if the worker reads them itself; remote: where it does.
        number: of the first record in the stream, from 0.
        repeated: positions of records whose texts occurred before in the stream.
    """

    records: tuple[ReadRecord, ...] = ()
    remote: RemoteShard[int] | None = None
    number: int
    repeated: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a worker returns of a shard besides its counts.

    Attributes:
        wrong: maximum number of outcomes with wrong labels.
        otherwise_flawed: maximum number of outcomes with only other findings.
        lines: whether to return a line of JSON for each outcome.
        rows: maximum number of flawed outcomes as rows of the page.
        listed: files to take an inventory of.
        sampled: records that the worker read are returned if their hash is smaller.
    """

    wrong: int
    otherwise_flawed: int
    lines: bool
    rows: int
    listed: frozenset[str]
    sampled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardResult:
    """The result of a shard.

    Attributes:
        tally: counts.
        errors: the first messages.
        wrong, otherwise_flawed: the first flawed outcomes.
        lines: all outcomes as JSON lines.
        rows: flawed outcomes as rows of the page.
        inventories: by file.
        sampled: hash, number in the stream, and record.
        judged: what the compiled checker has to accept, with places.
    """

    tally: Tally
    errors: list[str]
    wrong: list[Outcome]
    otherwise_flawed: list[Outcome]
    lines: bytes
    rows: list[bytes]
    inventories: dict[str, Inventory]
    sampled: list[tuple[int, int, Record]]
    judged: list[tuple[str, Judgement]]


def read_on_cluster(file: str, mapping: ItemMap | None) -> Iterator[ReadRecord | RemoteShard[int]]:
    """The shards of a file named by a URI, which the workers of a cluster read."""
    return read_by_workers(file, mapping, text_digest, SHARD)


def verify_shards(
    records: Iterable[ReadRecord | RemoteShard[int]],
    settings: ItemSettings,
    *,
    jobs: int = 1,
    limit: int = 50,
    lines: bool = False,
    listed: frozenset[str] = frozenset(),
    samples: Samples | None = None,
    skip: int = 0,
) -> Generator[ShardResult, None, None]:
    """Verify a stream; results are in the order of the records for any ``jobs``.

    The first ``skip`` shards are read but not decided. The results include the first ``limit``
    outcomes with wrong labels, and the first ``limit`` with only other findings, and few after.

    Raises:
        HopcheckError: as ``ItemDecider.outcomes`` does.
        CheckersDifferError: the compiled checker does not accept a certificate.
    """
    wrong = otherwise_flawed = limit
    rows = MOST_ROWS if lines else 0

    def tasks() -> Iterator[tuple[Shard, Wanted]]:
        for shard in islice(_shards(records), skip, None):
            yield (
                shard,
                Wanted(
                    wrong=wrong,
                    otherwise_flawed=otherwise_flawed,
                    lines=lines,
                    rows=rows,
                    listed=listed,
                    sampled=0 if samples is None or shard.remote is None else samples.bound,
                ),
            )

    decide = partial(_verify_shard, settings)
    prepare, lifetime = partial(decider, settings), WORKER_LIFETIME // SHARD
    results = parallel_stream(decide, tasks(), jobs, lifetime=lifetime, prepare=prepare)
    for result in _proved(results) if settings.proved else results:
        wrong = max(0, wrong - len(result.wrong))
        otherwise_flawed = max(0, otherwise_flawed - len(result.otherwise_flawed))
        rows = max(0, rows - len(result.rows))
        if samples is not None:
            samples.add(result.sampled)
        yield result


def _proved(results: Iterable[ShardResult]) -> Iterator[ShardResult]:
    """The results, once the compiled checker accepts their certificates: many at once."""
    from solver.eventhop.certificates.proved import BATCH, agreed, compiled

    def batches() -> Iterator[tuple[list[ShardResult], list[tuple[str, Judgement]]]]:
        waiting: list[ShardResult] = []
        judged: list[tuple[str, Judgement]] = []
        for result in results:
            waiting.append(result)
            judged += result.judged
            if len(judged) >= BATCH:
                yield waiting, judged
                waiting, judged = [], []
        if waiting:
            yield waiting, judged

    for checked, read in agreed(batches(), compiled()):
        checked[-1].tally.proved_reader += read
        yield from checked


def _verify_shard(settings: ItemSettings, task: tuple[Shard, Wanted]) -> ShardResult:
    shard, wanted = task
    tally = Tally()
    wrong: list[Outcome] = []
    otherwise_flawed: list[Outcome] = []
    errors: list[str] = []
    lines: list[bytes] = []
    rows: list[bytes] = []
    inventories: dict[str, Inventory] = {}
    records = shard.records if shard.remote is None else _read_again(settings, shard.remote)
    for position, outcome in enumerate(decider(settings).outcomes(records)):
        if position in shard.repeated:
            outcome = replace(outcome, findings=(*outcome.findings, FindingCode.DUPLICATE))
        tally.count(outcome)
        if outcome.error is not None and len(errors) < ERRORS:
            errors.append(f"{_error_code(outcome)}: {outcome.error}")
        if outcome.findings:
            group, most = otherwise_flawed, wanted.otherwise_flawed
            if FindingCode.WRONG_LABEL in outcome.findings:
                group, most = wrong, wanted.wrong
            if len(group) < most:
                group.append(outcome)
            if len(rows) < wanted.rows:
                from solver.eventhop.report.findings import encoded

                rows.append(encoded(outcome))
        if wanted.lines:
            lines.append(line(as_json(outcome, settings)))
        file = outcome.record.place.file
        if file in wanted.listed:
            from solver.eventhop.dataset import Inventory

            inventories.setdefault(file, Inventory()).count(outcome)
    return ShardResult(
        tally=tally,
        errors=errors,
        wrong=wrong,
        otherwise_flawed=otherwise_flawed,
        lines=b"".join(lines),
        rows=rows,
        inventories=inventories,
        sampled=list(_sampled(records, shard.number, wanted.sampled)) if wanted.sampled else [],
        judged=decider(settings).judged(),
    )


def _read_again(settings: ItemSettings, shard: RemoteShard[int]) -> tuple[ReadRecord, ...]:
    """The records of a shard that this worker reads itself.

    Raises:
        InputError: they are not those that were scanned.
    """
    from solver.io.ranges import open_part

    with open_part(shard.part) as (source, _):
        records = tuple(read_part(source, mapping=settings.columns))
    if tuple(map(text_digest, records)) != shard.rows:
        where = f"{shard.part.uri}:{shard.part.line}"
        raise InputError("the file changed while it was read, expected the same", where=where)
    return records


def _sampled(
    records: Iterable[ReadRecord], first: int, bound: int
) -> Iterator[tuple[int, int, Record]]:
    for number, record in enumerate(records, start=first):
        if isinstance(record, Record) and record.label is not None:
            digest = text_hash(record, SAMPLED)
            if digest < bound:
                yield digest, number, record


def _error_code(outcome: Outcome) -> str:
    return FindingCode.UNPARSED if outcome.verdict is None else FindingCode.SELF_CLAIM


def _shards(records: Iterable[ReadRecord | RemoteShard[int]]) -> Iterator[Shard]:
    """Cut a stream; an error in it is raised after the records before it."""
    stream = iter(records)
    seen = SeenHashes()
    number = 0
    broken: InputError | None = None

    def repeated(digests: Sequence[int]) -> frozenset[int]:
        return frozenset(place for place, digest in enumerate(digests) if seen.repeats(digest))

    while broken is None:
        part: list[ReadRecord] = []
        remote: RemoteShard[int] | None = None
        try:
            for record in stream:
                if not isinstance(record, Record | BrokenRecord):
                    remote = record
                    break
                part.append(record)
                if len(part) == SHARD:
                    break
        except InputError as error:
            broken = error
        if part:
            known = repeated([text_digest(record) for record in part])
            yield Shard(records=tuple(part), number=number, repeated=known)
            number += len(part)
        if remote is not None:
            yield Shard(remote=remote, number=number, repeated=repeated(remote.rows))
            number += len(remote.rows)
        if not part and remote is None:
            break
    if broken is not None:
        raise broken


def text_digest(record: ReadRecord) -> int:
    """The digest of the texts of a record, of 64 bits; 0 if it is unreadable."""
    # Zero is a free place of the table.
    return 0 if isinstance(record, BrokenRecord) else text_hash(record) or 1
