"""Every command that reads paths opens data sets through their seal."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import shutil
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import hopcheck
from generators.eventhop.config import Config, Shape, Split
from generators.eventhop.run import generate
from generators.tkg.config import Config as GraphConfig
from generators.tkg.files import write_graph
from generators.tkg.run import generate as generate_graph
from hopcheck.exporting import FORMATS
from solver.cli import cli, run
from solver.cli.options import GraphPath
from solver.cli.program import Chooser, LazyGroup, _load, load_command
from solver.cli.sealing import reads
from solver.dataset.seal import SealError, open_dataset, opening, require_sealed, unsealed
from solver.io.writing import write_json
from solver.manifest import manifest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small data set of items."""
    folder = tmp_path_factory.mktemp("sealed") / "items"
    shape = Shape(events=8, relations=16)
    generate(Config(sizes={Split.TRAIN: 24, Split.TEST: 12}, shapes=(shape,)), folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy to be spoiled."""
    shutil.copytree(whole, tmp_path / "items")
    return tmp_path / "items"


def flip(path: Path) -> None:
    """Change one byte."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "manifest.json"
    described = json.loads(path.read_text())
    change(described)
    path.write_text(json.dumps(described))


def test_an_untouched_folder_has_no_breach(whole: Path) -> None:
    dataset = open_dataset(whole)
    assert dataset is not None
    assert list(dataset.breaches()) == []
    assert {split: sorted(files) for split, files in dataset.splits.items()} == {
        "test": [".jsonl", ".parquet", ".tsv"],
        "train": [".jsonl", ".parquet", ".tsv"],
    }


def test_files_and_folders_without_a_manifest_have_no_seal(tmp_path: Path, whole: Path) -> None:
    assert open_dataset(EXAMPLES / "right.tsv") is None
    assert open_dataset(tmp_path) is None
    write_json(tmp_path / "manifest.json", {"name": "of another program", "version": 3})
    shutil.copy(whole / "test.jsonl", tmp_path)
    assert open_dataset(tmp_path) is None
    assert open_dataset(tmp_path / "test.jsonl") is None


def changed(folder: Path) -> None:
    flip(folder / "test.parquet")


def missing(folder: Path) -> None:
    (folder / "train.tsv").unlink()


def additional(folder: Path) -> None:
    shutil.copy(folder / "test.tsv", folder / "valid.tsv")


def unlisted(folder: Path) -> None:
    edit(folder, lambda described: described.pop("outputs"))


def emptied(folder: Path) -> None:
    edit(folder, lambda described: described.update(outputs={}))


def without_versions(folder: Path) -> None:
    edit(folder, lambda described: described.update(versions={}))


def other_seed(folder: Path) -> None:
    edit(folder, lambda described: described["config"].update(seed=7))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (changed, r"test\.parquet: found sha256 [0-9a-f]{64}, expected sha256 [0-9a-f]{64}"),
        (missing, r"train\.tsv: found no such file, expected sha256 [0-9a-f]{64}"),
        (additional, r"valid\.tsv: found a file that manifest\.json does not list"),
        (unlisted, r"manifest\.json: found no outputs"),
        (emptied, r"manifest\.json: found outputs '\{\}'"),
        (without_versions, r"manifest\.json: found versions '\{\}'"),
        (other_seed, r"manifest\.json: found seed 0, expected 7, as config states"),
    ],
)
def test_a_broken_seal_is_refused(
    folder: Path, spoil: Callable[[Path], None], message: str
) -> None:
    spoil(folder)
    with pytest.raises(SealError, match=message) as refused:
        require_sealed(folder)
    assert refused.value.exit_status == 2
    assert "--unsealed" in str(refused.value)


def test_hidden_files_and_pages_of_others_are_no_part_of_it(folder: Path) -> None:
    for name in (".notes.tsv", "notes.pdf"):
        (folder / name).write_text("mine")
    require_sealed(folder)


def test_one_file_of_a_folder_is_compared_alone(folder: Path) -> None:
    flip(folder / "test.tsv")
    require_sealed(folder / "test.jsonl")
    with pytest.raises(SealError, match=r"test\.tsv"):
        require_sealed(folder / "test.tsv")


