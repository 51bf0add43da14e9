"""A slice of the comparison of both checkers of generated graphs."""

from __future__ import annotations

from solver.eventhop.certificates.proved import MALFORMED, Compiled, differing
from tests.campaigns.graphs import CONFIGS, judgements


def test_both_checkers_accept_the_same_graphs(checker: Compiled) -> None:
    judged = judgements(mutants=1_500, seed=5)
    assert all(each.accepted for each in judged[: len(CONFIGS)])
    accepted = sum(each.accepted for each in judged)
    rejected = sum(not each.accepted and each.line != MALFORMED for each in judged)
    assert min(accepted, rejected) > 200
    assert differing(judged, checker) == []
