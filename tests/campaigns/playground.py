"""Compares the playground with Python.

    make site
    python -m tests.campaigns.playground --items 10000 --mutants 100000 items.tsv

Its reader, engine and checker run in node, from the script that the page runs. The items are those
of the files and random ones, some with damaged texts. Compared are

- what is read: domain and item, or the error with its place;
- the verdict, with that of the engine ``asp``, and its certificate, which ``check.py`` accepts;
- the label of the published procedure, and the causes if it is wrong;
- which mutants of these lines the two checkers accept.

Exit status: 0 if no difference is found, else 1.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from benchmarks.reproduction import RESULTS, ROOT
from benchmarks.reproduction.eventhop.checkers import changed_value
from benchmarks.reproduction.playground.export import claim_name
from grammar.errors import ParseError, UnwritableError
from grammar.eventhop.lexicon import detect, terminal
from grammar.eventhop.model import (
    Claim,
    Domain,
    Item,
    Label,
    Policy,
    Relation,
    SpatialReading,
    Status,
)
from grammar.eventhop.reader import reader
from grammar.eventhop.writer import Writer
from solver.eventhop import check
from solver.eventhop.engines.asp import DerivationEngine
from solver.eventhop.io import read_records
from solver.eventhop.published import UnpublishedClaimError, causes, published_label
from solver.eventhop.records import BrokenRecord
from solver.io.writing import write_json
from tests.campaigns.engines import random_item
from tests.campaigns.sentences import asked, made, placed

Json: TypeAlias = Any

SITE = ROOT / "build" / "site"
TARGET = RESULTS / "playground.json"
BATCH = 1_000
SHOWN = 10
WRITTEN = 0.5
"""The share of items whose premises, or claims, are sentences that people write."""
DAMAGED = 0.3
"""The share of generated items whose texts are damaged."""


class Texts(NamedTuple):
    """An item to read and decide, as node gets it."""

    premise: str
    claim: str
    spatial: str
    policy: str


def page(mode: str, lines: Iterable[str], site: Path = SITE) -> list[Json]:
    """What the page answers to each line in one of the modes of ``site/node.mjs``."""
    ran = subprocess.run(
        ["node", str(ROOT / "site" / "node.mjs"), str(site), mode],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.split("\n")[:-1]]


# --- The items ------------------------------------------------------------------------------------

NAMES = (
    *("fair", "Long Fair", "St. Mary's Fair", "Fête d’Été", "feast of the end of winter", "Ω"),
    *("race", "Miller's Feast", "The Thaw", "a b", "the", "Dr. J. Day", "Start of Days", "İzmir"),
    *("x.", "🎉 party", "after the fair", "Fair happened before", "e1", "É", "ǅ"),
)
SYMBOLS = ("mill", "tide", "Mill", "mill1", "e2", "İz", "ß", "lane_3", "ǅ", "🎉")
ODD = (
    *(" ", "  ", ".", ". ", "\n", "\t", "the ", "The ", "start of ", "End of ", " before ", "1"),
    *(
        "x",
        "’",
        "é",
        "\u2028",
        "\u00a0",
        "\x1c",
        "🎉",
        "a. b",
        "<",
        " happened ",
        " overlaps with ",
    ),
    *(" happens before ", "x" * 201, "\u200b", " ensued once the ", " had happened", "St. "),
)


def generated(seed: int) -> Iterator[Texts]:
    """Random items in random wordings, without end; a share has damaged texts."""
    draw = random.Random(seed)
    for number in range(sys.maxsize):
        domain, spatial = draw.choice([*Domain]), draw.choice([*SpatialReading])
        item = _renamed(random_item(seed, number), domain, draw)
        try:
            text = Writer(domain, spatial, phrases=draw.choice).write(item)
        except UnwritableError:
            continue
        premise, claim = text.premise, text.claim
        if domain is Domain.TEMPORAL and draw.random() < WRITTEN:
            premise = made(draw)
            claim = asked(draw) if draw.random() < WRITTEN else claim
        elif domain is Domain.SPATIAL and draw.random() < WRITTEN:
            premise = placed(draw)
        if draw.random() < DAMAGED:
            premise = _damaged(premise, draw)
        if draw.random() < DAMAGED:
            claim = _damaged(claim, draw)
        policy = draw.choice((Policy.LOCAL, Policy.GLOBAL))
        yield Texts(premise, claim, spatial.value, policy.value)


def _renamed(item: Item, domain: Domain, draw: random.Random) -> Item:
    names = SYMBOLS if domain is Domain.LOGICAL else NAMES
    chosen = dict(zip((f"e{n}" for n in range(6)), draw.sample(names, 6), strict=True))

    def relation(given_relation: Relation) -> Relation:
        left, right = (
            type(point)(event=chosen[point.event], bound=point.bound)
            for point in (given_relation.left, given_relation.right)
        )
        return Relation(left=left, order=given_relation.order, right=right)

    claim = item.claim
    return Item(
        id=item.id,
        premise=tuple(map(relation, item.premise)),
        claim=relation(claim)
        if isinstance(claim, Relation)
        else Claim(left=chosen[claim.left], relation=claim.relation, right=chosen[claim.right]),
        domain=domain,
    )


def _damaged(text: str, draw: random.Random) -> str:
    """The text with one to three changes: a letter, a word or a span."""
    for _ in range(draw.randint(1, 3)):
        place, end = sorted(draw.choices(range(len(text) + 1), k=2))
        end = min(end, place + draw.choice((0, 1, 1, 8)))
        words = text.split(" ")
        match draw.randrange(5):
            case 0 | 1:
                text = text[:place] + draw.choice(ODD) + text[end:]
            case 2:
                text = text[:place] + text[end:]
            case 3:
                words.pop(draw.randrange(len(words)))
                text = " ".join(words)
            case _:
                text = text[:place] + text[place:end].swapcase() + text[end:]
    return text


def of_files(paths: Iterable[str]) -> Iterator[Texts]:
    """The items of files, under each policy and each reading of places in turn."""
    for path in paths:
        for number, record in enumerate(read_records(path)):
            if not isinstance(record, BrokenRecord):
                spatial = list(SpatialReading)[number % 2].value
                policy = (Policy.LOCAL, Policy.GLOBAL)[number // 2 % 2].value
                yield Texts(record.premise, record.claim, spatial, policy)


# --- The comparison -------------------------------------------------------------------------------


def read(texts: Texts) -> tuple[Item | None, Json]:
    """What Python reads: the item, and the same as the page writes it."""
    domain = detect(texts.premise, texts.claim)
    try:
        item = reader(domain, SpatialReading(texts.spatial)).read("", texts.premise, texts.claim)
    except ParseError as error:
        return None, {
            "error": {
                "part": error.part,
                "line": error.line,
                "column": error.column,
                "message": error.message,
                "hint": error.hint,
            }
        }
    claim = item.claim
    written = (
        _relation(claim)
        if isinstance(claim, Relation)
        else {
            "left": claim.left,
            "relation": claim_name(terminal(claim.relation)),
            "right": claim.right,
        }
    )
    premise = [_relation(relation) for relation in item.premise]
    return item, {"item": {"domain": domain.value, "premise": premise, "claim": written}}


def _relation(relation: Relation) -> Json:
    left, right = (
        {"event": point.event, "bound": point.bound.value}
        for point in (relation.left, relation.right)
    )
    return {"left": left, "order": relation.order.value, "right": right}


def _published(item: Item, local: Label) -> tuple[str | None, list[str] | None]:
    """The label of the published procedure, and the causes if it is wrong."""
    try:
        label = published_label(item)
    except UnpublishedClaimError:
        return None, None
    found = [fault.value for fault in causes(item, label, local)]
    return label.value, found or None


def _without_places(answer: Json) -> Json:
    """What the page reads, without the places of sentences in the text."""
    for sentence in (
        answer["item"]["premise"] + [answer["item"]["claim"]] if "item" in answer else ()
    ):
        sentence.pop("from", None)
        sentence.pop("to", None)
    return answer


class Comparison:
    """Counts of what was compared, and the first differences."""

    def __init__(self, site: Path = SITE) -> None:
        self.site = site
        self.counts: Counter[str] = Counter()
        self.differences: list[str] = []

    def differ(self, what: str, *values: object) -> None:
        """Record a difference."""
        self.counts["differences"] += 1
        self.differences.append(f"{what}: {' | '.join(map(str, values))}")

    def items(self, some: Sequence[Texts]) -> list[Json]:
        """Compare what both read and decide; returns the page's verdicts with certificates."""
        lines = [json.dumps(texts._asdict()) for texts in some]
        expected = [read(texts) for texts in some]
        readable: list[tuple[Texts, Item]] = []
        answers = page("read", lines, self.site)
        for texts, (item, wanted), answer in zip(some, expected, answers, strict=True):
            self.counts["texts"] += 1
            self.counts["errors"] += item is None
            if _without_places(answer) != wanted:
                self.differ("read", texts, wanted, answer)
            elif item is not None:
                readable.append((texts, item))
        return self._verdicts(readable)

    def _verdicts(self, readable: Sequence[tuple[Texts, Item]]) -> list[Json]:
        rows = page("decide", (json.dumps(texts._asdict()) for texts, _ in readable), self.site)
        engines = {
            policy: DerivationEngine(policy=policy) for policy in (Policy.LOCAL, Policy.GLOBAL)
        }
        verdicts = {
            policy: engine.decide([item for _, item in readable])
            for policy, engine in engines.items()
        }
        for number, ((texts, item), row) in enumerate(zip(readable, rows, strict=True)):
            verdict = verdicts[Policy(texts.policy)][number]
            self.counts["verdicts"] += 1
            self.counts[verdict.status.value] += 1
            stated = row["verdict"]
            wanted = (verdict.status.value, verdict.consistent, verdict.label.value)
            if (stated["status"], stated["consistent"], stated["label"]) != wanted:
                self.differ("verdict", texts, wanted, stated)
            try:
                check.check_row(row)
            except check.RejectedError as error:
                if kind_of(str(error)) == "rejected":
                    self.differ("certificate", texts, error)
            local = verdicts[Policy.LOCAL][number].label
            procedure = _published(item, local)
            if (row["published"], row["causes"]) != procedure:
                self.differ("published", texts, procedure, row["published"], row["causes"])
        return rows

    def mutants(self, rows: Iterable[Json]) -> None:
        """Compare the two checkers on changed lines."""
        changed = list(rows)
        answers = page("check", map(json.dumps, changed), self.site)
        for row, answer in zip(changed, answers, strict=True):
            try:
                check.check_row(row)
                reason = None
            except check.RejectedError as error:
                reason = str(error)
            self.counts["mutants"] += 1
            self.counts["mutants accepted"] += kind_of(reason) != "rejected"
            if kind_of(reason) != kind_of(answer["reason"]):
                self.differ("mutant", json.dumps(row), reason, answer["reason"])

    def figures(self) -> dict[str, Any]:
        """The counts, as they are recorded."""
        return {"differences": 0, **self.counts, "first_differences": self.differences[:SHOWN]}