def test_what_was_accepted_is_recorded_in_manifests(folder: Path) -> None:
    flip(folder / "test.tsv")
    with opening(unsealed=True):
        require_sealed(folder, folder)
        assert len(unsealed()) == 1
        described = manifest(config={}, encodings=())
    assert described["unsealed"] == [line for line in described["unsealed"] if "test.tsv" in line]
    assert unsealed() == []
    assert "unsealed" not in manifest(config={}, encodings=())


def commands() -> Iterator[tuple[str, click.Command]]:
    """All commands with their words, also those that others delegate to."""

    def below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
        if isinstance(command, LazyGroup):
            for word, entry in command.entries.items():
                yield from below(f"{name} {word}", entry.load())
                if entry.chooser:
                    yield from delegated(f"{name} {word}", _load(entry.chooser))
            return
        yield name.strip(), command
        yield from delegated(name, getattr(command, "chooser", None))

    def delegated(name: str, chooser: Chooser | None) -> Iterator[tuple[str, click.Command]]:
        for words, place in ({} if chooser is None else chooser.places).items():
            yield f"{name} {words}".strip(), load_command(place)

    yield from dict(below("", cli)).items()


OPTIONS_FIRST = {"generate tkg"}
"""Commands whose only file is one of settings, which is read before they begin."""


def _value(param: click.Parameter, place: str, tmp_path: Path, wanted: click.Parameter) -> str:
    """A value for a parameter: the folder for one that is read, others as they parse."""
    if param is wanted:
        return place
    kind = param.type
    if reads(param):
        file = not isinstance(kind, click.Path) or kind.file_okay
        return str(EXAMPLES / "right.tsv" if file else EXAMPLES)
    if isinstance(kind, click.DateTime):
        return "2032-03-02"
    if isinstance(kind, click.Path):
        return str(tmp_path / f"made-{param.name}")
    if isinstance(kind, click.Choice):
        first = next(iter(kind.choices))
        return str(getattr(first, "value", first))
    return "1"


def takes_uris(param: click.Parameter) -> bool:
    """Whether a parameter that is read may be a URI: any other path is one on this machine."""
    return reads(param) and (param.type is click.STRING or isinstance(param.type, GraphPath))


@pytest.mark.parametrize("by_uri", [False, True], ids=["path", "uri"])
@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_each_command_refuses_a_folder_with_one_changed_byte(
    name: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], by_uri: bool
) -> None:
    """Once for each of its parameters that names what is read."""
    place = folder.as_uri() if by_uri else str(folder)
    command = dict(commands())[name]
    flip(folder / "test.jsonl")
    refusals = []
    for wanted in filter(takes_uris if by_uri else reads, command.params):
        arguments, options = [], []
        for param in command.params:
            if not (param is wanted or param.required):
                continue
            value = _value(param, place, tmp_path, wanted)
            values = [value] * max(param.nargs, 1)
            if isinstance(param, click.Argument):
                arguments += values
            else:
                options += [param.opts[0], *values]
        # "explain --event" is an option that is given below.
        own = {word for param in command.params for word in param.opts if word[0] == "-"}
        words = [word for word in name.split() if word not in own]
        status = run([*words, *options, *arguments])
        printed = capsys.readouterr().err
        assert status == 2, (wanted.name, printed)
        refused = f"{place}/test.jsonl: found sha256" in printed
        # Options are parsed before a command begins, some by reading their file.
        other = ("is a directory", "no such file or directory")[: 1 + by_uri]
        assert refused or any(part in printed.lower() for part in other), (wanted.name, printed)
        refusals.append(refused)
    assert any(refusals) or not refusals or name in OPTIONS_FIRST


def test_only_commands_that_take_no_file_open_no_seal() -> None:
    """A new command that reads a file or folder is not among them."""
    unsealed = {name for name, command in commands() if not any(map(reads, command.params))}
    assert unsealed == {
        "explain --pattern", "explain --story", "generate traces", "generate patterns",
        "generate calendar", "generate positions", "generate assignments",
        "reproduce", "examples", "playground", "doctor",
    }  # fmt: skip


