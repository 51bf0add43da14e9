"""One-sentence explanations of the causes of wrong labels."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

FAULTS = MappingProxyType(
    {
        "simultaneous-exempt": "Two points that are derivably simultaneous are never called "
        "contradictory, even if one is also derivably before the other.",
        "same-event-exempt": "An event that derivably ends before it starts is accepted, the "
        "opposite of what the description of the procedure requires.",
        "seen-early": "The search marks a point as seen when it first meets it; if the first walk "
        "there has no strict step, a later strict one is missed.",
        "pair-unchecked": "Two of the six pairs of the claim's points are never checked: the two "
        "ends, and the end of the first event with the start of the second.",
        "overlap-by-absence": "Two events are labelled as overlapping because the premise does not "
        "rule it out: absence of information is taken as negation.",
    }
)

CIRCUMSTANCES = MappingProxyType(
    {
        "policy": "The label is right under the local policy; this run used another one.",
        "spatial-reading": "The label takes a place's eastern edge as its start; this run takes "
        "the western one, as a reader of the text does.",
        "unexplained": "None of these gives the file's label: the cause is a different one.",
    }
)


def meanings(causes: Iterable[str]) -> dict[str, str]:
    """All faults, and the circumstances that occur in causes; a cause joins names by ``+``."""
    occurring = {name for cause in causes for name in cause.split("+")}
    return {
        **FAULTS,
        **{name: text for name, text in CIRCUMSTANCES.items() if name in occurring},
    }
