"""Scores and timings for copies of the released references.

    python -m benchmarks.reproduction.texts

A perfect copy scores below 1 if a name is empty. Times are the minimum of several runs.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import click

from benchmarks.reproduction.speed.clock import fastest, write_results
from benchmarks.texts.elements import Mode, Profile, words
from benchmarks.texts.extraction import Extraction, Item, extract, match_lines
from benchmarks.texts.pairs import overlapping
from benchmarks.texts.scores import score
from solver.cli.printing import print_json
from solver.facts.literals import read_predictions, read_references

SETS = ("single", "multi")
RELEASED_SECONDS = {"single": 171, "multi": 457}
"""Running times of the released script on this class of machine."""
MANY = 200


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--rounds", type=click.IntRange(1), default=5, show_default=True, help="Number of timed runs."
)
@click.option("--json", "as_values", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--write", is_flag=True, help="Also write benchmarks/results/quadruples.{md,json}.")
def main(folder: Path, rounds: int, as_values: bool, write: bool) -> None:
    """Score copies of FOLDER's single.references.txt and multi.references.txt."""
    copies = [_copy(folder, name, profile, rounds) for name in SETS for profile in Profile]
    values = {"rounds": rounds, "copies": copies, "many_facts": _many(rounds)}
    if write:
        write_results("quadruples", values, table(values))
    if as_values:
        print_json(values)
        return
    click.echo(table(values), nl=False)


def _copy(folder: Path, name: str, profile: Profile, rounds: int) -> dict[str, Any]:
    path = str(folder / f"{name}.references.txt")

    def once() -> Extraction:
        items, unread, none = match_lines(read_references(path), read_predictions(path), file=path)
        return extract(items, profile, unread=unread, unpredicted=none)

    seconds, found = fastest(once, rounds, before=_clear_caches)
    strict = score(found, resamples=0)[Mode.STRICT].macro
    return {
        "set": name,
        "profile": profile.value,
        "items": len(found.items),
        "pairs": len(found.item),
        "precision": strict.precision.value,
        "recall": strict.recall.value,
        "f1": strict.f1.value,
        "seconds": round(seconds, 3),
        "released_script_seconds": RELEASED_SECONDS[name],
    }


def _many(rounds: int) -> dict[str, Any]:
    """Time one item of 200 facts, whose names share more words than real ones."""
    source = random.Random(MANY)
    family = [f"name{n}" for n in range(60)] + ["of", "club", "the", "north"] * 8

    def name() -> str:
        return " ".join(source.choices(family, k=source.randint(1, 4)))

    references = [
        [name(), "startMemberOf", name(), f"2031-01-{n % 28 + 1:02}"] for n in range(MANY)
    ]
    candidates = [
        [name(), *fact[1:]] if source.random() < 0.3 else list(fact) for fact in references
    ]
    source.shuffle(candidates)
    item = Item(references=references, candidates=candidates)
    seconds, _ = fastest(lambda: extract([item], Profile.EXACT), rounds, before=_clear_caches)
    return {"facts": MANY, "seconds": round(seconds, 3)}


def _clear_caches() -> None:
    words.cache_clear()
    overlapping.cache_clear()


def table(values: dict[str, Any]) -> str:
    """Format the results as Markdown."""
    lines = [
        "| copy of | profile | items | pairs | P | R | F1 | s | released script, s |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {copy['set']} | {copy['profile']} | {copy['items']:,} | {copy['pairs']:,} "
        f"| {copy['precision']:.10f} | {copy['recall']:.10f} | {copy['f1']:.10f} "
        f"| {copy['seconds']:.2f} | {copy['released_script_seconds']} |"
        for copy in values["copies"]
    ]
    many = values["many_facts"]
    lines += ["", f"One item of {many['facts']} facts, profile exact: {many['seconds']:.2f} s."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
