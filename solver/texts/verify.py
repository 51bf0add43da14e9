"""Verifies texts of dated facts: each states exactly its reference facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from grammar.errors import ExitStatus, HopcheckError, ParseError
from grammar.texts.model import FactText, TextFact, clashes
from grammar.texts.phrases import PhraseTable, phrase_table
from grammar.texts.reader import read_text
from solver.dataset.copies import Copy, PlacedRow, in_words, read
from solver.dataset.copies import differences as copies_compared
from solver.io.parquet import exported
from solver.probes.probe import ProbeLevel
from solver.texts.codes import CODES
from solver.texts.compare import (
    HEADLINE_DAYS,
    differences,
    mention_faults,
    statement_faults,
)
from solver.texts.io import Pair, ReadText, ReferenceFacts, read_pairs, read_phrases
from solver.texts.references import BATCH, crosscheck, is_story
from solver.texts.settings import (
    PHRASES,
    REFERENCES,
    ROWS,
    TEXTS,
    Reading,
    TextSettings,
    is_folder,
)
from solver.verification.report import Finding, Kind, Unreadable, VerifyReport, shortcut
from solver.verification.verifier import Execution, RunResult

if TYPE_CHECKING:
    from solver.probes.probe import ProbeResult

_read = lru_cache(maxsize=1)(read_text)
"""Reads a text; the last one is kept, as it is needed several times."""

UNVERIFIED = "unverified"
"""The code of a text that is neither right nor wrong."""


PASSED = {
    Reading.GRAMMAR: "each text states exactly its facts, with correct weekdays, tenses and order",
    Reading.NAMES: "each text states exactly its facts, which it names verbatim",
    Reading.NORMALISED: "each text states exactly its facts",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReport(VerifyReport):
    """The report of texts: unverified ones are neither right nor wrong."""

    @property
    def exit_status(self) -> ExitStatus:
        """Violations take precedence over unverified texts."""
        if self.unreadable or self.failure is not None:
            return ExitStatus.UNREADABLE
        if set(self.findings.counts()) == {UNVERIFIED}:
            return ExitStatus.UNDECIDED
        return ExitStatus.VIOLATIONS if self.findings else ExitStatus.OK


class TextVerifier:
    """Checks texts against their reference facts."""

    kind: ClassVar[str] = Kind.TEXTS

    def __init__(self, execution: Execution, settings: TextSettings | None = None) -> None:
        self._settings = settings or TextSettings()
        phrases = self._settings.phrases
        self._phrases = () if phrases is None else read_phrases(phrases)
        self._texts = 0
        self._folders: list[Path] = []
        self._equal: list[str] = []
        self._facts: list[TextFact] = []
        self._probes, self._columns = execution.probes, execution.columns
        self._parsed: list[tuple[FactText, str]] = []
        self._probed: list[ProbeResult] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[Pair | Unreadable]:
        """Read each text with its facts.

        Raises:
            InputError: a file cannot be read.
        """
        for pair in chain.from_iterable(map(self._pairs, source)):
            yield from map(Unreadable.of, _errors(pair))
            self._texts += pair.text is not None
            self._facts += () if pair.references is None else pair.references.facts
            yield pair

    def _pairs(self, path: str | Path) -> Iterator[Pair]:
        folder, facts = Path(path), self._settings.facts
        tables = exported(path, "texts").values()
        if not is_folder(path) and not tables:
            return read_pairs(path, facts, self._columns)
        if (folder / PHRASES).is_file() and self._settings.phrases is None:
            self._phrases = read_phrases(folder / PHRASES)
        if tables:
            pairs = (read_pairs(table, facts, self._columns) for table in tables)
            return chain.from_iterable(pairs)
        self._folders.append(folder)
        return read_pairs(folder / TEXTS, facts or folder / REFERENCES)

    def _copies(self) -> Iterator[Finding]:
        """Compare the texts and facts of a folder with its JSON Lines."""
        for folder in self._folders:
            if not (folder / ROWS).is_file():
                continue
            copies = [
                Copy(name=ROWS, rows=partial(read, str(folder / ROWS))),
                Copy(
                    name=f"{TEXTS} with {REFERENCES}",
                    rows=partial(_rows_of_pairs, folder),
                    partial=True,
                ),
            ]
            wrong = list(copies_compared(str(folder), copies))
            yield from wrong
            self._equal += [] if wrong else [in_words(copies)]

    def decide(self, rows: Iterable[Pair]) -> Iterator[Finding]:
        """Compare each text with its facts, and run the probes on the texts that parse."""
        yield from self._decided(rows)
        yield from self._copies()

    def _decided(self, rows: Iterable[Pair]) -> Iterator[Finding]:
        table = phrase_table(self._phrases)
        stories: list[FactText] = []
        for pair in rows:
            yield from _findings(pair, self._settings.reading, table)
            with suppress(ParseError):
                if pair.text is not None:
                    read = _read(pair.text.text, table)
                    stories += [read] if is_story(read) else []
                    if self._probes is not ProbeLevel.NONE:
                        self._parsed.append((read, pair.text.where))
            if len(stories) == BATCH:
                crosscheck(stories)
                stories = []
        crosscheck(stories)
        if not self._parsed:
            return
        from solver.texts.probes import is_shortcut, probed, probed_sentences

        sentences = [
            sentence for text, where in self._parsed for sentence in probed_sentences(text, where)
        ]
        for result in probed(sentences, self._probes):
            self._probed.append(result)
            if is_shortcut(result):
                yield shortcut(result, "texts")

    def report(self, run: RunResult) -> TextReport:
        """The report, with the facts by relation."""
        settings = self._settings
        added: dict[str, object] = {}
        if settings.phrases is not None:
            added = {"additional_phrases": 2 * len(self._phrases)}
        return TextReport(
            rows=self._texts,
            passed=PASSED[settings.reading],
            files=(*run.files, *filter(None, (settings.facts, settings.phrases))),
            metrics={
                "facts": len(self._facts),
                "texts_with_violations": len({finding.where for finding in run.findings}),
                "reading": settings.reading.value,
                **added,
                "relations": dict(sorted(Counter(fact.relation for fact in self._facts).items())),
            },
            probed=tuple(("texts", result) for result in self._probed),
            config={"reading": settings.reading.value, "phrases": settings.phrases},
            equal=tuple(self._equal),
        )


def _rows_of_pairs(folder: Path) -> Iterator[PlacedRow]:
    """The rows of a folder's texts and facts."""
    for pair in read_pairs(folder / TEXTS, folder / REFERENCES):
        text, references = pair.text, pair.references
        values: dict[str, object] = {}
        if text is not None:
            values["text"] = text.text
        if references is not None:
            values["facts"] = [
                [fact.subject, fact.relation, fact.object, fact.date.isoformat()]
                for fact in references.facts
            ]
        where = references.where if text is None and references is not None else ""
        yield PlacedRow(where=where if text is None else text.where, values=values)


