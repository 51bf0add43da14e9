"""Prints texts of invented facts for reading.

python -m benchmarks.reproduction.texts.samples [--write]
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

import click

from benchmarks.reproduction import ROOT
from generators.texts.run import DraftSettings, Group, write
from grammar.texts.discourse import EntityKind, parts_of
from grammar.texts.model import TextFact, TextStyle
from grammar.texts.phrases import phrase_table
from solver.io.writing import atomic

EACH = 100
PAGE = ROOT / "docs" / "texts-samples.md"
_HEAD = f"""# Texts for reading

{EACH} texts of each style that `generate texts` writes of invented facts (seed 0).
`python -m benchmarks.reproduction.texts.samples --write` writes this page.
[texts.md](texts.md) describes how they are made.
"""

NAMES = {
    EntityKind.PERSON: [
        f"{first} {last}"
        for first in ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
        for last in ("Brook", "Hollow", "Marsh", "Reed", "Stone", "Vale")
    ],
    EntityKind.GROUP: [
        f"{place} {noun}"
        for place in ("Northmill", "Eastport", "Lakeside", "Fenwick")
        for noun in ("Rovers", "Institute", "Players", "Press")
    ],
    EntityKind.PLACE: [
        "Northmill",
        "Eastport",
        "Lakeside",
        "Fenwick",
        "St. Elm",
        "Ösvik",
        "Belmora",
    ],
}
RELATIONS = tuple(
    relation
    for relation in phrase_table().relations
    if {part.kind for part in parts_of(relation)} <= set(NAMES)
)
"""The relations between persons, groups and places."""


def facts(number: int) -> tuple[TextFact, ...]:
    """The facts of a text: one to four, within twelve days of each other."""
    source = random.Random(number)
    start = date(2031, 1, 1) + timedelta(days=source.randrange(700))
    some = {kind: source.sample(names, 3) for kind, names in NAMES.items()}
    found: dict[tuple[str, str, str], TextFact] = {}
    while len(found) < 1 + number % 4:
        relation = source.choice(RELATIONS)
        subject, object_ = (source.choice(some[EntityKind(p.kind)]) for p in parts_of(relation))
        if subject != object_:
            found[subject, relation, object_] = TextFact(
                subject=subject,
                relation=relation,
                object=object_,
                date=start + timedelta(days=source.randrange(12)),
            )
    return tuple(found.values())


def texts(style: TextStyle) -> Iterator[str]:
    """The texts of a style."""
    groups = [Group(where=str(number), facts=facts(number)) for number in range(EACH)]
    return (text.text for text in write(groups, DraftSettings(style=style)))


def page() -> str:
    """The page."""
    parts = [
        f"## {style}\n\n" + "".join(f"- {text}\n" for text in texts(style)) for style in TextStyle
    ]
    return "\n".join((_HEAD, *parts))


@click.command()
@click.option("--write", "to_file", is_flag=True, help="Write docs/texts-samples.md.")
def main(*, to_file: bool) -> None:
    """Print texts of each style."""
    text = page()
    click.echo(text, nl=False)
    if to_file:
        with atomic(PAGE) as file:
            file.write(text.encode())


if __name__ == "__main__":
    main()
