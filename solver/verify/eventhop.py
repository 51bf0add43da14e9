"""The kind ``eventhop``: parse items, decide and certify them, and compare with the gold labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grammar.domains import detect
from grammar.errors import ParseError
from grammar.reader import reader
from solver.certificates.certify import certify, hops
from solver.certificates.replay import certificate_error
from solver.crosscheck import Crosscheck
from solver.errors import ExitStatus, HopcheckError
from solver.model import Item, Policy, Verdict
from solver.published import UnpublishedClaimError, published_label
from solver.records import BrokenRecord, Place, ReadRecord, Record
from solver.verify.blame import label_causes
from solver.verify.outcome import Finding, Outcome
from solver.verify.settings import Settings


class RejectedCertificateError(HopcheckError):
    """A certificate that the checker rejects: an engine or its certificate is wrong."""

    code = "rejected-certificate"
    exit_status = ExitStatus.DISAGREEMENT


class Verifier:
    """Decides records and compares the verdicts with what their file declares."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # Published labels come from a procedure; the engines still decide the status.
        self._policy = Policy.LOCAL if settings.policy is Policy.PUBLISHED else settings.policy
        self._crosscheck = Crosscheck(settings.engines, self._policy)

    def outcomes(self, records: Sequence[ReadRecord]) -> Iterator[Outcome]:
        """One outcome per record, in order.

        Raises:
            DisagreementError: the engines disagree.
            RejectedCertificateError: a certificate does not prove its verdict.
        """
        read = [self._read(record) for record in records]
        items = [one for one in read if isinstance(one, Item)]
        verdicts = iter(self._crosscheck.decide(items))
        for record, one in zip(records, read, strict=True):
            if isinstance(record, BrokenRecord) or not isinstance(one, Item):
                yield Outcome(record=record, findings=(Finding.UNPARSED,), error=str(one))
            else:
                yield self._outcome(record, one, next(verdicts))

    def _read(self, record: ReadRecord) -> Item | HopcheckError:
        """The record's graph, or the error in parsing it."""
        if isinstance(record, BrokenRecord):
            return record.error
        domain = self._settings.domain or detect(record.premise, record.claim)
        try:
            item = reader(domain, self._settings.spatial).read(
                record.id, record.premise, record.claim
            )
            if self._settings.policy is Policy.PUBLISHED:
                # Raises for a claim that the procedure does not support.
                published_label(item)
        except ParseError as error:
            return located(error, record.place, record.id)
        except UnpublishedClaimError as error:
            where = record.place.at(record.place.claim)
            return HopcheckError(error.message, where=where, hint=error.hint)
        return item

    def _outcome(self, record: Record, item: Item, decided: Verdict) -> Outcome:
        certificate = certify(item, decided)
        error = certificate_error(item, decided.status, certificate)
        if error is not None:
            raise RejectedCertificateError(
                f"the certificate of item {item.id} does not prove the status "
                f"{decided.status}: {error}",
                where=record.place.at(),
            )
        verdict = self._under_policy(item, decided)
        distance = hops(certificate)
        findings = tuple(_findings(record, item, verdict, distance))
        explained: tuple[str, ...] = ()
        if Finding.WRONG_LABEL in findings and record.label is not None:
            explained = label_causes(item, record.label, decided, self._settings)
        return Outcome(
            record=record,
            item=item,
            verdict=verdict,
            certificate=certificate,
            hops=distance,
            findings=findings,
            causes=explained,
            error=_about_itself(record) if Finding.SELF_CLAIM in findings else None,
        )

    def _under_policy(self, item: Item, decided: Verdict) -> Verdict:
        if self._settings.policy is not Policy.PUBLISHED:
            return decided
        return Verdict(
            status=decided.status,
            consistent=decided.consistent,
            label=published_label(item, self._settings.repaired),
        )


def located(error: ParseError, place: Place, record: str) -> HopcheckError:
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
    record: Record, item: Item, verdict: Verdict, distance: int | None
) -> Iterator[Finding]:
    if record.label is not None and record.label is not verdict.label:
        yield Finding.WRONG_LABEL
    if record.declared not in (None, verdict.consistent):
        yield Finding.WRONG_CONSISTENCY
    if record.hops is not None and record.hops != distance:
        yield Finding.WRONG_HOPS
    if item.claim.left == item.claim.right:
        yield Finding.SELF_CLAIM
