"""Workers that read their own parts of a file find what one process reads, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grammar.errors import HopcheckError
from solver.eventhop.io import _parts, read_by_workers, read_part, read_records, write_parquet
from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.eventhop.shards import text_digest
from solver.eventhop.verify import ItemVerifier
from solver.io import parquet, ranges, sources
from solver.probes.probe import ProbeLevel
from solver.processes import InProcess, _cluster
from solver.questions.io import read_questions, write_parquet_questions
from solver.questions.model import Question
from solver.questions.rows import Source, check_rows
from solver.verification.run import verify
from solver.verification.verifier import Execution

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
QUESTIONS = (EXAMPLES / "questions" / "flawed.jsonl").read_bytes().splitlines()
RIGHT = (EXAMPLES / "right.tsv").read_bytes().splitlines()
MANY = 300


@pytest.fixture
def _on_cluster() -> Iterator[None]:
    token = _cluster.set(InProcess(2))
    yield
    _cluster.reset(token)


def row(random: Random) -> bytes:
    """A row, some of which are broken, blank, or open a quote."""
    cells = [
        b"7",
        b"possible",
        b"",
        b"before",
        b"2",
        b"1",
        b"1",
        b"A \xc3\xa9.",
        b"B.",
        b"Possible",
    ]
    match random.randrange(16):
        case 0:
            return b""
        case 1:
            return b" \t "
        case 2:
            cells[7] = b'"one' + random.choice([b"\n", b"\r\n", b"\n\n"]) + b'two ""x""."'
        case 3:
            cells[random.randrange(10)] = b'"open'
        case 4:
            return random.choice([b'and" closed', b'"', b'""', b'a\t"b', b"\x1f\x8b", b"\x80"])
        case 5:
            cells.pop(2)
        case 6:
            cells = cells[: random.randrange(1, 12)] + cells[: random.randrange(3)]
        case 7:
            cells[8] = random.choice([b"\xff", b"a" * 320, b"\xef\xbb\xbf", "\u2028\x85".encode()])
        case 8:
            # As wide as a row, and continued.
            return b"\t".join([*cells[:2], *cells[3:9], b'"Possible\nx"'])
        case 9:
            return b"index\tdeclared\tforced\trelation\tevents\trelations\tevent_distance\tpremise"
    cells[0] = b"%d" % random.randrange(3)
    return b"\t".join(cells)


def json_row(random: Random) -> bytes:
    """A line of JSON, perhaps broken or blank."""
    item = {
        "premise": "A é.",
        "claim": random.choice(["B.", "\u2028", 'a "b"']),
        "label": "Neutral",
    }
    if random.random() < 0.3:
        item["id"] = random.choice(["1", "2", "x"])
    text = json.dumps(item, ensure_ascii=random.random() < 0.5).encode()
    return random.choice(
        [text, text, text, text, b"", b"  ", text[:-3], b"\xef\xbb\xbf" + text, b"\x1f\x8b", b"[1]"]
    )


def table(random: Random, format: str) -> bytes:
    """A file of lines."""
    make = row if format == "tsv" else json_row
    found = [make(random) for _ in range(random.choice([0, 1, 2, 5, 40]))]
    if format == "tsv" and random.random() < 0.4:
        found.insert(
            0,
            b"index\tdeclared\tforced\trelation\tevents\trelations\tdistance\tpremise"
            b"\tclaim\tlabel",
        )
    if random.random() < 0.2:
        found = [b""] * random.randrange(30) + found
    end = random.choice([b"\n", b"\n", b"\r\n"])
    mark = random.choice([b"", b"", b"\xef\xbb\xbf"])
    return mark + end.join(found) + random.choice([b"", end, end * 3])


def question(random: Random) -> bytes:
    """A question that is flawed, broken or blank."""
    line = random.choice(QUESTIONS)
    return random.choice([line, line, line, b"", line[:-9], line.replace(b'"kind"', b'"knd"')])


def outcome(read: Iterator[object]) -> tuple[list[object], str]:
    """What is read, and the error after it."""
    found: list[object] = []
    try:
        found.extend(shown(value) for value in read)
    except HopcheckError as error:
        return found, str(error)
    return found, ""


def shown(record: object) -> object:
    """A record with its message as text: errors are equal only if they are one object."""
    return (
        (record.id, record.place, str(record.error)) if isinstance(record, BrokenRecord) else record
    )


def by_workers(uri: str, size: int) -> Iterator[ReadRecord]:
    """The records of the shards of a file, each read alone."""
    for shard in read_by_workers(uri, None, text_digest, size):
        if isinstance(shard, Record | BrokenRecord):
            yield shard
            continue
        with ranges.open_part(shard.part) as (source, _):
            records = list(read_part(source, mapping=None))
        assert 0 < len(records) <= size
        assert tuple(map(text_digest, records)) == shard.rows
        yield from records


@pytest.mark.usefixtures("_on_cluster")
@pytest.mark.parametrize("format", ["tsv", "jsonl"])
def test_parts_of_text_are_the_file(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LINE_LIMIT", 300)
    random, cut = Random(7), 0
    for number in range(MANY):
        monkeypatch.setattr(ranges, "PART", random.choice([1, 60, 300, 2_000]))
        monkeypatch.setattr(ranges, "_BLOCK", random.choice([1, 50, 64 * 1024]))
        path = tmp_path / f"{number}.{format}"
        path.write_bytes(table(random, format))
        uri = path.as_uri()
        assert outcome(by_workers(uri, random.choice([1, 3, 8]))) == outcome(read_records(uri))
        with suppress(HopcheckError):
            cut += len(list(_parts(uri, None) or ())) > 2
    assert cut > MANY / 8, cut


@pytest.mark.usefixtures("_on_cluster")
def test_row_groups_are_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(7)
    right = [
        record for record in read_records(EXAMPLES / "right.tsv") if isinstance(record, Record)
    ]
    records = [replace(record, id=str(n)) for n, record in enumerate(right * 4)]
    for number in range(40):
        monkeypatch.setattr(parquet, "GROUP", group := random.choice([1, 7, 50, 4_096]))
        monkeypatch.setattr(parquet, "_BATCH", random.choice([2, 5, 256]))
        monkeypatch.setattr(ranges, "GROUP_ROWS", random.choice([group, group, group - 1]))
        path = tmp_path / f"{number}.parquet"
        write_parquet(path, random.sample(records, random.choice([0, 1, 30, 60])))
        data = bytearray(path.read_bytes())
        if number % 4 == 0:
            data[random.randrange(len(data) // 2)] ^= 1
            path.write_bytes(data)
        uri = path.as_uri()
        assert outcome(by_workers(uri, random.choice([1, 8, 100]))) == outcome(read_records(uri))


@pytest.mark.usefixtures("_on_cluster")
def test_a_part_that_fails_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "PART", 2_000)
    path = tmp_path / "items.tsv"
    path.write_bytes(b"\n".join(RIGHT))
    expected = outcome(read_records(path.as_uri()))
    scan = ranges.Scanner.scan

    def failing(self: ranges.Scanner[ReadRecord, int], part: ranges.Part) -> ranges.Scan[int]:
        return scan(self, part) if part.start % 2 else ranges.Scan(shards=(), lines=None)

    monkeypatch.setattr(ranges.Scanner, "scan", failing)
    assert outcome(by_workers(path.as_uri(), 5)) == expected


@pytest.mark.usefixtures("_on_cluster")
def test_a_report_has_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "PART", 3_000)
    monkeypatch.setattr("solver.eventhop.shards.SHARD", 7)
    monkeypatch.setattr("solver.eventhop.verify.PROBED", {ProbeLevel.FAST: 12})
    flawed = (EXAMPLES / "flawed.tsv").read_bytes().splitlines()
    path = tmp_path / "items.tsv"
    path.write_bytes(b"\r\n".join([*RIGHT, *flawed, b"broken", *RIGHT[::-1], b'"', *flawed]))

    def run(folder: Path) -> tuple[Any, ...]:
        verifier = ItemVerifier(Execution(folder=folder, probes=ProbeLevel.FAST))
        findings = list(verifier.decide(verifier.read([path.as_uri()])))
        (samples,) = verifier._sampled.values()
        lines = (folder / "items.jsonl").read_bytes()
        tally = verifier._tally
        return lines, findings, tally, verifier._errors, verifier._rows, samples.records()

    there = run(tmp_path / "there")
    _cluster.set(None)
    here = run(tmp_path / "here")
    assert there == here
    assert here[2].findings["duplicate"] > 20
    assert len(here[5]) == 12


@pytest.mark.usefixtures("_on_cluster")
@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_questions_of_parts_have_the_same_findings(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.questions.rows._TASK", 3)
    monkeypatch.setattr(parquet, "GROUP", 4)
    random, paths = Random(7), []
    for number, size in enumerate([0, 1, 9, 30]):
        monkeypatch.setattr(ranges, "PART", random.choice([1, 2_000]))
        path = tmp_path / f"{number}.{format}"
        path.write_bytes(b"\n".join(question(random) for _ in range(size)))
        if format == "parquet":
            read = read_questions(EXAMPLES / "questions" / "flawed.jsonl")
            some = [read_question for read_question in read if isinstance(read_question, Question)]
            write_parquet_questions(path, (random.choice(some) for _ in range(size)))
        paths.append(path)
    graph = str(EXAMPLES / "questions" / "graph")

    def run(paths: list[Path]) -> tuple[list[object], str]:
        source = Source.of([path.as_uri() for path in paths], graph, None)
        return outcome((file, row) for file, rows in check_rows(source, 1) for row in rows)

    # The file without questions is the last one.
    there = run(paths[::-1])
    _cluster.set(None)
    assert there == run(paths[::-1])
    assert len(there[0]) > 20
    assert "found nothing" in there[1]


@pytest.mark.usefixtures("_on_cluster")
def test_a_file_that_changes_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "items.tsv"
    path.write_bytes(b"\n".join(RIGHT))
    opened = ranges.Scanner.shards

    def changing(
        self: ranges.Scanner[ReadRecord, int], parts: Iterator[ranges.Part]
    ) -> Iterator[ranges.Shard[int] | ReadRecord]:
        found = list(opened(self, parts))
        path.write_bytes(b"\n".join(RIGHT[1:]))
        yield from found

    monkeypatch.setattr(ranges.Scanner, "shards", changing)
    with pytest.raises(HopcheckError, match="changed while it was read"):
        verify(path.as_uri(), probes=ProbeLevel.NONE)
