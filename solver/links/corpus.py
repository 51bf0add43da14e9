"""Repairs or relinks a whole corpus: files in, changed files, the changes and a page out."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from itertools import count
from pathlib import Path, PurePosixPath
from time import perf_counter
from typing import Any

from grammar.errors import ExitStatus
from grammar.links.model import Document, Format, Interpretation, Link, RelationType
from grammar.links.tables import RELATION, rows, written_label
from grammar.links.timeml import edited_timeml, extended_timeml, read_timeml
from solver.io.sources import InputError, open_input, sound_lines
from solver.io.writing import atomic, json_lines, make_folder, reporting, spreadsheet_cell
from solver.links.closure import closed, meaning, reduced
from solver.links.engine import Decision
from solver.links.io import Loaded, as_json, read_documents
from solver.links.outcome import Outcome, examine
from solver.links.repair import Repair, RepairSettings, repair, weighted
from solver.links.settings import LinkSettings
from solver.links.verify import batches, decide, write_certificates
from solver.processes import parallel_map
from solver.verification.report import Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """The repair of a corpus.

    Attributes:
        loaded: its documents, as read.
        repairs: the repairs of the inconsistent ones, by index.
        outcomes: what was wrong with these.
        decisions: of all documents, after the repair.
    """

    files: tuple[str, ...]
    settings: RepairSettings
    loaded: tuple[Loaded, ...]
    repairs: Mapping[int, Repair]
    outcomes: Mapping[int, Outcome]
    decisions: tuple[Decision, ...]
    unreadable: tuple[Unreadable, ...]
    seconds: float

    @property
    def proved(self) -> bool:
        """Whether every repair is shown to be minimal."""
        return all(each_repair.proved for each_repair in self.repairs.values())

    @property
    def exit_status(self) -> ExitStatus:
        """Undecided if a minimum is known as an interval only; 4 if the solvers differ."""
        if self.unreadable:
            return ExitStatus.UNREADABLE
        for each_repair in self.repairs.values():
            if (
                each_repair.second is not None
                and not each_repair.lower <= each_repair.second <= each_repair.cost
            ):
                return ExitStatus.DISAGREEMENT
        return ExitStatus.OK if self.proved else ExitStatus.UNDECIDED

    def as_json(self) -> dict[str, Any]:
        """The figures; documents that need no repair are left out."""
        every = [(self.loaded[n].document, each_repair) for n, each_repair in self.repairs.items()]
        asked = [each_repair.second for _, each_repair in every if each_repair.second is not None]
        return {
            "kind": "links",
            "files": list(self.files),
            "reading": str(self.settings.interpretation.reading),
            "documents": len(self.loaded),
            "links": sum(len(loaded_document.document.links) for loaded_document in self.loaded),
            "inconsistent": len(every),
            "removed": sum(
                len(each_repair.removed) - len(each_repair.relabelled) for _, each_repair in every
            ),
            "relabelled": sum(len(each_repair.relabelled) for _, each_repair in every),
            "weight": sum(each_repair.cost for _, each_repair in every),
            "least": sum(each_repair.lower for _, each_repair in every),
            "proved_minimal": self.proved,
            "confirmed_by_second_solver": len(asked),
            "by_document": {
                document.name: len(each_repair.removed) for document, each_repair in every
            },
            "removed_links": {
                document.name: [document.links[n].id for n in each_repair.removed]
                for document, each_repair in every
            },
            "intervals": {
                document.name: [each_repair.lower, each_repair.cost]
                for document, each_repair in every
                if not each_repair.proved
            },
            "unreadable": len(self.unreadable),
            "seconds": round(self.seconds, 3),
        }


def repair_corpus(
    paths: Sequence[str],
    settings: RepairSettings,
    *,
    weights: Mapping[tuple[str, str], int] | None = None,
    jobs: int = 1,
) -> Repaired:
    """Repair the inconsistent documents of files, and verify what is left.

    Raises:
        InputError: a named file cannot be read.
        DisagreementError: the engines differ.
    """
    begun = perf_counter()
    loaded: list[Loaded] = []
    unreadable: list[Unreadable] = []
    for entry in read_documents(paths, raw=True):
        if isinstance(entry, Unreadable):
            unreadable.append(entry)
        else:
            loaded.append(entry)
    documents = [weighted(loaded_document.document, weights or {}) for loaded_document in loaded]
    interpretation = settings.interpretation
    decisions = [
        decision for batch in batches(documents) for decision in decide(batch, interpretation)
    ]
    wrong = [n for n, decision in enumerate(decisions) if not decision.consistent]
    found = list(
        parallel_map(partial(repair, settings=settings), [documents[n] for n in wrong], jobs)
    )
    after = list(decisions)
    repaired = [found_repair.repaired for found_repair in found]
    again = (decision for batch in batches(repaired) for decision in decide(batch, interpretation))
    for n, document, decision in zip(wrong, repaired, again, strict=True):
        if not decision.consistent:
            raise InputError("a repaired document is inconsistent", where=document.name)
        after[n] = decision
    plain = LinkSettings(interpretation=interpretation, redundancy=False)
    return Repaired(
        files=tuple(map(str, paths)),
        settings=settings,
        loaded=tuple(loaded),
        repairs=dict(zip(wrong, found, strict=True)),
        outcomes={n: examine(documents[n], decisions[n], plain) for n in wrong},
        decisions=tuple(after),
        unreadable=tuple(unreadable),
        seconds=perf_counter() - begun,
    )


def read_weights(path: Path) -> dict[tuple[str, str], int]:
    """Weights of links: rows of document, link and a positive whole number.

    Raises:
        InputError: a row has another form.
    """
    weights = {}
    with open_input(path, "a table of weights") as source:
        for line in sound_lines(source):
            cells = line.text.split("\t")
            if len(cells) != 3 or not cells[2].strip().isdecimal() or int(cells[2]) < 1:
                message = f"found {line.text[:40]!r}, expected document, link and a number from 1"
                raise InputError(message, where=f"{source.name}:{line.number}")
            weights[cells[0], cells[1]] = min(int(cells[2]), 1_000_000)
    return weights


def write_repaired(result: Repaired, folder: Path) -> None:
    """Write every file below a folder, changed where it was repaired, and ``changes.tsv``.

    Raises:
        OutputError: a file cannot be written.
    """
    changed = {
        n: Changed(document=each_repair.repaired, links=each_repair.changes())
        for n, each_repair in result.repairs.items()
    }
    write_changed(result.loaded, changed, folder)
    with atomic(folder / "changes.tsv") as opened:
        for document, made, _ in changed_documents(result):
            for link, relation in made.changes().items():
                cells = (
                    document.name, link.id, link.left,
                    link.written or str(link.relation), link.right,
                    "removed" if relation is None else str(relation),
                )  # fmt: skip
                opened.write(("\t".join(map(spreadsheet_cell, cells)) + "\n").encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What changes in a document.

    Attributes:
        document: the document afterwards; None to leave it out.
        links: the new relation of links, None to remove them; not read from JSON Lines, in which
            links may be equal.
        added: further links, the last ones of the document afterwards.
    """

    document: Document | None
    links: Mapping[Link, RelationType | None] = field(default_factory=dict)
    added: tuple[Link, ...] = ()


