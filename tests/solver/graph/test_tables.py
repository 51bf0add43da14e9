"""Graphs in tables with named columns: CSV, JSON Lines, TGB's CSV; dates, time stamps, seconds."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import hopcheck as hc
from solver.cli import run
from solver.graph.io import read_dataset
from solver.graph.io.named import Granularity
from solver.graph.model import Split
from solver.io.sources import InputError

FACTS = [
    ("Ada", "visits", "Bo, senior", "2031-05-10"),
    ("Bo, senior", "meets", "Ada", "2031-05-10"),
    ("Ada", "meets", "Cy", "2031-05-12"),
]
SECONDS = ["1936137600", "1936137600", "1936310400"]  # date -u -d 2031-05-10 +%s


def names(path: Path, granularity: Granularity | None = None) -> list[tuple[str, ...]]:
    read = read_dataset(path, granularity=granularity)
    return [read.vocabulary.fact(fact) for fact in read.splits[Split.TRAIN].rows().tolist()]


def table(delimiter: str, header: str, times: list[str], *, quoted: bool = True) -> str:
    lines = [header]
    for (head, relation, tail, _), time in zip(FACTS, times, strict=True):
        cells = {"h": head, "r": relation, "t": tail, "x": time, "n": "a note"}
        if quoted:
            cells = {key: f'"{cell}"' for key, cell in cells.items()}
        order = [
            {"s": "h", "p": "r", "o": "t", "d": "x", "c": "n"}[column[0]]
            for column in _columns(header)
        ]
        lines.append(delimiter.join(cells[name] for name in order))
    return "\n".join(lines) + "\n"


def _columns(header: str) -> list[str]:
    """Each of the headers below begins its columns with s, p, o, d or c in some order."""
    known = {"head": "s", "subject": "s", "source": "s", "relation": "p", "predicate": "p"}
    known |= {"tail": "o", "object": "o", "target": "o", "date": "d", "timestamp": "d", "time": "d"}
    cut = header.lstrip("\ufeff").lower().replace(";", ",").split(",")
    return [known.get(name.strip(), "c") for name in cut]


DATES = [fact[3] for fact in FACTS]
STAMPS = ["2031-05-10T00:00:00Z", "2031-05-10 00:00", "2031-05-12T02:00:00+02:00"]


@pytest.mark.parametrize("times", [DATES, STAMPS, SECONDS], ids=["dates", "stamps", "seconds"])
@pytest.mark.parametrize(
    "header",
    [
        "head,relation,tail,date",
        "\ufeffSubject;Predicate;Object;Comment;Time",
        "timestamp,source,relation,target",
    ],
)
def test_tables_with_named_columns(tmp_path: Path, header: str, times: list[str]) -> None:
    path = tmp_path / "facts.csv"
    path.write_text(table(";" if ";" in header else ",", header, times), encoding="utf-8")
    assert names(path) == FACTS


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    rows = [dict(zip(("s", "relation", "object", "time"), fact, strict=True)) for fact in FACTS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert names(path) == names(tmp_path) == FACTS


def test_tabs_with_time_stamps(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text(
        "".join("\t".join((*fact[:3], f"{fact[3]}T00:00:00Z")) + "\n" for fact in FACTS)
    )
    assert names(path) == FACTS


def test_a_granularity_rounds_down_and_counts_what_becomes_equal(tmp_path: Path) -> None:
    draw = random.Random(0)
    rows = sorted(
        (
            draw.randrange(1_900_000_000, 1_900_000_000 + 4 * 86_400),
            draw.choice("ab"),
            draw.choice("ab"),
        )
        for _ in range(200)
    )
    path = tmp_path / "edges.csv"
    path.write_text(
        "timestamp,head,tail,relation\n" + "".join(f"{t},{h},{o},r\n" for t, h, o in rows)
    )
    for unit, length in (
        (Granularity.HOUR, 3_600),
        (Granularity.DAY, 86_400),
        (Granularity.MINUTE, 60),
    ):
        read = read_dataset(path, granularity=unit)
        expected = {(t // length, h, o) for t, h, o in rows}
        found = read.splits[Split.TRAIN].rows().tolist()
        begin = min(t for t, _, _ in expected) if unit is Granularity.DAY else 0
        words = read.vocabulary
        assert {(t + begin, words.entity(h), words.entity(o)) for h, _, o, t in found} == expected
        assert len(found) == len(expected)
        lost = len(rows) - len(expected)
        assert read.left_out == ({f"repeated within a {unit}": lost} if lost else {})
    years = read_dataset(path, granularity=Granularity.YEAR)
    assert set(years.splits[Split.TRAIN].time.tolist()) == {2030}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("head,relation,tail,timestamp\na,r,b,1936137601\n", "no whole day.*--granularity day"),
        ("head,relation,tail,time\na,r,b,2031-05-10T12:00Z\n", "no whole day.*--granularity day"),
        ("head,relation,tail,time,until\na,r,b,2031-01-01,2032-01-01\n", "the end of an interval"),
        ("head,relation,tail,time\na,r,b\n", "found 3 columns, expected 4"),
        ("head,relation,tail,time\na,,b,2031-01-01\n", "found '' as relation"),
        ("head,relation,tail,time\na,r,b,soon\n", "found time 'soon'"),
        ('{"head": "a", "relation": "r", "tail": "b"}\n', "no column of the time"),
        ('{"head": "a", "relation": "r", "tail": "b", "time": 1.5}\n', "found '1.5' as time"),
    ],
)
def test_what_would_be_lost_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "facts.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=reason):
        read_dataset(path)


def test_ids_of_tgb_are_kept(tmp_path: Path) -> None:
    """An exported edge list is the graph, with the splits in one."""
    source = Path(__file__).resolve().parents[3] / "examples" / "ranks" / "graph"
    hc.export("tgb", source, tmp_path, name="ours")
    read, original = hc.load_graph(tmp_path / "tkgl-ours_edgelist.csv"), hc.load_graph(source)
    assert read.facts().rows().tolist() == original.facts().rows().tolist()


def test_the_command_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(
        "time,head,relation,tail\n1936230001,b,r,a\n1936137601,a,r,b\n1936137605,a,r,b\n"
    )
    out = str(tmp_path / "graph")
    assert run(["import", "graph", str(path), "--granularity", "day", "--out", out]) == 0
    assert "left out 1 row, repeated within a day" in capsys.readouterr().err
    read = hc.load_graph(out)
    facts = [read.vocabulary.fact(fact) for fact in read.facts().rows().tolist()]
    assert facts == [("a", "r", "b", "2031-05-10"), ("b", "r", "a", "2031-05-11")]
