"""``generate``: makes data sets that are checked as they are made."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generators.cli.generate_moved_texts import moved_texts
from generators.cli.generate_patterns import patterns
from generators.cli.generate_questions import questions
from generators.cli.generate_texts import texts
from generators.cli.generate_tkg import tkg
from generators.eventhop.presets import Preset, Split
from solver.cli.options import CommaSeparated, EnumChoice, jobs
from solver.cli.outputs import NewFolder
from solver.model import ClaimRelation, Domain

if TYPE_CHECKING:
    from generators.eventhop.cells import Shape
    from generators.eventhop.config import Config
    from generators.eventhop.layout import Layout


class Splits(StrEnum):
    """Which splits to make."""

    TRAIN = "train"
    TEST = "test"
    BOTH = "both"


class Contradiction(StrEnum):
    """Whether premises contradict themselves away from the claim."""

    WITH = "with"
    WITHOUT = "without"
    BOTH = "both"


@click.group()
def command() -> None:
    """Make data sets; every item is decided by two engines and certified before it is written."""


command.add_command(moved_texts)
command.add_command(patterns)
command.add_command(questions)
command.add_command(texts)
command.add_command(tkg)


@command.command()
@click.option(
    "--preset",
    type=EnumChoice(Preset),
    default=Preset.STRICT,
    show_default=Preset.STRICT.value,
    metavar="PRESET",
    help=f"What train and test share, or how premises are written: {', '.join(Preset)}.",
)
@click.option(
    "--domain",
    type=EnumChoice(Domain),
    default=Domain.TEMPORAL,
    show_default=Domain.TEMPORAL.value,
    help="Wording.",
)
@click.option(
    "--split",
    type=EnumChoice(Splits),
    default=Splits.BOTH,
    show_default=Splits.BOTH.value,
    help="What to make.",
)
@click.option("--train-size", type=int, default=14_000, show_default=True, help="Items of train.")
@click.option("--test-size", type=int, default=2_500, show_default=True, help="Items of test.")
@click.option("--exact", is_flag=True, help="Refuse sizes that do not divide into equal parts.")
@click.option(
    "--keep-unbalanced",
    is_flag=True,
    help="Make shapes that lack a label too; the shape then tells which label it is not.",
)
@click.option(
    "--shape", "shapes", multiple=True, metavar="NxM", help="Events x relations; may be repeated."
)
@click.option(
    "--claims",
    type=CommaSeparated(ClaimRelation),
    default="all",
    metavar="CLAIMS",
    help=f"Claim relations, of {', '.join(ClaimRelation)}; all by default.",
)
@click.option("--hops", metavar="HOPS", help="Hops of items that have any, such as 1,2,5.")
@click.option(
    "--contradiction",
    type=EnumChoice(Contradiction),
    default=Contradiction.BOTH,
    show_default=Contradiction.BOTH.value,
    help="Contradictions away from the claim: in all premises, in none, or in half of them.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same bytes.")
@jobs
@click.option(
    "--out",
    type=NewFolder(),
    required=True,
    metavar="DIR",
    help="Folder of the data set; a run that was interrupted goes on there.",
)
@click.option("--cells", "cells_only", is_flag=True, help="Print the cells and make nothing.")
def eventhop(*, out: Path, jobs: int, cells_only: bool, **options: Any) -> None:  # noqa: ANN401
    """Make EventHopNLI items: labels, hops and sizes in equal parts, nothing given away.

    \b
    Examples:
      python -m solver generate eventhop --preset strict --seed 0 --out data/strict
      python -m solver generate eventhop --domain spatial --split test --out data/spatial
      python -m solver generate eventhop --shape 8x16 --hops 1,2,3 --cells --out data/small
    """  # noqa: D301 - click reads the backslash
    from generators.eventhop.layout import layout
    from generators.eventhop.run import generate
    from solver.cli.progress import progress

    config = _config(options)
    planned = layout(config)
    for text in _absent(planned, every=cells_only):
        click.echo(text, err=not cells_only)
    if cells_only:
        for split, size in sorted(config.sizes.items()):
            for key, count in sorted(planned.counts(size).items()):
                click.echo(f"{split}: {count:>7,}  {key}")
        return
    with progress("items", sum(config.sizes.values())) as advance:
        generate(config, out, jobs=jobs, progress=advance)
    click.echo(f"made: {', '.join(f'{n:,} {s}' for s, n in sorted(config.sizes.items()))} in {out}")


def _config(options: dict[str, Any]) -> Config:
    from generators.eventhop.config import Config

    sizes = {Split.TRAIN: options["train_size"], Split.TEST: options["test_size"]}
    wanted = options["split"]
    elsewhere = options["contradiction"]
    return Config(
        preset=options["preset"],
        domain=options["domain"],
        seed=options["seed"],
        sizes={s: n for s, n in sizes.items() if wanted in (Splits.BOTH, s.value)},
        shapes=tuple(map(_shape, options["shapes"])) or None,
        claims=options["claims"],
        hops=_hops(options["hops"]),
        contradiction=None if elsewhere is Contradiction.BOTH else elsewhere is Contradiction.WITH,
        exact=options["exact"],
        keep_unbalanced=options["keep_unbalanced"],
    )


def _shape(text: str) -> Shape:
    from generators.eventhop.cells import Shape

    events, _, relations = text.partition("x")
    if not (events.isdecimal() and relations.isdecimal()):
        raise click.BadParameter(f"{text!r} is no shape; write events x relations, such as 8x16.")
    return Shape(events=int(events), relations=int(relations))


def _hops(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise click.BadParameter(f"{text!r} is no list of hops; write numbers, such as 1,2,5.")
    return tuple(dict.fromkeys(map(int, parts)))


def _absent(planned: Layout, *, every: bool) -> Iterator[str]:
    """A line for each cell that cannot exist or is held back; or a line for all of them."""
    if every:
        yield from (f"cannot exist: {one.cell}: {one.reason}" for one in planned.impossible)
        yield from (f"held back: {one.cell}: {one.reason}" for one in planned.withheld)
        return
    if planned.impossible:
        yield f"{len(planned.impossible)} cells cannot exist; --cells and the manifest say why"
    yield from (f"held back: {reason}" for reason in planned.withheld_shapes)
