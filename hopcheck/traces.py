"""Chains of thought: ``check`` decides each step of one."""

from __future__ import annotations

from collections.abc import Sequence

from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Domain, Policy, SpatialReading
from grammar.eventhop.reader import reader
from grammar.traces.reader import steps_of
from hopcheck.inputs import (
    DomainName,
    SpatialName,
    member,
)
from solver.traces.decide import crosschecked
from solver.traces.model import Trace, TraceVerdict


def check(
    premise: str,
    claim: str,
    trace: str | Sequence[str],
    *,
    domain: DomainName | None = None,
    spatial: SpatialName = "geometric",
    policy: str = Policy.LOCAL,
) -> TraceVerdict:
    r"""Decide each step of a chain of thought by two engines.

    Args:
        premise: the premise of the item.
        claim: its claim.
        trace: the chain, as one text with a step on each line, or as its steps.
        domain: temporal, spatial or logical; by default detected.
        spatial: which edge of a place is its start: geometric or published.
        policy: when a label is undefined: local, global or published.

    Returns:
        The verdict of each step and statement, ``first_error`` (0-based, -1 if none) and
        ``support``.

    Raises:
        HopcheckError: a text of the item cannot be read, or the engines disagree.

    Examples:
        >>> import hopcheck as hc
        >>> verdict = hc.traces.check("the end of A happened before the start of B",
        ...     "A happens before B", "A ends before B starts.\nB ends before A starts.")
        >>> verdict.first_error
        1
        >>> [step.verdict.value for step in verdict.steps]
        ['restated', 'contradicts']
    """
    chosen = detect(premise, claim) if domain is None else member(Domain, "domain", domain)
    edges = member(SpatialReading, "spatial", spatial)
    item = reader(chosen, edges).read("trace", premise, claim)
    steps = steps_of(trace) if isinstance(trace, str) else tuple(trace)
    (result,) = crosschecked(
        [Trace(item=item, texts=steps, policy=member(Policy, "policy", policy), spatial=edges)]
    )
    return result.verdict