def extended(document: Document, interpretation: Interpretation) -> Changed:
    """A consistent document with all links that follow and are not stated; see ``closed``."""
    stated = {meaning(link, interpretation) for link in document.links}
    used = {link.id for link in document.links}
    fresh = (name for name in map("c{}".format, count(1)) if name not in used)
    more = (
        link for link in closed(document, interpretation)
        if meaning(link, interpretation) not in stated
    )  # fmt: skip
    added = tuple(replace(link, id=name) for link, name in zip(more, fresh, strict=False))
    return Changed(document=replace(document, links=(*document.links, *added)), added=added)


def lessened(document: Document, interpretation: Interpretation) -> Changed:
    """A consistent document without the links that ``reduced`` leaves out."""
    kept = reduced(document, interpretation)
    places = set(map(id, kept))
    return Changed(
        document=replace(document, links=kept),
        links={link: None for link in document.links if id(link) not in places},
    )


class Change(StrEnum):
    """Other links of a document: all that follow, or a minimal equivalent set."""

    CLOSE = "close"
    REDUCE = "reduce"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relinked:
    """Documents with other links.

    Attributes:
        loaded: all documents, as read.
        changed: what changes in their files, by index; only if these were read with their bytes.
        documents: the consistent documents with the other links, unless files change.
        left_out: names of those that contradict themselves.
        unreadable: what cannot be read.
    """

    loaded: tuple[Loaded, ...]
    changed: Mapping[int, Changed]
    documents: tuple[Document, ...]
    left_out: tuple[str, ...]
    unreadable: tuple[Unreadable, ...]

    @property
    def exit_status(self) -> ExitStatus:
        """UNREADABLE, VIOLATIONS if documents are left out, or OK."""
        if self.unreadable:
            return ExitStatus.UNREADABLE
        return ExitStatus.VIOLATIONS if self.left_out else ExitStatus.OK


