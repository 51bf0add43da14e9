"""Items with verdicts and certificates as JSON values, the form that the checker reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Certificate,
    Claim,
    Distances,
    Item,
    Order,
    Policy,
    Relation,
    SpatialReading,
    Verdict,
    Walk,
)
from grammar.phrases import PhraseFile
from solver.eventhop import check

_SIGNS = {
    Order.BEFORE: "<",
    Order.AFTER: ">",
    Order.SIMULTANEOUS: "=",
    Order.NOT_AFTER: "<=",
    Order.NOT_BEFORE: ">=",
}


class DifferentReadingError(HopcheckError):
    """The readers of the solver and the checker read a text differently: one is wrong."""

    code = "different-reading"
    exit_status = ExitStatus.DISAGREEMENT


def read_as(
    item: Item,
    premise: str,
    claim: str,
    *,
    spatial: SpatialReading = SpatialReading.GEOMETRIC,
    names: frozenset[str] = frozenset(),
    phrases: Sequence[PhraseFile] = (),
    where: str = "",
) -> check.Texts:
    """The texts of an item as the checker reads them.

    Raises:
        DifferentReadingError: the checker cannot read them, or reads another item.
    """
    try:
        files = [file.as_json() for file in phrases if file.domain == item.domain]
        read = check.read_texts(premise, claim, item.domain.value, spatial.value, names, files)
    except check.RejectedError as error:
        message = f"the checker cannot read item {item.id}: {error}"
        raise DifferentReadingError(message, where=where) from None
    if read != texts(item):
        message = f"the checker reads another item than {item.id}"
        raise DifferentReadingError(message, where=where)
    return read


def texts(item: Item) -> check.Texts:
    """An item in the form in which the checker reads texts."""
    premise = [_sentence(relation) for relation in item.premise]
    claim = item.claim
    if isinstance(claim, Claim):
        prefix = "allen_" if isinstance(claim.relation, AllenRelation) else ""
        return check.Texts(premise, (claim.left, prefix + claim.relation.value, claim.right))
    return check.Texts(premise, _sentence(claim))


def _sentence(relation: Relation) -> check.Sentence:
    left, right = relation.left, relation.right
    return check.Sentence(
        (left.event, int(left.bound is Bound.END)),
        _SIGNS[relation.order],
        (right.event, int(right.bound is Bound.END)),
    )


def verdict_to_json(verdict: Verdict, hops: int | None) -> dict[str, Any]:
    """A verdict as JSON values."""
    return {
        "status": verdict.status.value,
        "label": verdict.label.value,
        "consistent": verdict.consistent,
        "hops": hops,
    }


def to_json(certificate: Certificate) -> dict[str, Any]:
    """A certificate as JSON values: see docs/certificates.md."""
    names = [f"{bound} of {event}" for event in certificate.events for bound in ("start", "end")]

    def walk(given_walk: Walk) -> dict[str, Any]:
        return {"from": names[given_walk.start], "steps": list(given_walk.steps)}

    def distances(given_distances: Distances) -> dict[str, Any]:
        near = [[names[point], loose, strict] for point, loose, strict in given_distances.near]
        return {
            "from": names[given_distances.source],
            "beyond": given_distances.beyond,
            "near": near,
        }

    return {
        "walks": list(map(walk, certificate.walks)),
        "cycle": None if certificate.cycle is None else walk(certificate.cycle),
        "timelines": [
            [[name, instant] for name, instant in zip(names, timeline, strict=True)]
            for timeline in certificate.timelines
        ],
        "distances": list(map(distances, certificate.distances)),
    }


def certificate_error(
    item: Item,
    verdict: Verdict,
    hops: int | None,
    certificate: Certificate,
    policy: Policy = Policy.LOCAL,
) -> str | None:
    """Check a certificate of an item; returns None if it proves the verdict, or else why not."""
    try:
        check.check_verdict(
            check.Item(texts(item)),
            verdict_to_json(verdict, hops),
            policy.value,
            to_json(certificate),
        )
    except check.RejectedError as error:
        return str(error)
    return None
