"""A slice of the comparison of both checkers of annotated links."""

from __future__ import annotations

import shutil

import pytest

from solver.eventhop.certificates.proved import MALFORMED, NATIVE, compiled, differing, in_node
from tests.campaigns.links import judgements


@pytest.mark.parametrize("checker", ["native", "JavaScript"])
def test_both_checkers_accept_the_same_lines(checker: str) -> None:
    if checker == "native" and not NATIVE.is_file():
        pytest.skip("the proofs are not built (make proofs)")
    if checker == "JavaScript" and shutil.which("node") is None:
        pytest.skip("node is not installed")
    judged, left = judgements(80, mutants=15, seed=5)
    accepted = sum(each.accepted for each in judged)
    rejected = sum(not each.accepted and each.line != MALFORMED for each in judged)
    assert accepted > 500
    assert rejected > 50
    assert left < 0.1 * len(judged)
    assert differing(judged, compiled() if checker == "native" else in_node()) == []
