"""The faults of the published procedure, one plain sentence each."""

from __future__ import annotations

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

UNEXPLAINED = "No set of these faults gives the file's label: it has another origin."
