"""Counts faults in the released descriptions of YAGO 2026 and 2022.

    python -m benchmarks.reproduction.texts.audit ../shared/data/yago2026 --write

Also writes texts for the 4,209 single facts and reads them back. ``--write`` writes the counts to
``benchmarks/results/``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from benchmarks.reproduction import RESULTS
from generators.texts.groups import read_sources
from generators.texts.run import DraftSettings, write
from grammar.texts.reader import read_text
from solver.cli.printing import narrow_table
from solver.io.terminal import wide_console
from solver.io.writing import write_json
from solver.texts.compare import Doubt, Fault, mention_faults
from solver.texts.io import read_pairs

TARGET = RESULTS / "yago-texts.json"
SETS = ("yago2026/single", "yago2026/multi", "yago2022/single", "yago2022/multi")


def mentioned(folder: Path, name: str) -> dict[str, Any]:
    """Count the texts of a set with each fault, and the facts with an empty name.

    Raises:
        InputError: a file cannot be read.
    """
    packed = folder / f"{name}.descriptions.txt.gz"
    texts = packed if packed.exists() else folder / f"{name}.descriptions.txt"
    exact: Counter[Fault | Doubt] = Counter()
    normalised: Counter[Fault | Doubt] = Counter()
    examples = facts = empty = 0
    for pair in read_pairs(texts, folder / f"{name}.references.txt"):
        if pair.text is None or pair.references is None:
            raise click.ClickException(f"{name}: found a text without facts, or facts without one")
        described = pair.references.facts
        examples += 1
        facts += len(described)
        empty += sum(not fact.subject.strip() or not fact.object.strip() for fact in described)
        for counts, plain in ((exact, False), (normalised, True)):
            found = mention_faults(pair.text.text, described, normalised=plain)
            counts.update(
                {
                    mention_fault.fault
                    for mention_fault in found
                    if isinstance(mention_fault.fault, Fault)
                }
            )
    return {
        "texts": examples,
        "facts": facts,
        "facts_with_an_empty_name": empty,
        "texts_with_fault": {fault.value: normalised[fault] for fault in Fault},
        "texts_with_fault_letter_by_letter": {fault.value: exact[fault] for fault in Fault},
    }


def rewritten(folder: Path) -> dict[str, int]:
    """Count the single facts of 2026 that can be written as text and read back unchanged."""
    sources = read_sources(folder / "yago2026" / "single.references.txt")
    same = quoted = 0
    for generated_text in write(sources.groups, DraftSettings()):
        same += read_text(generated_text.text).facts == generated_text.facts
        quoted += "“" in generated_text.text
    written = sum(len(group.facts) for group in sources.groups)
    return {
        "facts": written + len(sources.refused),
        "with_an_empty_name": len(sources.refused),
        "written": written,
        "read_back": same,
        "texts_with_quotes": quoted,
    }


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--write", "written", is_flag=True, help="Write the counts to benchmarks/results/.")
def main(folder: Path, written: bool) -> None:
    """Count faults in the released sets in FOLDER."""
    sets = {name: mentioned(folder, name) for name in SETS}
    table = narrow_table(
        "Texts with a fault, names normalised", "set", [fault.value for fault in Fault]
    )
    for name, counts in sets.items():
        table.add_row(name, *(f"{counts['texts_with_fault'][fault.value]:,}" for fault in Fault))
    wide_console().print(table)
    anew = rewritten(folder)
    click.echo(
        f"rewritten: {anew['written']:,} of {anew['facts']:,}; read back: {anew['read_back']:,}"
    )
    if written:
        write_json(TARGET, {"released": sets, "rewritten": anew})


if __name__ == "__main__":
    main()
