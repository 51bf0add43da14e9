"""A slice of the comparison of both checkers of annotated links."""

from __future__ import annotations

from solver.eventhop.certificates.proved import MALFORMED, Compiled, differing
from tests.campaigns.links import judgements


def test_both_checkers_accept_the_same_lines(checker: Compiled) -> None:
    judged, left = judgements(80, mutants=15, seed=5)
    accepted = sum(each.accepted for each in judged)
    rejected = sum(not each.accepted and each.line != MALFORMED for each in judged)
    assert accepted > 500
    assert rejected > 50
    assert left < 0.1 * len(judged)
    assert differing(judged, checker) == []
