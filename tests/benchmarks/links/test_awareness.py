"""Temporal awareness: the worked examples of all profiles, and a brute force."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.links.awareness import (
    Counts,
    Inconsistent,
    InconsistentError,
    Profile,
    awareness,
    score_links,
)
from benchmarks.links.run import LinkRun, LinkScoring, agreement, report
from grammar.links.model import INVERSE, Document, Interpretation, Link, Node, RelationType
from solver.cli import run

WORDS = {"<": "BEFORE", "DCT": "BEFORE"}
ONE = ("A < B, B < C, A < C", "A < C, C AFTER B")
ONE_B = ("A < C, A < B, B < C", "A < C, C AFTER B")
TWO = ("A INCLUDES B, B DURING C, C < D", "B IDENTITY C, A INCLUDES C, B < D, D < A")
THREE = ("A < B, B < C, C < A, C < D", "A < C, C < A, B < D")
FOUR = ("A < t0, B IS_INCLUDED t0, C AFTER t0", "A < B, C AFTER t0, B IBEFORE C")
FIVE = ("A SIMULTANEOUS D, D BEGINS B", "A BEGINS B")


def document(text: str) -> Document:
    links = []
    for n, part in enumerate(text.split(", ")):
        left, relation, right = part.split()
        known = RelationType(WORDS.get(relation, relation))
        links.append(Link(id=str(n), left=left, right=right, relation=known))
    nodes = {name: Node(id=name) for link in links for name in (link.left, link.right)}
    return Document(name="d", nodes=nodes, links=tuple(links))


def fractions(example: tuple[str, str], profile: Profile) -> tuple[str, str]:
    found = awareness(document(example[0]), document(example[1]), profile=profile)
    return f"{found.system}/{found.system_links}", f"{found.gold}/{found.gold_links}"


@pytest.mark.parametrize(
    ("example", "profile", "precision", "recall"),
    [
        (ONE, Profile.TEMPEVAL3, "2/2", "1/2"),
        (ONE, Profile.REDUCED, "2/2", "1/2"),
        (ONE, Profile.ACL11, "4/4", "4/6"),
        (ONE, Profile.TIEVAL, "2/2", "2/3"),
        (ONE_B, Profile.TEMPEVAL3, "2/2", "2/3"),
        (ONE_B, Profile.REDUCED, "2/2", "1/2"),
        (ONE_B, Profile.ACL11, "4/4", "4/6"),
        (ONE_B, Profile.TIEVAL, "2/2", "2/3"),
        (TWO, Profile.TEMPEVAL3, "3/4", "3/3"),
        (TWO, Profile.ACL11, "6/8", "6/6"),
        (TWO, Profile.TIEVAL, "3/4", "0/3"),
        (THREE, Profile.TEMPEVAL3, "3/3", "1/4"),
        (THREE, Profile.ACL11, "6/6", "2/8"),
        (THREE, Profile.TIEVAL, "0/3", "0/4"),
        (FOUR, Profile.TEMPEVAL3, "2/3", "1/3"),
        (FOUR, Profile.REDUCED, "2/3", "1/3"),
        # The scorer's own answer is 0/1 and 0/2: its BEGINS never follows.
        (FIVE, Profile.TEMPEVAL3, "1/1", "0/2"),
        (("A < C", "A SIMULTANEOUS B, A < C, B < C"), Profile.REDUCED, "0/2", "1/1"),
    ],
)
def test_worked_examples(
    example: tuple[str, str], profile: Profile, precision: str, recall: str
) -> None:
    assert fractions(example, profile) == (precision, recall)


def test_f1() -> None:
    assert Counts(system=2, system_links=2, gold=1, gold_links=2).f1 == pytest.approx(2 / 3)
    assert Counts(system=0, system_links=0, gold=0, gold_links=2).f1 == 0


NAMES = "ABC"
LINES = [
    (a, b, c, d, e, f)
    for a in range(6) for b in range(a + 1, 6) for c in range(6) for d in range(c + 1, 6)
    for e in range(6) for f in range(e + 1, 6)
    if len({a, b, c, d, e, f}) == max(a, b, c, d, e, f) + 1
]  # fmt: skip


SYNONYMS = {
    RelationType.IDENTITY: RelationType.SIMULTANEOUS,
    RelationType.DURING: RelationType.IS_INCLUDED,
    RelationType.DURING_INV: RelationType.INCLUDES,
}
EVERY = (1 << len(LINES)) - 1


@cache
def true_lines(relation: RelationType, left: str, right: str) -> int:
    """The lines on which a link is true under the reading allen, as a bit set."""
    p, q = 2 * NAMES.index(left), 2 * NAMES.index(right)
    tests: dict[str, Callable[[int, int, int, int], bool]] = {
        "BEFORE": lambda _a, b, c, _d: b < c,
        "INCLUDES": lambda a, b, c, d: a < c and d < b,
        "SIMULTANEOUS": lambda a, b, c, d: a == c and b == d,
        "IBEFORE": lambda _a, b, c, _d: b == c,
        "BEGINS": lambda a, b, c, d: a == c and b < d,
        "ENDS": lambda a, b, c, d: b == d and c < a,
        "OVERLAP": lambda a, b, c, d: a < d and c < b,
        "STARTS_BEFORE": lambda a, _b, c, _d: a < c,
        "STARTS_EQUAL": lambda a, _b, c, _d: a == c,
    }
    relation = SYNONYMS.get(relation, relation)
    if relation.value not in tests:
        relation, p, q = INVERSE[relation], q, p
    test = tests[relation]
    return sum(test(*line[p : p + 2], *line[q : q + 2]) << n for n, line in enumerate(LINES))


def models(links: list[Link]) -> int:
    """The lines on which all links are true."""
    found = EVERY
    for link in links:
        found &= true_lines(link.relation, link.left, link.right)
    return found


def follows(link: Link, links: list[Link]) -> bool:
    """Whether a link is true on all lines on which all links are."""
    return not models(links) & ~true_lines(link.relation, link.left, link.right)


USED = [relation for relation in RelationType if relation is not RelationType.VAGUE]


def brute(gold: Document, system: Document) -> Counts | None:
    """Awareness by all lines; None if a side is inconsistent."""
    counts = []
    if not models(list(gold.links)) or not models(list(system.links)):
        return None
    for document, other in ((system, gold), (gold, system)):
        kept: list[Link] = []
        seen: set[frozenset[str]] = set()
        for link in document.links:
            left, right = link.left, link.right
            relation = SYNONYMS.get(link.relation, link.relation)
            same = {f"{left} {relation} {right}", f"{right} {INVERSE[relation]} {left}"}
            if frozenset(same) not in seen:
                kept.append(link)
            seen.add(frozenset(same))
        for link in list(kept):
            rest = [two for two in kept if two is not link]
            if follows(link, rest):
                kept = rest
        counts += [sum(follows(link, list(other.links)) for link in kept), len(kept)]
    return Counts(system=counts[0], system_links=counts[1], gold=counts[2], gold_links=counts[3])


@pytest.mark.parametrize("number", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_pairs(number: int) -> None:
    source = random.Random(number)
    nodes = {name: Node(id=name) for name in NAMES}

    def drawn() -> Document:
        links = []
        for n in range(source.randint(0, 4)):
            left, right = source.sample(NAMES, 2)
            relation = source.choice(USED)
            links.append(Link(id=str(n), left=left, right=right, relation=relation))
        return Document(name="d", nodes=nodes, links=tuple(links))

    compared = 0
    for _ in range(number):
        gold, system = drawn(), drawn()
        expected = brute(gold, system)
        if expected is not None:
            compared += 1
            assert awareness(gold, system) == expected
    assert compared > number / 4


@pytest.mark.slow
def test_all_networks_of_three_nodes_and_three_links() -> None:
    """Each consistent network, up to the names of its nodes, with the one before and after it."""
    nodes = {name: Node(id=name) for name in NAMES}
    previous = Document(name="d", nodes=nodes)
    compared = 0
    for ends in product(["AB"], ["AB", "BC", "CA"], ["AB", "BC", "CA"]):
        for relations in product(USED, repeat=3):
            links = tuple(
                Link(id=str(n), left=pair[0], right=pair[1], relation=relation)
                for n, (pair, relation) in enumerate(zip(ends, relations, strict=True))
            )
            document = Document(name="d", nodes=nodes, links=links)
            expected = brute(document, previous)
            if expected is None:
                continue
            assert awareness(document, previous) == expected
            previous = document
            compared += 1
    assert compared > 13_000


def test_intervals_resample_documents() -> None:
    """All resamples of three documents, each as likely as the others, give the quantiles."""
    texts = (("A < B", "A < B"), ("A < B, B < C", "B < A"), ("A INCLUDES B", "A INCLUDES B, B < C"))
    gold = [replace(document(name), name=str(n)) for n, (name, _) in enumerate(texts)]
    system = [replace(document(name), name=str(n)) for n, (_, name) in enumerate(texts)]
    found = score_links(gold, system)
    intervals = found.intervals(resamples=4_000)
    assert intervals.keys() == {"precision", "recall", "f1", "AFTER", "BEFORE", "INCLUDES"}
    samples: dict[str, list[float]] = {name: [] for name in intervals}
    for drawn in product(range(3), repeat=3):
        again = score_links(
            [replace(gold[n], name=str(place)) for place, n in enumerate(drawn)],
            [replace(system[n], name=str(place)) for place, n in enumerate(drawn)],
        )
        values = again.pairwise_f1() | {
            name: getattr(again.total, name) for name in ("precision", "recall", "f1")
        }
        for name, sample in samples.items():
            sample.append(values.get(name, 0))
    for name, interval in intervals.items():
        ends = np.quantile(samples[name], [0.025, 0.975], method="inverted_cdf")
        assert (interval.low, interval.high) == pytest.approx(tuple(ends))
    assert intervals == found.intervals(resamples=4_000)
    assert intervals != found.intervals(resamples=3, seed=1)
    assert score_links([], []).intervals() == {}


def test_inconsistent_sides() -> None:
    gold, system = document("A < B, B < A, A < C"), document("A < C")
    with pytest.raises(InconsistentError, match=r"d \(gold\)"):
        score_links([gold], [system])
    repaired = score_links([gold], [system], policy=Inconsistent.REPAIR)
    assert repaired.inconsistent == (("gold", "d"),)
    assert repaired.total.gold_links == 2
    as_is = score_links([gold], [system], policy=Inconsistent.AS_IS)
    assert as_is.total.precision == 1


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text("d\tA\tC\tb\nx\tA\tB\ts\n", encoding="utf-8")
    system.write_text("d\tA\tB\ts\nd\tA\tC\tb\nd\tB\tC\tb\n", encoding="utf-8")
    assert run(["score", "links", str(system), "--data", str(gold), "--json"]) == 0
    printed = capsys.readouterr()
    found: dict[str, Any] = json.loads(printed.out)
    assert (found["precision"], found["recall"]) == (0, 0.5)
    assert found["intervals"]["recall"] == [0, 1]
    assert found["missing"] == ["x"]
    assert "x is missing" in printed.err
    assert found["pairwise_f1"] == {"BEFORE": 2 / 3, "SIMULTANEOUS": 0}
    gold.write_text("d\tA\tC\tb\nd\tC\tA\tb\n", encoding="utf-8")
    assert run(["score", "links", str(system), "--data", str(gold)]) == 1
    assert "contradict each other" in capsys.readouterr().err


def test_links_that_are_left_out_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(__file__).resolve().parents[3]
    whole = (root / "examples" / "links" / "market.tml").read_text(encoding="utf-8")
    gold, system = tmp_path / "gold", tmp_path / "system"
    for folder, text in (
        (gold, whole),
        (system, whole.replace('InstanceID="e1"', 'InstanceID="e9"')),
    ):
        folder.mkdir()
        (folder / "market.tml").write_text(text, encoding="utf-8")
    assert run(["score", "links", str(gold), "--data", str(gold), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["left_out"] == []
    for command in (
        ["score", "links", str(system), "--data", str(gold), "--json"],
        ["score", "agreement", str(system), str(gold), "--json"],
    ):
        assert run(command) == 1
        printed = capsys.readouterr()
        assert "which the document lacks; left out" in printed.err
        assert {name for _, name, _ in json.loads(printed.out)["left_out"]} == {"market"}


def test_agreement() -> None:
    made_document = document("A < B, B < C")
    other = document("A < B, B < C, C < A")
    assert agreement([made_document], [made_document], Interpretation()).kappa == 1
    found = agreement([made_document], [other], Interpretation())
    assert (found.documents, found.pairs.total()) == (1, 3)
    assert found.contradicted
    third = document("A < B, C AFTER B, C SIMULTANEOUS D")
    mixed = agreement([third], [document("A < B, B < C, C AFTER D")], Interpretation())
    assert mixed.pairs == {
        ("BEFORE", "BEFORE"): 3, ("SIMULTANEOUS", "AFTER"): 1,
        ("BEFORE", "VAGUE"): 2,
    }  # fmt: skip
    assert mixed.observed == pytest.approx(0.5)
    # chance: (5 * 3 + 1 * 0) / 36
    assert mixed.kappa == pytest.approx((0.5 - 15 / 36) / (1 - 15 / 36))


def test_the_report(tmp_path: Path) -> None:
    """The page names what contradicts itself, and markup in names is text."""
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text("d<b>\tA\tC\tb\nd<b>\tC\tA\tb\nx\tA\tB\ts\n", encoding="utf-8")
    system.write_text("d<b>\tA\tC\tb\ny\tA\tB\ts\n", encoding="utf-8")
    arguments = ["score", "links", str(system), "--data", str(gold), "--inconsistent", "repair"]
    assert run([*arguments, "--report", str(tmp_path / "report")]) == 0
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "d&lt;b&gt; (contradicts itself)" in page
    assert "d<b>" not in page
    assert "1 of 1 links of the system" in page
    scores = json.loads((tmp_path / "report" / "scores.json").read_text(encoding="utf-8"))
    assert (scores["system_matched"], scores["gold_links"]) == (1, 2)
    manifest = json.loads((tmp_path / "report" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["config"]["inconsistent"] == "repair"


def test_the_report_of_nothing() -> None:
    empty = LinkRun(scores=score_links([], []), config=LinkScoring(), system=("a",), gold=("b",))
    assert report(empty).lead == "There is nothing to score."
