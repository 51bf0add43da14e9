"""``score ranks --answers``: scores a language model's answers to the prompts of `prompts tkg`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from benchmarks.eventhop.cli.score import as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.tkg.retrieval.scoring import GroupScore


@click.command()
@click.option(
    "--answers",
    required=True,
    metavar="FILE",
    help="Answers: JSONL with id and answer; - for stdin.",
)
@click.option("--prompts", required=True, metavar="FILE", help="Prompts written by `prompts tkg`.")
@as_json
@click.pass_context
def command(ctx: click.Context, /, answers: str, prompts: str, *, as_json: bool) -> None:
    """Score a language model's answers to the prompts of `prompts tkg`: Hits@k by strategy.

    An answer is a text (`answer`: an index `0.`, an entity, `0. 1071`, or several, best first), a
    list of texts (`answers`), or texts with scores (`scores`). Unreadable and missing answers are
    counted and scored as wrong. The ceiling is the share of answers that the context contains.

    \b
    Examples:
      python -m solver prompts tkg data/graph --strategy bar --out prompts.jsonl
      python -m solver score ranks --answers answers.jsonl --prompts prompts.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.predictions import match_predictions
    from benchmarks.tkg.retrieval.files import read_prompts
    from benchmarks.tkg.retrieval.scoring import group_scores, judge, read_answers
    from solver.cli.printing import print_json

    asked, given = read_prompts(prompts), read_answers(answers)
    matched = match_predictions(given, list(asked), "prompt")
    for note in matched.notes("prompt"):
        click.echo(note, err=True)
    figures = group_scores(judge(asked, matched.answers))
    if as_json:
        result = {"answers": given.name, "figures": [one.as_json() for one in figures]}
        unmatched = {"missing": matched.missing, "unknown": matched.unknown}
        print_json(result | unmatched | {"doubled": given.repeated})
    else:
        _show(given.name, figures)
    ctx.exit(matched.exit_status)


def _show(name: str, figures: Sequence[GroupScore]) -> None:
    from benchmarks.metrics.ranking import CUTS
    from benchmarks.tkg.retrieval.scoring import hits_cell
    from solver.cli.printing import narrow_table, wide_console

    console = wide_console()
    console.print(
        f"{name}: in percent, ties at random (pessimistic-optimistic)",
        markup=False,
        soft_wrap=True,
    )
    counts = ("prompts", "unread", "missing")
    columns = [*counts, *(f"H@{cut}" for cut in CUTS), "ceiling", "beyond"]
    table = narrow_table("", "strategy", columns)
    for one in figures:
        table.add_row(
            one.group,
            *(f"{count:,}" for count in (one.prompts, one.unreadable, one.missing)),
            *(hits_cell(one.hits[cut]) for cut in CUTS),
            f"{100 * one.ceiling:.1f}",
            f"{100 * one.beyond:.1f}",
        )
    console.print(table)
