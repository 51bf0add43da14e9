"""The same on an S3 server as on disk, for example that of moto.

    moto_server -p 5000 &
    curl -X PUT localhost:5000/bucket
    export AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x
    export HOPCHECK_S3="s3://bucket?scheme=http&endpoint_override=localhost:5000"
    pytest tests/cli/test_s3.py

Without the variable, the tests are skipped.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.io.remote import Folder, downloaded, write_remote

from .conftest import Solver


@pytest.fixture
def store() -> Iterator[Folder]:
    """An empty folder on the server."""
    if "HOPCHECK_S3" not in os.environ:
        pytest.skip("HOPCHECK_S3 names no bucket")
    bucket, name = Folder(os.environ["HOPCHECK_S3"]), f"hopcheck-{secrets.token_hex(8)}"
    yield Folder(bucket.path(name))
    bucket.remove(name)


def test_half_an_object_does_not_stay(store: Folder) -> None:
    def blocks() -> Iterator[bytes]:
        # More than S3 takes as one part.
        for _ in range(12):
            yield bytes(1 << 20)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_remote(store.path("half"), blocks())
    assert store.names() == frozenset()
    write_remote(store.path("whole"), [bytes(1 << 20)] * 12)
    assert store.sha256("whole") is not None
    assert len(store.read("whole")) == 12 << 20


def test_shards_are_written_resumed_and_verified(
    store: Folder, solver: Solver, tmp_path: Path
) -> None:
    sizes = ("--test-size", 100, "--shard-size", 40)
    command = ("generate", "eventhop", "--split", "test", *sizes, "--out")
    assert solver(*command, tmp_path / "shards").status == 0
    expected = {path.name: path.read_bytes() for path in (tmp_path / "shards").iterdir()}

    def found() -> dict[str, bytes]:
        return {name: store.read(name) for name in store.names()}

    ran = solver(*command, store)
    assert ran.status == 0, ran.err
    assert str(store) in ran.out
    assert found() == expected
    # As a run leaves it that is killed after its first shard.
    for name in ("manifest.json", "README.md", "test-000001.jsonl", "test-000002.jsonl"):
        store.remove(name)
    assert solver(*command, store).status == 0
    assert found() == expected
    ran = solver("verify", store, "--probes", "none", "--report", store.path("report"))
    assert ran.status == 0, ran.err
    assert store.path("report/report.html") in ran.err
    assert store.has("report/manifest.json")
    with downloaded(str(store)) as copy:
        assert {path.name: path.read_bytes() for path in copy.iterdir()} == expected
