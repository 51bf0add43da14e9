"""``score ranks``: ranking metrics of models, plain and weighted by strikingness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.eventhop.cli.score import as_json, report, resamples, seed
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
from solver.cli.options import DelegatingCommand, FiniteFloat, by_presence
from solver.cli.printing import narrow_table, wide_console
from solver.report.page import Section

if TYPE_CHECKING:
    from benchmarks.metrics.ranking import Numbers
    from benchmarks.rules.ranking.models import RankedModel
    from benchmarks.rules.ranking.queries import FilteredAnswers, SplitQueries


graph = click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Graph folder: train.txt, valid.txt, test.txt with `s r o t`; optional entity2id.json "
    "etc.",
)
split = click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="test",
    show_default=True,
    help="Split to evaluate.",
)
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
_OPTIONS = ("split", "bias", "weights", "filter", "ties", "ensemble", "valid", "eta", "resamples")


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
    cls=DelegatingCommand, chooser=by_presence({"--answers": "benchmarks.tkg.cli.score"})
)
@click.argument("paths", nargs=-1, metavar="RANKS...")
@graph
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
    help="Bias b that is added to each weight.",
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
    "--ensemble", nargs=2, metavar="A B", help="Score files of two models to combine (eq. 12)."
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
def ranks(paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
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
    if not paths and not options["ensemble"]:
        raise click.UsageError("Expected at least one file of ranks or scores.")
    if options["ensemble"] and not options["valid"] and options["eta"] is None:
        raise click.UsageError("--ensemble needs --valid to tune eta, or --eta.")
    if not options["ensemble"] and (options["valid"] or options["eta"] is not None):
        raise click.UsageError("--valid and --eta need --ensemble.")
    run = _run(paths, options)
    for note in run.notes:
        click.echo(f"note: {note}", err=True)
    if options["as_json"]:
        from solver.cli.printing import print_json

        print_json(run.as_json())
    else:
        show(run, groups=options["groups"])
    if options["report"] is not None:
        from benchmarks.rules.ranking.report import write_report
        from solver.io.writing import make_folder

        page = write_report(run, make_folder(options["report"]))
        click.echo(f"report: {page}", err=True)


def _run(paths: tuple[str, ...], options: dict[str, Any]) -> RankingRun:
    from benchmarks.rules.ranking.comparison import compare_models
    from benchmarks.rules.ranking.models import read_models
    from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
    from benchmarks.rules.ranking.report import RankingRun
    from solver.graph.cli import read_graph
    from solver.graph.model import Split
    from solver.rules.ranks import Tie

    queries = SplitQueries.of(read_graph(options["folder"]), Split(options["split"]))
    filtered = FilteredAnswers(queries, Filter(options["filter"]))
    values = _values(options["weights"], queries)
    not_returned = dict(options["not_returned"])
    tie = Tie(options["ties"])
    entrants = read_models(paths, queries, filtered, tie=tie, not_returned=not_returned)
    shares: tuple[tuple[float, float], ...] = ()
    if options["ensemble"]:
        mixed, shares = _ensemble(queries, filtered, options)
        entrants.append(mixed)
    standings = compare_models(
        entrants,
        queries,
        filtered.candidates(queries.entities),
        strikingness=values,
        bias=options["bias"],
        details=bool(options["groups"] or options["report"] is not None),
        seed=options["seed"],
        resamples=options["resamples"],
    )
    return RankingRun(
        standings=standings,
        weights=Path(options["weights"]).name if options["weights"] else "",
        config={name: options[name] for name in _OPTIONS},
        inputs=_inputs(paths, options),
        shares=shares,
        notes=_notes(entrants, not_returned),
        seed=options["seed"],
    )


def _inputs(paths: tuple[str, ...], options: dict[str, Any]) -> tuple[str, ...]:
    """All files that are read, except those of the graph."""
    weights = () if options["weights"] in (None, *NAIVE) else (options["weights"],)
    return (*paths, *(options["ensemble"] or ()), *(options["valid"] or ()), *weights)


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


def _ensemble(
    queries: SplitQueries, filtered: FilteredAnswers, options: dict[str, Any]
) -> tuple[RankedModel, tuple[tuple[float, float], ...]]:
    from benchmarks.rules.ranking.files import read_scores
    from benchmarks.rules.ranking.models import Ensemble, best_share, names, scored, search
    from benchmarks.rules.ranking.queries import FilteredAnswers, SplitQueries
    from solver.graph.model import Split
    from solver.rules.ranks import Tie

    files = options["ensemble"]
    models = names(files)
    share: float | None = options["eta"]
    shares: tuple[tuple[float, float], ...] = ()
    if share is None:
        valid = SplitQueries.of(queries.dataset, Split.VALID)
        one, two = (
            read_scores(path, valid, model=name)
            for path, name in zip(options["valid"], models, strict=True)
        )
        shares = search(one, two, valid, FilteredAnswers(valid, filtered.filter))
        share = best_share(shares)
    first, second = (
        read_scores(path, queries, model=name) for path, name in zip(files, models, strict=True)
    )
    mixed = Ensemble(first=first, second=second, share=share)
    return scored(mixed, queries, filtered, Tie(options["ties"])), shares


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
    table = narrow_table("", models.columns[0], [_narrow(name) for name in models.columns[1:]])
    for number, row in enumerate(models.rows):
        table.add_row(
            row[0],
            *(
                f"[bold]{cell}[/bold]" if (number, place) in models.best else cell
                for place, cell in enumerate(row[1:], 1)
            ),
        )
    console.print(table)
    console.print(headline(standings), markup=False, soft_wrap=True)
    ties = open_ties(standings)
    if ties is not None:
        table = narrow_table(
            "bounds by tie-breaking, in percent", ties.columns[0], ties.columns[1:]
        )
        for row in ties.rows:
            table.add_row(*row)
        console.print(table)
    for share, figure in run.shares:
        console.print(f"eta {share:g}: MRR {100 * figure:.2f} on valid", markup=False)
    if groups:
        _show_groups(standings)
        for section in (*agreement(standings), *tests(standings)):
            _show_section(section)


def _show_section(section: Section) -> None:
    """Print the table and text of a section of the page."""
    if section.table is None:
        return
    console = wide_console()
    columns = section.table.columns
    table = narrow_table(section.title, columns[0], columns[1:])
    for row in section.table.rows:
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    console.print(table)
    console.print(section.text, markup=False, soft_wrap=True)


def _narrow(name: str) -> str:
    return name.replace("Hits@", "H@")


def _show_groups(standings: ModelComparison) -> None:
    console = wide_console()
    for grouping in Grouping:
        groups = groups_of(standings, grouping)
        if not groups:
            continue
        columns = ["events", *standings.names]
        table = narrow_table(f"MRR by {grouping}, in percent", grouping.value, columns)
        for one in groups[:_SHOWN]:
            figures = [two.mrr for two in one.measures]
            first = best(figures, "mrr")
            cells = [
                f"[bold]{shown(figure, 'mrr')}[/bold]" if n in first else shown(figure, "mrr")
                for n, figure in enumerate(figures)
            ]
            table.add_row(one.group.name.replace("[", r"\["), f"{one.group.events:,}", *cells)
        console.print(table)
        if len(groups) > _SHOWN:
            console.print(f"{len(groups) - _SHOWN:,} more with --json or --report")
