"""Prompts for a language model: the task, the labels, examples, the item, the form of the answer.

The parts are those of EventHopNLI, Table 3; the words are ours.
"""

from __future__ import annotations

from enum import StrEnum

from benchmarks.nli.examples import examples
from benchmarks.nli.wordings import LABELS, WITH_REASONING, WITHOUT_REASONING, WORDINGS
from solver.model import Domain, Label


class Variant(StrEnum):
    """What a prompt shows and asks for.

    ``zero-shot``: task, labels, item, a bare answer. ``five-examples``: five labelled items
    before it. ``cot``: no examples, but reasoning before the answer.
    """

    ZERO_SHOT = "zero-shot"
    FIVE_EXAMPLES = "five-examples"
    COT = "cot"


class Prompter:
    """Writes the prompts of one domain.

    Args:
        domain: how the items are worded.
        variant: what a prompt shows and asks for.
    """

    def __init__(self, domain: Domain, variant: Variant) -> None:
        reasons = variant is Variant.COT
        parts = [
            WORDINGS[domain].task,
            "Labels:\n" + "\n".join(f"{_name(label)}: {told}." for label, told in LABELS.items()),
        ]
        if variant is Variant.FIVE_EXAMPLES:
            shown = examples(domain)
            parts.append("Examples:")
            parts += [f"{_item(e.premise, e.claim)}\nAnswer: {_name(e.label)}" for e in shown]
        parts.append(WITH_REASONING if reasons else WITHOUT_REASONING)
        self._opening = "\n\n".join(parts)

    def prompt(self, premise: str, claim: str) -> str:
        """The prompt for an item."""
        return f"{self._opening}\n\n{_item(premise, claim)}\n"


def _item(premise: str, claim: str) -> str:
    return f"Statements: {premise}\nClaim: {claim}"


def _name(label: Label) -> str:
    return label.value.capitalize()
