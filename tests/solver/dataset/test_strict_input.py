"""Misspelt and doubled names, doubled ids and missing mapped columns are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.cli import run
from solver.io.columns import near_miss, require_names
from solver.io.json_lines import JsonDecoder, read_document
from solver.io.sources import FieldError, InputError, Place, RowError
from solver.patterns.io import PatternRow

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ITEM = {
    "id": "1",
    "premise": "the end of A happened before the start of B",
    "claim": "A happens before B",
    "label": "true",
}


def written(path: Path, *rows: str) -> Path:
    path.write_text("".join(f"{row}\n" for row in rows))
    return path


TWICE = '{"premise":"","claim":"","label":"true","label":"false"}'
ROW = "the end of A happened before the start of B,A happens before B,true,true"


@pytest.mark.parametrize(
    ("name", "rows", "options", "message"),
    [
        ("a.jsonl", [json.dumps(ITEM).replace("label", "lable")], [], ":1:102: lable: found an"),
        (
            "b.jsonl",
            ['{"premise":"","claim":"","label":"true","label":"false"}'],
            [],
            ":1:41: label",
        ),
        ("d.jsonl", [json.dumps(ITEM)], ["--map", "gold=answr"], "d.jsonl: found no column answr"),
        (
            "e.csv",
            ["premise,claim,gold,gold", ROW],
            [],
            ":1:1: gold: found it twice",
        ),
        ("f.csv", ["premise,claim,lable,x", ROW], [], ":1:1: lable: found an"),
        (
            "g.csv",
            ["premise,claim,answer,x", ROW],
            ["--map", "gold=answr"],
            ":1:1: found no column answr, expected the one that --map names for gold",
        ),
    ],
)
def test_items(
    name: str,
    rows: list[str],
    options: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = written(tmp_path / name, *rows)
    assert run(["verify", str(path), *options, "--probes", "none"]) == 2
    assert message in capsys.readouterr().err


REPEATED = [json.dumps(ITEM), json.dumps(ITEM | {"claim": "B happens after A"})]
"""Published sets repeat ids, for example one for each story or each split that was joined."""


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("verify FILE --probes none", None),
        ("verify FILE --probes none --fixed OUT", None),
        ("export hf FILE --out OUT", None),
        ("explain FILE --id 1", "found the id '1' at FILE:1 and FILE:2, expected one item"),
        ("prompts FILE --out OUT", "found the id '1' several times"),
        ("prompts FILE --id 1 --out OUT", "found the id '1' several times"),
        ("baseline majority --data FILE --out OUT", "found the id '1' several times"),
        ("score nli ANSWERS --data FILE", "found the id '1' several times"),
        ("compare ANSWERS a=ANSWERS --data FILE", "found the id '1' several times"),
    ],
)
def test_ids_may_repeat_unless_rows_are_found_by_them(
    command: str, message: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "items.jsonl", *REPEATED)
    answers = written(tmp_path / "answers.jsonl", '{"id": "1", "answer": "true"}')
    places = {"FILE": str(file), "OUT": str(tmp_path / "out"), "ANSWERS": str(answers)}
    words = [
        places.get(word, word).replace("a=ANSWERS", f"a={answers}") for word in command.split()
    ]
    status, error = run(words), capsys.readouterr().err
    if message is None:
        assert status == 0, error
        return
    assert status == 2
    assert message.replace("FILE", str(file)) in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("make", ["eventhop", "questions"])
def test_ids_of_what_was_generated_do_not_repeat(
    make: str, tmp_path: Path, renew: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "made"
    graph = str(EXAMPLES / "questions" / "graph")
    words = {
        "eventhop": ["--split", "test", "--test-size", "12", "--shape", "8x16"],
        "questions": [graph, "--kinds", "1-hop"],
    }
    assert run(["generate", make, *words[make], "--out", str(folder)]) == 0
    rows = [json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()]
    rows[-1]["id"] = rows[-2]["id"]
    written(folder / "test.jsonl", *map(json.dumps, rows))
    renew(folder)
    capsys.readouterr()
    options = ["--data", graph] if make == "questions" else []
    status = run(["verify", "--kind", make, str(folder), *options, "--probes", "none", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert status == 1
    code = {"eventhop": "wrong-order", "questions": "repeated-id"}[make]
    assert found["findings" if make == "eventhop" else "violations"][code] == 1
    for tool in ("inspect", "lm-eval", "reasoning-gym"):
        assert run(["export", tool, str(folder), "--out", str(tmp_path / tool)]) == 2
        assert "test.jsonl: found the id '" in capsys.readouterr().err
        assert not any(path.is_file() for path in (tmp_path / tool).rglob("*"))


@pytest.mark.usefixtures("parquet")
@pytest.mark.parametrize("names", [["premise", "claim", "lable"], ["premise", "claims", "label"]])
def test_columns_of_parquet(
    names: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "items.parquet"
    values = [ITEM["premise"], ITEM["claim"], ITEM["label"]]
    pq.write_table(
        pa.table({name: [value] for name, value in zip(names, values, strict=True)}), path
    )
    assert run(["verify", str(path), "--probes", "none"]) == 2
    assert f"{path}:1:1: " in capsys.readouterr().err


def test_items_without_labels_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {name: value for name, value in ITEM.items() if name != "label"}
    path = written(tmp_path / "bare.jsonl", json.dumps(row))
    assert run(["verify", str(path)]) == 0
    assert "no labels: consistency and texts only" in capsys.readouterr().out
    predictions = written(tmp_path / "answers.jsonl", '{"id": "1", "answer": "true"}')
    score = ["score", "nli", str(predictions), "--data", str(path), "--resamples", "100"]
    assert run([*score, "--gold", "file"]) == 2
    assert "item 1 has no gold label" in capsys.readouterr().err


def test_lines_of_any_kind() -> None:
    decoder, place = JsonDecoder(PatternRow), Place(file="list.jsonl", line=3)
    right = '{"pattern": "1 -1-> 2 => 2 -1-> 1", "note": "\\": {", "more" : {"pattern": 1}}'
    assert decoder.decode(right, place)
    begin = '{"pattern": "1 -1-> 2 => 2 -1-> 1" , '
    with pytest.raises(RowError, match=r"list\.jsonl:3:38: pattern: found it twice"):
        decoder.decode(begin + '"pattern" : "1 -1-> 2 => 1 -1-> 2"}', place)
    with pytest.raises(RowError, match=r"list\.jsonl:3:38: shape: found an unknown field"):
        decoder.decode(begin + '"shape": ["inverse"]}', place)
    with pytest.raises(RowError, match="x: found it twice"):
        JsonDecoder(object).decode('[{"x": 1, "y": [{"x": 1}]}, {"x": 2, "x": 2}]', place)


def test_documents(tmp_path: Path) -> None:
    path = written(tmp_path / "config.json", '{"steps": 3, "steps": 4}')
    with pytest.raises(InputError, match="steps: found it twice"):
        read_document(path, dict[str, int], "config")


KNOWN = (("claim", "hypothesis"), ("label",), ("id",))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("claim", "lable"), ("lable", "label")),
        (("claim", "labl"), ("labl", "label")),
        (("claim", "labels"), ("labels", "label")),
        (("claim", "libel"), ("libel", "label")),
        (("hypotesis", "label"), ("hypotesis", "hypothesis")),
        (("hypothesis", "label", "claims"), None),
        (("claim", "label", "lable"), None),
        (("claim", "laebll"), None),
        (("claim", "ix"), None),
    ],
)
def test_near_misses(names: tuple[str, ...], expected: tuple[str, str] | None) -> None:
    assert near_miss(names, KNOWN) == expected


def test_one_edit_is_what_a_search_says() -> None:
    letters, word = "abx", "baax"
    edits = {word[:n] + word[n + 1 :] for n in range(4)}
    edits |= {word[:n] + letter + word[n:] for n in range(5) for letter in letters}
    edits |= {word[:n] + letter + word[n + 1 :] for n in range(4) for letter in letters}
    edits |= {word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in range(3)}
    every = {""}
    for _ in range(6):
        every |= {text + letter for text in every for letter in letters}
    near = {text for text in every if near_miss((text,), ((word,),)) is not None}
    assert near == edits - {word}


def test_names_that_occur_twice() -> None:
    require_names(["a", "b"], KNOWN)
    with pytest.raises(FieldError, match="b: found it twice, expected it once"):
        require_names(["a", "b", "b"], KNOWN)
