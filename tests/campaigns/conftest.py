"""The checker that is compiled from the proofs, native and in JavaScript."""

from __future__ import annotations

import shutil

import pytest

from solver.eventhop.certificates.proved import NATIVE, Compiled, compiled, in_node


@pytest.fixture(params=["native", "JavaScript"])
def checker(request: pytest.FixtureRequest) -> Compiled:
    """The checker; skipped where it cannot run."""
    if request.param == "native":
        if not NATIVE.is_file():
            pytest.skip("the proofs are not built (make proofs)")
        return compiled()
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    return in_node()
