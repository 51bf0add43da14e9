"""The probes of items: what they see, and planted shortcuts that they find."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Item, Label
from grammar.eventhop.reader import reader
from solver.eventhop.artefacts import Artefacts, deduplicate, duplicates, measure
from solver.eventhop.io import read_records
from solver.eventhop.probes import COLUMNS, LIMIT, PROBES, Sample, sample, surface
from solver.eventhop.records import ItemPlace, Record
from solver.probes.probe import ProbeLevel, ProbeResult

ItemMaker = Callable[[str, str], Item]
Labeller = Callable[[random.Random, str], Label]

LABELS = tuple(Label)
RELATIONS = ("before", "after", "overlaps")
NAMES = ("fair", "race", "parade", "regatta", "market", "concert", "vigil", "picnic")


def drawn(count: int, label: Labeller, seed: int = 1) -> list[Sample]:
    """Samples with random texts, and a label that may depend on the claim."""
    source = random.Random(seed)
    made = []
    for number in range(count):
        relation = source.choice(RELATIONS)
        a, b, c, d = source.sample(NAMES, 4)
        premise = (
            f"The end of {a} happened {source.choice(('before', 'after'))} the start of {c} in "
            f"{number}. The start of {d} happened after the end of {b}"
        )
        claim = f"the {a} {relation} the {b}"
        counts = [0.0] * len(COLUMNS)
        counts[RELATIONS.index(relation)] = 1
        counts[COLUMNS.index("distance")] = source.randrange(1, 6)
        made.append(
            Sample(
                id=str(number),
                premise=premise,
                claim=claim,
                gold=label(source, relation),
                relation=relation,
                events=source.choice((4, 5, 9)),
                relations=source.choice((4, 9)),
                counts=tuple(counts),
                graph=number,
                timeline=number,
            )
        )
    return made


def at_random(source: random.Random, _: str) -> Label:
    return source.choice(LABELS)


def by_claim(_: random.Random, relation: str) -> Label:
    return LABELS[RELATIONS.index(relation)]


def by_claim_a_little(source: random.Random, relation: str) -> Label:
    weights = (1, 1, 0.05) if relation == "overlaps" else (1, 1, 1.3)
    return source.choices(LABELS, weights)[0]


def result(found: Artefacts, name: str) -> ProbeResult:
    return next(guess for guess in found.guesses if guess.name == name)


def leaking(found: Artefacts) -> set[str]:
    return {guess.name for guess in found.guesses if guess.shortcut}


def warned(found: Artefacts) -> list[str]:
    return [finding.sentence for finding in found.findings if finding.warning]


def test_a_label_determined_by_the_claim_is_predicted() -> None:
    found = measure(drawn(600, by_claim))
    for name in ("the claim's relation", "the words of the claim", "lengths"):
        assert result(found, name).accuracy == pytest.approx(1.0, abs=0.002)
    assert not result(found, "the premise graph, memorised").shortcut
    assert found.by_claim.association == pytest.approx(1.0, abs=0.01)
    assert any("the claim's relation predicts the label" in name for name in warned(found))


DISTANCE = COLUMNS.index("distance")
ORDERS = {"true": "then so it", "false": "so then it", "undefined": "it then so"}

PLANTED = {
    "the words of premise and claim": lambda value, mark: replace(
        value, premise=f"{value.premise} {mark}"
    ),
    "sequences of 2 to 4 words": lambda value, mark: replace(
        value, premise=f"{value.premise}. {ORDERS[mark]}"
    ),
    "neighbours and distance of the claim's events": lambda value, mark: replace(
        value, counts=(*value.counts[:DISTANCE], 9 + len(mark), *value.counts[DISTANCE + 1 :])
    ),
    "the premise graph, memorised": lambda value, mark: replace(value, graph=-len(mark)),
    "the premise graph and claim, memorised": lambda value, mark: replace(
        value, timeline=-len(mark)
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_in_a_tenth_of_the_items_is_found(name: str) -> None:
    samples = []
    for number, drawn_sample in enumerate(drawn(1800, at_random)):
        samples.append(
            PLANTED[name](drawn_sample, drawn_sample.gold.value)
            if number % 10 == 0
            else drawn_sample
        )
    found = measure(samples)
    assert name in leaking(found)
    (message,) = (text for text in warned(found) if f"probe on {name} " in text)
    assert " items (such as " in message


@pytest.mark.parametrize("seed", range(2))
def test_random_labels_stay_at_chance(seed: int) -> None:
    found = measure(drawn(900, at_random, seed))
    assert len(found.guesses) == len(PROBES)
    assert not leaking(found)
    assert warned(found) == []


def test_weak_leakage_is_found() -> None:
    found = measure(drawn(2400, by_claim_a_little))
    assert result(found, "the claim's relation").shortcut
    (sentence,) = (name for name in warned(found) if "depends on the claim relation" in name)
    assert "items are undefined for `overlaps` in " in sentence


def test_a_shortcut_of_one_split_is_none_in_another() -> None:
    """The probes of a test split are fitted on train: what is memorised must occur there."""
    labels = {n: LABELS[n % 3] for n in range(900)}
    samples = [
        replace(drawn_sample, graph=n % 90, gold=labels[n % 90])
        for n, drawn_sample in enumerate(drawn(900, at_random))
    ]
    name = "the premise graph, memorised"
    assert result(measure(samples), name).accuracy == 1
    other = [replace(each_sample, graph=1000) for each_sample in samples]
    assert result(measure(samples, other), name).accuracy == pytest.approx(1 / 3, abs=0.02)
    assert result(measure(samples, samples), name).accuracy == 1


def test_the_order_of_the_items_does_not_matter() -> None:
    samples = drawn(400, by_claim_a_little)
    shuffled = samples[:]
    random.Random(5).shuffle(shuffled)
    assert measure(samples) == measure(shuffled)


def test_only_fast_probes_are_run_at_their_level() -> None:
    found = measure(drawn(200, at_random), level=ProbeLevel.FAST)
    assert [guess.name for guess in found.guesses] == [probe.name for probe in PROBES if probe.fast]
    assert measure(drawn(200, at_random), level=ProbeLevel.NONE).guesses == ()


def figures(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from figures(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from figures(inner)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize("size", [0, 2, 40, 300])
def test_every_figure_is_finite_and_json(size: int) -> None:
    written = json.dumps(measure(drawn(size, by_claim)).to_json(), allow_nan=False)
    assert all(math.isfinite(figure) for figure in figures(json.loads(written)))


def test_more_than_the_limit_is_rejected() -> None:
    with pytest.raises(ValueError, match="at most"):
        measure([Sample(premise="", claim="", gold=Label.TRUE)] * (LIMIT + 1))


def record(premise: str, claim: str, label: Label | None = Label.UNDEFINED) -> Record:
    return Record(
        id="1",
        premise=premise,
        claim=claim,
        gold=None if label is None else "Impossible",
        label=label,
        place=ItemPlace(file="f", line=1),
    )


def test_the_surface_of_an_item(item_of: ItemMaker) -> None:
    item = item_of("A+ < B-, B+ = C-, A+ < C-, D- > E+", "A before C")
    counts = {name: number for name, number in surface("p", item).items() if number}
    assert counts == {
        "claim is before": 1,
        "words": 1,
        "characters": 1,
        "sentences": 4,
        "events": 5,
        "sentences end before start": 2,
        "sentences end simultaneous start": 1,
        "sentences start after end": 1,
        "mentions of the first event": 2,
        "mentions of the second event": 2,
        "sentences with both": 1,
        "end of the first event is earlier": 2,
        "start of the second event is simultaneous": 1,
        "start of the second event is later": 1,
        "neighbours of the first event": 2,
        "neighbours of the second event": 2,
        "distance": 1,
        "connected parts": 2,
        "last mention of the first event": 0.5,
        "first mention of the second event": 0.25,
        "last mention of the second event": 0.5,
    }


def test_a_sample_of_an_item(item_of: ItemMaker) -> None:
    seen = sample(record("p", "c"), item_of("A+ < B-, B+ = C-, A+ < C-", "A overlaps B"))
    assert seen is not None
    shown = (seen.gold, seen.relation, seen.events, seen.relations)
    assert shown == (Label.UNDEFINED, "overlaps", 3, 3)
    renamed = sample(record("p", "c"), item_of("X+ < C-, B+ = C-, X+ < B-", "B overlaps C"))
    assert renamed is not None
    assert renamed.graph == seen.graph
    assert renamed.timeline != seen.timeline
    pointed = sample(record("p", "c"), item_of("", "A+ < B-"))
    assert pointed is not None
    assert pointed.relation == "end before start"
    unread = sample(record("p", "c"), None)
    assert unread is not None
    assert unread.counts == ()
    assert sample(record("p", "c", None), None) is None


def test_names_are_masked() -> None:
    premise = "The end of Fair happened before the start of Fair at Oldham"
    claim = "Fair at Oldham happens before Fair"
    item = reader(detect(premise, claim)).read("1", premise, claim, names={"Fair at Oldham"})
    seen = sample(record(premise, claim), item)
    assert seen is not None
    assert seen.masked() == (
        "The end of SECOND happened before the start of FIRST. FIRST happens before SECOND"
    )


PREMISE = (
    "The end of fair happened before the start of race. The end of race preceded the end of vigil"
)
TURNED = (
    "the end of race preceded the end of vigil. the end of fair happened before the start of race."
)


def test_a_name_that_is_a_role_or_part_of_a_name_is_masked_once() -> None:
    names = ("SECOND", "FIRST X", "X", "FIRST")
    seen = Sample(premise="X, FIRST X, SECOND", claim="FIRST", gold=Label.TRUE, names=names)
    assert seen.masked() == "X, SECOND, FIRST. X"


def test_reordered_duplicates_are_found() -> None:
    made_sample = Sample(premise=PREMISE, claim="the fair happens before the race", gold=Label.TRUE)
    samples = [
        made_sample,
        made_sample,
        replace(made_sample, premise=TURNED),
        replace(made_sample, claim="The fair happens after the race"),
        replace(made_sample, claim="The fair happens after the race.", gold=Label.FALSE),
    ]
    found = duplicates(samples)
    assert (found.texts, found.repeated, found.reordered, found.conflicting) == (2, 3, 2, 1)
    assert len(deduplicate(samples)) == 2
    assert any(
        s.startswith("Repeats of an earlier item: 3, of these 2") for s in warned(measure(samples))
    )


def published_samples(path: Path) -> Sequence[Sample]:
    samples = []
    for record in islice(read_records(path), 0, None, 2):
        assert isinstance(record, Record)
        item = reader(detect(record.premise, record.claim)).read(
            record.id, record.premise, record.claim
        )
        seen = sample(record, item)
        assert seen is not None
        samples.append(seen)
    return samples


def test_the_published_items_have_shortcuts(shared: Path) -> None:
    found = measure(published_samples(shared / "data" / "eventhop" / "temporal_test.tsv.gz"))
    rows = {row.name: row for row in found.by_claim.rows}
    orders = [rows["before"], rows["after"]]
    undefined = sum(row.counts["undefined"] for row in orders) / sum(row.total for row in orders)
    assert round(100 * rows["overlaps"].share("undefined")) == 2
    assert undefined == pytest.approx(0.39, abs=0.015)
    assert {
        "the claim's relation",
        "kinds of sentence",
        "mentions of the claim's events",
    } < leaking(found)
    assert found.duplicates.repeated == 0
