"""Damaged input files: all are read in bounded time and give one-line errors.

Files of our own items in all formats are damaged in a few places each, by a seeded mutator; what is
left of them is read, and every text that can be read is parsed.
"""

from __future__ import annotations

import gzip
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grammar.errors import HopcheckError, ParseError
from grammar.eventhop.model import Domain, Item, Label
from grammar.eventhop.reader import reader
from solver.eventhop.io import read_records, write_jsonl, write_parquet, write_tsv
from solver.eventhop.records import BrokenRecord, ItemPlace, Record
from solver.io.sources import InputError, RowError

INPUTS = 5_000
BATCH = 500
# Of processor time, so that a busy machine does not count.
SECONDS = 2.0

TEXTS = {
    Domain.TEMPORAL: [
        (
            "The end of Regatta of Port Calder came before the start of Harvest at Low Fen. "
            "The start of Harvest at Low Fen coincided with the end of Fair on the Hill’s Green",
            "Fair on the Hill's Green overlaps with Regatta of Port Calder",
        ),
        (
            "The end of Fair on the Hill ensued once the start of Harvest at Low Fen had happened",
            "Harvest at Low Fen happens before Fair on the Hill",
        ),
    ],
    Domain.SPATIAL: [
        (
            "western edge of Low Fen is located to the east of eastern edge of Port Calder. "
            "western edge of Hill Green is on the same meridian as western edge of Low Fen",
            "Port Calder is completely west of Hill Green",
        )
    ],
    Domain.LOGICAL: [("fen1 > calder2. fen1 = green1. green2 < fen2", "calder < green")],
}
# Content that is hard for readers of text, tables, JSON and numbers.
SCRAPS = [
    b"\t", b"\t\t", b"\n", b"\r\n", b"\r", b'"', b'""', b'"\t"', b"\0", b"\xef\xbb\xbf",
    b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"9" * 400, b"-1", b"1e999",
    b"{", b"}", b"[" * 3000, b"]", b":", b",", b"\\", b"\\ud800", b"null", b"True", b". ", b"the ",
    b" of ", b" before ", b"'", "’".encode(), "\u0301".encode(), b"\x1f\x8b", b"PAR1", b"\x1b[2J",
    b" " * 3000, b"start of " * 300,
]  # fmt: skip


def items(domain: Domain) -> Iterator[Record]:
    labels = [("True", Label.TRUE), ("False", Label.FALSE), ("Impossible", Label.UNDEFINED)]
    for number in range(4):
        premise, claim = TEXTS[domain][number % len(TEXTS[domain])]
        gold, label = labels[number % 3]
        yield Record(
            id=str(number),
            premise=premise,
            claim=claim,
            gold=gold,
            label=label,
            place=ItemPlace(file="", line=0),
            declared=number % 2 == 0,
            forced=False,
            sampled="after",
            events=3,
            relations=2,
            event_distance=1,
        )


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Domain, bytes]]:
    """Intact files, with the domain of their texts; text formats more often than binary ones."""
    folder = tmp_path_factory.mktemp("originals")
    written: list[tuple[Domain, bytes]] = []
    for domain in Domain:
        write_tsv(folder / "ten", items(domain))
        write_tsv(folder / "nine", items(domain), forced=False)
        write_jsonl(folder / "lines", items(domain))
        write_parquet(folder / "parquet", items(domain))
        text = [(folder / name).read_bytes() for name in ("ten", "nine", "lines")]
        parquet = (folder / "parquet").read_bytes()
        contents = [*text * 3, *(gzip.compress(content, mtime=0) for content in text), parquet]
        written.extend((domain, content) for content in contents)
    return written


