"""Verifies items: decides streams in parallel, counts outcomes and reports findings."""

from __future__ import annotations

import hashlib
import heapq
import time
from array import array
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from grammar.errors import ExitStatus, ParseError
from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Item
from grammar.eventhop.reader import reader
from solver.encodings import ENCODINGS
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_by_workers, read_part, read_records
from solver.eventhop.outcomes import (
    Cell,
    Circumstance,
    FindingCode,
    ItemDecider,
    Outcome,
    as_json,
    findings_of,
)
from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.io.sources import MANIFEST, InputError, is_uri
from solver.io.writing import (
    atomic,
    json_lines,
    line,
    make_folder,
    numbered_lines,
    os_errors_reported,
)
from solver.processes import WORKER_LIFETIME, connected_cluster, parallel_stream
from solver.verification.report import (
    FEWEST_PROBED,
    PROBED,
    Finding,
    Findings,
    Kind,
    ProbeLevel,
    Unreadable,
    VerifyReport,
)
from solver.verification.run import Execution, RunResult, verify

if TYPE_CHECKING:
    from solver.eventhop.artefacts import Artefacts
    from solver.eventhop.dataset import Dataset, Inventory, Problem
    from solver.eventhop.probes import Sample
    from solver.io.ranges import Shard as RemoteShard


