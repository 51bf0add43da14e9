"""Measures rewards: completions of eight sentences a second, and how they grow with length.

    python -m benchmarks.reproduction.speed.traces [--items N] [--json] [--write]

Each completion is about another item, so neither a premise nor an item's reader is kept for
another. Beside it the reader of premises and the graph engine decide the same items: the target is
2,000 completions a second, or a third of the items that these decide. Rounds are interleaved, and
medians printed. ``cold`` empties the memory of read sentences before each round. ``--write`` writes
``benchmarks/results/traces.json``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from typing import NamedTuple

import click

from benchmarks.reproduction.speed.clock import (
    Part,
    machine,
    milliseconds,
    rounded_figures,
    write_results,
)
from generators.eventhop.config import Split
from generators.traces.run import TraceSettings, drawn
from grammar.eventhop.model import Domain, SpatialReading
from grammar.eventhop.reader import reader
from grammar.traces import reader as chains
from solver.cli.printing import print_json
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.processes import no_collection
from solver.traces.reward import payer

SENTENCES = 8
LONGER = (16, 32)


@click.command()
@click.option("--items", type=click.IntRange(12), default=2_000, show_default=True, help="Items.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Rounds.")
@click.option("--json", "as_json", is_flag=True, help="Print a single JSON object.")
@click.option("--write", is_flag=True, help="Write benchmarks/results/traces.json too.")
def main(items: int, rounds: int, *, as_json: bool, write: bool) -> None:
    """Measure completions a second in one process."""
    rows = _rows(items)
    parts = [Part(name="decided", run=partial(_decide, rows))]
    parts += [
        Part(name=str(length), run=partial(_pay, rows, length)) for length in (SENTENCES, *LONGER)
    ]
    parts.append(Part(name="cold", run=partial(_pay, rows, SENTENCES)))
    spent = milliseconds(parts, rounds=rounds, each=_forget)
    paid, cold, decided = (spent[name] / 1000 for name in (str(SENTENCES), "cold", "decided"))
    grown = {length: spent[str(length)] / items for length in (SENTENCES, *LONGER)}
    values = _pay(rows, SENTENCES)
    figures = {
        "machine": machine(),
        "items": items,
        "sentences": SENTENCES,
        "paid_in_full": sum(value == 1 for value in values),
        "completions_a_second": items / paid,
        "completions_a_second_cold": items / cold,
        "items_a_second": items / decided,
        "share": decided / paid,
        "milliseconds_by_sentences": {str(length): spent for length, spent in grown.items()},
    }
    figures = rounded_figures(figures, 3)
    if write:
        write_results("traces", figures)
    if as_json:
        print_json(figures)
        return
    click.echo(
        f"{items} items in three domains, completions of {SENTENCES} sentences\n"
        f"rewards: {items / paid:,.0f} completions a second, {items / cold:,.0f} with nothing "
        f"remembered\nreader and graph engine: {items / decided:,.0f} items a second; "
        f"a completion costs {paid / decided:.1f} of these"
    )
    for length, taken in grown.items():
        click.echo(f"{length} sentences: {taken:.3f} ms")


class Row(NamedTuple):
    """An item and a chain about it, as texts."""

    premise: str
    claim: str
    domain: str
    steps: tuple[str, ...]


def _rows(items: int) -> list[Row]:
    """Chains with right steps alone, in turn of each domain."""
    settings = TraceSettings(hops=(3, 4, 5), detours=2, irrelevant=2)
    found = []
    for index in range(items):
        made = drawn(settings, Split.TEST, index)
        row = made.rows[1 - made.flawed]
        found.append(Row(row.premise, row.claim, made.domain.value, row.trace.texts))
    return found


def _texts(row: Row, length: int) -> str:
    """The sentences of a chain, repeated up to a length, with its answer at the end."""
    *steps, answer = row.steps
    return "\n".join((*islice(cycle(steps), length - 1), answer))


@no_collection()
def _pay(rows: Sequence[Row], length: int) -> list[float]:
    """What ``hopcheck.rewards.progress`` pays for chains of a length."""
    return [
        payer(row.premise, row.claim, row.domain, None, None).pay(_texts(row, length)).value
        for row in rows
    ]


@no_collection()
def _decide(rows: Sequence[Row]) -> object:
    """Read the premises and claims, and decide their status."""
    read = [
        reader(Domain(row.domain), SpatialReading.GEOMETRIC).read(
            str(number), row.premise, row.claim
        )
        for number, row in enumerate(rows)
    ]
    return engine(EngineName.GRAPH).decide(read)


def _forget(part: Part) -> None:
    """Forget items, premises and their readers; before a cold round sentences too."""
    payer.cache_clear()
    if part.name == "cold":
        chains.forget()


if __name__ == "__main__":
    main()
