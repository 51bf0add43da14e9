"""Compares engines on random small items: ``python -m tests.campaigns.engines --items N``.

Item ``n`` is a hash of the seed and ``n``: 2 to 6 events, 0 to 12 sentences with ties, repeated
sentences, loops of one event, and a claim that may name events without a sentence. Every verdict
has to be the same for all engines, in status, label and consistency. The run stops and resumes at
any time. ``--write`` continues from the items that ``benchmarks/results`` records for the same
engines and seed, and adds to them after every shard.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Policy,
    Relation,
)
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.io.writing import line, write_json
from tests.campaigns.journal import campaign, shards

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "engines.json"
SHARD = 10_000
BATCH = 500
POLICIES = (Policy.LOCAL, Policy.GLOBAL)
"""Policies in turn, one for each batch of numbers."""

SHOWN = 20


def random_item(seed: int, number: int) -> Item:
    """The item of a number."""
    digest = hashlib.sha256(f"{seed} {number}".encode()).digest()
    draw = random.Random(int.from_bytes(digest))
    events = [f"e{n}" for n in range(draw.choice((2, 2, 3, 3, 4, 5, 6)))]
    # Only some events are mentioned by sentences; those of a claim may be others.
    mentioned = events[: draw.choice((len(events), len(events), draw.randint(1, len(events))))]
    # On half of the timelines most sentences hold; the fewer instants, the more ties.
    instants = draw.choice((1, 3, 12))
    starts = {event: draw.randrange(instants) for event in events}
    honest = draw.choice((0.0, 1.0))
    premise = [
        _sentence(draw, mentioned, starts if draw.random() < honest else {})
        for _ in range(draw.choice((0, 1, 2, 3, 4, 6, 8, 10, 12)))
    ]
    if premise and draw.random() < 0.2:
        premise.insert(draw.randrange(len(premise)), draw.choice(premise))
    return Item(id=str(number), premise=tuple(premise), claim=_claim(draw, events))


def _sentence(draw: random.Random, events: list[str], starts: dict[str, int]) -> Relation:
    left, right = _point(draw, events), _point(draw, events)
    order = draw.choice(PUBLISHED_ORDERS)
    if starts:
        earlier, later = (
            starts[point.event] + (point.bound is Bound.END) for point in (left, right)
        )
        order = Order.SIMULTANEOUS
        if earlier != later:
            order = Order.BEFORE if earlier < later else Order.AFTER
    return Relation(left=left, order=order, right=right)


def _point(draw: random.Random, events: list[str]) -> Point:
    return Point(event=draw.choice(events), bound=draw.choice((Bound.START, Bound.END)))


def _claim(draw: random.Random, events: list[str]) -> Claim | Relation:
    left, right = draw.sample(events, 2)
    match draw.randrange(3):
        case 0:
            return Claim(left=left, relation=draw.choice([*ClaimRelation]), right=right)
        case 1:
            return Claim(left=left, relation=draw.choice([*AllenRelation]), right=right)
        case _:
            return Relation(
                left=_point(draw, [left]),
                order=draw.choice(PUBLISHED_ORDERS),
                right=_point(draw, [right]),
            )


def compare(seed: int, first: int, count: int, names: tuple[EngineName, ...]) -> dict[str, Any]:
    """The verdicts of the engines on some items, and where they differ."""
    start = time.process_time()
    statuses: dict[str, int] = {}
    differences: list[dict[str, Any]] = []
    made = {policy: [engine(name, policy) for name in names] for policy in POLICIES}
    for begin, size in shards(BATCH, first + count, first):
        policy = POLICIES[begin // BATCH % len(POLICIES)]
        items = [random_item(seed, n) for n in range(begin, begin + size)]
        verdicts = zip(*(each_engine.decide(items) for each_engine in made[policy]), strict=True)
        for item, found in zip(items, verdicts, strict=True):
            statuses[found[0].status] = statuses.get(found[0].status, 0) + 1
            if len(set(found)) > 1:
                differences.append({"item": int(item.id), "policy": policy})
    return {
        "statuses": statuses,
        "differences": len(differences),
        "first_differences": differences[:SHOWN],
        "seconds": round(time.process_time() - start, 1),
    }


def recorded(engines: str, seed: int) -> dict[str, Any]:
    """The recorded figures of engines and a seed; those of no items if there are none.

    Raises:
        ValueError: the figures recorded for the engines are of another seed.
    """
    known = _results().get(engines, nothing(seed))
    if known["seed"] != seed:
        raise ValueError(f"{RESULTS.name} records seed {known['seed']} for {engines}")
    return known


def _results() -> dict[str, dict[str, Any]]:
    if not RESULTS.exists():
        return {}
    return msgspec.json.decode(RESULTS.read_bytes(), type=dict[str, dict[str, Any]])


def nothing(seed: int) -> dict[str, Any]:
    """The figures of no items."""
    return {"items": 0, "seed": seed, "statuses": {}, "differences": 0, "first_differences": []}


def added(figures: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Figures with those of one more shard.

    Raises:
        ValueError: the shard does not begin where the figures end.
    """
    if row["first"] != figures["items"]:
        raise ValueError(f"a shard begins at {row['first']} after {figures['items']} items")
    return {
        "items": figures["items"] + row["count"],
        "seed": figures["seed"],
        "statuses": Counter(figures["statuses"]) + Counter(row["statuses"]),
        "differences": figures["differences"] + row["differences"],
        "first_differences": [*figures["first_differences"], *row["first_differences"]][:SHOWN],
    }


def main() -> int:
    """Run a campaign, or one shard of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=20_000, help="number of items in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engines", default="asp,graph", help="comma-separated names")
    parser.add_argument("--out", type=Path, default=Path("campaigns/engines"))
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parser.add_argument("--shard", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = tuple(EngineName(name) for name in options.engines.split(","))
    if options.shard is not None:
        first, count = options.shard
        found = compare(options.seed, first, count, names)
        sys.stdout.buffer.write(line(found))
        return 0
    try:
        figures = nothing(options.seed)
        if options.write:
            figures = recorded(options.engines, options.seed)
    except ValueError as error:
        parser.error(str(error))
    key = {"engines": options.engines, "seed": options.seed}
    arguments = ("--engines", options.engines, "--seed", str(options.seed))
    seconds, start = 0.0, figures["items"]
    for row in campaign(
        "tests.campaigns.engines",
        options.out,
        key,
        SHARD,
        options.items,
        *arguments,
        start=start,
    ):
        figures = added(figures, row)
        seconds += row["seconds"]
        if options.write:
            write_json(RESULTS, _results() | {options.engines: figures})
    sys.stdout.write(msgspec.json.format(line(figures), indent=2).decode() + "\n")
    each = 1000 * seconds / max(figures["items"] - start, 1)
    sys.stdout.write(f"{each:.2f} ms of processor time an item\n")
    return int(figures["differences"] > 0)


if __name__ == "__main__":
    sys.exit(main())