def relinked(
    paths: Iterable[str], interpretation: Interpretation, change: Change, *, raw: bool = False
) -> Relinked:
    """Documents with all links that follow, or with a minimal equivalent set.

    Args:
        paths: the files.
        interpretation: what the links mean.
        change: which links.
        raw: whether the files are to be written anew, with ``write_changed``.
    """
    every, of_file = (closed, extended) if change is Change.CLOSE else (reduced, lessened)
    read = list(read_documents(paths, raw=raw))
    loaded = tuple(entry for entry in read if isinstance(entry, Loaded))
    changed: dict[int, Changed] = {}
    documents: list[Document] = []
    left_out: list[str] = []
    whole = (entry.document for entry in loaded)
    decided = (
        pair
        for some in batches(whole)
        for pair in zip(some, decide(some, interpretation), strict=True)
    )
    for number, (document, decision) in enumerate(decided):
        if not decision.consistent:
            left_out.append(document.name)
            changed[number] = Changed(document=None)
        elif raw:
            changed[number] = of_file(document, interpretation)
        else:
            documents.append(replace(document, links=tuple(every(document, interpretation))))
    return Relinked(
        loaded=loaded,
        changed=changed,
        documents=tuple(documents),
        left_out=tuple(left_out),
        unreadable=tuple(entry for entry in read if isinstance(entry, Unreadable)),
    )


