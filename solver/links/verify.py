"""Verifies annotated documents: are the links of each consistent, and which are superfluous?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from grammar.errors import HopcheckError
from grammar.links.model import Document, FlawCode, Interpretation, RelationType
from solver.io.sources import InputError
from solver.io.writing import json_lines
from solver.links import check, encode
from solver.links.engine import Decision, Network
from solver.links.io import Loaded, certified, read_documents
from solver.links.messages import MessageFormatter
from solver.links.outcome import Outcome, examine
from solver.links.settings import ENGINES, LinkSettings
from solver.probes.probe import ProbeLevel
from solver.processes import parallel_stream
from solver.verification.report import Finding, Kind, Unreadable, VerifyReport, shortcut
from solver.verification.run import DisagreementError
from solver.verification.verifier import Execution, RunResult

if TYPE_CHECKING:
    from solver.probes.probe import ProbeResult
    from solver.report.model import Section

_BATCH = 20_000
"""Links of the documents that are decided in one call of clingo."""

_LIFETIME = 500
"""Batches per worker process."""


class RejectedError(HopcheckError):
    """A certificate that does not prove the verdict that it is given for."""

    code = "rejected"


def decide(documents: Sequence[Document], interpretation: Interpretation) -> list[Decision]:
    """Decide documents by both engines, and check the certificates.

    Raises:
        DisagreementError: the engines differ, or a certificate is rejected by an encoding.
        RejectedError: a certificate is rejected by the checker.
    """
    decisions = [Network(document, interpretation).decide() for document in documents]
    small = [n for n, document in enumerate(documents) if encode.decidable(document)]
    found = encode.inconsistent([documents[n] for n in small], interpretation)
    for place, n in enumerate(small):
        if (place in found) is decisions[n].consistent:
            engine = ENGINES[decisions[n].consistent is False]
            raise _disagreement(documents[n], interpretation, f"is inconsistent by {engine} alone")
    refuted = encode.refuted(documents, decisions, interpretation)
    if refuted:
        raise _disagreement(documents[min(refuted)], interpretation, "has a rejected certificate")
    for document, decision in zip(documents, decisions, strict=True):
        try:
            check.check_row(certified(document, interpretation, decision))
        except check.RejectedError as error:
            raise RejectedError(str(error), where=document.file) from None
    return decisions


def write_certificates(
    folder: Path,
    decided: Iterable[tuple[Document, Decision]],
    interpretation: Interpretation,
    repairs: Mapping[int, Mapping[str, Any]] | None = None,
) -> Path:
    """Write documents with their verdicts and certificates, for ``check``.

    Args:
        folder: folder of the file.
        decided: the documents.
        interpretation: what their links mean.
        repairs: how some of them came about, by index.

    Raises:
        OutputError: the file cannot be written.
        RejectedError: the checker rejects a repair.
    """
    path = folder / "documents.jsonl"
    with json_lines(path) as file:
        for number, (document, decision) in enumerate(decided):
            row = certified(document, interpretation, decision)
            if repairs and number in repairs:
                row["repair"] = repairs[number]
                try:
                    check.check_row(row)
                except check.OpenError:  # A bound that takes too long to show.
                    pass
                except check.RejectedError as error:
                    raise RejectedError(str(error), where=document.file) from None
            file.write(row)
    return path


def _disagreement(
    document: Document, interpretation: Interpretation, message: str
) -> DisagreementError:
    return DisagreementError(
        f"engines disagree: {document.name} {message}",
        where=document.file,
        name=Kind.LINKS,
        program="\n".join(encode.document_facts(0, document, interpretation)),
        encodings=(encode.CONSISTENCY,),
    )


def examined(documents: Sequence[Document], settings: LinkSettings) -> list[Outcome]:
    """Decide and examine documents."""
    decisions = decide(documents, settings.interpretation)
    return [
        examine(document, decision, settings)
        for document, decision in zip(documents, decisions, strict=True)
    ]


def batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Documents in batches of some thousand links."""
    batch: list[Document] = []
    size = 0
    for document in documents:
        if batch and size + len(document.links) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += len(document.links) + 20
    if batch:
        yield batch


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkReport(VerifyReport):
    """The result, with the outcome of each document."""

    outcomes: tuple[Outcome, ...] = ()
    interpretation: Interpretation = field(default_factory=Interpretation)

    def _certificates(self, folder: Path) -> list[Path]:
        decided = ((outcome.document, outcome.decision) for outcome in self.outcomes)
        return [write_certificates(folder, decided, self.interpretation)]

    def as_json(self) -> dict[str, Any]:
        """The object printed by ``--json``; the figures are also fields of it."""
        found = VerifyReport.as_json(self)
        return {**found, **found["figures"]}

    def _sections(self) -> Iterator[Section]:
        from solver.links.report import sections

        yield from sections(self.outcomes)
        yield from VerifyReport._sections(self)


