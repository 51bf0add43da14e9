"""Items from annotated documents: real links as premises, claims decided by the engines.

A premise is some links of one document along a random walk, in the document's order, each written
as sentences about end points. Every other walk goes on to later events where it can, for longer
chains. Under the reading allen every relation is a conjunction of such sentences; under the lenient
one it is not, as no sentence means ``<=``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from generators.dataset import DatasetFolder
from generators.eventhop.shards import certified_hops, certified_row, item_fields
from grammar.errors import HopcheckError, UnwritableError
from grammar.eventhop.model import (
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Order,
    Point,
    Relation,
    Status,
    Verdict,
)
from grammar.eventhop.writer import Text, Writer
from grammar.links.model import (
    INVERSE,
    Document,
    During,
    Interpretation,
    Link,
    Node,
    Reading,
    RelationType,
)
from solver.eventhop.certificates.lines import read_as
from solver.eventhop.crosscheck import Crosscheck
from solver.eventhop.engines import DEFAULT_ENGINES
from solver.io.writing import json_lines
from solver.links.engine import comparisons
from solver.links.io import Loaded, read_documents
from solver.seeding import seed_of

ITEMS, CERTIFICATES = "test.jsonl", "certificates.jsonl"

HOPS = tuple(range(2, 9))


class NoItemsError(HopcheckError):
    """Documents without any item of the wanted kind."""

    code = "no-items"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkItems:
    """Options of items from links.

    Attributes:
        size: maximum number of items.
        links: number of links of a premise.
        hops: wanted hops of entailed, refuted and contradictory claims.
        claims: relations of the claims.
        tries: number of claims that are decided for each premise.
    """

    size: int = 2_500
    links: int = 12
    hops: tuple[int, ...] = HOPS
    claims: tuple[ClaimRelation, ...] = tuple(ClaimRelation)
    domain: Domain = Domain.TEMPORAL
    during: During = During.INCLUDED
    seed: int = 0
    tries: int = 40

    def as_json(self) -> dict[str, object]:
        """The options, for the manifest."""
        return {
            "size": self.size,
            "links": self.links,
            "hops": list(self.hops),
            "claims": [claim.value for claim in self.claims],
            "domain": self.domain.value,
            "reading": Reading.ALLEN.value,
            "during": self.during.value,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkItem:
    """An item with its origin and its proof.

    Attributes:
        item: the graph; events are named by their words and ids.
        document: name of the document.
        links: ids of the links of the premise, in order.
        verdict: what the engines decide.
        hops: relations on the shortest proof of the status; None for *unknown*.
    """

    item: Item
    text: Text
    document: str
    links: tuple[str, ...]
    verdict: Verdict
    hops: int | None

    def row(self) -> dict[str, Any]:
        """The fields of the item, as in other generated data sets, and its origin."""
        fields = item_fields(self.item, self.text, self.verdict, self.hops)
        return fields | {"document": self.document, "links": list(self.links)}

    def proof(self) -> dict[str, Any]:
        """The row for the certificate checker."""
        return certified_row(self.item, self.text, self.verdict)


def sentences(link: Link, names: dict[str, str], during: During) -> list[Relation]:
    """The sentences that mean the same as a link under the reading allen.

    Args:
        link: the link.
        names: names of its ends.
        during: meaning of DURING.
    """
    interpretation = Interpretation(reading=Reading.ALLEN, during=during)
    points = [
        Point(event=names[end], bound=bound) for end in (link.left, link.right) for bound in Bound
    ]
    found = []
    for p, q, strict in comparisons(interpretation)[link.relation]:
        # The left end of the link comes first, as annotators state it.
        if strict:
            order, pair = (Order.BEFORE, (p, q)) if p < q else (Order.AFTER, (q, p))
        elif p < q:
            # Equal points are two comparisons, of which this is one.
            order, pair = Order.SIMULTANEOUS, (p, q)
        else:
            continue
        found.append(Relation(left=points[pair[0]], order=order, right=points[pair[1]]))
    return found


def name_of(node: Node, domain: Domain) -> str:
    """The name of a node in a text: its word, which others may have too, and its id.

    The id alone if there is no word, or if it would not be read back, as it contains a phrase.
    """
    name = f"{_ARTICLE.sub('', node.word)} {node.id}"
    points = [Point(event=name, bound=bound) for bound in Bound]
    itself = Relation(left=points[0], order=Order.BEFORE, right=points[1])
    claim = Claim(left=name, relation=ClaimRelation.BEFORE, right=name)
    try:
        Writer(domain).write(Item(id=node.id, premise=(itself,), claim=claim, domain=domain))
    except UnwritableError:
        return node.id
    return name if node.word else node.id


_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)


def link_items(
    documents: Iterable[Document],
    config: LinkItems,
    *,
    progress: Callable[[int], object] | None = None,
) -> list[LinkItem]:
    """Items from documents, with as many entailed as refuted and as unknown claims.

    Claims on a contradiction are added, up to the same number. The items of a status are taken
    from each number of hops in turn, as long as there are any.

    Args:
        documents: the documents; they may be inconsistent.
        config: the options.
        progress: called with 1 after each document.

    Raises:
        NoItemsError: a status has no item.
        DisagreementError: the engines disagree.
        UncertifiedError: a certificate is rejected.
    """
    crosscheck = Crosscheck(DEFAULT_ENGINES)
    found: dict[Status, list[LinkItem]] = {status: [] for status in Status}
    for document in documents:
        for item in _of_document(document, config, crosscheck):
            found[item.verdict.status].append(item)
        if progress is not None:
            progress(1)
    source = Random(seed_of(config.seed, "links", "selection"))
    for status, items in found.items():
        source.shuffle(items)
        found[status] = _in_turn(items)
    balanced = [status for status in Status if status is not Status.CONTRADICTORY]
    each = min(config.size // 4, *(len(found[status]) for status in balanced))
    if not each:
        missing = ", ".join(status for status in balanced if not found[status])
        message = f"found no claim that is {missing}" if missing else "found no room for items"
        hint = "use more documents, more --links, other --hops or a larger --test-size"
        raise NoItemsError(message, hint=hint)
    chosen = [item for status in Status for item in found[status][:each]]
    source.shuffle(chosen)
    return [
        replace(link_item, item=replace(link_item.item, id=str(number)))
        for number, link_item in enumerate(chosen)
    ]


def _in_turn(items: Sequence[LinkItem]) -> list[LinkItem]:
    """The items of each number of hops in turn."""
    seen: Counter[int | None] = Counter()
    keys = []
    for item in items:
        keys.append((seen[item.hops], item.hops or 0))
        seen[item.hops] += 1
    return [items[n] for n in sorted(range(len(items)), key=keys.__getitem__)]


def _of_document(
    document: Document, config: LinkItems, crosscheck: Crosscheck
) -> Iterator[LinkItem]:
    """The items of a document: at most one of each status and hops for each premise."""
    names = {name: name_of(node, config.domain) for name, node in document.nodes.items()}
    network = _Network(document)
    for number in range(-(-len(network.links) // config.links)):
        where = f"{document.name}:{number}"
        source = Random(seed_of(config.seed, "links", where))
        links = network.walk(config.links, source, forwards=number % 2 == 0)
        premise = tuple(
            sentence for link in links for sentence in sentences(link, names, config.during)
        )
        claims = _claims(links, names, config, source)
        items = [
            Item(id=where, premise=premise, claim=claim, domain=config.domain) for claim in claims
        ]
        seen: set[tuple[Status, int | None]] = set()
        for item, verdict in zip(items, crosscheck.decide(items), strict=True):
            distance = certified_hops(item, verdict)
            if (verdict.status, distance) in seen:
                continue
            if distance is not None and distance not in config.hops:
                continue
            try:
                text = Writer(config.domain, phrases=source.choice).write(item)
                read_as(item, text.premise, text.claim)
            except UnwritableError:
                # Names that are read back one by one, but not in this text.
                continue
            seen.add((verdict.status, distance))
            yield LinkItem(
                item=item,
                text=text,
                document=document.name,
                links=tuple(link.id for link in links),
                verdict=verdict,
                hops=distance,
            )


_FORWARDS = frozenset(
    RelationType[name]
    for name in ("BEFORE", "IBEFORE", "SIMULTANEOUS", "IDENTITY", "STARTS_BEFORE", "STARTS_EQUAL")
)
"""Relations of an event to one that is no earlier."""


class _Network:
    """The links of a document by their ends."""

    def __init__(self, document: Document) -> None:
        self.links = [
            link
            for link in document.links
            if link.relation is not RelationType.VAGUE and link.left != link.right
        ]
        self._ways: dict[str, list[tuple[int, str, bool]]] = {}
        for number, link in enumerate(self.links):
            later = link.relation in _FORWARDS
            earlier = INVERSE[link.relation] in _FORWARDS
            self._ways.setdefault(link.left, []).append((number, link.right, later))
            self._ways.setdefault(link.right, []).append((number, link.left, earlier))

    def walk(self, size: int, source: Random, *, forwards: bool) -> list[Link]:
        """Links along a random walk, in the order of the document.

        Where the walk cannot go on, it continues from an event that it has passed.

        Args:
            size: maximum number of links.
            source: source of randomness.
            forwards: whether to prefer links to events that are no earlier.
        """
        first = source.choice(self.links)
        passed, taken = [first.left], set[int]()
        open_ends = [first.left]
        while len(taken) < size and open_ends:
            event = open_ends[-1]
            ways = [way for way in self._ways[event] if way[0] not in taken]
            onwards = [way for way in ways if way[1] not in passed] or ways
            onwards = [way for way in onwards if forwards and way[2]] or onwards
            if not onwards:
                open_ends.pop()
                continue
            number, then, _ = source.choice(onwards)
            taken.add(number)
            if then not in passed:
                passed.append(then)
                open_ends.append(then)
        return [self.links[number] for number in sorted(taken)]


def _claims(
    links: Sequence[Link], names: dict[str, str], config: LinkItems, source: Random
) -> list[Claim]:
    """Random claims about two events of some links that no link relates."""
    every = sorted({end for link in links for end in (link.left, link.right)})
    related = {frozenset((link.left, link.right)) for link in links}
    pairs = [
        (name, other)
        for name in every
        for other in every
        if name != other and frozenset((name, other)) not in related
    ]
    source.shuffle(pairs)
    return [
        Claim(left=names[name], relation=source.choice(config.claims), right=names[other])
        for name, other in pairs[: config.tries]
    ]


def generate_from_links(
    paths: Sequence[str | Path],
    config: LinkItems,
    out: Path,
    *,
    progress: Callable[[int], object] | None = None,
) -> dict[str, int]:
    """Write items from annotated documents, their certificates and a manifest.

    Args:
        paths: files, folders and archives of documents.
        config: the options.
        out: the folder of the data set.
        progress: called with 1 after each document.

    Returns:
        The number of items of each status.

    Raises:
        HopcheckError: a file cannot be read or written, or there are no such items.
    """
    items = link_items(_documents(paths), config, progress=progress)
    folder = DatasetFolder(out)
    with json_lines(out / ITEMS) as rows, json_lines(out / CERTIFICATES) as proofs:
        for item in items:
            rows.write(item.row())
            proofs.write(item.proof())
    folder.add(out / ITEMS, out / CERTIFICATES)
    counts = Counter(item.verdict.status.value for item in items)
    folder.finish(
        config=config.as_json(),
        seed=config.seed,
        inputs=[path for path in paths if str(path) != "-"],
        more={"items": dict(sorted(counts.items()))},
    )
    return dict(counts)


def _documents(paths: Sequence[str | Path]) -> Iterator[Document]:
    for entry in read_documents(paths):
        if not isinstance(entry, Loaded):
            raise NoItemsError(entry.message, where=entry.where)
        yield entry.document