def _errors(pair: Pair) -> Iterator[HopcheckError]:
    if pair.text is not None and pair.text.error is not None:
        yield pair.text.error
    if pair.references is not None:
        yield from pair.references.errors


def _findings(pair: Pair, reading: Reading, table: PhraseTable) -> Iterator[Finding]:
    text, references = pair.text, pair.references
    if text is None and references is not None:
        yield CODES["missing-text"].finding(references.where, first=_first(references))
    elif references is None and text is not None:
        yield _finding("extra-text", text, CODES["extra-text"].message)
    elif (
        text is not None and references is not None and text.error is None and not references.errors
    ):
        yield from check_text(text, references, reading, table)


def check_text(
    text: ReadText, references: ReferenceFacts, reading: Reading, table: PhraseTable
) -> Iterator[Finding]:
    """Compare a text with its facts; no finding means that it parses to exactly these.

    Args:
        text: a text that could be read.
        references: its facts, without errors.
        reading: how it is checked.
        table: the phrases of its sentences.
    """
    if reading is Reading.GRAMMAR or _names_as_stated(text.text, references, table):
        yield from _by_grammar(text, references, table)
    else:
        yield from _by_mention(text, references, normalised=reading is Reading.NORMALISED)


def _first(references: ReferenceFacts) -> str:
    return str(references.facts[0]) if references.facts else "unreadable"


def _by_grammar(
    text: ReadText, references: ReferenceFacts, table: PhraseTable
) -> Iterator[Finding]:
    try:
        read = _read(text.text, table)
    except ParseError as error:
        place = f"column {error.column}" if error.line == 1 else error.where
        message = f"{place}: {error.message}"
        hint = "use --reading names for texts not generated by this grammar"
        yield _finding(
            "unparsed", text, message, facts=[str(fact) for fact in references.facts], hint=hint
        )
        return
    for difference in differences(references.facts, read.facts):
        yield _finding(difference.kind, text, str(difference))
    for clash, message in clashes(read):
        yield _finding(clash, text, message)
    yield from _far(text, read)


def _far(text: ReadText, read: FactText) -> Iterator[Finding]:
    """Report a headline dated more than a week from every fact."""
    if read.headline is None:
        return
    day = read.headline.written_date.date
    nearest = min(abs((fact.date - day).days) for fact in read.facts)
    if nearest > HEADLINE_DAYS:
        message = CODES["far-headline"].message.format(day=day, days=nearest)
        yield _finding("far-headline", text, message)


def _names_as_stated(text: str, references: ReferenceFacts, table: PhraseTable) -> bool:
    """Whether a text parses, and to no other names: a parsed name may be part of a sentence."""
    try:
        stated = _read(text, table).facts
    except ParseError:
        return False
    known = {name for fact in references.facts for name in (fact.subject, fact.object)}
    return all({fact.subject, fact.object} <= known for fact in stated)


def _by_mention(
    text: ReadText, references: ReferenceFacts, *, normalised: bool
) -> Iterator[Finding]:
    found = list(mention_faults(text.text, references.facts, normalised=normalised))
    found += statement_faults(text.text, references.facts)
    for mention_fault in found:
        about = {} if mention_fault.fact is None else {"fact": str(mention_fault.fact)}
        yield _finding(mention_fault.fault, text, mention_fault.message, **about)
    if not found:
        yield _finding(UNVERIFIED, text, CODES[UNVERIFIED].message)


def _finding(code: str, text: ReadText, message: str, **certificate: object) -> Finding:
    shown = {"text": text.text} | certificate
    return Finding(code=str(code), where=text.where, message=message, certificate=shown)
