"""Decides chains of thought: reads them, asks both engines, and certifies each verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import Item, Policy, SpatialReading, Verdict
from grammar.traces.model import ReadStep
from grammar.traces.reader import TraceReader
from solver.eventhop import check as item_check
from solver.eventhop.certificates.lines import read_as, to_json, verdict_to_json
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.certificates.proved import Judgement
from solver.traces import check
from solver.traces.certificates import Certifier
from solver.traces.encode import VERDICTS, decide_traces, encode_traces
from solver.traces.engine import PremiseClosure, decide, withdrawn
from solver.traces.model import DeclaredTrace, StepVerdict, Trace, TraceVerdict
from solver.traces.proved import numbers
from solver.verification.run import DisagreementError

_SILENT = (StepVerdict.NONE, StepVerdict.UNREAD, StepVerdict.WITHDRAWN)


class RejectedTraceError(HopcheckError):
    """A certificate that the checker rejects: an engine or its certificate is wrong."""

    code = "rejected-certificate"
    exit_status = ExitStatus.DISAGREEMENT


def prepare(
    item: Item, policy: Policy, spatial: SpatialReading
) -> tuple[PremiseClosure, TraceReader]:
    """The closure of a premise, and the reader of chains about its item."""
    premise = PremiseClosure(item, policy)
    return premise, TraceReader(item, spatial, premise.claimed.orders)


prepared = lru_cache(4096)(prepare)
"""The same, remembered for chains about one item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedTrace:
    """A trace and its verdict.

    Attributes:
        premise: the closure of its premise.
        steps: what its steps state.
        verdict: the verdict of the graph engine.
    """

    premise: PremiseClosure
    steps: tuple[ReadStep, ...]
    verdict: TraceVerdict


def decided(trace: Trace) -> DecidedTrace:
    """Read a trace and decide it by the graph engine alone."""
    premise, reads = prepared(trace.item, trace.policy, trace.spatial)
    steps = reads.read(trace.texts)
    return DecidedTrace(premise=premise, steps=steps, verdict=decide(premise, steps))


def crosschecked(traces: Sequence[Trace]) -> list[DecidedTrace]:
    """Read traces and decide them by both engines.

    Raises:
        DisagreementError: for the first statement on which the engines disagree.
    """
    results = [decided(trace) for trace in traces]
    for policy in Policy:
        chosen = [n for n, trace in enumerate(traces) if trace.policy is policy]
        rows = [(traces[n].item, results[n].steps, withdrawn(results[n].steps)) for n in chosen]
        for n, row, verdicts in zip(chosen, rows, decide_traces(rows, policy), strict=True):
            _compare(row, results[n], verdicts, policy)
    return results


def _compare(
    row: tuple[Item, tuple[ReadStep, ...], frozenset[tuple[int, int]]],
    result: DecidedTrace,
    verdicts: dict[tuple[int, int], StepVerdict],
    policy: Policy,
) -> None:
    for place, step in enumerate(result.verdict.steps):
        for index, statement in enumerate(step.statements):
            found = verdicts.get((place, index))
            labelled = statement.stated.label is not None and policy is Policy.PUBLISHED
            if found == (None if statement.verdict in _SILENT else statement.verdict) or labelled:
                continue
            raise DisagreementError(
                f"engines disagree on statement {index} of step {place} of item {row[0].id}: "
                f"graph {statement.verdict}, asp {found}",
                name=f"trace-{row[0].id}",
                program=str(encode_traces([row])),
                encodings=(VERDICTS,),
            )


def certified(
    row: DeclaredTrace, result: DecidedTrace, judged: list[tuple[str, Judgement]] | None = None
) -> dict[str, Any]:
    """The line of ``items.jsonl``: verdicts with certificates, which the checker has accepted.

    Args:
        row: the row.
        result: what its steps state, and their verdicts.
        judged: gets the place of the row, and what the compiled checker has to accept.

    Raises:
        DifferentReadingError: the checker reads another item.
        RejectedTraceError: a certificate does not prove its verdict.
    """
    trace, premise = row.trace, result.premise
    item = trace.item
    read = read_as(item, row.premise, row.claim, spatial=trace.spatial, where=row.where)
    verdict = Verdict(status=premise.status, consistent=premise.consistent, label=premise.label)
    certificate = certify(item, verdict)
    line: dict[str, Any] = {
        "id": row.id,
        "premise": row.premise,
        "claim": row.claim,
        "domain": item.domain.value,
        "spatial": trace.spatial.value,
        "policy": trace.policy.value,
        "verdict": verdict_to_json(verdict, hops(certificate)),
        "certificate": to_json(certificate),
        **result.verdict.as_json(premise.points),
    }
    certifier = Certifier(premise)
    for place, (step, written) in enumerate(zip(result.verdict.steps, line["steps"], strict=True)):
        for index, statement in enumerate(step.statements):
            part = certifier.certificate(statement, f"{place}.{index}")
            written["statements"][index]["certificate"] = part
    numbered = item_check.Item(read)
    try:
        check.check_trace(numbered, line)
    except item_check.RejectedError as error:
        message = f"the certificate of trace {row.id} does not prove its verdicts: {error}"
        raise RejectedTraceError(message, where=row.where) from None
    if judged is not None:
        judged.append((row.where, Judgement(True, numbers(numbered, line))))
    return line
