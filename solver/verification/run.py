"""A verification run: reads files, counts outcomes, and collects findings for the report."""

from __future__ import annotations

import hashlib
import heapq
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grammar.errors import ParseError
from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Item
from grammar.eventhop.reader import reader
from solver.encodings import ENCODINGS
from solver.eventhop.dataset import Dataset, Inventory, Problem, problems
from solver.eventhop.io import read_records
from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.eventhop.verify import Finding, Outcome, Tally, Verifier, as_json, summary
from solver.io.sources import InputError
from solver.io.writing import line
from solver.processes import WORKER_LIFETIME, parallel_stream
from solver.verification.settings import Settings

if TYPE_CHECKING:
    from solver.probes.findings import Artefacts
    from solver.probes.sample import Sample


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
        from solver.probes.findings import measure

        seen = (_sample(record, settings) for record in self.records())
        return measure([one for one in seen if one is not None])


def _sample(record: Record, settings: Settings) -> Sample | None:
    from solver.probes.sample import sample

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


SHOWN = 50


@dataclass(slots=True, kw_only=True)
class Run:
    """The state of a verification run.

    Attributes:
        wrong: the first outcomes with wrong labels, at most ``SHOWN``.
        otherwise_flawed: the first with other findings, at most ``SHOWN``.
        errors: the first messages about unparsed records and self-claims, at most ``ERRORS``.
        samples: texts for the artefact checks; None if these are off.
        datasets: data sets whose files are compared with their manifests.
        problems: problems of these data sets; filled at the end.
        finished: whether all files were read completely.
    """

    files: tuple[str, ...]
    settings: Settings
    tally: Tally = field(default_factory=Tally)
    wrong: list[Outcome] = field(default_factory=list)
    otherwise_flawed: list[Outcome] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    samples: Samples | None = None
    datasets: tuple[Dataset, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    seconds: float = 0.0
    finished: bool = False
    _inventories: dict[str, Inventory] = field(default_factory=dict)
    _sampled: dict[str, Samples] = field(default_factory=dict)

    @property
    def flawed(self) -> list[Outcome]:
        """The outcomes to show, wrong labels first; at most ``SHOWN``."""
        return (self.wrong + self.otherwise_flawed)[:SHOWN]

    @property
    def faultless(self) -> bool:
        """Whether there are no findings so far."""
        return not (self.tally.findings or self.problems)

    def figures(self) -> dict[str, Any]:
        """The figures so far, as JSON values; each problem counts as a finding."""
        figures = summary(self.files, self.settings, self.tally, seconds=self.seconds)
        findings = self.tally.findings + Counter(one.flaw.value for one in self.problems)
        return figures | {
            "findings": dict(sorted(findings.items())),
            "datasets": [str(data.folder) for data in self.datasets],
            "problems": [
                {"flaw": one.flaw.value, "where": one.where, "message": one.message}
                for one in self.problems
            ],
        }

    def go(
        self,
        *,
        jobs: int = 1,
        fail_fast: bool = False,
        lines: Callable[[bytes], object] | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        """Verify the files.

        Args:
            jobs: number of worker processes.
            fail_fast: stop after the first shard with a finding.
            lines: called with the lines of ``items.jsonl`` of each shard.
            progress: called with the number of items of each shard.

        Raises:
            HopcheckError: a file cannot be read, or the engines disagree; findings are kept.
        """
        began = time.perf_counter()
        results = self._results(jobs=jobs, lines=lines is not None)
        try:
            for result in results:
                self._take(result)
                if lines is not None:
                    lines(result.lines)
                if progress is not None:
                    progress(result.tally.items)
                if fail_fast and self.tally.findings:
                    return
            self.finished = True
        finally:
            results.close()
            self.seconds = time.perf_counter() - began
        self.problems += self._problems()

    def _results(self, *, jobs: int, lines: bool) -> Generator[ShardResult, None, None]:
        listed = frozenset(file for data in self.datasets for file in data.files.values())
        self._sampled = {file: Samples() for file in sorted(listed)}
        return verify_shards(
            self._records(), self.settings, jobs=jobs, limit=SHOWN, lines=lines, listed=listed
        )

    def _problems(self) -> Iterator[Problem]:
        """Problems of the data sets as wholes."""
        for data in self.datasets:
            artefacts = {
                file: self._sampled[file].artefacts(self.settings) for file in data.files.values()
            }
            yield from problems(data, self._inventories, artefacts)

    def _take(self, result: ShardResult) -> None:
        self.tally.add(result.tally)
        self.wrong += result.wrong[: SHOWN - len(self.wrong)]
        self.otherwise_flawed += result.otherwise_flawed[: SHOWN - len(self.otherwise_flawed)]
        self.errors += result.errors[: ERRORS - len(self.errors)]
        for file, inventory in result.inventories.items():
            self._inventories.setdefault(file, Inventory()).add(inventory)

    def _records(self) -> Iterator[ReadRecord]:
        every = chain.from_iterable(self._read(file) for file in self.files)
        return every if self.samples is None else self.samples.drawn_from(every)

    def _read(self, file: str) -> Iterator[ReadRecord]:
        sampled = self._sampled.get(file)
        return read_records(file) if sampled is None else sampled.drawn_from(read_records(file))


ROWS = "items.jsonl"


def write_report(run: Run, folder: Path) -> Path:
    """Write ``summary.json``, ``report.html`` and ``manifest.json``; returns the page's path.

    The manifest has no checksum of the summary, which contains the run time.
    """
    from solver.eventhop.report import verification_report
    from solver.report.page import write_report

    settings = run.settings
    figures = run.figures()
    artefacts = None if run.samples is None else run.samples.artefacts(settings)
    return write_report(
        folder,
        verification_report(figures, run.tally, run.flawed, artefacts),
        figures=figures | {"artefacts": artefacts},
        summary="summary.json",
        config={
            "policy": settings.policy,
            "repaired": sorted(settings.repaired),
            "spatial": settings.spatial,
            "domain": settings.domain,
            "engines": list(settings.engines),
        },
        encodings=[f"temporal/{path.name}" for path in (ENCODINGS / "temporal").glob("*.*")],
        inputs=run.files,
        outputs=[folder / ROWS],
        timed=True,
    )
