"""``score ranks``: ranking metrics of models, plain and weighted by strikingness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.cli.ranking_options import filtering, graph, split, ties
from benchmarks.cli.score_nli import as_json, report, resamples, seed
from solver.cli.delegation import DelegatingCommand, by_presence
from solver.cli.options import FiniteFloat

if TYPE_CHECKING:
    from benchmarks.ranking.entrants import RankedModel
    from benchmarks.ranking.filters import FilteredAnswers
    from benchmarks.ranking.queries import Queries
    from benchmarks.ranking.report import RankingRun
    from benchmarks.ranking.tables import Numbers

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
    cls=DelegatingCommand, chooser=by_presence({"--answers": "benchmarks.cli.score_index_answers"})
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
        from benchmarks.cli.ranking_tables import show

        show(run, groups=options["groups"])
    if options["report"] is not None:
        from benchmarks.ranking.report import write_report
        from solver.cli.printing import make_folder

        page = write_report(run, make_folder(options["report"]))
        click.echo(f"report: {page}", err=True)


def _run(paths: tuple[str, ...], options: dict[str, Any]) -> RankingRun:
    from benchmarks.ranking.entrants import read_models
    from benchmarks.ranking.filters import Filter, FilteredAnswers
    from benchmarks.ranking.queries import Queries
    from benchmarks.ranking.report import RankingRun
    from benchmarks.ranking.standings import compare_models
    from benchmarks.ranking.ties import Tie
    from solver.cli.graph_reading import read_graph
    from solver.tkg.dataset import Split

    queries = Queries.of(read_graph(options["folder"]), Split(options["split"]))
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


def _values(weights: str | None, queries: Queries) -> Numbers | None:
    from benchmarks.ranking.naive import frequency_inverse, temporal_inverse
    from benchmarks.ranking.weights import read_strikingness

    if weights is None:
        return None
    if weights in NAIVE:
        return (frequency_inverse if weights == NAIVE[0] else temporal_inverse)(queries)
    return read_strikingness(weights, queries)


def _ensemble(
    queries: Queries, filtered: FilteredAnswers, options: dict[str, Any]
) -> tuple[RankedModel, tuple[tuple[float, float], ...]]:
    from benchmarks.ranking.ensembles import Ensemble, best, search
    from benchmarks.ranking.entrants import names, scored
    from benchmarks.ranking.filters import FilteredAnswers
    from benchmarks.ranking.queries import Queries
    from benchmarks.ranking.scorefiles import read_scores
    from benchmarks.ranking.ties import Tie
    from solver.tkg.dataset import Split

    files = options["ensemble"]
    models = names(files)
    share: float | None = options["eta"]
    shares: tuple[tuple[float, float], ...] = ()
    if share is None:
        valid = Queries.of(queries.dataset, Split.VALID)
        one, two = (
            read_scores(path, valid, model=name)
            for path, name in zip(options["valid"], models, strict=True)
        )
        shares = search(one, two, valid, FilteredAnswers(valid, filtered.filter))
        share = best(shares)
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
