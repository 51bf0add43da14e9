"""``score links`` and ``score agreement``: temporal awareness, and agreement of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from benchmarks.links.awareness import Inconsistent, Profile
from grammar.links.model import Interpretation, Reading
from solver.cli.options import EnumChoice, as_json, choice_option, resamples, seed
from solver.links.cli import interpretation

if TYPE_CHECKING:
    from grammar.links.model import Document


def _documents(paths: Sequence[str]) -> list[Document]:
    """Read documents.

    Raises:
        InputError: one cannot be read.
    """
    from solver.io.sources import InputError
    from solver.links.io import Loaded, read_documents

    found = []
    for one in read_documents(paths):
        if not isinstance(one, Loaded):
            raise InputError(one.message, where=one.where)
        found.append(one.document)
    return found


@click.command()
@click.argument("system", metavar="SYSTEM")
@click.option(
    "--data",
    "gold",
    multiple=True,
    required=True,
    metavar="PATH",
    help="Gold documents: file, folder or .tar.gz; may be repeated.",
)
@choice_option(
    "--profile",
    values=Profile,
    default=Profile.REDUCED,
    help="Links reduced in document order (reduced), or a published scorer.",
)
@click.option(
    "--inconsistent",
    type=EnumChoice(Inconsistent),
    help="What to do with documents that contradict themselves. Default: refuse; as-is with the "
    "profile of a published scorer.",
)
@interpretation(Reading.ALLEN)
@seed
@resamples
@as_json
def links(
    system: str,
    gold: tuple[str, ...],
    profile: Profile,
    inconsistent: Inconsistent | None,
    interpretation: Interpretation,
    seed: int,
    resamples: int,
    as_json: bool,
) -> None:
    """Score a system's temporal links by temporal awareness; documents are matched by name.

    Precision is the share of the system's reduced links that follow from gold, recall the
    reverse; counts are summed over the documents. In brackets: 95% bootstrap intervals; documents
    are resampled.

    \b
    Examples:
      python -m solver score links examples/links/market.tml --data examples/links/market.tml
      python -m solver score links SYSTEM --data GOLD --profile tempeval3
    """  # noqa: D301 - click reads the backslash
    from benchmarks.links.awareness import score_links
    from solver.cli.printing import print_json

    as_published = Inconsistent.REFUSE if profile is Profile.REDUCED else Inconsistent.AS_IS
    found = score_links(
        _documents(gold),
        _documents([system]),
        profile=profile,
        interpretation=interpretation,
        policy=inconsistent or as_published,
    )
    for side, name in found.inconsistent:
        click.echo(f"note: {name} ({side}) contradicts itself", err=True)
    for name in found.missing:
        click.echo(f"note: {name} is missing, its gold links count as not found", err=True)
    for name in found.extra:
        click.echo(f"note: {name} is not among the gold documents, not scored", err=True)
    if as_json:
        print_json(found.as_json(seed=seed, resamples=resamples))
        return
    total = found.total
    ends = found.intervals(seed=seed, resamples=resamples)

    def brackets(name: str) -> str:
        return f" [{ends[name].low:.4f}, {ends[name].high:.4f}]" if name in ends else ""

    for name, value, counts in (
        ("precision", total.precision, f" ({total.system:,} of {total.system_links:,})"),
        ("recall", total.recall, f" ({total.gold:,} of {total.gold_links:,})"),
        ("F1", total.f1, ""),
    ):
        click.echo(f"{name:<9} {value:.4f}{brackets(name.lower())}{counts}")
    for label, value in found.pairwise_f1().items():
        click.echo(f"pairwise F1 of {label}: {value:.4f}{brackets(label)}")


@click.command()
@click.argument("one", metavar="ANNOTATOR")
@click.argument("other", metavar="OTHER")
@interpretation()
@as_json
def agreement(one: str, other: str, interpretation: Interpretation, as_json: bool) -> None:
    """Compare two annotators' documents after closure: pairs with the same label, kappa.

    \b
    Example:
      python -m solver score agreement examples/links examples/links
    """  # noqa: D301 - click reads the backslash
    from benchmarks.links.agreement import agreement as compared
    from solver.cli.printing import print_json

    found = compared(_documents([one]), _documents([other]), interpretation)
    if as_json:
        print_json(found.as_json())
        return
    click.echo(f"{found.pairs.total():,} pairs of {found.documents:,} documents")
    click.echo(f"agreement {found.observed:.4f}, kappa {found.kappa:.4f}")
    click.echo(f"{len(found.contradicted):,} different pairs in which one contradicts himself")
