"""Prompts for a language model: task, labels, examples, item, answer format.

The parts are those of EventHopNLI, Table 3; the wording is our own.
"""

from __future__ import annotations

from enum import StrEnum

from benchmarks.nli.examples import examples
from benchmarks.nli.wordings import LABELS, WITH_REASONING, WITHOUT_REASONING, WORDINGS
from solver.model import Domain, Label


class Variant(StrEnum):
    """Kind of prompt.

    ``zero-shot``: task, labels and item. ``five-examples``: five labelled examples before the
    item. ``cot``: no examples, but reasoning before the answer.
    """

    ZERO_SHOT = "zero-shot"
    FIVE_EXAMPLES = "five-examples"
    COT = "cot"


class Prompter:
    """Writes the prompts of one domain.

    Args:
        domain: domain of the wording.
        variant: kind of prompt.
    """

    def __init__(self, domain: Domain, variant: Variant) -> None:
        reasons = variant is Variant.COT
        parts = [
            WORDINGS[domain].task,
            "Labels:\n" + "\n".join(f"{_name(label)}: {text}." for label, text in LABELS.items()),
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
