"""The reader that is compiled from the proofs: published texts, and texts with traps."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.eventhop.model import Policy, SpatialReading
from solver.eventhop import check
from solver.eventhop.certificates.proved import (
    FORMS,
    Compiled,
    NoProvedCheckerError,
    _predicates,
    _with_texts,
    item_line,
)
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.records import Record
from solver.verification.run import verify

SIZES = {"temporal_test": 2400, "temporal_train": 720, "spatial_test": 720, "logical_test": 720}
BEFORE = "The end of Fair happened before the start of Tide"
ITEM = "1 1 0 2 0 0 1"
"""Fair ends before Tide starts; Fair happens before Tide."""


def read(checker: Compiled, premise: str, claim: str, domain: str = "temporal") -> str | None:
    return checker.readings([(domain, "geometric", premise, claim)])[0]


@pytest.mark.parametrize(
    ("name", "spatial"), [*((name, "geometric") for name in SIZES), ("spatial_test", "published")]
)
def test_every_published_text_is_read(
    checker: Compiled, shared: Path, name: str, spatial: str
) -> None:
    records = read_records(shared / "data" / "eventhop" / f"{name}.tsv.gz")
    step = 1 if checker.name == "native" else 5
    texts = [
        (name.partition("_")[0], spatial, record.premise, record.claim)
        for record in list(records)[::step]
        if isinstance(record, Record)
    ]
    assert len(texts) == SIZES[name] // step
    stated = (check.read_texts(p, c, domain, form) for domain, form, p, c in texts)
    assert checker.readings(texts) == [item_line(check.Item(each)) for each in stated]


@pytest.mark.slow
@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize(
    ("name", "spatial"), [*((name, "geometric") for name in SIZES), ("spatial_test", "published")]
)
def test_every_published_verdict_is_proved_from_the_texts(
    built: Path, shared: Path, name: str, spatial: str, policy: Policy
) -> None:
    assert (built / "check").is_file()
    settings = ItemSettings(policy=policy, spatial=SpatialReading(spatial), proved=True)
    file = shared / "data" / "eventhop" / f"{name}.tsv.gz"
    report = verify(file, "eventhop", config=settings)
    assert report.metrics["proved_reader"] == report.rows == SIZES[name]


@pytest.mark.parametrize(
    ("premise", "claim", "item"),
    [
        (BEFORE, "Fair happens before Tide", ITEM),
        (f"{BEFORE}.", "The Fair happens before the Tide.", ITEM),
        (BEFORE.replace("The end", "End").replace("Fair", "the fair"), "Fair happens before Tide",
         ITEM),
        (f"{BEFORE}. The start of Cup coincided with start of Tide", "Cup overlaps with Fair",
         "2 1 0 2 4 2 2 2 2 0"),
        (f"{BEFORE}.", "The start of Fair happened before the end of Tide", "1 1 0 2 3 0 3"),
        ("", "Fair starts with but ends before Tide", "0 11 0 1"),
        (BEFORE.replace("Fair", "Wolf’s Den"), "Wolf's Den happens before Tide", ITEM),
        ("", "Fair happens before Fair", "0 0 0 0"),
        ("The start of A Fair happened before the start of Tide", "A Fair happens before Tide",
         None),
        ("The end of Fair never happened before the start of Tide", "Fair happens before Tide",
         None),
        (BEFORE, "Fair happens before Tide Fair", None),
        (BEFORE, "Fair Tide starts and ends with but starts after Tide", None),
        (f"{BEFORE}..", "Fair happens before Tide", None),
        (f" {BEFORE}", "Fair happens before Tide", None),
        (f"{BEFORE}. ", "Fair happens before Tide", None),
        (".", "Fair happens before Tide", None),
        ("", "", None),
    ],
)  # fmt: skip
def test_readings(checker: Compiled, premise: str, claim: str, item: str | None) -> None:
    assert read(checker, premise, claim) == item


@pytest.mark.parametrize(
    ("premise", "item"),
    [
        ("Fair began before Tide.", "1 0 0 2 0 0 1"),
        ("The Fair began before the tide ended.", "1 0 0 3 0 0 1"),
        ("Fair was held after Tide began", "1 0 1 2 0 0 1"),
        ("Fair took place during Tide. Cup preceded Fair",
         "3 0 1 2 1 0 3 5 0 0 0 0 1"),
        ("Fair started and finished at the same time as Tide", None),
        ("Fair was before Tide", ITEM),
        ("Fair was over before Tide began", ITEM),
        ("Fair ended before Tide had started", ITEM),
        ("Fair ended at the same time as Tide had started", None),
        ("Fair began at the latest when Tide ended", None),
        ("Fair began no later than Tide began", "1 0 3 2 0 0 1"),
        ("fair began before Tide", None),  # small letters begin no sentence
        ("the Fair began before Tide", None),
        ("Fair began before Tide. The end of Cup happened before the start of Tide", None),
        ("Cup began before tide ended. Tide began after Fair", None),  # one event or two
        ("Fair began before Tide lie", None),  # a verb is no part of a name
        ("Fair began before Tide opened the Cup", None),
        ("Fair began before Tide and Cup", None),
        ("Fair never began before Tide", None),
        ("Fair began before", None),
        ("Fair began before the", None),
        ("Began before Tide", None),
    ],
)  # fmt: skip
def test_sentences_about_events(checker: Compiled, premise: str, item: str | None) -> None:
    tide = "tide" if "the tide" in premise else "Tide"
    assert read(checker, premise, f"Fair happens before {tide}") == item


@pytest.mark.parametrize(
    ("claim", "item"),
    [
        ("Fair happened before Tide.", "1 1 0 2 0 0 1"),
        ("The Fair took place strictly before the Tide", "1 1 0 2 6 0 1"),
        ("Fair took place after Tide ended", "1 1 0 2 4 0 3"),
        ("Tide began no later than Fair", "1 1 0 2 19 2 0"),
        ("Tide took place during Fair", "1 1 0 2 14 1 0"),
        ("Cup met Tide", "1 1 0 2 5 5 2"),
        ("Fair overlapped Fair", None),
        ("Tide began during Fair", None),  # no claim of any kind
        ("fair happened before Tide", None),
        ("Fair happened before Tide and Cup", None),
        ("Fair happened before Tide. Fair happened before Tide", None),
    ],
)
def test_claims_with_verbs(checker: Compiled, claim: str, item: str | None) -> None:
    assert read(checker, "Fair ended before Tide began.", claim) == item
    assert read(checker, BEFORE, claim) == item
    if item is not None:
        stated = check.read_texts(BEFORE, claim, "temporal", "geometric")
        assert item_line(check.Item(stated)) == item


@pytest.mark.parametrize("form", [form for form in FORMS if form[0] != "logical"])
def test_phrases_between_events_mean_what_they_mean_to_the_other_reader(
    checker: Compiled, form: tuple[str, str]
) -> None:
    closings, closed, continued, predicates = _predicates(*form)
    sentences = []
    verbs = [(chr(letter) + rest, after) for letter, some in predicates for rest, after in some]
    used = set[object]()
    for verb, after in verbs:
        for link, meaning in continued[after]:
            for number, *_ in closed[meaning]:
                for closing in closings[number]:
                    # Each phrase with one of each kind of the others.
                    marks = {(verb, meaning), (after, link, number), (after, meaning, closing)}
                    if not marks <= used:
                        sentences.append(f"Fair {verb}{link} the Tide {closing}".rstrip())
                        used |= marks
    claim = "Fair is directly west of Tide" if form[0] == "spatial" else "Fair happens before Tide"
    step = 1 if checker.name == "native" else 25
    texts = [(*form, sentence, claim) for sentence in sentences[::step]]
    assert len(texts) > (40 if form[1] == "published" else 400) / step
    found = [item_line(check.Item(check.read_texts(*text[2:], *form))) for text in texts]
    assert checker.readings(texts) == found
    claims = [(*form, "", sentence) for sentence in sentences[::step]]
    found_claims = checker.readings(claims)
    assert sum(item is not None for item in found_claims) > len(claims) / 2
    for (*_, sentence), item in zip(claims, found_claims, strict=True):
        if item is not None:
            assert item == item_line(check.Item(check.read_texts("", sentence, *form)))


def test_names_may_have_small_words(checker: Compiled) -> None:
    premise = "The Siege of the Old Fort at Rome began before the Fair in May ended"
    claim = "Siege of the Old Fort at Rome happens before Fair in May"
    assert read(checker, premise, claim) == "1 0 0 3 0 0 1"


@pytest.mark.parametrize(("size", "given"), [(20_000, True), (20_001, False)])
def test_longer_premises_are_not_given(size: int, given: bool) -> None:
    row = {"premise": "x" * size, "claim": "y", "domain": "temporal", "spatial": "geometric"}
    assert _with_texts(row).startswith("texts 0 ") == given


def test_symbols_are_read(checker: Compiled) -> None:
    assert read(checker, "tide2 < mill1. mill1 = ab2", "tide met_by ab", "logical") == (
        "2 1 0 2 2 2 5 17 0 2"
    )
    assert read(checker, "tide2 < mill1", "mill1 > tide2", "logical") == "1 1 0 2 4 2 1"
    assert read(checker, "tide2<mill1", "tide < mill", "logical") is None


def test_an_edge_is_a_start_by_the_reading(checker: Compiled) -> None:
    premise = "western edge of Fair lies west of eastern edge of Tide"
    claim = "Fair is directly west of Tide"
    texts = [("spatial", spatial, premise, claim) for spatial in ("geometric", "published")]
    assert checker.readings(texts) == ["1 0 0 3 7 0 1", "1 1 0 2 7 0 1"]


def test_long_texts_are_read_or_left_unread(checker: Compiled) -> None:
    """The stack of JavaScript is small."""
    sentences = [
        f"The end of Fair {n} happened before the start of Fair {n + 1}" for n in range(1_000)
    ]
    item = read(checker, ". ".join(sentences), "Fair 0 happens before Fair 1")
    assert item is None or item.startswith("1000 1 0 2 3 0 4")
    assert (item is None) <= (checker.name == "JavaScript")


def test_a_wording_that_is_refused_ends_the_run(
    checker: Compiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(check.NAMES, "operators", "éa not")
    with pytest.raises(NoProvedCheckerError, match="table of phrases"):
        read(checker, BEFORE, "Fair happens before Tide")
