"""A verification run: reads files, counts outcomes, and collects findings for the report."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from solver.reading import read_records
from solver.records import ReadRecord
from solver.verify.dataset import Dataset, Problem, problems
from solver.verify.inventory import Inventory
from solver.verify.outcome import Outcome
from solver.verify.samples import Samples
from solver.verify.settings import Settings
from solver.verify.shards import ERRORS, ShardResult, verify_shards
from solver.verify.summary import summary
from solver.verify.tally import Tally

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
