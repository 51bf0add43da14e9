"""``diagnose``: which reasoner explains a model's answers best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from benchmarks.cli.score_nli import as_json, data, report
from solver.cli.options import domain, spatial
from solver.errors import ExitStatus

if TYPE_CHECKING:
    from benchmarks.diagnosis.report import Diagnosis


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@data
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Deals the items out to folds.",
)
@spatial
@domain
@report
@as_json
@click.pass_context
def command(ctx: click.Context, /, predictions: str, **options: Any) -> None:  # noqa: ANN401
    """Find the reasoner, with a piece of logic missing, that answers as a model does.

    PREDICTIONS is read as by `score nli`. Each reasoner, with noise, is judged by the likelihood
    of answers held out; what these answers cannot tell apart is said.

    \b
    Examples:
      python -m solver baseline claim-only --data examples/right.tsv --out answers.jsonl
      python -m solver diagnose answers.jsonl --data examples/right.tsv
      python -m solver diagnose answers.jsonl --data examples/right.tsv --report reports/diagnosis
    """  # noqa: D301 - click reads the backslash
    run = _run(predictions, options)
    if options["as_json"]:
        from solver.cli.printing import print_json

        print_json(run.as_json())
    else:
        _show(run)
    if options["report"] is not None:
        from benchmarks.diagnosis.report import write_report
        from solver.cli.printing import made_folder

        page = write_report(run, made_folder(options["report"]))
        click.echo(f"report: {page}", err=True)
    from benchmarks.cli.answers import incomplete

    flawed = run.unparsed or incomplete(run.predictions, run.matched)
    ctx.exit(ExitStatus.UNREADABLE if flawed else ExitStatus.OK)


def _run(path: str, options: dict[str, Any]) -> Diagnosis:
    from benchmarks.ablations.reasoners import REASONERS
    from benchmarks.cli.answers import tell_unusable
    from benchmarks.diagnosis.answered import ask_all, put_together
    from benchmarks.diagnosis.ranking import rank
    from benchmarks.diagnosis.report import Diagnosis
    from benchmarks.nli.cases import read_cases
    from benchmarks.nli.groups import groups
    from benchmarks.nli.matching import match
    from benchmarks.nli.predictions import read_predictions
    from solver.cli.printing import tell_unparsed
    from solver.cli.progress import progress
    from solver.verify.settings import Settings

    predictions = read_predictions(path)
    settings = Settings(spatial=options["spatial"], domain=options["domain"])
    read = read_cases(options["paths"], settings)
    tell_unparsed(read.unparsed)
    matched = match(read.cases, predictions)
    tell_unusable(predictions, matched)
    pairs = zip(read.cases, matched.labels, strict=True)
    told = [(case, label) for case, label in pairs if label is not None]
    cases = [case for case, _ in told]
    with progress("answers", len(cases) * (len(REASONERS) - 1)) as advance:
        answers = ask_all(cases, progress=advance)
    answered = put_together(cases, answers, [label for _, label in told], seed=options["seed"])
    return Diagnosis(
        data=options["paths"],
        predictions=predictions,
        matched=matched,
        unparsed=len(read.unparsed),
        left_out=dict(answers.left_out),
        answered=answered,
        ranking=rank(answered, groups(cases)),
        config={name: options[name] for name in ("spatial", "domain")},
        seed=options["seed"],
    )


def _show(run: Diagnosis) -> None:
    from benchmarks.diagnosis.sentences import sentences
    from solver.cli.printing import narrow_table, wide_console

    ranking = run.ranking
    console = wide_console()
    console.print(f"{run.predictions.name}: {ranking.answers:,} readable answers", markup=False)
    for sentence in sentences(ranking):
        console.print(f"- {sentence}", markup=False, soft_wrap=True)
    columns = ["log-likelihood", "behind", "noise", "errors explained", "by chance"]
    table = narrow_table("", "reasoner", columns)
    for one in ranking.explanations:
        table.add_row(
            " = ".join((one.reasoner, *one.same)),
            f"{one.likelihood:.4f}",
            f"{one.behind.value:.1f} ± {one.behind.error:.1f}",
            f"{one.noise:.3f}",
            f"{one.explained:,} of {one.errors:,}",
            f"{one.by_chance:.0%}",
        )
    guess = ranking.guessing_behind
    table.add_row("(guessing)", f"{ranking.guessing:.4f}", f"{guess.value:.1f} ± {guess.error:.1f}")
    console.print(table)
    for name, reason in run.left_out.items():
        console.print(f"left out: {name}: {reason}", markup=False)