def write_changed(loaded: Sequence[Loaded], changed: Mapping[int, Changed], folder: Path) -> None:
    """Write every file below a folder; bytes differ only where documents change.

    JSON Lines are written anew.

    Args:
        loaded: the documents of the files, read with their bytes.
        changed: what changes, by index.
        folder: the folder.

    Raises:
        OutputError: a file cannot be written.
        InputError: an added link is not read back.
    """
    make_folder(folder)
    by_file: dict[str, list[int]] = {}
    for n, loaded_document in enumerate(loaded):
        by_file.setdefault(loaded_document.path, []).append(n)
    for path, numbers in by_file.items():
        target = folder / _inside(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        first = loaded[numbers[0]]
        every = [
            (loaded[n].document, changed.get(n, Changed(document=loaded[n].document)))
            for n in numbers
        ]
        if first.document.format is Format.JSON:
            with json_lines(target.with_name(target.name.removesuffix(".gz"))) as file:
                for _, change in every:
                    if change.document is not None:
                        file.write(as_json(change.document))
            continue
        if first.document.format is Format.TIMEML:
            ((document, change),) = every
            if change.document is None:
                continue
            data = _edited_timeml(first.raw, document, change)
        else:
            data = _edited_table(first.raw, every)
        with atomic(target) as opened:
            opened.write(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)


def _inside(path: str) -> PurePosixPath:
    """A path without parts that lead out of the folder."""
    parts = [part for part in PurePosixPath(path).parts if part not in ("/", "..", ".")]
    return PurePosixPath(*parts)


def _edited_timeml(raw: bytes, document: Document, change: Changed) -> bytes:
    labels = {link: None if to is None else str(to) for link, to in change.links.items()}
    if not change.added:
        return edited_timeml(raw, labels)
    data = edited_timeml(extended_timeml(raw, document, change.added), labels)
    again = read_timeml([data], document.file, document.name).links
    assert change.document is not None
    if list(map(_stated, again)) != list(map(_stated, change.document.links)):
        raise InputError("the added links are not read back", where=document.file)
    return data


def _stated(link: Link) -> tuple[str, RelationType, str]:
    return link.left, link.relation, link.right


def _edited_table(raw: bytes, every: Iterable[tuple[Document, Changed]]) -> bytes:
    lines = raw.splitlines(keepends=True)
    for document, change in every:
        if change.document is None:
            lines = [b"" if _is_of(line, document) else line for line in lines]
        for link, relation in change.links.items():
            old = lines[link.line - 1]
            text = old.rstrip(b"\r\n")
            if relation is None:
                lines[link.line - 1] = b""
                continue
            label = written_label(relation, document.format) or str(relation)
            cells = text.split(b"\t")
            cells[RELATION[len(cells)]] = label.encode()
            lines[link.line - 1] = b"\t".join(cells) + old[len(text) :]
        if change.added:
            last = max(link.line for link in document.links) - 1
            newline = b"\r\n" if lines[last].endswith(b"\r\n") else b"\n"
            more = (row.encode() for row in rows([replace(document, links=change.added)]))
            lines[last] = newline.join([lines[last].rstrip(b"\r\n"), *more]) + newline
    return b"".join(lines)


def _is_of(line: bytes, document: Document) -> bool:
    """Whether a row is of a document; rows of two ends and a relation are of the file's."""
    name = line.partition(b"\t")[0].decode(errors="replace").strip()
    return document.format is Format.PAIRS or name == document.name


def changed_documents(result: Repaired) -> Iterable[tuple[Document, Repair, Outcome]]:
    """The repaired documents, by the order of the corpus."""
    return (
        (result.loaded[n].document, each_repair, result.outcomes[n])
        for n, each_repair in result.repairs.items()
    )


@reporting()
def write_report(result: Repaired, folder: Path) -> Path:
    """Write the page: which documents are wrong, why, and the smallest change."""
    from solver.links.encode import CONSISTENCY, REPAIR, WITNESS
    from solver.links.messages import link_in_words
    from solver.links.report import draw_timeline, exhibit
    from solver.report import page
    from solver.report.model import Report, Section, Table

    figures = result.as_json()
    repairs = []
    exhibits = []
    timelines: dict[str, str] = {}
    for n, each_repair in result.repairs.items():
        document, outcome = result.loaded[n].document, result.outcomes[n]
        bounds = (
            f"{each_repair.cost:,}"
            if each_repair.proved
            else f"{each_repair.lower:,} to {each_repair.cost:,}"
        )
        second = "" if each_repair.second is None else f"{each_repair.second:,}"
        repairs.append((document.name, f"{len(document.links):,}", bounds, second))
        notes = [
            f"{'Relabel as ' + to if to else 'Remove'}: {link_in_words(document, link)}"
            for link, to in each_repair.changes().items()
        ]
        exhibits.append(exhibit(outcome, [f"The smallest change: {len(notes)} links.", *notes]))
        if len(timelines) < _TIMELINES:
            name = f"timeline-{len(timelines) + 1}"
            timelines[name] = draw_timeline(document, result.decisions[n].timeline)
    columns = ("document", "links", "fewest to change", "by the second solver")
    sections = (
        Section(title="Repairs", tables=(Table(columns=columns, rows=tuple(repairs)),)),
        Section(title="Contradictions and the smallest change", exhibits=tuple(exhibits)),
        Section(title="Timelines of repaired documents", plots=timelines),
    )
    changed = figures["removed"] + figures["relabelled"]
    report = Report(
        title=f"{figures['inconsistent']:,} of {figures['documents']:,} documents are inconsistent",
        lead=f"{changed:,} of {figures['links']:,} links have to change."
        if repairs
        else "The links of every document are consistent.",
        facts={"files": ", ".join(result.files), "reading": figures["reading"]},
        sections=sections if repairs else (),
    )
    documents = (
        result.repairs[n].repaired if n in result.repairs else loaded_document.document
        for n, loaded_document in enumerate(result.loaded)
    )
    decided = zip(documents, result.decisions, strict=True)
    folder = make_folder(folder)
    certificates = write_certificates(
        folder,
        decided,
        result.settings.interpretation,
        {n: each_repair.as_json() for n, each_repair in result.repairs.items()},
    )
    return page.write_report(
        folder,
        report,
        figures=figures,
        summary="summary.json",
        config={"reading": figures["reading"], "relabel": result.settings.relabel},
        encodings=(CONSISTENCY, WITNESS, REPAIR),
        inputs=result.files,
        outputs=[certificates],
        timed=True,
    )


_TIMELINES = 10
"""Repaired documents whose timelines are drawn."""