class LinkVerifier:
    """Verifies documents of annotated links."""

    kind: ClassVar[str] = Kind.LINKS

    def __init__(self, execution: Execution, settings: LinkSettings | None = None) -> None:
        self._settings = settings or LinkSettings()
        self._execution = execution
        self._outcomes: list[Outcome] = []
        self._probed: list[ProbeResult] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[Document | Unreadable]:
        """Read the documents of files, folders and archives.

        Raises:
            InputError: a named file cannot be read, or no file has a document.
        """
        empty = True
        for entry in read_documents(source, columns=self._execution.columns):
            empty = False
            yield entry.document if isinstance(entry, Loaded) else entry
        if empty:
            message = "found no documents, expected at least one"
            raise InputError(message, where=", ".join(map(str, source)))

    def decide(self, rows: Iterable[Document]) -> Iterator[Finding]:
        """Decide documents in batches.

        Raises:
            DisagreementError: the engines differ.
        """
        run = partial(examined, settings=self._settings)
        for outcomes in parallel_stream(
            run, batches(rows), self._execution.jobs, lifetime=_LIFETIME
        ):
            self._outcomes += outcomes
            for outcome in outcomes:
                yield from MessageFormatter(outcome).findings()
            if self._execution.progress is not None:
                self._execution.progress(len(outcomes))
        if self._execution.probes is not ProbeLevel.ALL:
            return
        from solver.links.probes import probed

        for result in probed((outcome.document for outcome in self._outcomes), ProbeLevel.ALL):
            self._probed.append(result)
            if result.shortcut:
                yield shortcut(result, "links")

    def report(self, _: RunResult) -> LinkReport:
        """The report, with a table of the documents."""
        from solver.links.report import tables

        interpretation = self._settings.interpretation
        return LinkReport(
            rows=len(self._outcomes),
            passed="the links of every document are consistent",
            metrics={
                "reading": str(interpretation.reading),
                **metrics(self._outcomes),
            },
            tables=tables(self._outcomes),
            probed=tuple(("links", result) for result in self._probed),
            engines=ENGINES,
            config=self._settings.as_config(),
            encodings=(encode.CONSISTENCY, encode.WITNESS),
            outcomes=tuple(self._outcomes),
            interpretation=interpretation,
        )


def metrics(outcomes: Sequence[Outcome]) -> Mapping[str, Any]:
    """The figures of a run."""
    wrong = [outcome for outcome in outcomes if not outcome.decision.consistent]
    links = [link for outcome in outcomes for link in outcome.document.links]
    counted = all(outcome.redundant is not None for outcome in outcomes)
    return {
        "links": sum(outcome.stated for outcome in outcomes),
        "inconsistent": len(wrong),
        "inconsistent_documents": sorted(outcome.document.name for outcome in wrong),
        "duplicates": sum(
            len(outcome.overlap.repeated + outcome.overlap.inverse) for outcome in outcomes
        ),
        "inverse_duplicates": sum(len(outcome.overlap.inverse) for outcome in outcomes),
        "conflicting": sum(len(outcome.conflicting) for outcome in outcomes),
        "dangling": sum(outcome.flaws(FlawCode.DANGLING) for outcome in outcomes),
        "unknown_relations": sum(outcome.flaws(FlawCode.UNKNOWN) for outcome in outcomes),
        "self_links": sum(outcome.flaws(FlawCode.SELF) for outcome in outcomes),
        "redundant": sum(outcome.redundant or 0 for outcome in outcomes) if counted else None,
        "vague": sum(link.relation is RelationType.VAGUE for link in links),
        "vague_determined": sum(len(outcome.determined) for outcome in outcomes),
    }
