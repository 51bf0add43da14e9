"""Rewards that only reasoning earns, in the form that trainers of language models call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from solver.processes import no_collection
from solver.traces.reward import payer

Completion = str | Sequence[Mapping[str, Any]]
"""A completion, as a text or as the messages of a conversation."""


@no_collection()
def progress(
    prompts: Sequence[Any] | None = None,  # noqa: ARG001 - an argument of trainers
    completions: Sequence[Completion] = (),
    *,
    premise: Sequence[str],
    claim: Sequence[str],
    label: Sequence[str] | None = None,  # noqa: ARG001 - it is decided
    domain: Sequence[str | None] | None = None,
    log_metric: Callable[[str, float], object] | None = None,
    **columns: Any,  # noqa: ANN401 - of the data set
) -> list[float]:
    r"""Pay each completion for the part of a proof of the claim's status that its statements make.

    0 unless the completion has at most 6,000 characters and 60 statements, no hidden characters or
    comments, one answer, which is right and on the last line, no wrong statement, and no unread
    clause about two events. Then (h - g) / (h - 2), at most 1: h is the number of premise sentences
    on the shortest proof, g that of premise sentences and statements of the completion; a statement
    counts if at most two of these derive it. An item with an unknown status pays 1 for two valid
    timelines, one on which the claim holds and one on which it does not.

    Args:
        prompts: the prompts; not read.
        completions: texts, or lists of messages with ``content``, of which the last one is paid.
        premise: the premise of each completion's item.
        claim: its claim.
        label: its label; not read, as the label is decided.
        domain: its wording; by default detected.
        log_metric: called with a name and a value, if it is given.
        columns: further columns: ``spatial`` and ``policy`` are read.

    Returns:
        The rewards, from 0 to 1.

    Raises:
        HopcheckError: a premise or a claim cannot be read.

    Examples:
        >>> from hopcheck.rewards import progress
        >>> premise = ("the end of A happened before the start of B. the end of B happened "
        ...            "before the start of C. the end of C happened before the start of D")
        >>> progress([""], ["A ends before C starts.\nA ends before D starts.\nAnswer: True"],
        ...          premise=[premise], claim=["A happens before D"])
        [1.0]
        >>> progress([""], ["Answer: True"], premise=[premise], claim=["A happens before D"])
        [0.0]
    """
    spatial, policy = columns.get("spatial"), columns.get("policy")
    paid = [
        payer(
            premise[n],
            claim[n],
            domain[n] if domain is not None else None,
            spatial[n] if spatial is not None else None,
            policy[n] if policy is not None else None,
        ).pay(_text(completion))
        for n, completion in enumerate(completions)
    ]
    if log_metric is not None and paid:
        log_metric("progress/paid", sum(reward.value > 0 for reward in paid) / len(paid))
        for refusal in sorted({reward.refusal for reward in paid if reward.refusal is not None}):
            share = sum(reward.refusal is refusal for reward in paid) / len(paid)
            log_metric(f"progress/{refusal.name.lower()}", share)
    return [reward.value for reward in paid]


def _text(completion: Completion) -> str:
    """The text of a completion; of messages, the content of the last one."""
    if isinstance(completion, str):
        return completion
    last = completion[-1] if completion else {}
    content = last.get("content") if isinstance(last, Mapping) else None
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(
        part["text"]
        for part in parts
        if isinstance(part, Mapping) and isinstance(part.get("text"), str)
    )
