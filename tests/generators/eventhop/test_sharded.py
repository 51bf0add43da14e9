"""Data sets of shards: the bytes of one file, resumed, and verified as one data set."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from generators.eventhop import run
from generators.eventhop.config import Config, ConfigError, Split
from generators.eventhop.run import KEPT, generate, generate_sharded
from generators.eventhop.shards import Shard
from solver.cli.check import check
from solver.dataset.seal import opening
from solver.eventhop.report import ItemReport
from solver.io.remote import Folder
from solver.io.sources import sha256
from solver.probes.probe import ProbeLevel
from solver.verification.run import verify

CONFIG = Config(seed=3, sizes={Split.TRAIN: 90, Split.TEST: 100})
SIZE = 40


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set with one file for each split."""
    folder = tmp_path_factory.mktemp("whole")
    generate(CONFIG, folder, certificates=True)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same data set in shards."""
    folder = tmp_path_factory.mktemp("shards")
    generate_sharded(CONFIG, Folder(str(folder)), SIZE, certificates=True)
    return folder


def test_shards_are_the_bytes_of_one_file(whole: Path, shards: Path) -> None:
    found = files(shards)
    names = [f"{split}-{n:06d}.jsonl" for split in ("test", "train") for n in range(3)]
    proofs = [f"items-{name}" for name in names]
    assert set(found) == {*names, *proofs, "README.md", "manifest.json"}
    for split in Split:
        own = [found[name] for name in names if name.startswith(split)]
        assert [data.count(b"\n") for data in own] == [40, 40, 10 if split is Split.TRAIN else 20]
        assert b"".join(own) == (whole / f"{split}.jsonl").read_bytes()
    joined = b"".join(found[name] for name in sorted(proofs))
    assert joined == (whole / "items.jsonl").read_bytes()
    assert len([*check(str(shards), None, ())]) == 190
    manifest, other = (
        json.loads((path / "manifest.json").read_bytes()) for path in (shards, whole)
    )
    assert manifest.pop("data") == names
    assert manifest.pop("shard_size") == SIZE
    outputs = manifest.pop("outputs")
    assert outputs == {name: sha256(shards / name) for name in (*names, *proofs, "README.md")}
    del other["data"], other["outputs"]
    assert manifest == other
    assert "path: test-*.jsonl\n" in found["README.md"].decode()
    assert f" --shard-size {SIZE} " in found["README.md"].decode()


@pytest.mark.parametrize("remote", [False, True])
def test_an_interrupted_run_resumes_after_its_shards(
    shards: Path,
    remote: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    of_killed_process: Callable[[str], str],
) -> None:
    made: list[str] = []
    make = run.make

    def failing(config: Config, shard: Shard) -> bytes:
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(shard.name)
        return make(config, shard)

    out = tmp_path / "out"
    folder = Folder(out.as_uri() if remote else str(out))
    monkeypatch.setattr(run, "make", failing)
    with pytest.raises(KeyboardInterrupt):
        generate_sharded(CONFIG, folder, SIZE, certificates=True)
    assert set(files(out)) == {*made, *(f"items-{name}" for name in made), f"{KEPT}/run.json"}
    kept = {name: (out / name).stat().st_mtime_ns for name in made}
    # What a killed run leaves behind.
    left = ".test-000002.jsonl.partial" if remote else of_killed_process("test-000002.jsonl")
    (out / left).write_text("half a li")
    monkeypatch.setattr(run, "make", make)
    generate_sharded(CONFIG, folder, SIZE, certificates=True)
    assert {name: (out / name).stat().st_mtime_ns for name in made} == kept
    assert files(out) == files(shards)


def test_shards_of_another_run_are_not_taken(shards: Path, tmp_path: Path) -> None:
    for name in ("test-000000.jsonl", "test-000009.jsonl", "items-test-000000.jsonl"):
        (tmp_path / name).write_text('{"id":"0"}\n')
    (tmp_path / KEPT).mkdir()
    (tmp_path / KEPT / "run.json").write_text('{"seed":4}')
    generate_sharded(CONFIG, Folder(str(tmp_path)), SIZE)
    found = {name: data for name, data in files(shards).items() if not name.startswith("items-")}
    del found["manifest.json"]
    assert {name: files(tmp_path)[name] for name in found} == found
    assert set(files(tmp_path)) == {*found, "manifest.json"}
    with pytest.raises(ConfigError, match="a data set with other options"):
        generate_sharded(CONFIG, Folder(str(tmp_path)), SIZE + 1)
    with pytest.raises(ConfigError, match="a data set with other options"):
        generate(CONFIG, tmp_path)
    assert set(files(tmp_path)) == {*found, "manifest.json"}


def verified(source: Path | str, probes: ProbeLevel = ProbeLevel.NONE) -> dict[str, object]:
    report = verify(source, jobs=1, probes=probes)
    assert isinstance(report, ItemReport)
    found = report.as_json()
    return {key: value for key, value in found.items() if "second" not in key}


@pytest.mark.parametrize("remote", [False, True])
def test_shards_are_verified_as_one_data_set(whole: Path, shards: Path, remote: bool) -> None:
    record = verified(whole, ProbeLevel.FAST)
    many = verified(shards.as_uri() if remote else shards, ProbeLevel.FAST)
    assert len(many.pop("files")) == 6  # type: ignore[arg-type]
    assert many["probes"]
    del record["files"], record["datasets"], many["datasets"]
    text = json.dumps(many).replace(f"{shards.as_uri() if remote else shards}/", "")
    expected = json.dumps(record).replace(f"{whole}/", "")
    for split in Split:
        expected = expected.replace(f"{split}.jsonl", f"{split}-*.jsonl")
    sharded, single = json.loads(text), json.loads(expected)
    # Only one file of a split has copies in other formats.
    assert sharded.pop("equal") != single.pop("equal")
    assert sharded == single


@pytest.mark.parametrize("remote", [False, True])
def test_a_damaged_shard_is_found(shards: Path, remote: bool, tmp_path: Path) -> None:
    for name, data in files(shards).items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "train-000001.jsonl").unlink()
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    del manifest["outputs"]["train-000001.jsonl"]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    lines = (tmp_path / "test-000001.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "test-000001.jsonl").write_bytes(b"".join(lines[1:]))
    with opening(unsealed=True):
        found = verified(tmp_path.as_uri() if remote else tmp_path)["problems"]
    assert isinstance(found, list)
    assert {
        (record["flaw"], Path(record["where"]).name)
        for record in found
        if "cell" not in record["message"]
    } >= {
        ("changed-file", "test-000001.jsonl"),
        ("wrong-count", "test-*.jsonl"),
        ("wrong-count", "train-*.jsonl"),
    }
