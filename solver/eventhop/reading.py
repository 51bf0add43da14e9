"""Reads the texts of records as the settings of a run say: wording, phrases, names, a grammar."""

from __future__ import annotations

from dataclasses import replace

from grammar.errors import HopcheckError, ParseError
from grammar.eventhop.model import Item
from grammar.eventhop.reader import domain_of, reader
from solver.eventhop.engines import ItemSettings
from solver.eventhop.records import Record, Source


def read(record: Record, settings: ItemSettings) -> tuple[Record, Item]:
    """A record, with texts that the package reads, and its graph.

    Raises:
        ParseError: with part, line and column of the text as the record has it.
        HopcheckError: a grammar wrote a text that is not read.
        DifferentReadingError: the readers of a grammar differ.
    """
    name = settings.grammar
    if name is None:
        return record, _item(record, settings)
    from grammar.eventhop.grammars import says, written

    texts = list(written(name, record.premise, record.claim))
    source = Source(name, len(texts), record.premise, record.claim)
    records = [replace(record, premise=p, claim=c, source=source) for p, c in texts]
    try:
        items = [_item(each, settings) for each in records]
    except ParseError as error:
        if error.part == "claim" and {claim for _, claim in texts} == {record.claim}:
            raise
        message = f"the grammar {name} wrote a text that is not read: {error}"
        raise HopcheckError(message, where=record.place.at()) from None
    if len({says(item) for item in items}) > 1:
        from solver.eventhop.certificates.lines import DifferentReadingError

        message = f"the readers of the grammar {name} read item {record.id} differently"
        raise DifferentReadingError(message, where=record.place.at())
    return records[0], items[0]


def _item(record: Record, settings: ItemSettings) -> Item:
    files = settings.phrases
    domain = settings.domain or domain_of(record.premise, record.claim, files)
    reads = reader(domain, settings.spatial, phrases=files)
    return reads.read(record.id, record.premise, record.claim, names=settings.names or ())
