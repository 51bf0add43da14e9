"""``score ranks``: ranking metrics of models, plain and weighted by strikingness."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.rules.ranking.comparison import ModelComparison, best
from benchmarks.rules.ranking.figures import groups_of
from benchmarks.rules.ranking.groups import Grouping
from benchmarks.rules.ranking.report import (
    RankingRun,
    agreement,
    headline,
    open_ties,
    overall,
    shown,
    tests,
)
from solver.cli.options import (
    FiniteFloat,
    as_json,
    graph,
    read_graph,
    report,
    resamples,
    seed,
    split,
)
from solver.cli.printing import print_json, wide_console
from solver.cli.program import DelegatingCommand, by_presence
from solver.report.model import Section, Table
from solver.report.terminal import print_table

if TYPE_CHECKING:
    from benchmarks.metrics.ranking import Numbers
    from benchmarks.rules.ranking.models import RankedModel
    from benchmarks.rules.ranking.queries import FilteredAnswers, SplitQueries
    from solver.graph.model import Split
    from solver.rules.ranks import Tie


filtering = click.option(
    "--filter",
    "filter",
    type=click.Choice(["raw", "static", "time-aware"]),
    default="time-aware",
    show_default=True,
    help="Filtered setting: keep other true answers (raw), or remove those of any time (static) or "
    "of the query's time (time-aware).",
)
ties = click.option(
    "--ties",
    type=click.Choice(["optimistic", "realistic", "pessimistic"]),
    default="realistic",
    show_default=True,
    help="Tie-breaking: best, mean or worst rank of equal scores.",
)


NAIVE = ("freq-inverse", "temporal-inverse")


class NotReturned(click.ParamType[tuple[str, int]]):
    """``MODEL=RANK``."""

    name = "model=rank"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        """Parse the model and its rank."""
        if isinstance(value, tuple):
            return value
        model, _, rank = str(value).rpartition("=")
        if not (model and rank.isdecimal() and (int(rank) > 10 or int(rank) == 0)):
            self.fail(f"{value!r} is not MODEL=RANK with a rank above 10, or 0.", param, ctx)
        return model, int(rank)


@click.command(
    cls=DelegatingCommand, chooser=by_presence({"--answers": "benchmarks.tkg.cli.retrieval:score"})
)
@click.argument("paths", nargs=-1, metavar="RANKS...")
@graph()
@split
@click.option(
    "--weights",
    metavar="SK",
    help="File with the strikingness of the split's facts, `s r o t sk`; or a baseline measure: "
    f"{' or '.join(NAIVE)}.",
)
@click.option(
    "--bias",
    type=FiniteFloat(0, min_open=True),
    default=0.1,
    show_default=True,
    help="Bias that is added to each weight.",
)
@filtering
@ties
@click.option(
    "--not-returned",
    type=NotReturned(),
    multiple=True,
    help="Rank that this model assigns to answers it did not return; disables its MRR. 0 for none; "
    "detected by default.",
)
@click.option(
    "--ensemble",
    nargs=2,
    metavar="A B",
    help="Score files of two models to combine by a weighted sum.",
)
@click.option(
    "--valid",
    nargs=2,
    metavar="A B",
    help="Score files of the ensemble on the split valid, to tune eta.",
)
@click.option("--eta", type=FiniteFloat(0, 1), help="Weight of the first model of the ensemble.")
@click.option("--groups", is_flag=True, help="Report MRR by group, agreement and tests.")
@resamples
@seed
@report
@as_json
def ranks(
    *,
    paths: tuple[str, ...],
    graph: Path,
    split: Split,
    weights: str | None,
    bias: float,
    filter: str,
    ties: str,
    not_returned: tuple[tuple[str, int], ...],
    ensemble: tuple[str, str] | None,
    valid: tuple[str, str] | None,
    eta: float | None,
    groups: bool,
    resamples: int,
    seed: int,
    report: Path | None,
    as_json: bool,
) -> None:
    """Compare models by the ranks of the true answers.

    RANKS are rank files, `s r o t rank` for both directions (inverse relations are r + |R|), joined
    by key; or score files, `s r t candidate score`, named *.scores.* or *.npz. With --answers and
    --prompts, a language model's answers to `prompts tkg` are scored instead.

    \b
    Examples:
      python -m solver score ranks examples/ranks/*.ranks.txt --data examples/ranks/graph
      python -m solver score ranks examples/ranks/*.ranks.txt --data examples/ranks/graph \\
        --weights examples/ranks/strikingness.txt --groups --report reports/ranks
    """  # noqa: D301 - click reads the backslash
    from benchmarks.rules.ranking.comparison import compare_models
    from benchmarks.rules.ranking.models import best_share, read_models
    from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
    from benchmarks.rules.ranking.report import RankingRun, write
    from solver.io.writing import make_folder
    from solver.rules.ranks import Tie

    if not paths and not ensemble:
        raise click.UsageError("Expected at least one file of ranks or scores.")
    if ensemble and not valid and eta is None:
        raise click.UsageError("--ensemble needs --valid to tune eta, or --eta.")
    if not ensemble and (valid or eta is not None):
        raise click.UsageError("--valid and --eta need --ensemble.")
    queries = SplitQueries.of(read_graph(graph), split)
    filtered = FilteredAnswers(queries, Filter(filter))
    strikingness = _values(weights, queries)
    stated, tie = dict(not_returned), Tie(ties)
    models = read_models(paths, queries, filtered, tie=tie, not_returned=stated)
    shares: tuple[tuple[float, float], ...] = ()
    if ensemble:
        if eta is None and valid:
            shares = _tuned(ensemble, valid, queries, filtered)
        share = best_share(shares) if eta is None else eta
        models.append(_ensemble(ensemble, share, queries, filtered, tie))
    standings = compare_models(
        models,
        queries,
        filtered.candidates(queries.entities),
        strikingness=strikingness,
        bias=bias,
        details=groups or report is not None,
        seed=seed,
        resamples=resamples,
    )
    files = () if weights is None or weights in NAIVE else (weights,)
    run = RankingRun(
        standings=standings,
        weights=Path(weights).name if weights else "",
        config={
            "split": split,
            "bias": bias,
            "weights": weights,
            "filter": filter,
            "ties": ties,
            "ensemble": ensemble,
            "valid": valid,
            "eta": eta,
            "resamples": resamples,
        },
        inputs=(*paths, *(ensemble or ()), *(valid or ()), *files),
        shares=shares,
        notes=_notes(models, stated),
        seed=seed,
    )
    for note in run.notes:
        click.echo(f"note: {note}", err=True)
    if as_json:
        print_json(run.as_json())
    else:
        show(run, groups=groups)
    if report is not None:
        page = write(run, make_folder(report))
        click.echo(f"report: {page}", err=True)


def _values(weights: str | None, queries: SplitQueries) -> Numbers | None:
    from benchmarks.rules.ranking.groups import (
        frequency_inverse,
        read_strikingness,
        temporal_inverse,
    )

    if weights is None:
        return None
    if weights in NAIVE:
        return (frequency_inverse if weights == NAIVE[0] else temporal_inverse)(queries)
    return read_strikingness(weights, queries)


def _tuned(
    files: tuple[str, str],
    valid: tuple[str, str],
    queries: SplitQueries,
    filtered: FilteredAnswers,
) -> tuple[tuple[float, float], ...]:
    """MRR on the split valid for each share of the first model of an ensemble."""
    from benchmarks.rules.ranking.files import read_scores
    from benchmarks.rules.ranking.models import names, search
    from benchmarks.rules.ranking.queries import FilteredAnswers, SplitQueries
    from solver.graph.model import Split

    asked = SplitQueries.of(queries.dataset, Split.VALID)
    one, two = (
        read_scores(path, asked, model=name) for path, name in zip(valid, names(files), strict=True)
    )
    return search(one, two, asked, FilteredAnswers(asked, filtered.filter))


def _ensemble(
    files: tuple[str, str],
    share: float,
    queries: SplitQueries,
    filtered: FilteredAnswers,
    tie: Tie,
) -> RankedModel:
    from benchmarks.rules.ranking.files import read_scores
    from benchmarks.rules.ranking.models import Ensemble, names, scored

    first, second = (
        read_scores(path, queries, model=name)
        for path, name in zip(files, names(files), strict=True)
    )
    mixed = Ensemble(first=first, second=second, share=share)
    return scored(mixed, queries, filtered, tie)


def _notes(entrants: list[RankedModel], stated: dict[str, int]) -> tuple[str, ...]:
    """Notes on models whose last rank was detected as "not returned"."""
    found = []
    for one in entrants:
        if one.not_returned is not None and one.model not in stated:
            share = float((one.ranks >= one.not_returned).mean())
            found.append(
                f"{share:.0%} of the ranks of {one.model} are {one.not_returned:,}, taken as not "
                f"returned: no MRR (use --not-returned {one.model}=0 if these are ranks)"
            )
    return tuple(found)


_SHOWN = 12


def show(run: RankingRun, *, groups: bool) -> None:
    """Print a table of the models, and optionally one per criterion of groups."""
    standings, queries = run.standings, run.standings.queries
    weights = f", weights {run.weights} + {standings.bias:g}" if run.weights else ""
    console = wide_console()
    console.print(
        f"{queries.dataset.name}: {len(queries):,} queries of {queries.events:,} facts of "
        f"{queries.split}{weights}; in percent",
        markup=False,
        soft_wrap=True,
    )
    models = overall(standings)
    print_table(replace(models, columns=tuple(map(_narrow, models.columns))))
    console.print(headline(standings), markup=False, soft_wrap=True)
    ties = open_ties(standings)
    if ties is not None:
        print_table(ties, "bounds by tie-breaking, in percent")
    for share, figure in run.shares:
        console.print(f"eta {share:g}: MRR {100 * figure:.2f} on valid", markup=False)
    if groups:
        _show_groups(standings)
        for section in (*agreement(standings), *tests(standings)):
            _show_section(section)


def _show_section(section: Section) -> None:
    """Print the table and text of a section of the page."""
    for table in section.tables:
        print_table(table, section.title)
    wide_console().print(section.text, markup=False, soft_wrap=True)


def _narrow(name: str) -> str:
    return name.replace("Hits@", "H@")


def _show_groups(standings: ModelComparison) -> None:
    console = wide_console()
    for grouping in Grouping:
        groups = groups_of(standings, grouping)
        if not groups:
            continue
        rows, best_cells = [], set()
        for y, one in enumerate(groups[:_SHOWN]):
            figures = [two.mrr for two in one.measures]
            best_cells |= {(y, n + 2) for n in best(figures, "mrr")}
            cells = (shown(figure, "mrr") for figure in figures)
            rows.append((one.group.name, f"{one.group.events:,}", *cells))
        columns = (grouping.value, "events", *standings.names)
        table = Table(columns=columns, rows=tuple(rows), best=frozenset(best_cells))
        print_table(table, f"MRR by {grouping}, in percent")
        if len(groups) > _SHOWN:
            console.print(f"{len(groups) - _SHOWN:,} more with --json or --report")
