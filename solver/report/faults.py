"""What a wrong label can be put down to, one plain sentence each."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

FAULTS = MappingProxyType(
    {
        "simultaneous-exempt": "Two points that are derivably simultaneous are never called "
        "contradictory, even if one is also derivably before the other.",
        "same-event-exempt": "An event that derivably ends before it starts is let pass, the "
        "reverse of what the procedure's text asks for.",
        "seen-early": "The search marks a point as seen when it first meets it; if the first walk "
        "there has no strict step, a later strict one is missed.",
        "pair-unchecked": "Two of the six pairs of the claim's points are never looked at: the two "
        "ends, and the end of the first event with the start of the second.",
        "overlap-by-absence": "Two events are said to overlap because the premise does not say "
        "that they do not: what is missing is taken for what is false.",
    }
)

CIRCUMSTANCES = MappingProxyType(
    {
        "policy": "The label is right under the local policy; this run was asked under another.",
        "spatial-reading": "The label takes a place's eastern edge for its start; this run takes "
        "the western one, as a reader of the text does.",
        "unexplained": "None of these gives the file's label: it has another origin.",
    }
)


def meanings(causes: Iterable[str]) -> dict[str, str]:
    """All faults, and of the circumstances those that occur among causes joined by ``+``."""
    occurring = {name for cause in causes for name in cause.split("+")}
    return {
        **FAULTS,
        **{name: text for name, text in CIRCUMSTANCES.items() if name in occurring},
    }
