"""The properties of items, on one that was written by hand."""

from __future__ import annotations

from grammar.eventhop.model import Domain
from grammar.eventhop.reader import reader
from solver.eventhop.cues import PROPERTIES, Seen, values
from solver.eventhop.probes import sample
from tests.solver.eventhop.test_item_probes import record

PREMISE = (
    "The end of Fair fell before the start of Big Race. "
    "The start of Gala was later than the start of Fair. "
    "The end of Big Race fell before the end of Vigil"
)

EXPECTED = {
    "order of the first sentence": "before",
    "order of the last but one sentence": "after",
    "left point of the second sentence": "start",
    "right event of the first sentence": "other",
    "left event of the last sentence": "other",
    "right event of the second sentence": "first",
    "wording of the second sentence": "was later than the start of",
    "verb of the last sentence": "fell",
    "order of the last but two sentence": "before",
    "initial of the third event": "B",
    "second word of the third event": "Race",
    "last two letters of the fourth event": "la",
    "first word of the event named last": "Vigil",
    "words of the first neighbour of the first event": 2,
    "characters of the first event": 4,
    "initial of the last name by alphabet": "V",
    "the first event before the second by alphabet": True,
    "names before the second event by alphabet": 3,
    "event with the longest name": "other",
    "event named last": "second",
    "names are in the order of the alphabet": False,
    "place of the first sentence with the second event": 2,
    "place of the last sentence with the first event": 1,
    "side at first of the first event": "left",
    "point at last of the first event": "start",
    "neighbours of the first event": 2,
    "event of the claim that is named first": "first",
    "neighbours that the claim's events share": 1,
    "sentences between the claim's events": 2,
    "the last sentence names an event of the claim": True,
    "characters": len(PREMISE),
    "an even number of characters": len(PREMISE) % 2 == 0,
    "half of the longest sentence": True,
    "ends with a full stop": False,
    "number of before sentences": 2,
    "an even number of after sentences": False,
    "place of the first after sentence": 1,
    "first two orders": "before after",
    "first and third order are the same": True,
    "first and last order are the same": True,
    "last two left points": "start end",
    "changes of order": 2,
    "longest run of an order": 1,
    "the first two sentences share an event": True,
    "the last two sentences share an event": False,
    "neighbouring sentences that share an event": 1,
    "number of verbs": 2,
    "most frequent verb": "fell",
}


def test_the_properties_of_an_item() -> None:
    claim = "Fair happens before Vigil"
    seen = sample(record(PREMISE, claim), reader(Domain.TEMPORAL).read("1", PREMISE, claim))
    assert seen is not None
    assert seen.names == ("Fair", "Vigil", "Fair", "Big Race", "Gala", "Vigil")
    view = Seen([seen.premise], [seen.claim], [seen.steps], [("Fair", "Vigil")], [seen.names[2:]])
    found = {
        name: column.values[int(column.codes[0])]
        for name, column in zip(PROPERTIES, values(view), strict=True)
    }
    assert {name: found[name] for name in EXPECTED} == EXPECTED


def test_an_item_that_was_not_read_has_properties() -> None:
    found = values(Seen(["Rain. Wind"], ["A claim"], [()], [("", "")], [()]))
    assert len(found) == len(PROPERTIES) == len(set(PROPERTIES))
