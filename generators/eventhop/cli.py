"""``generate eventhop``: event-order items."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from generators.eventhop.config import LEVELS, Config, Split
from generators.levels import level_option, settled
from solver.cli.options import (
    choice_option,
    jobs,
    on_cluster,
    out_folder,
    seed,
)
from solver.cli.settings import setting_option
from solver.eventhop.cli import phrases

if TYPE_CHECKING:
    from generators.eventhop.layout import Layout


class Splits(StrEnum):
    """Which splits to generate."""

    TRAIN = "train"
    TEST = "test"
    BOTH = "both"


class Contradiction(StrEnum):
    """Whether premises are inconsistent away from the claim."""

    WITH = "with"
    WITHOUT = "without"
    BOTH = "both"


@click.command()
@setting_option(Config, "preset")
@setting_option(Config, "domain")
@choice_option("--split", values=Splits, default=Splits.BOTH, help="Splits to generate.")
@click.option(
    "--train-size", type=int, default=14_000, show_default=True, help="Number of train items."
)
@click.option(
    "--test-size", type=int, default=2_500, show_default=True, help="Number of test items."
)
@level_option(LEVELS)
@setting_option(Config, "exact")
@setting_option(Config, "keep_unbalanced")
@setting_option(Config, "shapes")
@setting_option(Config, "claims")
@setting_option(Config, "hops")
@choice_option(
    "--contradiction",
    values=Contradiction,
    default=Contradiction.BOTH,
    help="Contradictions away from the claim: in all premises, in none, or in half (both).",
)
@click.option(
    "--from-links",
    "documents",
    multiple=True,
    metavar="PATH",
    help="Annotated documents (TimeML, tables, JSON Lines) whose links are the premises; "
    "repeatable. Goes with --links, --hops (2 to 8 by default), --claims, --domain, --test-size.",
)
@click.option(
    "--links",
    type=click.IntRange(2, 100),
    default=12,
    show_default=True,
    help="Number of links in a premise (--from-links only).",
)
@phrases
@seed
@jobs
@on_cluster
@out_folder("Output folder; an interrupted run resumes from it.", copied=False)
@click.option(
    "--shard-size",
    type=click.IntRange(1, 24_576),
    metavar="N",
    help="Write numbered JSON Lines files of N items each, instead of one file for each split in "
    "several formats; to a URI, workers write them, and an interrupted run resumes there.",
)
@click.option(
    "--certificates",
    is_flag=True,
    help="Also write items.jsonl: each item with its verdict and certificate, for check.",
)
@click.option("--cells", "cells_only", is_flag=True, help="Print the cells and generate nothing.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    split: Splits,
    train_size: int,
    test_size: int,
    contradiction: Contradiction,
    documents: tuple[str, ...],
    links: int,
    jobs: int,
    out: Path | str,
    shard_size: int | None,
    certificates: bool,
    cells_only: bool,
    **given: Any,  # noqa: ANN401 - other fields of the config
) -> None:
    """Generate EventHopNLI items, balanced over labels, hops and sizes, without artefacts.

    With --from-links the premises are relations of real annotated documents.

    \b
    Examples:
      python -m solver generate eventhop --preset strict --seed 0 --out data/strict
      python -m solver generate eventhop --domain spatial --split test --out data/spatial
      python -m solver generate eventhop --level 3 --split test --out data/level-3
      python -m solver generate eventhop --shape 8x16 --hops 1,2,3 --cells --out data/small
      python -m solver generate eventhop --from-links examples/links --out data/links
    """  # noqa: D301 - click reads the backslash
    from generators.eventhop.layout import layout
    from generators.eventhop.run import generate, generate_sharded
    from solver.cli.printing import note_skipped, progress
    from solver.io.remote import Folder

    place = out
    if isinstance(out, str) and shard_size is None:
        from solver.io.remote import uploaded

        out = ctx.with_resource(uploaded(out))
    if documents:
        _refuse_others(ctx)
        chosen = {name: given[name] for name in ("domain", "claims", "hops", "seed")}
        _from_links(documents, Path(out), size=test_size, links=links, **chosen)
        return
    given = settled(LEVELS, given)
    sizes = {Split.TRAIN: train_size, Split.TEST: test_size}
    everywhere = contradiction is Contradiction.BOTH
    config = Config(
        sizes={s: n for s, n in sizes.items() if split in (Splits.BOTH, s.value)},
        contradiction=None if everywhere else contradiction is Contradiction.WITH,
        **given,
    )
    planned = layout(config)
    for text in _absent(planned, every=cells_only):
        click.echo(text, err=not cells_only)
    if cells_only:
        for named, size in sorted(config.sizes.items()):
            for key, count in sorted(planned.counts(size).items()):
                click.echo(f"{named}: {count:>7,}  {key}")
        return
    if shard_size is None:
        note_skipped("Parquet files are not written", "pyarrow")
    with progress("items", sum(config.sizes.values())) as advance:
        options: dict[str, Any] = {"jobs": jobs, "progress": advance, "certificates": certificates}
        if shard_size is not None:
            generate_sharded(config, Folder(str(out)), shard_size, **options)
        else:
            generate(config, Path(out), **options)
    made = ", ".join(f"{n:,} {s}" for s, n in sorted(config.sizes.items()))
    click.echo(f"made: {made} in {place}")


def _absent(planned: Layout, *, every: bool) -> Iterator[str]:
    """A line for each cell that cannot exist or is excluded; or a summary."""
    if every:
        yield from (
            f"cannot exist: {excluded_cell.cell}: {excluded_cell.reason}"
            for excluded_cell in planned.impossible
        )
        yield from (
            f"excluded: {excluded_cell.cell}: {excluded_cell.reason}"
            for excluded_cell in planned.withheld
        )
        return
    if planned.impossible:
        yield f"{len(planned.impossible)} cells cannot exist; see --cells or the manifest"
    yield from (f"excluded: {reason}" for reason in planned.withheld_shapes)


_WITH_LINKS = {"documents", "domain", "test_size", "claims", "hops", "links", "seed", "jobs", "out"}


def _refuse_others(ctx: click.Context) -> None:
    """Refuse options that do not go with ``--from-links``."""
    for parameter in ctx.command.params:
        name = str(parameter.name)
        given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in _WITH_LINKS:
            raise click.UsageError(f"{parameter.opts[0]} does not go with --from-links.")


def _from_links(
    documents: tuple[str, ...],
    out: Path,
    **options: Any,  # noqa: ANN401 - those of the items
) -> None:
    from generators.eventhop.from_links import HOPS, LinkItems, generate_from_links
    from solver.cli.printing import progress

    config = LinkItems(**options | {"hops": options["hops"] or HOPS})
    with progress("documents") as advance:
        counts = generate_from_links(documents, config, out, progress=advance)
    for status, number in sorted(counts.items()):
        click.echo(f"{status}: {number:,}")
