"""Verifies items: reads files and data sets, and reports what was decided of their records."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from solver.encodings import ENCODINGS
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.outcomes import (
    ROWS,
    SHARDED_ROWS,
    Circumstance,
    FindingCode,
    Outcome,
    decider,
    findings_of,
)
from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.eventhop.report import KEPT, SHOWN, ItemReport
from solver.eventhop.samples import Samples
from solver.eventhop.shards import ERRORS, MOST_ROWS, ShardResult, read_on_cluster, verify_shards
from solver.eventhop.tally import Tally, metrics
from solver.io.sources import MANIFEST, InputError, is_uri
from solver.io.writing import (
    atomic,
    json_lines,
    line,
    make_folder,
    numbered_lines,
    os_errors_reported,
)
from solver.probes.probe import PROBED, ProbeLevel
from solver.processes import connected_cluster, no_collection
from solver.verification.report import Finding, Findings, Kind, Unreadable
from solver.verification.verifier import Execution, RunResult

if TYPE_CHECKING:
    from solver.eventhop.artefacts import Artefacts
    from solver.eventhop.dataset import Dataset, Inventory, Problem
    from solver.io.ranges import Shard as RemoteShard


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
        self._equal: list[str] = []
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
        paths = [str(path) for path in source if isinstance(path, str | Path)]
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
        given = (row for row in source if isinstance(row, Record | BrokenRecord))
        return chain(given, chain.from_iterable(map(self._read, self._files)))

    def _read(self, file: str) -> Iterator[ReadRecord | RemoteShard[int]]:
        mapping = self._settings.columns
        sampled = self._sampled.get(self._places.get(file, ""))
        # Workers have one sample for all files: those of splits are drawn here.
        if is_uri(file) and connected_cluster() is not None and sampled is None:
            return read_on_cluster(file, mapping)
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
        if self._sampled and self._execution.jobs == 1:
            decider(self._settings).keep()
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
        decider(self._settings).forget()
        for problem in self._problems:
            yield Finding(code=problem.flaw.value, where=problem.where, message=problem.message)

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
        from solver.eventhop.artefacts import shortcuts
        from solver.eventhop.dataset import compared_copies, problems

        for data in self._datasets:
            yield from problems(data, self._inventories)
            yield from compared_copies(data, self._equal)
        for where, measured in self._artefacts.items():
            yield from shortcuts(where, measured)

    @no_collection()
    def _measured(self) -> dict[str, Artefacts]:
        """Run the probes: on the test split fitted on train, otherwise cross-validated."""
        if not any(samples.enough for samples in self._sampled.values()):
            return {}
        from solver.eventhop.artefacts import measure
        from solver.eventhop.probes import MEMORISED

        found: dict[str, Artefacts] = {}
        seen = {
            place: samples.samples(self._settings, self._execution.jobs)
            for place, samples in self._sampled.items()
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
            if not data.manifest.disjoint
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
        counts = tally.findings + Counter(problem.flaw.value for problem in self._problems)
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
            engines=tuple(str(engine) for engine in settings.engines),
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
            equal=tuple(self._equal),
        )


def _probed(artefacts: Mapping[str, Artefacts]) -> dict[str, list[dict[str, Any]]]:
    """The results of the probes as JSON values."""
    return {
        place: [asdict(guess) | {"shortcut": guess.shortcut} for guess in measured.guesses]
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
