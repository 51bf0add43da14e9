"""The folder of a data set: stale files, splits, card and manifest."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from generators.dataset import DatasetFolder, SplitFormat, card
from solver.cli import run


def test_the_manifest_lists_all_files_and_is_written_last(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    for name in ("old.jsonl", "kept.txt", "b.txt"):
        (tmp_path / name).write_text("of an earlier run")
    folder = DatasetFolder(tmp_path)
    assert not (tmp_path / "manifest.json").exists()
    folder.add_json("a.json", {"n": 1})
    folder.add_text("b.txt", "text")
    folder.remove_stale(["old.jsonl", "b.txt", "never.jsonl"])
    paths = folder.finish(config={"o": 1}, seed=3, encodings=(), more={"generator": "x"})
    assert [path.name for path in paths] == ["a.json", "b.txt", "manifest.json"]
    found = json.loads((tmp_path / "manifest.json").read_bytes())
    assert (set(found["outputs"]), found["seed"]) == ({"a.json", "b.txt"}, 3)
    assert found["generator"] == "x"
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.json", "b.txt", "kept.txt", "manifest.json"}


@pytest.mark.parametrize(
    ("items", "category"), [(999, "n<1K"), (1_000, "1K<n<10K"), (10**6, "1M<n<10M")]
)
def test_a_card_begins_with_its_metadata_and_ends_with_commands(
    items: int, category: str, tmp_path: Path
) -> None:
    head, page = (
        "---\nlanguage:\n- en\ntask_categories:\n- t\nsize_categories:\n"
        f"- {category}\ntags:\n- a\n- b\npretty_name: N\nconfigs:\n  - config_name: default\n"
        "    data_files:\n      - split: validation\n        path: valid.jsonl\n---\n",
        "# N\n",
    )
    splits, commands = {"valid": "valid.jsonl"}, [("generate", "n", "--out", "a b"), ("verify",)]
    template = tmp_path / "card.md"
    template.write_text("---\n# {name}\n")
    found = card(
        "N",
        template,
        {"name": "N"},
        task="t",
        tags=("a", "b"),
        splits=splits,
        items=items,
        commands=commands,
    )
    assert found.startswith(head + page)
    assert found.endswith("```sh\nhopcheck generate n --out 'a b'\nhopcheck verify\n```\n")


GRAPH = Path(__file__).resolve().parents[2] / "examples" / "questions" / "graph"


@pytest.mark.parametrize(
    "options",
    [
        "eventhop --preset only-before --domain spatial --split test --test-size 24 --shape 8x8 "
        "--claims before,after --contradiction without --keep-unbalanced --seed 5",
        "eventhop --train-size 48 --test-size 24 --shape 4x4 --shape 5x5 --keep-unbalanced",
        "questions GRAPH --kinds 1-hop,2-hop --cap 2 --format jsonl --seed 4",
        "questions GRAPH --kinds fact-reasoning --reasoning valid,test",
    ],
)
def test_the_commands_of_a_card_make_and_check_its_data_set(options: str, tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    given = {"DIR": str(again), "GRAPH": str(GRAPH)}
    words = [given.get(word, word) for word in options.split()]
    assert run(["generate", *words, "--out", str(first)]) == 0
    *_, commands, _ = (first / "README.md").read_text().split("```")
    for line in commands.splitlines()[1:]:
        program, *arguments = shlex.split(line)
        assert program == "hopcheck"
        assert run([given.get(word, word) for word in arguments]) == 0
    names = {path.name for path in first.iterdir()}
    assert names == {path.name for path in again.iterdir()}
    for name in names:
        assert (first / name).read_bytes() == (again / name).read_bytes(), name


@pytest.mark.parametrize("form", SplitFormat)
def test_a_split_is_read_once_and_written_in_its_formats(
    parquet: None,  # noqa: ARG001
    form: SplitFormat,
    tmp_path: Path,
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def blocks() -> Iterator[bytes]:
        yield b'{"n":1}\n{"n":2}\n'
        yield b'{"n":3}\n'

    folder = DatasetFolder(tmp_path)
    folder.add_split("test", blocks(), lambda: pa.schema([("n", pa.int32())]), form)
    kinds = {"jsonl", "parquet"} if form is SplitFormat.BOTH else {form.value}
    assert [path.name for path in folder.written] == [f"test.{kind}" for kind in sorted(kinds)]
    assert {path.name for path in tmp_path.iterdir()} == {f"test.{kind}" for kind in kinds}
    if "jsonl" in kinds:
        assert (tmp_path / "test.jsonl").read_bytes() == b"".join(blocks())
    if "parquet" in kinds:
        table = pq.read_table(tmp_path / "test.parquet")
        assert table.to_pydict() == {"n": [1, 2, 3]}
        assert table.schema.field("n").type == pa.int32()