def kind_of(reason: str | None) -> str:
    """Whether a line is proved, rejected, or has nothing wrong but a label without proof."""
    if reason is None:
        return "proved"
    return "not proved" if reason.startswith(check.NOT_PROVED) else "rejected"


_PAIRS = (("before", "after"), ("west ", "east "), ("<", ">"), ("start of", "end of"))
_TURNED = {name: other for pair in _PAIRS for name, other in (pair, pair[::-1])}
_TURN = re.compile("|".join(_TURNED))
"""Words whose exchange turns a sentence round."""


def mutants(rows: Sequence[Json], draw: random.Random) -> Iterator[Json]:
    """Rows with changes, without end."""
    words = [*map(str, Status), "true", "false", "undefined"]
    by_status: dict[str, list[Json]] = {}
    for row in rows:
        by_status.setdefault(row["verdict"]["status"], []).append(row)
    while rows:
        row = dict(draw.choice(by_status[draw.choice([*by_status])]))
        part = draw.randrange(14)
        if part == 0:
            row["policy"] = draw.choice(("local", "global", "published", "Local", None))
        elif part == 1:
            row["verdict"] = changed_value(row["verdict"], draw, words)
        elif part == 2:
            other = draw.choice(rows)
            row["premise" if draw.random() < 0.5 else "claim"] = draw.choice(
                (other["premise"], other["claim"], row["claim"], None)
            )
        elif part == 3:
            place = draw.choice(("premise", "claim"))
            row[place] = _TURN.sub(lambda word: _TURNED[word[0]], row[place], count=1)
        elif part == 4:
            sentences = row["premise"].split(". ")
            sentences.pop(draw.randrange(len(sentences)))
            row["premise"] = ". ".join(sentences)
        else:
            lines = row["certificate"]["timelines"]
            names = [name for name, _ in lines[0]] if lines else ["start of fair"]
            for _ in range(draw.randint(1, 2)):
                row["certificate"] = changed_value(row["certificate"], draw, names)
                if not isinstance(row["certificate"], dict):
                    break
        yield row


