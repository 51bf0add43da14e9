"""Items about the order of events: ``parse``, ``realise``, ``explain`` and ``check``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from grammar.eventhop.model import Domain, Item, Policy, SpatialReading
from hopcheck.inputs import ArgumentError, PathLike, member, members
from solver.eventhop.explain import Explanation

if TYPE_CHECKING:
    from grammar.eventhop.writer import Text
    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.records import Record


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

    wording = detect(premise, claim) if domain is None else member(Domain, "domain", domain)
    return reader(wording, member(SpatialReading, "spatial", spatial)).read(id, premise, claim)


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


def explain(
    source: PathLike | Mapping[str, Any] | None = None,
    *,
    premise: str | None = None,
    claim: str | None = None,
    id: str | None = None,
    policy: str = Policy.LOCAL,
    spatial: str = SpatialReading.GEOMETRIC,
    domain: str | None = None,
    engines: Sequence[str] = ("asp", "graph"),
) -> Explanation:
    """Decide one item and explain its label.

    The item is given by its texts, as a dict, or by a file and an id.

    Args:
        source: a dict with the fields of an item, or a file of items.
        premise: the premise, instead of ``source``.
        claim: the claim, with ``premise``.
        id: id of the item in the file.
        policy: when a label is undefined: local, global or published.
        spatial: which edge of a place is its start: geometric or published.
        domain: wording of the texts: temporal, spatial or logical; detected by default.
        engines: engines that must agree: asp, graph, smt, timelines.

    Returns:
        The explanation, with ``label``, ``status``, ``hops``, ``consistent`` and ``certificate``;
        a notebook draws it.

    Raises:
        HopcheckError: the item cannot be read or parsed, or the engines disagree.

    Examples:
        >>> import hopcheck as hc
        >>> verdict = hc.explain(
        ...     premise="the end of the fair happened before the start of the race",
        ...     claim="the race happens before the fair",
        ... )
        >>> verdict.label.value, verdict.status.value, verdict.hops
        ('false', 'refuted', 1)
        >>> hc.explain("examples/flawed.tsv", id="3").status.value
        'contradictory'
    """
    from solver.eventhop.explain import explain as explain_record
    from solver.eventhop.explain import find, record_from_texts

    settings = _settings(policy, spatial, domain, engines)
    if isinstance(source, str | os.PathLike):
        if id is None or premise is not None or claim is not None:
            raise ArgumentError("a file needs the id of an item, and no texts")
        return explain_record(find(str(source), id), settings)
    if source is not None:
        if premise is not None or claim is not None:
            raise ArgumentError("found an item and texts, expected one of them")
        return explain_record(_record(source), settings)
    if claim is None:
        raise ArgumentError("found no item, expected premise and claim, a dict, or a file and id")
    return explain_record(record_from_texts(premise or "", claim), settings)


def _settings(
    policy: str, spatial: str, domain: str | None, engines: Sequence[str]
) -> ItemSettings:
    from solver.eventhop.engines import EngineName, ItemSettings

    return ItemSettings(
        policy=member(Policy, "policy", policy),
        spatial=member(SpatialReading, "spatial", spatial),
        domain=None if domain is None else member(Domain, "domain", domain),
        engines=members(EngineName, "engines", engines),
    )


def _record(fields: Mapping[str, Any]) -> Record:
    from solver.eventhop.explain import GIVEN
    from solver.eventhop.records import ItemPlace, record
    from solver.io.sources import FieldError

    try:
        return record(fields, ItemPlace(file=GIVEN, line=1))
    except FieldError as error:
        raise ArgumentError(str(error), hint=error.hint) from None


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
