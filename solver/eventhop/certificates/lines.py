"""Items with verdicts and certificates as JSON values, the form that the checker reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec

from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Certificate,
    Claim,
    Distances,
    Domain,
    Item,
    Label,
    Order,
    Policy,
    Relation,
    SpatialReading,
    Status,
    Verdict,
    Walk,
)
from solver.eventhop import check
from solver.io.columns import column

if TYPE_CHECKING:
    from grammar.phrases import PhraseFile

_SIGNS = {
    Order.BEFORE: "<",
    Order.AFTER: ">",
    Order.SIMULTANEOUS: "=",
    Order.NOT_AFTER: "<=",
    Order.NOT_BEFORE: ">=",
}


class DifferentReadingError(HopcheckError):
    """Two readers, as of the solver and the checker, read a text differently: one is wrong."""

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


Point: TypeAlias = Annotated[str, msgspec.Meta(pattern="^(start|end) of ")]
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


class WalkRow(msgspec.Struct, forbid_unknown_fields=True, rename={"start": "from"}):
    """A walk along relations of the premise."""

    start: Annotated[Point, column("point where it begins", example="start of fair")]
    steps: Annotated[
        list[Number | None],
        column("index of a relation, or null for the duration of the event", example=[None, 0]),
    ]


class DistancesRow(msgspec.Struct, forbid_unknown_fields=True, rename={"start": "from"}):
    """Least lengths of walks from a point."""

    start: Annotated[Point, column("point where the walks begin", example="start of fair")]
    beyond: Annotated[int, column("least length to each point that is not listed", example=2)]
    near: Annotated[
        list[tuple[Point, int, int]],
        column("points with the least length of any, and of a strict walk",
               example=[["end of fair", 0, 0]]),
    ]  # fmt: skip


class CertificateRow(msgspec.Struct, forbid_unknown_fields=True):
    """The certificate of a verdict."""

    walks: Annotated[list[WalkRow], column("walks that derive the claim, or its opposite")]
    cycle: Annotated[
        WalkRow | None, column("closed walk with a strict step; null if the premise is consistent")
    ]
    timelines: Annotated[
        list[list[tuple[Point, int]]],
        column("models of the premise", example=[[["start of fair", 0], ["end of fair", 1]]]),
    ]
    distances: Annotated[list[DistancesRow], column("tables that show the number of hops")]


class VerdictRow(msgspec.Struct, forbid_unknown_fields=True):
    """The verdict of an item."""

    status: Annotated[Status, column("status of the claim", example="entailed")]
    label: Annotated[Label, column("label under the policy", example="true")]
    consistent: Annotated[bool, column("whether the premise is consistent", example=True)]
    hops: Annotated[Number | None, column("number of hops", unit="sentences", example=1)]


class VerifiedRow(msgspec.Struct):
    """An item, its verdict and the certificate of the verdict, as verify writes them."""

    id: Annotated[str, column("id of the item", example="7")]
    premise: Annotated[str | None, column("the text as the file has it, or as a grammar wrote it")]
    claim: Annotated[str | None, column("the text as the file has it, or as a grammar wrote it")]
    domain: Annotated[Domain | None, column("wording of the texts", example="temporal")]
    spatial: Annotated[
        SpatialReading, column("which edge of a place is its start", example="geometric")
    ]
    policy: Annotated[Policy, column("when a label is undefined", example="local")]
    verdict: Annotated[VerdictRow | None, column("null if a text could not be read")]
    certificate: Annotated[CertificateRow | None, column("proof of the verdict")]


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