RIGHT = "right"
UNEXPLAINED = "unexplained"
FOLLOWING = 0.9
"""Minimum share of the published procedure's errors in a file that is labelled with it."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of a verification run.

    Attributes:
        flawed: items with a finding.
        confusion: (gold label as written, decided label) -> items.
        declared: (declared consistent, found consistent) -> items.
        status: status -> items.
        causes: names of faults joined by ``+``, or ``unexplained`` -> wrong labels.
        findings: finding -> records.
        cells: (cell, cause or ``right``) -> items with a gold label.
        follows: whether the gold label is the published procedure's -> items where that is wrong.
    """

    items: int = 0
    flawed: int = 0
    unparsed: int = 0
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    declared: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    status: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    cells: Counter[tuple[Cell, str]] = field(default_factory=Counter)
    follows: Counter[bool] = field(default_factory=Counter)

    @property
    def published(self) -> bool:
        """Whether the labels are those of the published procedure, errors included."""
        return self.follows[True] > 0 and self.follows[True] >= FOLLOWING * self.follows.total()

    def shown_causes(self) -> dict[str, int]:
        """The causes of wrong labels; for labels of another origin only the policy can be one."""
        known = {Circumstance.POLICY.value} if not self.published else self.causes.keys()
        return {cause: count for cause, count in self.causes.most_common() if cause in known}

    def explained(self, outcome: Outcome) -> Outcome:
        """The outcome without causes that do not apply to these labels."""
        if self.published or outcome.causes == (Circumstance.POLICY,):
            return outcome
        return replace(outcome, causes=())

    def count(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.items += 1
        self.flawed += bool(outcome.findings)
        self.findings.update(finding.value for finding in outcome.findings)
        record, verdict = outcome.record, outcome.verdict
        if isinstance(record, BrokenRecord) or verdict is None:
            self.unparsed += 1
            return
        self.status[verdict.status.value] += 1
        if record.declared is not None:
            self.declared[record.declared, verdict.consistent] += 1
        if record.gold is None:
            return
        self.confusion[record.gold, verdict.label.value] += 1
        if outcome.follows is not None:
            self.follows[outcome.follows] += 1
        cause = RIGHT
        if FindingCode.WRONG_LABEL in outcome.findings:
            cause = "+".join(outcome.causes) or UNEXPLAINED
            self.causes[cause] += 1
        self.cells[outcome.cell, cause] += 1

    def add(self, other: Tally) -> None:
        """Add the counts of another shard."""
        self.items += other.items
        self.flawed += other.flawed
        self.unparsed += other.unparsed
        self.confusion.update(other.confusion)
        self.declared.update(other.declared)
        self.status.update(other.status)
        self.causes.update(other.causes)
        self.findings.update(other.findings)
        self.cells.update(other.cells)
        self.follows.update(other.follows)


# Four batches of the derivation engine: short enough to keep memory flat and progress smooth.
SHARD = 256
# Maximum number of errors listed: a file of another format would produce one per row.
ERRORS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Some consecutive records, and what to return for them.

    Attributes:
        records: empty if the worker reads them itself; remote: where it does.
        number: of the first record in the stream, from 0.
        repeated: positions of records whose texts occurred before in the stream.
        most_wrong: maximum number of outcomes with wrong labels to return.
        most_otherwise_flawed: maximum number of outcomes with only other findings to return.
        lines: whether to return a line of JSON for each outcome.
        rows: maximum number of flawed outcomes to return as rows of the page.
        listed: files to take an inventory of.
        sampled: records that the worker read are returned if their hash is smaller.
    """

    records: tuple[ReadRecord, ...]
    remote: RemoteShard[int] | None
    number: int
    repeated: frozenset[int]
    most_wrong: int
    most_otherwise_flawed: int
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
    """

    tally: Tally
    errors: tuple[str, ...]
    wrong: tuple[Outcome, ...]
    otherwise_flawed: tuple[Outcome, ...]
    lines: bytes
    rows: tuple[bytes, ...]
    inventories: dict[str, Inventory]
    sampled: tuple[tuple[int, int, Record], ...]


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
    """
    wrong = otherwise_flawed = limit
    rows = MOST_ROWS if lines else 0

    def tasks() -> Iterator[Shard]:
        for shard in islice(_shards(records, lines=lines, listed=listed), skip, None):
            bound = 0 if samples is None or shard.remote is None else samples.bound
            yield replace(
                shard,
                most_wrong=wrong,
                most_otherwise_flawed=otherwise_flawed,
                rows=rows,
                sampled=bound,
            )

    decide = partial(_verify_shard, settings)
    prepare, lifetime = partial(_decider, settings), WORKER_LIFETIME // SHARD
    for result in parallel_stream(decide, tasks(), jobs, lifetime=lifetime, prepare=prepare):
        wrong = max(0, wrong - len(result.wrong))
        otherwise_flawed = max(0, otherwise_flawed - len(result.otherwise_flawed))
        rows = max(0, rows - len(result.rows))
        if samples is not None:
            samples.add(result.sampled)
        yield result


def _verify_shard(settings: ItemSettings, shard: Shard) -> ShardResult:
    tally = Tally()
    wrong: list[Outcome] = []
    otherwise_flawed: list[Outcome] = []
    errors: list[str] = []
    lines: list[bytes] = []
    rows: list[bytes] = []
    inventories: dict[str, Inventory] = {}
    records = shard.records if shard.remote is None else _read_again(settings, shard.remote)
    for position, outcome in enumerate(_decider(settings).outcomes(records)):
        if position in shard.repeated:
            outcome = replace(outcome, findings=(*outcome.findings, FindingCode.DUPLICATE))
        tally.count(outcome)
        if outcome.error is not None and len(errors) < ERRORS:
            errors.append(f"{_error_code(outcome)}: {outcome.error}")
        if outcome.findings:
            group, most = otherwise_flawed, shard.most_otherwise_flawed
            if FindingCode.WRONG_LABEL in outcome.findings:
                group, most = wrong, shard.most_wrong
            if len(group) < most:
                group.append(outcome)
            if len(rows) < shard.rows:
                from solver.eventhop.report.findings import encoded

                rows.append(encoded(outcome))
        if shard.lines:
            lines.append(line(as_json(outcome, settings)))
        file = outcome.record.place.file
        if file in shard.listed:
            from solver.eventhop.dataset import Inventory

            inventories.setdefault(file, Inventory()).count(outcome)
    return ShardResult(
        tally=tally,
        errors=tuple(errors),
        wrong=tuple(wrong),
        otherwise_flawed=tuple(otherwise_flawed),
        lines=b"".join(lines),
        rows=tuple(rows),
        inventories=inventories,
        sampled=tuple(_sampled(records, shard)) if shard.sampled else (),
    )


def _read_again(settings: ItemSettings, shard: RemoteShard[int]) -> tuple[ReadRecord, ...]:
    """The records of a shard that this worker reads itself.

    Raises:
        InputError: they are not those that were scanned.
    """
    from solver.io.ranges import open_part

    with open_part(shard.part) as (source, _):
        records = tuple(read_part(source, mapping=settings.mapping))
    if tuple(map(text_digest, records)) != shard.rows:
        where = f"{shard.part.uri}:{shard.part.line}"
        raise InputError("the file changed while it was read, expected the same", where=where)
    return records


def _sampled(records: Iterable[ReadRecord], shard: Shard) -> Iterator[tuple[int, int, Record]]:
    for number, record in enumerate(records, start=shard.number):
        if isinstance(record, Record) and record.label is not None:
            digest = _hash(record)
            if digest < shard.sampled:
                yield digest, number, record


def _error_code(outcome: Outcome) -> str:
    return FindingCode.UNPARSED if outcome.verdict is None else FindingCode.SELF_CLAIM


@cache
def _decider(settings: ItemSettings) -> ItemDecider:
    """One decider per process."""
    return ItemDecider(settings)


def _shards(
    records: Iterable[ReadRecord | RemoteShard[int]], *, lines: bool, listed: frozenset[str]
) -> Iterator[Shard]:
    stream = iter(records)
    seen = SeenTexts()
    number = 0
    broken: InputError | None = None

    def shard(
        part: list[ReadRecord], remote: RemoteShard[int] | None, digests: Sequence[int]
    ) -> Shard:
        nonlocal number
        number += len(digests)
        return Shard(
            records=tuple(part),
            remote=remote,
            number=number - len(digests),
            repeated=frozenset(i for i, one in enumerate(digests) if seen.repeats(one)),
            most_wrong=0,
            most_otherwise_flawed=0,
            lines=lines,
            rows=0,
            listed=listed,
            sampled=0,
        )

    while broken is None:
        part: list[ReadRecord] = []
        remote: RemoteShard[int] | None = None
        try:
            for one in stream:
                if not isinstance(one, Record | BrokenRecord):
                    remote = one
                    break
                part.append(one)
                if len(part) == SHARD:
                    break
        except InputError as error:
            broken = error
        if part:
            yield shard(part, None, [text_digest(record) for record in part])
        if remote is not None:
            yield shard([], remote, remote.rows)
        if not part and remote is None:
            break
    if broken is not None:
        raise broken


class SeenTexts:
    """The texts that occurred, as 64-bit hashes: 12 to 24 bytes each, not the 80 of a set."""

    def __init__(self) -> None:
        self._count = 0
        self._table = array("Q", bytes(8 << 10))

    def repeats(self, digest: int) -> bool:
        """Whether an item with the same texts occurred before; it has occurred from now on.

        Args:
            digest: of the record, see ``text_digest``.
        """
        if not digest:
            return False
        place = self._place(digest)
        if self._table[place]:
            return True
        self._table[place] = digest
        self._count += 1
        if 3 * self._count > 2 * len(self._table):
            self._grow()
        return False

    def _place(self, digest: int) -> int:
        """Where a hash is, or the free place where it goes: open addressing."""
        table = self._table
        most = len(table) - 1
        place = digest & most
        while table[place] not in (0, digest):
            place = (place + 1) & most
        return place

    def _grow(self) -> None:
        before = self._table
        self._table = array("Q", bytes(16 * len(before)))
        for digest in filter(None, before):
            self._table[self._place(digest)] = digest


def text_digest(record: ReadRecord) -> int:
    """The digest of the texts of a record, of 64 bits; 0 if it is unreadable."""
    if isinstance(record, BrokenRecord):
        return 0
    text = f"{record.premise}\t{record.claim}".encode(errors="surrogatepass")
    # Zero is a free place of the table.
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") or 1


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
                    self.add([(_hash(record), self._drawn, record)])
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
        parts = [records[first : first + SHARD] for first in range(0, len(records), SHARD)]
        read, prepare = partial(_samples, settings), partial(_decider, settings)
        found = parallel_stream(read, parts, jobs, lifetime=len(parts) + 1, prepare=prepare)
        return [sample for part in found for sample in part]


def _samples(settings: ItemSettings, records: Iterable[Record]) -> list[Sample]:
    seen = (_sample(record, settings) for record in records)
    return [one for one in seen if one is not None]


def _sample(record: Record, settings: ItemSettings) -> Sample | None:
    from grammar.eventhop.statements import read
    from solver.eventhop.probes import sample

    domain = settings.domain or detect(record.premise, record.claim)
    item: Item | None
    try:
        item, _ = read(reader(domain, settings.spatial), record.id, record.premise, record.claim)
    except ParseError:
        item = None
    return sample(record, item)


def _hash(record: Record) -> int:
    text = f"{record.premise}\t{record.claim}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8, person=b"sample").digest(), "big")


SHOWN = 50
"""Maximum number of flawed items that the terminal shows."""

MOST_ROWS = 100_000
"""Maximum number of flawed items that the page lists."""

KEPT = 1_000
"""Maximum number of flawed items whose findings a report keeps, for wrong labels and for others."""

ROWS = "items.jsonl"
SHARDED_ROWS = "items-*.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemReport(VerifyReport):
    """The report of items.

    Attributes:
        settings: how the items were decided.
        tally: counts of the outcomes.
        flawed: the first outcomes with findings, wrong labels first; at most ``SHOWN``.
        errors: the first messages about unparsed records and self-claims, at most ``ERRORS``.
        datasets: folders whose files were compared with their manifests; problems: of these.
        artefacts: results of the probes by file, or of all files together under their names; empty
            if no probes were run.
        probes: the probes that were run.
        written: the files of lines of items, if they were written.
        rows_of_page: the flawed items as ``solver.eventhop.report.findings`` encodes them.
        records: the source of the run.
    """

    settings: ItemSettings
    tally: Tally
    flawed: tuple[Outcome, ...] = ()
    errors: tuple[str, ...] = ()
    datasets: tuple[Dataset, ...] = ()
    problems: tuple[Problem, ...] = ()
    artefacts: Mapping[str, Artefacts] = field(default_factory=dict)
    probes: ProbeLevel = ProbeLevel.NONE
    written: tuple[Path, ...] = ()
    rows_of_page: tuple[bytes, ...] = ()
    records: tuple[object, ...] = ()

    @property
    def exit_status(self) -> ExitStatus:
        """Unreadable rows take precedence over findings."""
        if self.tally.unparsed or self.failure is not None:
            return ExitStatus.UNREADABLE
        return ExitStatus.VIOLATIONS if self.findings.counts() else ExitStatus.OK

    def as_json(self) -> dict[str, Any]:
        """The object printed by ``--json``; ``disagreements`` is 0, as one stops the run."""
        return {
            "files": list(self.files),
            "items": self.rows,
            **self.metrics,
            "findings": self.findings.counts(),
            "seconds": round(self.seconds, 3),
            "items_per_second": round(self.rows / self.seconds, 1) if self.seconds else 0.0,
        }

    def write(self, folder: str | Path) -> Path:
        """Write summary, page and manifest to a folder; returns the page's path.

        ``items.jsonl`` is written during a run with this folder; for any other run, the items are
        decided again. The manifest has no checksum of the summary, which contains the run time.
        """
        if not self.written:
            again = verify(
                self.records,
                self.kind,
                config=self.settings,
                folder=Path(folder),
                probes=self.probes,
            )
            return again.write(folder)
        from solver.eventhop.report import verification_report
        from solver.report.page import write_report

        folder, figures = Path(folder), self.as_json()
        return write_report(
            folder,
            verification_report(
                figures,
                self.tally,
                self.rows_of_page,
                self.artefacts,
                self.problems,
                file=ROWS if len(self.written) == 1 else SHARDED_ROWS,
            ),
            figures=figures | {"artefacts": self.artefacts},
            summary="summary.json",
            config=self.config,
            encodings=self.encodings,
            inputs=self.files,
            outputs=[folder / path.name for path in self.written],
            timed=True,
        )


class ItemVerifier:
    """Verifies labelled items, and data sets with a manifest."""

    kind: ClassVar[str] = Kind.EVENTHOP

    def __init__(self, execution: Execution, settings: ItemSettings | None = None) -> None:
        self._execution = execution
        self._settings = settings or ItemSettings()
        self._records: tuple[object, ...] = ()
        self._files: tuple[str, ...] = ()
        self._datasets: tuple[Dataset, ...] = ()
        # The files of data sets, each with the name of its split.
        self._places: dict[str, str] = {}
        self._sampled: dict[str, Samples] = {}
        self._artefacts: dict[str, Artefacts] = {}
        self._inventories: dict[str, Inventory] = {}
        self._tally = Tally()
        self._wrong: list[Outcome] = []
        self._otherwise_flawed: list[Outcome] = []
        self._errors: list[str] = []
        self._rows: list[bytes] = []
        self._written: tuple[Path, ...] = ()
        self._problems: list[Problem] = []
        self._failure: InputError | None = None
        self._seconds = 0.0

    def read(
        self, source: Sequence[object]
    ) -> Iterator[ReadRecord | RemoteShard[int] | Unreadable]:
        """The records of files and data sets; also takes records.

        On a cluster, files named by URIs are read by the workers, in shards.

        Raises:
            InputError: a file or a manifest cannot be read.
        """
        self._records = tuple(source)
        paths = [str(one) for one in source if isinstance(one, str | Path)]
        named = {path: [path] for path in paths}
        for path in named:
            if not is_uri(path) and not (Path(path) / MANIFEST).is_file():
                continue
            from solver.eventhop.dataset import dataset, item_files

            named[path] = item_files(path)
            data = dataset(path, named[path])
            self._datasets += () if data is None else (data,)
        self._files = tuple(chain.from_iterable(named[path] for path in paths))
        self._places = {
            file: data.place(split)
            for data in self._datasets
            for split, files in data.files.items()
            for file in files
        }
        if self._execution.probes is not ProbeLevel.NONE:
            limit = PROBED[self._execution.probes]
            places = sorted(set(self._places.values())) or [", ".join(paths) or "items"]
            self._sampled = {place: Samples(limit) for place in places}
        given = (one for one in source if isinstance(one, Record | BrokenRecord))
        return chain(given, chain.from_iterable(map(self._read, self._files)))

    def _read(self, file: str) -> Iterator[ReadRecord | RemoteShard[int]]:
        mapping = self._settings.mapping
        sampled = self._sampled.get(self._places.get(file, ""))
        # Workers have one sample for all files: those of splits are drawn here.
        if is_uri(file) and connected_cluster() is not None and sampled is None:
            return read_by_workers(file, mapping, text_digest, SHARD)
        records = read_records(file, mapping=mapping)
        return records if sampled is None else sampled.drawn_from(records)

    def decide(self, rows: Iterable[ReadRecord | RemoteShard[int]]) -> Iterator[Finding]:
        """Decide the records; an error in a file ends reading, and what was found is kept.

        Raises:
            HopcheckError: no item could be read, or the engines disagree.
        """
        folder = self._execution.folder
        if folder is not None:
            make_folder(folder)
        began = time.perf_counter()
        try:
            with self._lines(folder) as write:
                finished = self._decide(rows, write)
        except InputError as error:
            if not self._tally.items:
                raise
            self._failure, finished = error, False
        finally:
            self._seconds = time.perf_counter() - began
        if folder is not None and self._tally.causes and not self._tally.published:
            for path in self._written:
                _drop_causes(path)
        for outcome in chain(self._wrong, self._otherwise_flawed):
            yield from findings_of(outcome)
        if finished:
            self._artefacts = self._measured()
            self._problems = list(self._dataset_problems())
        for one in self._problems:
            yield Finding(code=one.flaw.value, where=one.where, message=one.message)

    @contextmanager
    def _lines(self, folder: Path | None) -> Iterator[Callable[[bytes], object] | None]:
        """What writes lines of items to a folder, in one file or several."""
        if folder is None:
            yield None
            return
        # Readers would take the files of an earlier run as a part of this one.
        with os_errors_reported(folder):
            for path in folder.glob(SHARDED_ROWS):
                path.unlink()
        size = self._execution.shard_size
        if size is None:
            self._written = (folder / ROWS,)
            with json_lines(folder / ROWS) as file:
                yield file.write_lines
            return
        with os_errors_reported(folder):
            (folder / ROWS).unlink(missing_ok=True)
        with numbered_lines(folder, Path(ROWS).stem, size) as files:
            try:
                yield files.write_lines
            finally:
                self._written = tuple(files.paths)

    def _decide(
        self,
        rows: Iterable[ReadRecord | RemoteShard[int]],
        write: Callable[[bytes], object] | None,
    ) -> bool:
        """Take the results of all shards; returns whether all records were decided."""
        records, samples = rows, None
        if self._sampled and not self._datasets:
            (samples,) = self._sampled.values()
            records = samples.drawn_from(rows)
        results = verify_shards(
            records,
            self._settings,
            jobs=self._execution.jobs,
            limit=KEPT,
            lines=write is not None,
            listed=frozenset(self._places),
            samples=samples,
        )
        try:
            for result in results:
                self._take(result)
                if write is not None:
                    write(result.lines)
                if self._execution.progress is not None:
                    self._execution.progress(result.tally.items)
                if self._execution.fail_fast and self._tally.findings:
                    return False
        finally:
            results.close()
        return True

    def _take(self, result: ShardResult) -> None:
        self._tally.add(result.tally)
        self._wrong += result.wrong[: KEPT - len(self._wrong)]
        left = KEPT - len(self._otherwise_flawed)
        self._otherwise_flawed += result.otherwise_flawed[:left]
        self._errors += result.errors[: ERRORS - len(self._errors)]
        self._rows += result.rows[: MOST_ROWS - len(self._rows)]
        for file, inventory in result.inventories.items():
            place = self._places[file]
            if place in self._inventories:
                self._inventories[place].add(inventory)
            else:
                self._inventories[place] = inventory

    def _dataset_problems(self) -> Iterator[Problem]:
        """Problems of the data sets as wholes, and shortcuts."""
        if not (self._datasets or self._artefacts):
            return
        from solver.eventhop.dataset import problems, shortcuts

        for data in self._datasets:
            yield from problems(data, self._inventories)
        for where, measured in self._artefacts.items():
            yield from shortcuts(where, measured)

    def _measured(self) -> dict[str, Artefacts]:
        """Run the probes: on the test split fitted on train, otherwise cross-validated."""
        if not any(one.enough for one in self._sampled.values()):
            return {}
        from solver.eventhop.artefacts import measure
        from solver.eventhop.probes import MEMORISED

        found: dict[str, Artefacts] = {}
        seen = {
            place: one.samples(self._settings, self._execution.jobs)
            for place, one in self._sampled.items()
        }
        trains = {
            data.place(split): data.place("train")
            for data in self._datasets
            for split in data.files
            if split != "train" and "train" in data.files
        }
        sharing = {
            data.place(split)
            for data in self._datasets
            for split in data.files
            if data.manifest.overlaps.timelines_proved_by is None
        }
        for place, samples in seen.items():
            if not self._sampled[place].enough:
                continue
            train = trains.get(place)
            found[place] = measure(
                samples,
                None if train is None else seen[train],
                level=self._execution.probes,
                shared=frozenset(MEMORISED if place in sharing else ()),
            )
        return found

    def report(self, run: RunResult) -> ItemReport:
        """The report; each problem of a data set counts as a finding."""
        settings, tally = self._settings, self._tally
        flawed = self._wrong[:SHOWN] + self._otherwise_flawed[:SHOWN]
        counts = tally.findings + Counter(one.flaw.value for one in self._problems)
        return ItemReport(
            kind=self.kind,
            noun="items",
            rows=tally.items,
            passed="every item is as declared, and its certificate was checked",
            files=self._files,
            findings=Findings(run.findings, counts),
            unreadable=tuple(
                Unreadable.of(error.removeprefix(f"{FindingCode.UNPARSED}: "))
                for error in self._errors
                if error.startswith(f"{FindingCode.UNPARSED}: ")
            ),
            metrics={
                **metrics(settings, tally, self._datasets, self._problems),
                "probes": _probed(self._artefacts),
            },
            engines=tuple(engine.value for engine in settings.engines),
            seconds=self._seconds,
            config=settings.as_config(),
            encodings=tuple(
                f"temporal/{path.name}" for path in (ENCODINGS / "temporal").glob("*.*")
            ),
            failure=self._failure,
            settings=settings,
            tally=tally,
            flawed=tuple(map(tally.explained, flawed[:SHOWN])),
            errors=tuple(self._errors),
            datasets=self._datasets,
            problems=tuple(self._problems),
            artefacts=self._artefacts,
            probes=self._execution.probes,
            written=self._written,
            rows_of_page=tuple(self._rows),
            records=self._records,
        )


def _probed(artefacts: Mapping[str, Artefacts]) -> dict[str, list[dict[str, Any]]]:
    """The results of the probes as JSON values."""
    return {
        place: [asdict(one) | {"shortcut": one.shortcut} for one in measured.guesses]
        for place, measured in artefacts.items()
    }


def _drop_causes(path: Path) -> None:
    """Remove the faults of the published procedure from the items of a finished run."""
    if not path.is_file():
        return
    with path.open("rb") as source, atomic(path) as target:
        for text in source:
            row = msgspec.json.decode(text)
            if row.get("causes", []) not in ([], [Circumstance.POLICY]):
                row["causes"] = []
                text = line(row)
            target.write(text)


def metrics(
    settings: ItemSettings,
    tally: Tally,
    datasets: Sequence[Dataset] = (),
    found: Sequence[Problem] = (),
) -> dict[str, Any]:
    """The figures of a run as JSON values; counts are items."""
    return {
        "unparsed": tally.unparsed,
        "policy": settings.policy.value,
        "repaired": sorted(fault.value for fault in settings.repaired),
        "spatial": settings.spatial.value,
        "engines": [engine.value for engine in settings.engines],
        "disagreements": 0,
        "confusion": _nested(tally.confusion),
        "declared": _nested(
            Counter(
                {
                    (_DECLARED[declared], _FOUND[consistent]): count
                    for (declared, consistent), count in tally.declared.items()
                }
            )
        ),
        "status": dict(sorted(tally.status.items())),
        "causes": tally.shown_causes(),
        "datasets": [str(data.folder) for data in datasets],
        "problems": [
            {"flaw": one.flaw.value, "where": one.where, "message": one.message} for one in found
        ],
    }


_DECLARED = {True: "possible", False: "impossible"}
_FOUND = {True: "consistent", False: "contradictory"}


def _nested(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (outer, inner), count in sorted(counts.items()):
        nested.setdefault(outer, {})[inner] = count
    return nested
