"""Items from annotated links: sentences and labels, compared with a brute force over timelines."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from generators.eventhop.from_links import LinkItems, NoItemsError, link_items, name_of, sentences
from grammar.eventhop.model import Bound, Claim, ClaimRelation, Domain, Order, Status
from grammar.links.model import Document, During, Link, Node, RelationType
from solver.cli import run
from solver.eventhop.check import check_row
from solver.verification.run import verify

EXAMPLE = "examples/links"
ORDERS: dict[Order, Callable[[int, int], bool]] = {
    Order.BEFORE: lambda p, q: p < q,
    Order.AFTER: lambda p, q: p > q,
    Order.SIMULTANEOUS: lambda p, q: p == q,
}
# Of the left interval from a to b and the right one from c to d.
MEANING: dict[str, Callable[[int, int, int, int], bool]] = {
    "BEFORE": lambda _a, b, c, _d: b < c,
    "AFTER": lambda a, _b, _c, d: d < a,
    "IBEFORE": lambda _a, b, c, _d: b == c,
    "IAFTER": lambda a, _b, _c, d: a == d,
    "INCLUDES": lambda a, b, c, d: a < c and d < b,
    "IS_INCLUDED": lambda a, b, c, d: c < a and b < d,
    "SIMULTANEOUS": lambda a, b, c, d: a == c and b == d,
    "IDENTITY": lambda a, b, c, d: a == c and b == d,
    "BEGINS": lambda a, b, c, d: a == c and b < d,
    "BEGUN_BY": lambda a, b, c, d: a == c and d < b,
    "ENDS": lambda a, b, c, d: b == d and c < a,
    "ENDED_BY": lambda a, b, c, d: b == d and a < c,
    "DURING": lambda a, b, c, d: c < a and b < d,
    "DURING_INV": lambda a, b, c, d: a < c and d < b,
    "OVERLAP": lambda a, b, c, d: a < d and c < b,
    "STARTS_BEFORE": lambda a, _b, c, _d: a < c,
    "STARTS_AFTER": lambda a, _b, c, _d: c < a,
    "STARTS_EQUAL": lambda a, _b, c, _d: a == c,
    "VAGUE": lambda _a, _b, _c, _d: True,
}
CLAIMS: dict[ClaimRelation, Callable[[int, int, int, int], bool]] = {
    ClaimRelation.BEFORE: lambda _a, b, c, _d: b <= c,
    ClaimRelation.AFTER: lambda a, _b, _c, d: d <= a,
    ClaimRelation.OVERLAPS: lambda a, b, c, d: a < d and c < b,
}


def lines(nodes: int) -> list[tuple[tuple[int, int], ...]]:
    """All ways to put so many intervals on a line."""
    every = product(combinations(range(2 * nodes), 2), repeat=nodes)
    return [
        pairs for pairs in every if len({n for e in pairs for n in e}) == max(map(max, pairs)) + 1
    ]


@pytest.mark.parametrize("during", During)
@pytest.mark.parametrize("relation", RelationType)
def test_sentences_mean_the_same_as_their_link(relation: RelationType, during: During) -> None:
    alike = during is During.SIMULTANEOUS and relation.startswith("DURING")
    test = MEANING["SIMULTANEOUS" if alike else relation]
    link = Link(id="1", left="e1", right="e2", relation=relation)
    written = sentences(link, {"e1": "fair", "e2": "race"}, during)
    for fair, race in lines(2):
        places = {("fair", bound): n for bound, n in zip(Bound, fair, strict=True)}
        places |= {("race", bound): n for bound, n in zip(Bound, race, strict=True)}
        holds = all(
            ORDERS[written_relation.order](
                places[written_relation.left.event, written_relation.left.bound],
                places[written_relation.right.event, written_relation.right.bound],
            )
            for written_relation in written
        )
        assert holds is test(*fair, *race)


def random_documents(seed: int, count: int, relations: Sequence[RelationType]) -> list[Document]:
    source = random.Random(seed)
    nodes = {name: Node(id=name, word=f"meeting {name}") for name in ("e1", "e2", "e3")}
    found = []
    for n in range(count):
        pairs = source.sample([("e1", "e2"), ("e2", "e3"), ("e3", "e1")], 2)
        links = tuple(
            Link(id=f"l{k}", left=left, right=right, relation=source.choice(relations))
            for k, (left, right) in enumerate(pairs)
        )
        found.append(Document(name=f"d{n}", nodes=nodes, links=links))
    return found


def test_labels_are_those_of_a_brute_force() -> None:
    documents = random_documents(
        3, 100, [relation for relation in RelationType if relation != "VAGUE"]
    )
    config = LinkItems(size=120, links=2, hops=(1, 2, 3, 4), seed=5)
    found = link_items(documents, config)
    assert {item.verdict.status for item in found} >= set(Status) - {Status.CONTRADICTORY}
    every, by_name = lines(3), {other_document.name: other_document for other_document in documents}
    for link_item in found:
        document = by_name[link_item.document]
        place = {name: n for n, name in enumerate(document.nodes)}
        named = {name_of(node, config.domain): n for n, node in enumerate(document.nodes.values())}
        models = [
            line
            for line in every
            if all(
                MEANING[link.relation](*line[place[link.left]], *line[place[link.right]])
                for link in document.links
                if link.id in link_item.links
            )
        ]
        claim = link_item.item.claim
        assert isinstance(claim, Claim)
        assert isinstance(claim.relation, ClaimRelation)
        test = CLAIMS[claim.relation]
        values = {test(*line[named[claim.left]], *line[named[claim.right]]) for line in models}
        expected = {
            frozenset({True}): Status.ENTAILED,
            frozenset({False}): Status.REFUTED,
            frozenset({True, False}): Status.UNKNOWN,
        }
        assert models
        assert link_item.verdict.status is expected[frozenset(values)]
        assert link_item.hops is None or link_item.hops in config.hops
        check_row(link_item.proof())


@pytest.mark.parametrize("domain", Domain)
def test_names_are_read_back(domain: Domain) -> None:
    assert name_of(Node(id="e1"), domain) == "e1"
    assert name_of(Node(id="e3", word="a. b"), domain) == "e3"
    # Names of the logical wording are single words.
    logical = domain is Domain.LOGICAL
    assert name_of(Node(id="e2", word="said"), domain) == ("e2" if logical else "said e2")
    assert name_of(Node(id="t1", word="the year"), domain) == ("t1" if logical else "year t1")


def test_statuses_are_balanced_and_items_repeat() -> None:
    documents = random_documents(4, 40, [RelationType.BEFORE, RelationType.INCLUDES])
    config = LinkItems(size=24, links=2, hops=(2,), seed=1)
    found = link_items(documents, config)
    by_status = [item.verdict.status for item in found]
    assert [by_status.count(status) for status in Status] == [6, 6, 6, 0]
    assert found == link_items(documents, config)
    assert found != link_items(documents, LinkItems(size=24, links=2, hops=(2,), seed=2))
    with pytest.raises(NoItemsError, match="entailed, refuted"):
        link_items(documents, LinkItems(links=2, hops=(7,)))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).resolve().parents[3]
    arguments = ["generate", "eventhop", "--from-links", str(root / EXAMPLE)]
    for name in ("one", "two"):
        assert run([*arguments, "--links", "4", "--out", str(tmp_path / name)]) == 0
    assert "entailed: " in capsys.readouterr().out
    for file in ("test.jsonl", "certificates.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    rows: list[dict[str, Any]] = [
        json.loads(line)
        for line in (tmp_path / "one" / "test.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert {row["document"] for row in rows} <= {"harbour", "market"}
    assert all(2 <= row["hops"] <= 8 for row in rows if row["status"] != "unknown")
    assert not verify(tmp_path / "one" / "test.jsonl").findings
    assert run(["check", str(tmp_path / "one" / "certificates.jsonl")]) == 0
    assert run([*arguments, "--preset", "strict", "--out", str(tmp_path / "three")]) == 2
    assert "--preset does not go with --from-links" in capsys.readouterr().err
