"""Artefact checks on data whose answer is known."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grammar.reader import detect, reader
from solver.artefacts import LIMIT, Artefacts, Sample, measure, sample
from solver.artefacts.balance import Cell, balance
from solver.artefacts.duplicates import duplicates, once
from solver.artefacts.features import Seen
from solver.artefacts.guess import MARGIN, Guess, guess
from solver.model import Item, Label
from solver.reading import read_records
from solver.records import Place, Record

ItemMaker = Callable[[str, str], Item]

LABELS = tuple(Label)
RELATIONS = ("before", "after", "overlaps")
NAMES = ("fair", "race", "parade", "regatta", "market", "concert", "vigil", "picnic")


def drawn_samples(
    count: int, label: Callable[[random.Random, str, list[int]], Label], seed: int = 1
) -> list[Sample]:
    """Samples with random texts, and a label that may look at the claim and at the kinds."""
    source = random.Random(seed)
    made = []
    for number in range(count):
        relation = source.choice(RELATIONS)
        a, b, c, d = source.sample(NAMES, 4)
        kinds = [source.randrange(4) for _ in range(12)]
        order = source.choice(("before", "after"))
        made.append(
            Sample(
                premise=f"The end of {a} happened {order} the start of {c} in {number}. "
                f"The start of {d} happened after the end of {b}",
                claim=f"the {a} {relation} the {b}",
                gold=label(source, relation, kinds),
                relation=relation,
                events=source.choice((4, 5, 9)),
                relations=source.choice((4, 9)),
                kinds=tuple(kinds),
            )
        )
    return made


def at_random(source: random.Random, *_: object) -> Label:
    return source.choice(LABELS)


def by_claim(_: random.Random, relation: str, __: list[int]) -> Label:
    return LABELS[RELATIONS.index(relation)]


def by_kinds(_: random.Random, __: str, kinds: list[int]) -> Label:
    return LABELS[(kinds[0] > 1) + (kinds[3] > 1)]


def by_claim_a_little(source: random.Random, relation: str, _: list[int]) -> Label:
    weights = (1, 1, 0.05) if relation == "overlaps" else (1, 1, 1.3)
    return source.choices(LABELS, weights)[0]


def guessed(found: Artefacts, seen: Seen) -> Guess:
    return next(tried for tried in found.guesses if tried.seen is seen)


def figures(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from figures(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from figures(inner)
    elif isinstance(value, float):
        yield value


def sentences(found: Artefacts, *, warning: bool) -> list[str]:
    return [finding.sentence for finding in found.findings if finding.warning is warning]


# --- guesses --------------------------------------------------------------------------------------


def test_a_label_that_the_claim_determines_is_guessed() -> None:
    found = measure(drawn_samples(600, by_claim))
    for seen in (Seen.CLAIM_RELATION, Seen.CLAIM_WORDS, Seen.WORDS):
        tried = guessed(found, seen)
        assert tried.macro_f1 == pytest.approx(1.0, abs=0.002)
        assert tried.gives_away
    assert not guessed(found, Seen.COUNTS).gives_away
    assert found.by_claim.association == pytest.approx(1.0, abs=0.01)
    assert any("claim's relation gives the label away" in s for s in sentences(found, warning=True))


def test_a_label_that_the_counts_determine_is_guessed_from_them_only() -> None:
    found = measure(drawn_samples(1200, by_kinds))
    tried = guessed(found, Seen.COUNTS)
    assert tried.macro_f1 is not None
    assert tried.macro_f1 > 0.75
    assert not any(guessed(found, seen).gives_away for seen in Seen if seen is not Seen.COUNTS)


def test_a_word_of_the_premise_that_tells_the_label_is_noticed() -> None:
    told = {Label.TRUE: "calmly", Label.FALSE: "loudly", Label.UNDEFINED: "oddly"}
    samples = [
        replace(one, premise=f"{one.premise} {told[one.gold]}")
        for one in drawn_samples(600, at_random)
    ]
    found = measure(samples)
    assert guessed(found, Seen.WORDS).macro_f1 == pytest.approx(1.0, abs=0.01)
    assert not guessed(found, Seen.CLAIM_WORDS).gives_away


@pytest.mark.parametrize("seed", range(3))
def test_random_labels_stay_at_chance(seed: int) -> None:
    found = measure(drawn_samples(900, at_random, seed))
    for tried in found.guesses:
        assert tried.chance == pytest.approx(1 / 3, abs=0.01)
        assert tried.macro_f1 == pytest.approx(1 / 3, abs=0.05)
        assert not tried.gives_away
    assert sentences(found, warning=True) == []


@pytest.mark.parametrize("weights", [(1, 1, 1), (8, 1, 1), (30, 1, 4), (1, 20, 20)])
def test_chance_is_one_in_k_however_the_labels_are_balanced(weights: tuple[int, ...]) -> None:
    def unevenly(source: random.Random, *_: object) -> Label:
        return source.choices(LABELS, weights)[0]

    tried = guess(once(drawn_samples(1500, unevenly)), Seen.CLAIM_RELATION)
    assert tried.chance == pytest.approx(1 / 3, abs=0.01)
    assert not tried.gives_away


def test_a_little_is_noticed_too() -> None:
    found = measure(drawn_samples(2400, by_claim_a_little))
    tried = guessed(found, Seen.CLAIM_RELATION)
    assert tried.macro_f1 is not None
    assert tried.chance is not None
    assert MARGIN < tried.macro_f1 - tried.chance < 0.1
    assert tried.gives_away
    (told,) = [s for s in sentences(found, warning=True) if "depends on what is claimed" in s]
    assert "items are undefined for `overlaps` in " in told


def test_figures_stand_in_order() -> None:
    for label in (at_random, by_claim, by_kinds, by_claim_a_little):
        for tried in measure(drawn_samples(300, label)).guesses:
            assert tried.macro_f1 is not None
            assert tried.low is not None
            assert tried.high is not None
            assert tried.chance is not None
            assert tried.chance_high is not None
            assert 0 <= tried.low <= tried.macro_f1 <= tried.high <= 1
            assert 0 < tried.chance < tried.chance_high < 1


def test_the_order_of_the_items_does_not_matter() -> None:
    samples = drawn_samples(400, by_claim_a_little)
    shuffled = samples[:]
    random.Random(5).shuffle(shuffled)
    assert measure(samples) == measure(shuffled)


# --- small and odd sets ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("samples", "note"),
    [
        ([], "no items"),
        (drawn_samples(3, by_claim), "too few"),
        (drawn_samples(50, lambda *_: Label.TRUE), "50 true"),
        ([Sample(premise="", claim="", gold=Label.TRUE)] * 40, "1 true"),
    ],
    ids=["empty", "three", "one label", "all the same"],
)
def test_degenerate_sets_are_told(samples: Sequence[Sample], note: str) -> None:
    found = measure(samples)
    for tried in found.guesses:
        assert tried.macro_f1 is None
        assert note in tried.note
        assert not tried.gives_away
    assert any("was not measured: too few" in s for s in sentences(found, warning=False))


def test_a_rare_label_is_left_out_and_told() -> None:
    samples = [
        replace(one, gold=Label.UNDEFINED if number < 4 else LABELS[number % 2])
        for number, one in enumerate(drawn_samples(300, at_random))
    ]
    tried = guessed(measure(samples), Seen.CLAIM_RELATION)
    assert tried.items == 296
    assert tried.note == "left out, too few: 4 undefined"
    assert tried.chance == pytest.approx(1 / 2, abs=0.02)


def test_texts_without_words_are_told() -> None:
    samples = [
        Sample(premise="." * number, claim="", gold=LABELS[number % 2]) for number in range(40)
    ]
    found = measure(samples)
    assert guessed(found, Seen.CLAIM_WORDS).macro_f1 is None
    assert found.by_claim.rows == ()


def test_every_figure_is_finite_and_json() -> None:
    for samples in (
        [],
        drawn_samples(2, at_random),
        drawn_samples(40, by_claim),
        drawn_samples(300, at_random),
    ):
        plain = measure(samples).to_json()
        written = json.dumps(plain, allow_nan=False)
        assert all(math.isfinite(figure) for figure in figures(json.loads(written)))


def test_more_than_the_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="at most"):
        measure([Sample(premise="", claim="", gold=Label.TRUE)] * (LIMIT + 1))


# --- balance --------------------------------------------------------------------------------------


def cells(table: Sequence[Sequence[int]]) -> list[Cell]:
    return [
        Cell(key=(row,), name=f"row {row}", label=f"label {column}")
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("table", "association", "uneven"),
    [
        ([[50, 0], [0, 50]], 1.0, True),
        ([[50, 50], [50, 50]], 0.0, False),
        ([[90, 10], [10, 90]], 0.8, True),
        ([[3, 2], [1, 4]], 0.25, False),
    ],
)
def test_association_of_known_tables(
    table: Sequence[Sequence[int]], association: float, uneven: bool
) -> None:
    found = balance("row", cells(table))
    assert found.association == pytest.approx(association, abs=0.03)
    assert found.uneven is uneven
    assert [list(row.counts.values()) for row in found.rows] == [list(row) for row in table]


def test_many_small_cells_of_random_labels_show_no_association() -> None:
    """The plain figure would be far from 0 here: it grows with the number of cells."""
    source = random.Random(3)
    found = balance(
        "cell",
        [
            Cell(key=(number % 60,), name=str(number % 60), label=source.choice(LABELS).value)
            for number in range(300)
        ],
    )
    assert found.association is not None
    assert found.association < 0.2
    assert not found.uneven


def test_one_row_or_one_label_has_nothing_to_compare() -> None:
    assert balance("row", cells([[5, 7]])).association is None
    assert balance("row", cells([[5], [7]])).association is None
    assert balance("row", []).rows == ()


# --- duplicates -----------------------------------------------------------------------------------

PREMISE = (
    "The end of fair happened before the start of race. The end of race preceded the end of vigil"
)
TURNED = (
    "the end of race preceded the end of vigil. the end of fair happened before the start of race."
)


def test_duplicates_are_found_also_in_another_order() -> None:
    one = Sample(premise=PREMISE, claim="the fair happens before the race", gold=Label.TRUE)
    samples = [
        one,
        one,
        replace(one, premise=TURNED),
        replace(one, claim="The fair happens after the race"),
        replace(one, claim="The fair happens after the race.", gold=Label.FALSE),
    ]
    found = duplicates(samples)
    assert (found.texts, found.repeated, found.reordered, found.conflicting) == (2, 3, 2, 1)
    assert len(once(samples)) == 2
    told = sentences(measure(samples), warning=True)
    assert any(s.startswith("Repeats of an earlier item: 3, of these 2") for s in told)


def test_different_items_are_no_duplicates() -> None:
    samples = drawn_samples(200, at_random)
    assert duplicates(samples).repeated == 0
    assert "No item occurs twice." in sentences(measure(samples), warning=False)


# --- records --------------------------------------------------------------------------------------


def test_a_sample_holds_what_a_guesser_may_see(item_of: ItemMaker) -> None:
    record = Record(
        id="1",
        premise="p",
        claim="c",
        gold="Impossible",
        label=Label.UNDEFINED,
        place=Place(file="f", line=1),
    )
    seen = sample(record, item_of("A+ < B-, B+ = C-, A+ < C-", "A overlaps B"))
    assert seen is not None
    assert (seen.gold, seen.relation, seen.events, seen.relations) == (
        Label.UNDEFINED,
        "overlaps",
        3,
        3,
    )
    assert sorted(seen.kinds)[-2:] == [1, 2]
    pointed = sample(record, item_of("", "A+ < B-"))
    assert pointed is not None
    assert pointed.relation == "end before start"
    unread = sample(record, None)
    assert unread is not None
    assert unread.kinds == ()
    assert sample(replace(record, gold=None, label=None), None) is None


def test_the_published_wording_gives_labels_away(shared: Path) -> None:
    samples = []
    for record in read_records(shared / "data" / "eventhop" / "temporal_test.tsv.gz"):
        assert isinstance(record, Record)
        item = reader(detect(record.premise, record.claim)).read(
            record.id, record.premise, record.claim
        )
        seen = sample(record, item)
        assert seen is not None
        samples.append(seen)
    began = time.perf_counter()
    found = measure(samples)
    assert time.perf_counter() - began < 10
    rows = {row.name: row for row in found.by_claim.rows}
    orders = [rows["before"], rows["after"]]
    undefined = sum(row.counts["undefined"] for row in orders) / sum(row.total for row in orders)
    assert round(100 * rows["overlaps"].share("undefined")) == 2
    assert round(100 * undefined) == 39
    assert all(tried.gives_away for tried in found.guesses)
    assert found.duplicates.repeated == 0
