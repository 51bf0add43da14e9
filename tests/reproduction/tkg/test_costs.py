"""Results of searches, which keep those of other references."""

from __future__ import annotations

from dataclasses import asdict

from benchmarks.reproduction.tkg.costs import SearchCost, StopCost, as_json

STOP = StopCost(config="literal", message="ran away", seconds=0.5)


def cost(reference: str, best: float) -> SearchCost:
    return SearchCost(
        reference=reference,
        facts=10,
        trials=2,
        jobs=1,
        seconds=1.0,
        user_seconds=1.0,
        without_graph=0,
        best=best,
        elsewhere=best,
        errors={},
        likeness={},
        likeness_elsewhere={},
    )


def test_searches_of_other_references_are_kept() -> None:
    first = as_json([cost("b", 0.5), cost("a", 0.4)], [STOP])
    assert first["searches"] == [asdict(cost("a", 0.4)), asdict(cost("b", 0.5))]
    # An earlier version wrote fewer fields.
    earlier = [{"reference": "c", "best": 0.1}, asdict(cost("a", 0.4))]
    again = as_json([cost("a", 0.3)], [], earlier)
    assert again == {"searches": [asdict(cost("a", 0.3)), earlier[0]], "stopped": []}
