"""Random sentences of the words that are read, and random texts: two readers, one meaning.

    python -m tests.campaigns.sentences --items 1000000 --write

Sentences are made of the phrases of the table, with names that are hard to tell from them; texts
are words in any order. Both readers refuse a text, or give it one reading and the same, texts about
places in both of their readings (counts of texts read are of the last one, the published). A run
continues from the numbers that its results file records, and writes it after each 1,000.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from multiprocessing import Pool
from time import process_time

import msgspec

from benchmarks.reproduction import RESULTS
from grammar.errors import FaultError
from grammar.eventhop import sentences
from grammar.eventhop.model import Domain, Order, SpatialReading
from grammar.eventhop.words import table
from solver.eventhop import check
from solver.io.writing import write_json

TARGET = RESULTS / "sentences.json"
SHARD = 1_000
SIGNS = dict(
    zip(
        (Order.BEFORE, Order.AFTER, Order.SIMULTANEOUS, Order.NOT_AFTER, Order.NOT_BEFORE),
        ("<", ">", "=", "<=", ">="),
        strict=True,
    )
)
NAMES = [
    *("A", "the storm", "Winter Fair", "a race", "Battle of Hob Hill", "Phase 2"),
    *("by-election", "Lunch", "lunch", "the end", "never", "it", "B and C", "start of term"),
    *("St. Orla", "the O'Neill Inquiry"),
    *('"Before Sunset"', "Harvest", "Harvest never", "the the race", "of", "both"),
]  # fmt: skip
PARTICIPLES = ("held", "Begun", "launched", "having ended", "Having been held", "opened", "over")
HOSTILE = [
    *NAMES,
    *("the", "The", "a", "before", "ended", "end of the end", "1871", "2", "İzmir Fêtes", "Æ", "ǅ"),
    *("storm's", "the storms'", "O’Brien’s Wake", "l'été", "the whole race", "all of the race"),
    *("the storm ended", "Old Winter Fair", "Winter", "Which", "Then", "And", "no race", "x" * 201),
    *("race.end", "race.start", "race-end", "Race, Part 2", "« Midi »", "a, b", "时代", "\u200b"),
    *("the middle of the race", "between", "first", "that", "The Arts and Crafts Fair", "e\u0301"),
]  # fmt: skip


@cache
def _rows(domain: str) -> dict[str, list[str]]:
    """The phrases of each category of a domain."""
    found: dict[str, list[str]] = {}
    for name, texts in table()[domain].items():
        found[name] = (
            [text for some in texts.values() for text in some] if isinstance(texts, dict) else texts
        )
    return found


def made(source: random.Random, names: list[str] = NAMES) -> str:
    """A random sentence of words of the table, which may mean nothing."""
    rows = _rows("temporal")
    verbs = [name for name in rows if name not in ("start", "finish")]
    parts: list[str] = []
    for _ in range(source.choice((1, 1, 1, 1, 1, 2, 3))):
        usual = source.random() < 0.5
        name, other, third = (source.choice(names[:7] if usual else names) for _ in range(3))
        noun, last = (source.choice(rows["start"] + rows["finish"]) for _ in range(2))
        verb = source.choice(rows[source.choice(("begin", "end", "begun", "ended", "whole"))])
        order = source.choice(
            rows[source.choice(("before", "after", "same", "soon", "later", "when", "once", "by"))]
        )
        word = source.choice(rows[source.choice(verbs)])
        then = source.choice(rows["next"])
        last_going = source.choice(rows["going"])
        held = source.choice(rows["held"])
        least = source.choice(rows["not_later"] + rows["not_earlier"])
        though, sooner = (source.choice(rows[key]) for key in ("though", "sooner"))
        participle = source.choice(PARTICIPLES)
        parts.append(
            source.choice(
                [
                    f"{name} {verb} {order} {other} {source.choice(rows['end'])}",
                    f"{name} {verb} {order} {other}",
                    f"{order} {name} {verb}, {other} {source.choice(rows['begin'])}",
                    f"{name} {source.choice(rows['relations'])} {other}",
                    f"the {noun} of {name} {word} {order} {other}'s {last}",
                    f"the {noun} of {name} {source.choice(rows['coincide'])} the {last} of {other}",
                    f"{name} and {other} {verb} {word}",
                    f"{name}, which {verb} {order} {other}, {word} {third}",
                    f"{name} {word} {other}",
                    f"{name}.end < {other}.start",
                    f"{name} {verb} between {other} and {third}",
                    f"{source.choice(rows['held'])} {name} {order} {other}",
                    f"{source.choice(rows['first'])} {name}, {then} {other}, and {then} {third}",
                    f"{name} {source.choice(rows['came_first'])}, {then} {other}",
                    f"{name}, {other} and {third} {source.choice(rows['in_order'])}",
                    f"{name} {verb} {order} {other}, {third} {order} {name}",
                    f"{name} {verb} at the {noun} of {other}",
                    f"{name} {verb} {order} {other}, but {source.choice(rows['after'])} {third}",
                    f"{name} began after {other} but {order} {third} {verb}",
                    f"between {name} and {other}, {third} {verb}",
                    f"after {name} ended, but {order} {other} {verb}, {third} {word}",
                    f"{name} {source.choice(rows['came_first'])}, and {other} {word}",
                    f"{source.choice(rows['in_turn'])} {name}, {other}, {third}",
                    f"{order} {name} {verb} {other}",
                    f"{source.choice(rows['all_through'])} {name}, {other} {last_going}",
                    f"{name} {verb} {least} {other}",
                    f"{name} {last_going} {source.choice(rows['all_through'])} {other}",
                    f"{name} {last_going} at the {noun} of {other}",
                    f"at the {noun} of {name}, {other} {source.choice((verb, last_going))}",
                    f"{source.choice(rows['until'])} {name} {verb}, {other} {last_going}",
                    f"{name} {source.choice(rows['lasted'])} after {other} {verb}",
                    f"{name} {source.choice(rows['lasted'])} {order} the {noun} of {other}",
                    f"{name} began and ended {order} {other} {verb}",
                    f"the {noun} of {name} {verb} {order} {source.choice(rows['that_of'])} {other}",
                    f"{source.choice(rows['opener'])}, {name} {verb}, {then} {other} {word}",
                    f"{name} {verb} {order} {other}, and {source.choice(rows['so_did'])} {third}",
                    f"{name} {last_going} when {other} {source.choice(rows['whole'])}",
                    f"when {name} {source.choice(rows['whole'])}, {other} {last_going}",
                    f"{source.choice(rows['during'])} {name}, {held} {other}",
                    f"it was {order} {other} {verb} that {name} {word}",
                    f"it was {order} {other} that {name} {word}",
                    f"{name} {verb}, and {source.choice(rows['only_then'])} {other} {word}",
                    f"{source.choice(rows['during'])} {other}, {name} {verb} and {word}",
                    f"{name} and {other} {source.choice(rows['alike'])}",
                    f"{order} {other} {verb}, and {order} {third}, {name} {word}",
                    f"after {other} but {order} {third} {verb}, {name} {word}",
                    f"between the {noun} of {other} and {third}'s {last}, {name} {verb}",
                    f"{name} {verb} between the {noun} of {other} and {third}'s {last}",
                    f"{name} {verb} {order} {other} but {word} {source.choice(rows['sooner'])}",
                    f"{name} {verb}, and {other} {word} {then}",
                    f"{name} {verb}; {other} {word} {then}",
                    f"it was {source.choice(rows['during'])} {other} that {name} {verb}",
                    f"it was at the {noun} of {other} that {name} {verb}",
                    f"it was {name} that {verb} {order} {other}",
                    f"{name} {last_going} {order} {other} {word}",
                    f"{order} {other} {word}, {name} {last_going}",
                    f"with {name} {source.choice(rows['still'])}, {other} {verb}",
                    f"with {name} {source.choice(rows['over'])}, {other} {verb}",
                    f"with {name} and {other} {verb}, {third} {word}",
                    f"{name} {source.choice(rows['came_first'])}, and {other} {word} it",
                    f"{name}, which {source.choice(rows['aside'])} {verb} {order} {other}, {word}",
                    f"{name} and {other} {verb} {source.choice(rows['orderly'])}",
                    f"{name}'s {last} and the {noun} of {other} {source.choice(rows['in_order'])}",
                    f"{name} {verb} {order} {other}, {source.choice(rows['terms'])}",
                    f"{source.choice(rows['terms'])}, {name} {verb} {order} {other}",
                    f"{name} {source.choice(rows['lasted_after'])} {other} {word}",
                    f"{though} {name} {verb} {order} {other}, {third} {word} {name}",
                    f"{name}, {source.choice(rows['aside'])}, {verb} {order} {other}",
                    f"{source.choice(rows['aside'])}, {name} {verb} {order} {other}",
                    f"{name}, {participle} {order} {other} {word}, {verb} {third}",
                    f"{participle} {order} {other}, {name} {verb} {order} {third}",
                    f"{name} {verb} {order} {other}, but {third} {word} {sooner}",
                    f"{name} {verb} {order} {other}, but {other} {word} later",
                    f"{name} {verb} {order} {other}, but {other} {word} first",
                    f"{name} that {verb} {order} {other} {word} {order} {third}",
                    f"{name} {verb} {order} {other} that {source.choice(rows['follow'])} {third}",
                    f"what {verb} {order} {other} was {name}",
                    f"{name} {source.choice(rows['precede'])} {other}, {other} {order} {third}",
                    f"{name} {source.choice(rows['precede'])} {other}, and {other} by {third}",
                    f"what {source.choice(rows['follow'])} {other} {verb} {name}",
                    f"what came {order} {other} {verb} {name}",
                    f"{name} {verb}, {then} {other}, and {then} {third}",
                    f"{name} {verb}, {then} {other} {word}, and {then} {third} {verb}",
                    f"{name} {verb}, then {other} {word}, and {third} {verb} {then}",
                    f"{name} {verb}, then {other} {word}, and {third} {verb} at the same time",
                    f"{order} {name} {verb}, {other} {word} and {third} {last_going}",
                    f"it was {order} {name} that {other} {word} and {third} {verb}",
                    f"{held} {name} {order} {other} and {order} {third}",
                    f"{name} {verb} {order} {other} and {order} {third} {word}",
                    f"{name} {verb} {order} {other} but {order} {third} {word}",
                    f"{name} {verb} {order} {other} {source.choice(('did', 'had', 'was', verb))}",
                    f"{name} occurred {order} {other} and {source.choice(rows['during'])} {third}",
                    f"the {noun} of {name} {verb} {source.choice(rows['during'])} {other}",
                ]
            )
        )
    return source.choice((". ", ". ", ". ", ". ", "; ", ", and ", " and ", ", ", " but ")).join(
        parts
    )


def placed(source: random.Random, names: list[str] = NAMES) -> str:
    """A random sentence about places."""
    rows = _rows("spatial")
    name, other = (source.choice(names) for _ in range(2))
    noun, last = (source.choice(rows["start"] + rows["finish"]) for _ in range(2))
    word = source.choice(
        rows[source.choice([key for key in rows if key not in ("start", "finish")])]
    )
    whole, after = source.choice(rows["whole"]), source.choice(rows["after"])
    return source.choice(
        [
            f"{name} {whole} {source.choice(rows['placed'])} {other}",
            f"{name} {source.choice(rows['relations'])} {other}",
            f"{name}'s {noun} {whole} {word} {other}'s {last}",
            f"the {noun} of {name} {source.choice(rows['coincide'])} the {last} of {other}",
            f"the {noun}s of {name} and {other} {source.choice(rows['coincided'])}",
            f"{name} {source.choice(rows['begin'])} {word} {other}",
            f"{source.choice(rows['opener'])}, {name} {whole} {word} {other}",
            f"{source.choice(rows['before'] + rows['after'])} {other} {whole} {name}",
            f"{source.choice(rows['in_turn'])} {name}, the mill and {other}",
            f"{name}, the mill and {other} {source.choice(rows['in_order'])}",
            f"{name}'s {noun} and {other}'s {last} {source.choice(rows['in_order'])}",
            f"{name} and {other} {source.choice(rows['end'])} {source.choice(rows['orderly'])}",
            f"{name} {source.choice(rows['begin'])} {after} the mill but {word} {other}",
            f"{name} and {other} share an {noun}, but {other} {source.choice(rows['further'])}",
            f"{name} {whole} {after} {other}, though the mill {whole} {word} {other}",
            f"{name}, {source.choice(rows['aside'])}, {whole} {word} {other}",
        ]
    )


def asked(source: random.Random, names: list[str] = NAMES) -> str:
    """A random claim in the words that people use, which may mean nothing."""
    rows = _rows("temporal")
    name, other = (source.choice(names[: source.choice((7, 16))]) for _ in range(2))
    verb, word = (source.choice(rows[source.choice(("begin", "end", "whole"))]) for _ in range(2))
    order = source.choice(rows[source.choice(("before", "after", "when", "once", "by", "during"))])
    bare = source.choice(("end", "start", "happen", "take place", "finish", "be"))
    return source.choice(
        [
            f"Did {name} {bare} {order} {other}?",
            f"did {name} {bare} {order} {other} {word}",
            f"Was {name} over {order} {other} {word}?",
            f"{name} {verb} {order} {other}",
            f"{name} {verb} {order} {other} {word}.",
            f"{name} and {other} overlapped",
            f"{name} {source.choice(rows['relations'])} {other}",
            f"{order} {other} {word}, {name} {verb}",
            f'"{name}" happens before "{other}"',
            f"There was {name} {order} {other}",
        ]
    )


def jumbled(source: random.Random) -> str:
    """Words of both tables and names in any order."""
    rows = _rows(source.choice(("temporal", "spatial")))
    keys = list(rows)
    words = (
        source.choice(HOSTILE)
        if source.random() < 0.4
        else source.choice(("the", "is", "which", "and", ",", "both", "did", "then", "it", "of"))
        if source.random() < 0.3
        else source.choice(rows[source.choice(keys)])
        for _ in range(source.randrange(2, 9))
    )
    return " ".join(words).replace(" ,", ",")


Reading = list[tuple[tuple[str, int], str, tuple[str, int]]]


def readings(
    text: str, domain: Domain, spatial: SpatialReading = SpatialReading.GEOMETRIC
) -> tuple[Reading | None, Reading | None]:
    """What the grammar and the checker read, None if they refuse the text."""
    first: Reading | None
    second: Reading | None
    try:
        rows, _ = sentences.read(text.strip(), domain, spatial)
        first = [
            ((row.left.event, row.left.bound.value == "end"),
             SIGNS[row.order],
             (row.right.event, row.right.bound.value == "end"))
            for row in rows
        ]  # fmt: skip
    except FaultError:
        first = None
    marked = check.Marked(set(), set(), set())
    try:
        read = check.WrittenPremise(domain.value, spatial.value, marked).read(text)
        second = [(left, sign, right) for left, sign, right in read]
    except check.RejectedError:
        second = None
    return first, second


def texts_of(shard: int, count: int = SHARD, seed: int = 34) -> Iterator[tuple[str, str, Domain]]:
    """Sentences and jumbled texts of a shard: their sort, the text and its domain."""
    source = random.Random(f"{seed}:{shard}")
    for _ in range(count):
        if source.random() < 0.15:
            yield "sentences", placed(source, HOSTILE), Domain.SPATIAL
        else:
            yield "sentences", made(source, HOSTILE), Domain.TEMPORAL
        domain = Domain.SPATIAL if source.random() < 0.2 else Domain.TEMPORAL
        yield "texts", jumbled(source), domain


def run(shard: int, count: int = SHARD) -> Counter[str]:
    """How many sentences and texts of a shard are read, refused, or read in two ways."""
    counts: Counter[str] = Counter()
    for sort, text, domain in texts_of(shard, count):
        for spatial in SpatialReading if domain is Domain.SPATIAL else (SpatialReading.GEOMETRIC,):
            first, second = readings(text, domain, spatial)
            if first != second:
                counts[f"{sort} with two readings"] += 1
                sys.stdout.write(f"{domain} {spatial}: {text!r}\n  {first}\n  {second}\n")
        counts[f"{sort} {'refused' if first is None else 'read'}"] += 1
        counts[sort] += 1
    return counts


def _timed(count: int, shard: int) -> tuple[Counter[str], float]:
    start = process_time()
    return run(shard, count), process_time() - start


def main() -> int:
    """Run shards from the recorded number on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--items", type=int, default=SHARD, help="number of sentences, and of texts"
    )
    parser.add_argument("--write", action="store_true", help=f"continue and write {TARGET.name}")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    known = msgspec.json.decode(TARGET.read_bytes()) if options.write and TARGET.exists() else {}
    counts: Counter[str] = Counter(known.get("counts", {}))
    shards = range(counts["sentences"] // SHARD, -(-options.items // SHARD))
    with Pool(options.jobs) as pool:
        for found, seconds in pool.imap(partial(_timed, min(SHARD, options.items)), shards):
            counts += found
            milliseconds = round(1000 * seconds / (2 * SHARD), 2)
            if options.write:
                shown = dict(sorted(counts.items()))
                write_json(TARGET, {"counts": shown, "ms_a_text": milliseconds})
    sys.stdout.write(f"{dict(sorted(counts.items()))}\n")
    return int(any(name.endswith("two readings") for name in counts))


if __name__ == "__main__":
    sys.exit(main())