class Mutator:
    """Damages content in one to four ways drawn by a seed."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self._ways: list[Callable[[bytes], bytes]] = [
            self._flip, self._flip, self._cut, self._insert, self._insert, self._drop, self._repeat,
            self._separator, self._swap_cells, self._swap_lines, self._number, self._recode,
        ]  # fmt: skip

    def damage(self, content: bytes) -> bytes:
        for way in self.draw.choices(self._ways, k=self.draw.randint(1, 4)):
            content = way(content)
        return content

    def _place(self, content: bytes) -> int:
        return self.draw.randrange(len(content) + 1)

    def _flip(self, content: bytes) -> bytes:
        flipped = bytearray(content or b"\0")
        at = self.draw.randrange(len(flipped))
        flipped[at] ^= 1 << self.draw.randrange(8)
        return bytes(flipped)

    def _cut(self, content: bytes) -> bytes:
        return content[: self._place(content)]

    def _insert(self, content: bytes) -> bytes:
        at = self._place(content)
        return content[:at] + self.draw.choice(SCRAPS) + content[at:]

    def _drop(self, content: bytes) -> bytes:
        at = self._place(content)
        return content[:at] + content[at + self.draw.randint(1, 40) :]

    def _repeat(self, content: bytes) -> bytes:
        at = self._place(content)
        piece = content[at : at + self.draw.randint(1, 200)]
        return content[:at] + piece * self.draw.randint(2, 30) + content[at:]

    def _separator(self, content: bytes) -> bytes:
        mark = self.draw.choice([b"\t", b"\n", b'"', b",", b". "])
        return content.replace(
            mark, self.draw.choice([b"", mark * 2, b" "]), self.draw.randint(1, 5)
        )

    def _swap_cells(self, content: bytes) -> bytes:
        cells = content.split(b"\t")
        self._swap(cells)
        return b"\t".join(cells)

    def _swap_lines(self, content: bytes) -> bytes:
        rows = content.split(b"\n")
        self._swap(rows)
        return b"\n".join(rows)

    def _swap(self, parts: list[bytes]) -> None:
        a, b = self.draw.randrange(len(parts)), self.draw.randrange(len(parts))
        parts[a], parts[b] = parts[b], parts[a]

    def _number(self, content: bytes) -> bytes:
        huge = self.draw.choice([b"9" * 30, b"9" * 5000, b"-1", b"3.5", b"1e400", b"NaN"])
        return content.replace(self.draw.choice([b"3", b"2", b"1", b"0"]), huge, 1)

    def _recode(self, content: bytes) -> bytes:
        text = content.decode("utf-8", errors="replace")
        encoding = self.draw.choice(["utf-8-sig", "utf-16", "utf-32", "latin1", "utf-7", "cp037"])
        return text.encode(encoding, errors="replace")


def check_message(error: HopcheckError) -> None:
    assert len(str(error).splitlines()) == 1


def read_and_parse(path: Path, domain: Domain) -> str:
    """Outcome of reading the file; any other outcome fails the test."""
    ends = {"item": 0, "row": 0, "text": 0}
    try:
        for record in read_records(path):
            if isinstance(record, BrokenRecord):
                assert isinstance(record.error, RowError)
                check_message(record.error)
                ends["row"] += 1
                continue
            try:
                item = reader(domain).read(record.id, record.premise, record.claim)
                assert isinstance(item, Item)
                ends["item"] += 1
            except ParseError as error:
                check_message(error)
                ends["text"] += 1
    except InputError as error:
        check_message(error)
        return "file"
    return next(end for end in ("row", "text", "item") if ends[end])


@pytest.fixture
def _no_hang() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError("an input is not read in bounded time")

    # Seconds of the processor.
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 120)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.usefixtures("_no_hang")
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=[pytest.mark.slow] * (first >= INPUTS // 2))
        for first in range(0, INPUTS, BATCH)
    ],
)
def test_all_damage_is_reported(
    tmp_path: Path, originals: list[tuple[Domain, bytes]], first: int
) -> None:
    path = tmp_path / "items"
    ends = dict.fromkeys(("item", "text", "row", "file"), 0)
    for seed in range(first, first + BATCH):
        domain, content = originals[seed % len(originals)]
        path.write_bytes(Mutator(seed).damage(content))
        start = time.process_time()
        ends[read_and_parse(path, domain)] += 1
        assert time.process_time() - start < SECONDS, f"seed {seed}"
    # The damage is neither always harmless nor always fatal: every outcome occurs many times.
    assert min(ends.values()) > BATCH // 50, ends


def test_intact_files_are_read_completely(
    tmp_path: Path, originals: list[tuple[Domain, bytes]]
) -> None:
    path = tmp_path / "items"
    for domain, content in originals:
        path.write_bytes(content)
        assert read_and_parse(path, domain) == "item"
