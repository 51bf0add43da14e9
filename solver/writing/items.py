"""An item as an object with named fields, for JSON Lines and Parquet."""

from __future__ import annotations

from solver.records import Record

_DECLARED = {True: "possible", False: "impossible", None: None}


def fields(record: Record) -> dict[str, str | int | bool | None]:
    """All fields, named as ``solver.reading.named`` reads them; None if unknown."""
    return {
        "id": record.id,
        "premise": record.premise,
        "claim": record.claim,
        "label": record.gold,
        "declared": _DECLARED[record.declared],
        "forced": record.forced,
        "relation": record.sampled,
        "events": record.events,
        "relations": record.relations,
        "event_distance": record.event_distance,
        "hops": record.hops,
    }