def test_unsealed_is_recorded_in_figures_pages_and_manifests(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()]
    rows[0]["label"] = "true" if rows[0]["label"] != "true" else "false"
    (folder / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ["verify", str(folder), "--probes", "none", "--json"]
    assert run(command) == 2
    capsys.readouterr()
    report = tmp_path / "report"
    assert run([*command, "--unsealed", "--report", str(report)]) == 1
    printed = capsys.readouterr()
    figures = json.loads(printed.out)
    assert figures["findings"]["wrong-label"] == 1
    line = figures["unsealed"][0]
    assert line.startswith(f"{folder / 'test.jsonl'}: found sha256")
    assert f"unsealed: {line}" in printed.err
    assert json.loads((report / "manifest.json").read_text())["unsealed"][0] == line
    assert "unsealed" in (report / "report.html").read_text()


def read_arguments() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Public functions, each argument that may name what is read, and those that are required."""
    for name in hopcheck.__all__:
        function = getattr(hopcheck, name)
        if not inspect.isfunction(function):
            continue
        for variant in typing.get_overloads(inspect.unwrap(function)) or [function]:
            named = inspect.signature(variant).parameters
            options = named["options"].annotation if "options" in named else ""
            (listed,) = re.findall(r"Unpack\[(\w+)\]", options) or [""]
            known = getattr(inspect.getmodule(function), listed, None)
            types = {key: str(value.annotation) for key, value in named.items()}
            types |= known.__annotations__ if known else {}
            needed = {
                key: "1"
                for key, value in named.items()
                if value.default is value.empty and key not in ("options", "kind", "format")
            }
            needed |= {key: "1" for key, kind in types.items() if "Required[" in str(kind)}
            kinds = KINDS.get(name, [{}])
            if "kind" in named and "Literal" in types["kind"] and name == "generate":
                kinds = [{"kind": re.findall(r"'(\w+)'", types["kind"])[0]}]
            for key, annotation in types.items():
                if key in ("out", "options"):
                    continue
                if "PathLike" in str(annotation) or key in ("predictions", "gold"):
                    for kind in kinds:
                        yield name, key, needed | kind


KINDS: dict[str, list[dict[str, Any]]] = {
    "score": [{"kind": kind} for kind in ("ranks", "nli", "questions", "quadruples", "links")],
    "export": [{"format": name} for name in FORMATS],
}


@pytest.mark.parametrize(
    ("name", "argument", "others"),
    [pytest.param(*case, id=f"{case[0]}-{case[1]}") for case in read_arguments()],
)
def test_each_public_function_refuses_a_folder_with_one_changed_byte(
    name: str, argument: str, others: dict[str, Any], folder: Path, tmp_path: Path
) -> None:
    flip(folder / "test.jsonl")
    given = others | {argument: folder} | ({"out": tmp_path / "out"} if "out" in others else {})
    with pytest.raises(SealError, match=r"test\.jsonl: found sha256"):
        getattr(hopcheck, name)(**given)


def test_what_the_api_accepted_is_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    config = GraphConfig()
    folder.mkdir()
    write_graph(folder, generate_graph(config, 3), config, 3)
    (folder / "stat.txt").write_text((folder / "stat.txt").read_text() + "\n")
    with pytest.raises(SealError):
        hopcheck.load_graph(folder)
    graph = hopcheck.load_graph(folder, unsealed=True)
    rules = hopcheck.mine(graph, lengths=[1])
    page = hopcheck.strikingness(graph, rules, allow_leak=True).write(tmp_path / "weights")
    for breaches in (graph.breaches, rules.breaches):
        assert [breach.where for breach in breaches] == [str(folder / "stat.txt")]
    described = json.loads((page.parent / "manifest.json").read_text())
    assert described["unsealed"] == list(map(str, graph.breaches))
    assert "unsealed" in page.read_text()
    score = hopcheck.score("ranks", hopcheck.apply(rules, graph, allow_leak=True), graph)
    assert score.figures["unsealed"] == described["unsealed"]
    assert unsealed() == []
    report = hopcheck.verify(folder, unsealed=True)
    written = report.write(tmp_path / "report")
    described = json.loads((written.parent / "manifest.json").read_text())
    assert described["unsealed"] == list(map(str, report.breaches))
    assert hopcheck.load_graph(EXAMPLES / "tkg").breaches == ()


def test_the_first_items_are_made_again(folder: Path) -> None:
    edit(folder, lambda described: described.update(seed=1))
    require_sealed(folder)
    with pytest.raises(SealError, match="the first item is not the one that config and seed"):
        hopcheck.verify(folder)
    with pytest.raises(SealError, match="the first item is not the one that config and seed"):
        hopcheck.export("inspect", folder, folder.parent / "out")


def test_other_versions_are_stated_not_to_be_decided(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(folder, lambda described: described["versions"].update(hopcheck="0.0.1"))
    edit(folder, lambda described: described.update(seed=1))
    assert run(["verify", str(folder), "--probes", "none"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == (
        "test.jsonl, test.parquet and test.tsv equal; train.jsonl, train.parquet and train.tsv "
        "equal; 36 items decided; not decidable: exact of config, keep_unbalanced of config, "
        "versions, config, seed, README.md"
    )


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "tsv"])
def test_a_label_changed_in_one_format_is_found_whatever_the_checksums(
    ending: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / f"test.{ending}"
    if ending == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        rows = table.to_pylist()
        rows[-1]["label"] = "true" if rows[-1]["label"] != "true" else "false"
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    else:
        *before, last = path.read_bytes().decode().splitlines(keepends=True)
        label = "True" if ending == "tsv" else '"label":"true"'
        other = "False" if ending == "tsv" else '"label":"false"'
        old, new = (label, other) if label in last else (other, label)
        last = last.replace(old, new) if old in last else last.replace("undefined", "true")
        last = last.replace("Impossible", "True")
        path.write_bytes("".join((*before, last)).encode())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    edit(folder, lambda described: described["outputs"].update({path.name: digest}))
    assert run(["verify", str(folder), "--probes", "none", "--json"]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures["findings"]["copies-differ"] == (2 if ending == "jsonl" else 1)
    assert "label: found" in figures["problems"][-1]["message"]


@pytest.mark.parametrize("size", [(), ("--shard-size", "9")], ids=["whole", "shards"])
def test_certificates_that_are_removed_with_their_checksums_are_found(
    size: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "certified"
    made = [
        "generate",
        "eventhop",
        "--train-size",
        "24",
        "--test-size",
        "12",
        "--shape",
        "8x16",
        "--certificates",
    ]
    assert run([*made, *size, "--out", str(folder)]) == 0
    command = ["verify", str(folder), "--probes", "none"]
    assert run(command) == 0
    proofs = min(folder.glob("items*.jsonl"))
    proofs.unlink()
    edit(folder, lambda described: described["outputs"].pop(proofs.name))
    assert run(command) == 2
    assert "files of certificates are not those of the manifest" in capsys.readouterr().err


def test_numbers_of_linked_items_that_are_removed_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "linked"
    made = ["generate", "eventhop", "--from-links", str(EXAMPLES / "links"), "--links", "4"]
    assert run([*made, "--test-size", "20", "--out", str(folder)]) == 0
    command = ["verify", str(folder), "--probes", "none"]
    assert run(command) == 0
    edit(folder, lambda described: described.pop("items"))
    assert run(command) == 2
    assert "found no items, expected their numbers" in capsys.readouterr().err


@pytest.mark.parametrize("spoil", [unlisted, emptied])
def test_a_file_whose_own_manifest_lists_nothing_is_refused(
    spoil: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.jsonl"
    assert run(["generate", "patterns", "--hops", "1", "--out", str(path)]) == 0
    assert run(["verify", str(path)]) == 0
    described = path.with_name("list.manifest.json")
    described.rename(tmp_path / "manifest.json")
    spoil(tmp_path)
    (tmp_path / "manifest.json").rename(described)
    assert run(["verify", str(path)]) == 2
    assert f"{described}: found" in capsys.readouterr().err


def test_rules_of_roles_that_are_removed_with_their_checksum_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, days = tmp_path / "future", ["--from", "2032-03-02", "--to", "2032-03-11"]
    made = ["forecast", str(EXAMPLES / "tkg"), *days, "--seed", "7"]
    assert run([*made, "--out", str(folder)]) == 0
    assert run(["verify", str(folder)]) == 0
    (folder / "role_rules.jsonl").unlink()
    edit(folder, lambda described: described["outputs"].pop("role_rules.jsonl"))
    assert run(["verify", str(folder)]) == 2
    assert "outputs lack role_rules.jsonl, whose rules" in capsys.readouterr().err
