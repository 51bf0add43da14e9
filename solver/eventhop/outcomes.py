"""The kind ``eventhop``: parse items, decide and certify them, and compare with the gold labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from grammar.errors import ExitStatus, HopcheckError, ParseError
from grammar.eventhop.model import (
    Bound,
    Certificate,
    Claim,
    Domain,
    Item,
    Label,
    Point,
    Policy,
    Relation,
    SpatialReading,
    Status,
    Verdict,
)
from grammar.eventhop.reader import reader
from solver.eventhop import check
from solver.eventhop.certificates.lines import read_as, to_json, verdict_to_json
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import Crosscheck
from solver.eventhop.engines import Fault, ItemSettings, label
from solver.eventhop.published import (
    UnpublishedClaimError,
    UnpublishedOrderError,
    causes,
    published_label,
)
from solver.eventhop.reading import read
from solver.eventhop.records import BrokenRecord, ItemPlace, ReadRecord, Record

if TYPE_CHECKING:
    from grammar.phrases import PhraseFile
    from solver.eventhop.certificates.proved import Judgement
from solver.verification.report import SHORTCUT, Codes, Finding, Unreadable

ROWS = "items.jsonl"
SHARDED_ROWS = "items-*.jsonl"
"""Names of the files that hold outcomes as JSON lines: one file, or one for each shard."""


class FindingCode(StrEnum):
    """Finding codes of a record."""

    UNPARSED = "unparsed"
    WRONG_LABEL = "wrong-label"
    WRONG_CONSISTENCY = "wrong-consistency"
    WRONG_HOPS = "wrong-hops"
    SELF_CLAIM = "self-claim"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One record, decided and certified.

    Attributes:
        record: the record as read; an unreadable row counts as unparsed.
        word: the label of the verdict in a label scheme; None for that of the verdict itself.
        item: the record's graph; None if its text does not parse, as are verdict and certificate.
        hops: premise relations on the shortest proof of the status; None for unknown.
        findings: in a fixed order; empty if the record is as declared.
        causes: for a wrong label, its causes if the labels are those of the published procedure;
            empty if unexplained.
        follows: for an item that the published procedure labels wrongly, whether the gold label
            equals the procedure's label; None for any other item.
        error: for an unparsed record or a claim of an event about itself, the whole message:
            position, found, expected.
    """

    record: ReadRecord
    item: Item | None = None
    verdict: Verdict | None = None
    word: str | None = None
    certificate: Certificate | None = None
    hops: int | None = None
    findings: tuple[FindingCode, ...] = ()
    causes: tuple[str, ...] = ()
    follows: bool | None = None
    error: str | None = None

    @property
    def label(self) -> str | None:
        """The decided label, in the words of the label scheme."""
        return self.verdict.label if self.word is None and self.verdict else self.word

    @property
    def cell(self) -> Cell:
        """Sizes of the item as parsed (not as declared)."""
        names = {p.event for r in self.item.premise for p in (r.left, r.right)} if self.item else ()
        return Cell(
            events=len(names),
            relations=len(self.item.premise) if self.item else 0,
            hops=self.hops,
            status=self.verdict.status if self.verdict else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The stratum of an outcome: sizes, hops and status."""

    events: int
    relations: int
    hops: int | None
    status: Status | None


class Circumstance(StrEnum):
    """Why a label can differ although its procedure made no error."""

    POLICY = "policy"
    """The label is correct under ``local``, but the run uses another policy."""

    SPATIAL_READING = "spatial-reading"
    """The label takes a place's eastern edge as its start, the run its western edge."""


def label_causes(
    item: Item, gold: Label, decided: Verdict, settings: ItemSettings
) -> tuple[str, ...]:
    """The causes of a wrong label; empty if it is unexplained.

    Args:
        item: the item as parsed.
        gold: the gold label, which differs from the decided one.
        decided: the engines' verdict.
        settings: settings of the run.
    """
    local = label(decided.status, consistent=decided.consistent, policy=Policy.LOCAL)
    if settings.policy is Policy.PUBLISHED:
        return ()
    if gold is local:
        return (Circumstance.POLICY,)
    if item.domain is Domain.SPATIAL and settings.spatial is SpatialReading.GEOMETRIC:
        return _reading(item, gold)
    return tuple(causes(item, gold, local))


def follows_published(
    item: Item, gold: Label, decided: Verdict, settings: ItemSettings
) -> bool | None:
    """Whether a gold label is the published procedure's; None where that gives the right one.

    The procedure reads places as the published files do. So labels of another origin that are
    right do not follow it, and wrong ones do so only by coincidence.
    """
    if settings.policy is Policy.PUBLISHED:
        return None
    if item.domain is Domain.SPATIAL and settings.spatial is SpatialReading.GEOMETRIC:
        item = _swap_edges(item)
    try:
        printed = published_label(item)
    except UnpublishedClaimError:
        return None
    if printed is label(decided.status, consistent=decided.consistent, policy=Policy.LOCAL):
        return None
    return gold is printed


def _reading(item: Item, gold: Label) -> tuple[str, ...]:
    """The causes of a label given in the published spatial reading.

    Only the published reading is considered: in the geometric one the printed procedure may give
    the gold label as well, but only by coincidence.
    """
    swapped = _swap_edges(item)
    try:
        printed, repaired = published_label(swapped), published_label(swapped, frozenset(Fault))
    except UnpublishedClaimError:
        return ()
    if printed is not gold:
        return ()
    return (Circumstance.SPATIAL_READING, *causes(swapped, gold, repaired))


def _swap_edges(item: Item) -> Item:
    """The item in the other spatial reading: the two edges of each place are swapped."""
    premise = tuple(_swap_relation(relation) for relation in item.premise)
    claim = item.claim if isinstance(item.claim, Claim) else _swap_relation(item.claim)
    return replace(item, premise=premise, claim=claim)


def _swap_relation(relation: Relation) -> Relation:
    return replace(relation, left=_swap_point(relation.left), right=_swap_point(relation.right))


def _swap_point(point: Point) -> Point:
    return replace(point, bound=Bound.END if point.bound is Bound.START else Bound.START)


class RejectedCertificateError(HopcheckError):
    """A certificate that the checker rejects: an engine or its certificate is wrong."""

    code = "rejected-certificate"
    exit_status = ExitStatus.DISAGREEMENT


RECENT = 4_096
"""Items that are kept: about 20 MB."""


class ItemDecider:
    """Decides records and compares the verdicts with what their file declares."""

    def __init__(self, settings: ItemSettings) -> None:
        self._settings = settings
        # Published labels come from a procedure; the engines still decide the status.
        self._policy = Policy.LOCAL if settings.policy is Policy.PUBLISHED else settings.policy
        self._crosscheck = Crosscheck(settings.engines, self._policy)
        self._judged: list[tuple[str, Judgement]] = []
        self._recent: dict[int, tuple[Record, Record, Item]] = {}
        self._keeps = False

    def keep(self) -> None:
        """Keep the last records until ``forget``: probes see the items after all are decided."""
        self._keeps = True

    def read(self, record: Record) -> tuple[Record, Item]:
        """A record and its graph, as ``read``; records that are kept are read once.

        Raises:
            HopcheckError: as ``read``.
        """
        if not self._keeps:
            return read(record, self._settings)
        # By identity, as equal records of another run may have to be read in another way.
        known = self._recent.get(id(record))
        if known is None:
            known = self._recent[id(record)] = (record, *read(record, self._settings))
            if len(self._recent) > RECENT:
                del self._recent[next(iter(self._recent))]
        return known[1:]

    def forget(self) -> None:
        """Keep no item of a finished run."""
        self._keeps = False
        self._recent.clear()

    def outcomes(self, records: Sequence[ReadRecord]) -> Iterator[Outcome]:
        """One outcome per record, in order.

        Raises:
            DisagreementError: the engines disagree.
            RejectedCertificateError: a certificate does not prove its verdict.
        """
        read = [self._read(record) for record in records]
        items = [item for _, item in read if isinstance(item, Item)]
        verdicts = iter(self._crosscheck.decide(items))
        for record, item in read:
            if isinstance(record, BrokenRecord) or not isinstance(item, Item):
                yield Outcome(record=record, findings=(FindingCode.UNPARSED,), error=str(item))
            else:
                yield self._outcome(record, item, next(verdicts))

    def _read(self, record: ReadRecord) -> tuple[ReadRecord, Item | HopcheckError]:
        """The record and its graph, or the error in parsing it."""
        if isinstance(record, BrokenRecord):
            return record, record.error
        try:
            record, item = self.read(record)
            if self._settings.policy is Policy.PUBLISHED:
                # Raises for a claim, or a premise, that the procedure does not support.
                published_label(item)
        except ParseError as error:
            return record, located(error, record.place, record.id)
        except UnpublishedClaimError as error:
            place = record.place
            of_premise = isinstance(error, UnpublishedOrderError)
            where = place.at(place.premise if of_premise else place.claim)
            return record, HopcheckError(error.message, where=where, hint=error.hint)
        except HopcheckError as error:
            if error.exit_status is not ExitStatus.UNREADABLE:
                raise
            return record, error
        return record, item

    def _outcome(self, record: Record, item: Item, decided: Verdict) -> Outcome:
        certificate = certify(item, decided)
        verdict = self._under_policy(item, decided)
        distance = hops(certificate)
        self._check(record, item, verdict, distance, certificate)
        label = self._settings.label(verdict)
        findings = tuple(_findings(record, item, verdict, label, distance))
        explained: tuple[str, ...] = ()
        follows = None
        # Only these labels can be those of the published procedure.
        if record.label is not None and self._settings.labels is None:
            gold = Label(record.label)
            follows = follows_published(item, gold, decided, self._settings)
            if FindingCode.WRONG_LABEL in findings:
                explained = label_causes(item, gold, decided, self._settings)
        return Outcome(
            record=record,
            item=item,
            verdict=verdict,
            word=label,
            certificate=certificate,
            hops=distance,
            findings=findings,
            causes=explained,
            follows=follows,
            error=_about_itself(record) if FindingCode.SELF_CLAIM in findings else None,
        )

    def _check(
        self,
        record: Record,
        item: Item,
        verdict: Verdict,
        distance: int | None,
        certificate: Certificate,
    ) -> None:
        """Check the certificate of the texts as the checker reads them.

        Raises:
            DifferentReadingError: the checker reads another item.
            RejectedCertificateError: the certificate does not prove the verdict.
        """
        where = record.place.at()
        settings = self._settings
        phrases = phrases_used(item, record, settings)
        try:
            read = read_as(
                item,
                record.premise,
                record.claim,
                spatial=settings.spatial,
                names=settings.names or frozenset(),
                phrases=phrases,
                where=where,
            )
            texts = {"premise": record.premise, "claim": record.claim, "phrases": phrases}
            form = {"domain": item.domain.value, "spatial": settings.spatial.value}
            given = (
                check.Item(read, texts | form),
                verdict_to_json(verdict, distance),
                settings.policy.value,
                to_json(certificate),
                settings.repaired,
            )
            check.check_verdict(*given)
            if settings.proved:
                from solver.eventhop.certificates.proved import Judgement, numbers

                self._judged.append((where, Judgement(True, numbers(*given))))
        except check.RejectedError as error:
            raise RejectedCertificateError(
                f"the certificate of item {item.id} does not prove the verdict "
                f"{verdict.status}: {error}",
                where=where,
            ) from None

    def judged(self) -> list[tuple[str, Judgement]]:
        """What the compiled checker has to accept, with places; nothing is returned twice."""
        judged, self._judged = self._judged, []
        return judged

    def _under_policy(self, item: Item, decided: Verdict) -> Verdict:
        if self._settings.policy is not Policy.PUBLISHED:
            return decided
        return Verdict(
            status=decided.status,
            consistent=decided.consistent,
            label=published_label(item, self._settings.repaired),
        )


@cache
def decider(settings: ItemSettings) -> ItemDecider:
    """One decider per process."""
    return ItemDecider(settings)


def located(error: ParseError, place: ItemPlace, record: str) -> HopcheckError:
    """The error with its position in the file: line, and column if known."""
    start = {"premise": place.premise, "claim": place.claim}[error.part]
    if start is not None and error.line == 1:
        where = place.at(start + error.column - 1)
        part = f"{error.part} of item {record}"
    else:
        where = place.at()
        part = f"{error.part} of item {record}, line {error.line}, column {error.column}"
    return HopcheckError(f"{part}: {error.message}", where=where, hint=error.hint)


def _about_itself(record: Record) -> str:
    message = "found the same event on both sides, expected two different events"
    where = record.place.at(record.place.claim)
    return str(HopcheckError(f"claim of item {record.id}: {message}", where=where))


def _findings(
    record: Record, item: Item, verdict: Verdict, label: str, distance: int | None
) -> Iterator[FindingCode]:
    if record.label is not None and record.label != label:
        yield FindingCode.WRONG_LABEL
    if record.declared not in (None, verdict.consistent):
        yield FindingCode.WRONG_CONSISTENCY
    if record.hops is not None and record.hops != distance:
        yield FindingCode.WRONG_HOPS
    if item.claim.left == item.claim.right:
        yield FindingCode.SELF_CLAIM


def as_json(outcome: Outcome, settings: ItemSettings) -> dict[str, Any]:
    """The outcome as JSON values, for the checker; an unparsed record has an error instead."""
    record, item = outcome.record, outcome.item
    verdict, certificate = outcome.verdict, outcome.certificate
    row: dict[str, Any] = {
        "id": record.id,
        "premise": None if isinstance(record, BrokenRecord) else record.premise,
        "claim": None if isinstance(record, BrokenRecord) else record.claim,
        "domain": None if item is None else item.domain.value,
        "spatial": settings.spatial.value,
        "policy": settings.policy.value,
        "line": record.place.line,
        "file": PurePath(record.place.file).name,
        "gold": None if isinstance(record, BrokenRecord) else record.gold,
        "findings": list(outcome.findings),
    }
    if item is not None:
        listed = sorted((settings.names or frozenset()).intersection(item.names))
        row |= {"names": listed} if listed else {}
        row |= {"repaired": sorted(settings.repaired)} if settings.repaired else {}
        if isinstance(record, Record) and (files := phrases_used(item, record, settings)):
            row |= {"phrases": [file.as_json() for file in files]}
        if isinstance(record, Record) and record.source is not None:
            source = record.source
            texts = {"premise": source.premise, "claim": source.claim}
            row |= {"grammar": {"name": source.grammar, **texts}}
        row |= {"notes": found} if (found := list(notes(outcome))) else {}
    if verdict is None or certificate is None:
        return row | {"verdict": None, "certificate": None, "error": outcome.error}
    return row | {
        "verdict": verdict_to_json(verdict, outcome.hops),
        "causes": list(outcome.causes),
        "certificate": to_json(certificate),
    }


def phrases_used(item: Item, record: Record, settings: ItemSettings) -> Sequence[PhraseFile]:
    """The phrase files that a reader of the texts needs."""
    if not settings.phrases:
        return ()
    reads = reader(item.domain, settings.spatial, phrases=settings.phrases)
    return reads.used(record.premise, record.claim, settings.names or ())


UNMENTIONED = "unmentioned-event"
ONE_READER = "one-reader"
_UNMENTIONED = "that the premise does not mention"
NOTES = {
    UNMENTIONED: ("claim names an event", "claims name events", _UNMENTIONED),
    ONE_READER: ("text is", "texts are", "of a grammar that has one reader, which may err"),
}
"""The notes of items, in words: of one item, of several, and the rest."""


def notes(outcome: Outcome) -> Iterator[str]:
    """The notes of an item that could be read."""
    if outcome.item is not None and unmentioned(outcome.item):
        yield UNMENTIONED
    record = outcome.record
    if isinstance(record, Record) and record.source is not None and record.source.readers == 1:
        yield ONE_READER


def unmentioned(item: Item) -> tuple[str, ...]:
    """The events of a claim that its premise does not mention."""
    known = {point.event for row in item.premise for point in (row.left, row.right)}
    claim = item.claim
    events = (
        (claim.left, claim.right)
        if isinstance(claim, Claim)
        else (claim.left.event, claim.right.event)
    )
    return tuple(dict.fromkeys(event for event in events if event not in known))


CODES = Codes(
    {
        FindingCode.UNPARSED: ("{error}", "the text of an item does not parse"),
        FindingCode.WRONG_LABEL: (
            "gold {gold}{decided}",
            "the gold label is not the one that follows from the status",
        ),
        FindingCode.WRONG_CONSISTENCY: "the premise is {consistency}, declared otherwise",
        FindingCode.WRONG_HOPS: "declared hops {declared}, found {found}",
        FindingCode.SELF_CLAIM: ("{error}", "a claim of an event about itself"),
        FindingCode.DUPLICATE: "the same premise and claim occurred before",
        "changed-file": ("{message}", "a file of a data set differs from the manifest"),
        "missing-file": ("{message}", "a file that the manifest lists is missing"),
        "wrong-count": ("{message}", "the numbers of items are not those of the manifest"),
        "shared-timeline": ("{message}", "splits share more timelines than declared"),
        "shared-name": ("{message}", "splits share names that are declared distinct"),
        "shared-phrase": ("{message}", "splits share phrases that are declared distinct"),
        "shared-lemma": ("{message}", "splits share words that are declared distinct"),
        **SHORTCUT,
    }
)
"""All codes of items compare the record with the status of ``temporal/claims.lp``."""


def message_of(code: FindingCode, outcome: Outcome) -> str:
    """The message of a finding."""
    from solver.eventhop.messages import status_in_words

    record = None if isinstance(outcome.record, BrokenRecord) else outcome.record
    verdict = outcome.verdict
    consistent = verdict is not None and verdict.consistent
    decided = "" if verdict is None else f", decided {outcome.label}: {status_in_words(verdict)}"
    missing = () if outcome.item is None else unmentioned(outcome.item)
    decided += f"; {UNMENTIONED}: {', '.join(missing)}" if missing else ""
    return CODES[code].message.format(
        error=Unreadable.of(outcome.error or "").message,
        gold=record and record.gold,
        decided=decided,
        consistency="consistent" if consistent else "contradictory",
        declared=record and record.hops,
        found=outcome.hops,
    )


def findings_of(outcome: Outcome) -> Iterator[Finding]:
    """The findings of an outcome, each with the certificate of the verdict."""
    record, certificate = outcome.record, outcome.certificate
    shown = {} if certificate is None else to_json(certificate)
    for code in outcome.findings:
        yield Finding(
            code=code.value,
            where=record.place.at(),
            message=message_of(code, outcome),
            certificate=shown,
            id=record.id,
            causes=outcome.causes if code is FindingCode.WRONG_LABEL else (),
            status=None if outcome.verdict is None else outcome.verdict.status.value,
            hops=outcome.hops,
        )
