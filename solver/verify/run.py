"""A verification run: from files to counts, flawed outcomes and lines for a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from solver.reading import read_records
from solver.records import ReadRecord
from solver.verify.outcome import Outcome
from solver.verify.samples import Samples
from solver.verify.settings import Settings
from solver.verify.shards import ERRORS, ShardResult, verify_shards
from solver.verify.tally import Tally

SHOWN = 50


@dataclass(slots=True, kw_only=True)
class Run:
    """What a run has found so far.

    Attributes:
        wrong: the first outcomes with wrong labels, at most ``SHOWN``.
        otherwise_flawed: the first with other findings, at most ``SHOWN``.
        errors: the first messages about unparsed records and self-claims, at most ``ERRORS``.
        samples: texts for the artefact checks; None where nobody asked for them.
        finished: whether the files were read to their ends.
    """

    files: tuple[str, ...]
    settings: Settings
    tally: Tally = field(default_factory=Tally)
    wrong: list[Outcome] = field(default_factory=list)
    otherwise_flawed: list[Outcome] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    samples: Samples | None = None
    seconds: float = 0.0
    finished: bool = False

    @property
    def flawed(self) -> list[Outcome]:
        """The outcomes to show, wrong labels first; at most ``SHOWN``."""
        return (self.wrong + self.otherwise_flawed)[:SHOWN]

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
            jobs: processes to use.
            fail_fast: stop after the first shard with a finding.
            lines: takes the lines of ``items.jsonl`` as they are made.
            progress: takes the number of items after each shard.

        Raises:
            HopcheckError: a file cannot be read, or the engines disagree; findings are kept.
        """
        began = time.perf_counter()
        results = verify_shards(
            self._records(), self.settings, jobs=jobs, wanted=SHOWN, lines=lines is not None
        )
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

    def _take(self, result: ShardResult) -> None:
        self.tally.add(result.tally)
        self.wrong += result.wrong[: SHOWN - len(self.wrong)]
        room = SHOWN - len(self.otherwise_flawed)
        self.otherwise_flawed += result.otherwise_flawed[:room]
        self.errors += result.errors[: ERRORS - len(self.errors)]

    def _records(self) -> Iterator[ReadRecord]:
        every = chain.from_iterable(read_records(file) for file in self.files)
        return every if self.samples is None else self.samples.drawn_from(every)
