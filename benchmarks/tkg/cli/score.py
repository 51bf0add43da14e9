"""``score ranks --answers``: scores a language model's answers to the prompts of `prompts tkg`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from benchmarks.eventhop.cli.score import as_json
from grammar.errors import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.tkg.retrieval.scoring import GroupScore

_SHOWN = 5


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
    from benchmarks.tkg.retrieval.files import read_prompts
    from benchmarks.tkg.retrieval.scoring import group_scores, judge, read_answers
    from solver.cli.printing import print_json

    asked, given = read_prompts(prompts), read_answers(answers)
    judged = judge(asked, given)
    unknown = [one for one in given.rows if one not in asked]
    missing = [one.prompt.id for one in judged if not one.answered]
    faults = {
        "without an answer": missing,
        "answered but not in the prompts": unknown,
        "answered more than once (the first answer counts)": given.doubled,
    }
    _print_faults(faults)
    figures = group_scores(judged)
    if as_json:
        result = {"answers": given.name, "figures": [one.as_json() for one in figures]}
        print_json(result | {"missing": missing, "unknown": unknown, "doubled": given.doubled})
    else:
        _show(given.name, figures)
    ctx.exit(ExitStatus.UNREADABLE if any(faults.values()) else ExitStatus.OK)


def _print_faults(faults: dict[str, Sequence[str]]) -> None:
    from solver.eventhop.messages import counted

    for what, ids in faults.items():
        if ids:
            more = ", …" if len(ids) > _SHOWN else ""
            named = ", ".join(ids[:_SHOWN])
            click.echo(f"{counted(len(ids), 'prompt')} {what}: {named}{more}", err=True)


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
