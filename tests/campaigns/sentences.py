"""Random sentences of the words that are read, with names that are hard to tell from them."""

from __future__ import annotations

import random

from grammar.eventhop.sentences import table

NAMES = [
    *("A", "the storm", "Winter Fair", "a race", "Battle of Hob Hill", "Phase 2"),
    *("by-election", "Lunch", "lunch", "the end", "never", "it", "B and C", "start of term"),
    *("St. Orla", "the O'Neill Inquiry"),
    *('"Before Sunset"', "Harvest", "Harvest never", "the the race", "of", "both"),
]  # fmt: skip


def made(source: random.Random) -> str:
    """A random sentence of words of the table, which may mean nothing."""
    rows = table()["temporal"]
    verbs = [name for name in rows if name not in ("relations", "start", "finish")]
    every = [text for some in rows["relations"].values() for text in some]
    parts: list[str] = []
    for _ in range(source.randrange(1, 4)):
        name, other = (source.choice(NAMES[: source.choice((7, 21))]) for _ in range(2))
        noun = source.choice(rows["start"] + rows["finish"])
        verb = source.choice(rows[source.choice(("begin", "end", "begun", "ended", "whole"))])
        order = source.choice(rows[source.choice(("before", "after", "same", "soon", "later"))])
        word = source.choice(rows[source.choice(verbs)])
        parts.append(
            source.choice(
                [
                    f"{name} {verb} {order} {other} {source.choice(rows['end'])}",
                    f"{name} {verb} {order} {other}",
                    f"{order} {name} {verb}, {other} {source.choice(rows['begin'])}",
                    f"{name} {source.choice(every)} {other}",
                    f"the {noun} of {name} {word} {order} {other}'s {noun}",
                    f"{name} and {other} {verb} {word}",
                    f"{name}, which {verb} {order} {other}, {word} {name}",
                    f"{name} {word} {other}",
                    f"{name}.end < {other}.start",
                ]
            )
        )
    return source.choice((". ", ", and ", " and ", ", ", "; ", " but ")).join(parts)