def batches(texts: Iterable[Texts]) -> Iterator[list[Texts]]:
    """Items in batches."""
    waiting = iter(texts)
    while batch := list(islice(waiting, BATCH)):
        yield batch


def compare(
    files: Iterable[str], items: int, count: int, seed: int, site: Path = SITE
) -> dict[str, Any]:
    """The figures of a comparison."""
    found, draw = Comparison(site), random.Random(seed)
    rows: list[Json] = []
    for batch in batches(chain(of_files(files), islice(generated(seed), items))):
        rows += found.items(batch)
    changed = mutants(rows, draw)
    for start in range(0, count, BATCH):
        found.mutants(islice(changed, min(BATCH, count - start)))
    return {"seed": seed, "generated": items, **found.figures()}


def main() -> int:
    """Run a comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="items, as `verify` reads them")
    parser.add_argument("--items", type=int, default=1_000, help="number of random items")
    parser.add_argument("--mutants", type=int, default=10_000, help="number of changed lines")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--site", type=Path, default=SITE, help="folder of `make site`")
    parser.add_argument("--write", action="store_true", help=f"write {TARGET.name}")
    options = parser.parse_args()
    figures = compare(options.files, options.items, options.mutants, options.seed, options.site)
    if options.write:
        write_json(TARGET, figures)
    sys.stdout.write(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
    return int(figures["differences"] > 0)


if __name__ == "__main__":
    sys.exit(main())
