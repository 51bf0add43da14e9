"""Items about the order of events: ``parse``, ``realise``, ``explain`` and ``check``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from grammar.eventhop.model import Domain, Item, SpatialReading
from hopcheck.inputs import PathLike, member
from solver.eventhop.explain import Explanation

if TYPE_CHECKING:
    from grammar.eventhop.writer import Text


def parse(
    premise: str = "",
    claim: str = "",
    *,
    id: str = "1",
    domain: str | None = None,
    spatial: str = SpatialReading.GEOMETRIC,
) -> Item:
    """Parse the texts of an item into its graph.

    Args:
        premise: sentences that order the starts and ends of events; may be empty.
        claim: a sentence about two events.
        id: id of the item.
        domain: wording of the texts: temporal, spatial or logical; detected by default.
        spatial: which edge of a place is its start: geometric or published.

    Raises:
        ParseError: a text cannot be parsed; its position is in the message.

    Examples:
        >>> import hopcheck as hc
        >>> item = hc.parse("the end of the fair happened before the start of the race",
        ...                 "the fair happens before the race")
        >>> [str(relation) for relation in item.premise]
        ['end of fair before start of race']
        >>> str(item.claim)
        'fair before race'
    """
    from grammar.eventhop.lexicon import detect
    from grammar.eventhop.reader import reader
    from grammar.eventhop.statements import read

    wording = detect(premise, claim) if domain is None else member(Domain, "domain", domain)
    reads = reader(wording, member(SpatialReading, "spatial", spatial))
    return read(reads, id, premise, claim)[0]


def realise(
    item: Item, *, seed: int | None = None, spatial: str = SpatialReading.GEOMETRIC
) -> Text:
    """Write an item as texts, which parse as the same item.

    Args:
        item: the item, as ``parse`` returns it.
        seed: random seed to vary phrases; by default one phrase per relation.
        spatial: which edge of a place is its start: geometric or published.

    Returns:
        The texts, with the attributes ``premise`` and ``claim``.

    Raises:
        UnwritableError: a name of the item cannot be parsed back.

    Examples:
        >>> import hopcheck as hc
        >>> item = hc.parse("the start of the fair happened after the end of the race",
        ...                 "the fair happens after the race")
        >>> hc.realise(item).claim
        'fair happens after race'
        >>> text = hc.realise(item, seed=7)
        >>> hc.parse(text.premise, text.claim) == item
        True
    """
    from grammar.eventhop.writer import Writer

    reading = member(SpatialReading, "spatial", spatial)
    if seed is None:
        return Writer(item.domain, reading).write(item)
    # Seeded by the id, as the command is: an item's phrases do not depend on other items.
    choose = Random(f"{seed} {item.id}").choice
    return Writer(item.domain, reading, phrases=choose).write(item)


def check(verdict: Explanation | Mapping[str, Any] | PathLike) -> None:
    """Check that a certificate proves the whole verdict: status, consistency, label and hops.

    The checker is one file, ``solver/eventhop/check.py``. It reads the texts itself and shares no
    code with the readers, the engines and the generation of certificates.

    Args:
        verdict: what ``explain`` returns, a row of ``items.jsonl`` as ``verify`` writes it, or such
            a file.

    Raises:
        RejectedCertificateError: a certificate does not prove its verdict.

    Examples:
        >>> import hopcheck as hc
        >>> verdict = hc.explain(premise="the end of A happened before the start of B",
        ...                      claim="A happens before B")
        >>> hc.check(verdict)
        >>> row = verdict.as_json()
        >>> row["verdict"]["hops"] = 2
        >>> hc.check(row)
        Traceback (most recent call last):
        ...
        solver.eventhop.outcomes.RejectedCertificateError: given: the distances do not show ...
    """
    from solver.eventhop.check import RejectedError, check_file, check_row
    from solver.eventhop.outcomes import RejectedCertificateError

    if isinstance(verdict, str | os.PathLike):
        for number, name, fault in check_file(os.fspath(verdict)):
            if fault is not None:
                where = f"{os.fspath(verdict)}:{number}: {name}"
                raise RejectedCertificateError(fault, where=where)
        return
    row = verdict.as_json() if isinstance(verdict, Explanation) else dict(verdict)
    try:
        check_row(row)
    except RejectedError as error:
        raise RejectedCertificateError(str(error), where=str(row.get("id", ""))) from None
