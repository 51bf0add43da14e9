"""The steps from a file to certified labels, to be timed individually and as a whole."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

from benchmarks.reproduction.speed.clock import Part
from benchmarks.reproduction.speed.plain import labels
from grammar.errors import HopcheckError
from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Certificate, Item, Verdict
from grammar.eventhop.reader import reader
from solver.eventhop.certificates.lines import certificate_error
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName, ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.records import Record
from solver.eventhop.shards import verify_shards

PLAIN = "plain loop"
QUICK = (EngineName.ASP, EngineName.GRAPH)
THREE = (*QUICK, EngineName.SMT)


def parts(path: Path) -> list[Part]:
    """The steps on the items of a file, with precomputed inputs.

    Raises:
        HopcheckError: the file or a row of it cannot be read.
    """
    records = _records(path)
    items = [_item(record) for record in records]
    verdicts = engine(EngineName.GRAPH).decide(items)
    certificates = [certify(*pair) for pair in zip(items, verdicts, strict=True)]
    return [
        Part(name=PLAIN, run=lambda: _exhaust(labels(path)), whole=True),
        Part(name="read", run=lambda: _records(path)),
        Part(name="parse", run=lambda: [_item(record) for record in records]),
        *(Part(name=name.value, run=_deciding(name, items)) for name in THREE),
        Part(name="certify", run=lambda: _certify(items, verdicts)),
        Part(name="replay", run=lambda: _replay(items, verdicts, certificates)),
        *(_whole(path, engines) for engines in (QUICK, THREE)),
    ]


def size(path: Path) -> int:
    """The number of items of a file."""
    return len(_records(path))


def _records(path: Path) -> list[Record]:
    records = []
    for record in read_records(path):
        if not isinstance(record, Record):
            raise record.error
        records.append(record)
    return records


def _item(record: Record) -> Item:
    return reader(detect(record.premise, record.claim)).read(
        record.id, record.premise, record.claim
    )


def _deciding(name: EngineName, items: list[Item]) -> Callable[[], object]:
    decider = engine(name)
    return lambda: decider.decide(items)


def _certify(items: list[Item], verdicts: list[Verdict]) -> None:
    for item, verdict in zip(items, verdicts, strict=True):
        certify(item, verdict)


def _replay(items: list[Item], verdicts: list[Verdict], certificates: list[Certificate]) -> None:
    for item, verdict, certificate in zip(items, verdicts, certificates, strict=True):
        if error := certificate_error(item, verdict, hops(certificate), certificate):
            raise HopcheckError(error, where=item.id)


def _whole(path: Path, engines: tuple[EngineName, ...]) -> Part:
    """From file to certified labels, as in ``verify``."""
    settings = ItemSettings(engines=engines)
    return Part(
        name=f"verify, {' = '.join(engines)}",
        run=lambda: _exhaust(verify_shards(read_records(path), settings)),
        whole=True,
    )


def _exhaust(results: object) -> None:
    deque(results, maxlen=0)  # type: ignore[call-overload]
