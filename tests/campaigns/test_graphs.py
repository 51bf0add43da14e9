"""A slice of the comparison of both checkers of generated graphs."""

from __future__ import annotations

import shutil

import pytest

from solver.eventhop.certificates.proved import MALFORMED, NATIVE, compiled, differing, in_node
from tests.campaigns.graphs import CONFIGS, judgements


@pytest.mark.parametrize("checker", ["native", "JavaScript"])
def test_both_checkers_accept_the_same_graphs(checker: str) -> None:
    if checker == "native" and not NATIVE.is_file():
        pytest.skip("the proofs are not built (make proofs)")
    if checker == "JavaScript" and shutil.which("node") is None:
        pytest.skip("node is not installed")
    judged = judgements(mutants=1_500, seed=5)
    assert all(each.accepted for each in judged[: len(CONFIGS)])
    accepted = sum(each.accepted for each in judged)
    rejected = sum(not each.accepted and each.line != MALFORMED for each in judged)
    assert min(accepted, rejected) > 200
    assert differing(judged, compiled() if checker == "native" else in_node()) == []
