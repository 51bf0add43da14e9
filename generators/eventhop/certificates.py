"""The certificates of a data set: its texts with their verdicts, for ``check``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generators.eventhop.shards import DECLARED
from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import Domain, Label, Policy, SpatialReading, Status, Verdict
from grammar.eventhop.reader import reader
from solver.eventhop import check
from solver.eventhop.certificates.lines import to_json, verdict_to_json
from solver.eventhop.certificates.make import certify, hops


class UnprovedError(HopcheckError):
    """A row whose text has no certificate for its verdict."""

    code = "unproved"
    exit_status = ExitStatus.DISAGREEMENT


def certified(
    rows: Iterable[Mapping[str, Any]], split: str, domain: Domain
) -> Iterator[dict[str, Any]]:
    """The rows of a split as items.jsonl has them, each with a checked certificate.

    The texts are read again, so that the certificates are of what a reader of the data set sees.

    Raises:
        UnprovedError: a certificate does not prove the row's verdict.
    """
    texts = reader(domain)
    for row in rows:
        name = f"{split}-{row['id']}"
        item = texts.read(name, row["premise"], row["claim"])
        verdict = Verdict(
            status=Status(row["status"]),
            consistent=row["declared"] == DECLARED[True],
            label=Label(row["label"]),
        )
        certificate = certify(item, verdict)
        found = {
            "id": name,
            "premise": row["premise"],
            "claim": row["claim"],
            "domain": domain.value,
            "spatial": SpatialReading.GEOMETRIC.value,
            "policy": Policy.LOCAL.value,
            "verdict": verdict_to_json(verdict, hops(certificate)),
            "certificate": to_json(certificate),
        }
        try:
            check.check_row(found)
        except check.RejectedError as error:
            raise UnprovedError(f"the certificate is rejected: {error}", where=name) from None
        yield found
