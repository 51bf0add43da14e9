"""``explain``: shows why one item has its label."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.cells import cell_len
from rich.text import Text

from grammar.eventhop.model import Status
from solver.cli.kinds import explaining
from solver.cli.options import as_json, svg
from solver.cli.printing import print_json, write_drawing
from solver.cli.program import DelegatingCommand
from solver.cli.settings import setting_options
from solver.drawing.canvas import Role, legible
from solver.eventhop.certificates.evidence import relations_used
from solver.eventhop.drawing.blocks import TextTimeline, text_timelines
from solver.eventhop.engines import Fault, ItemSettings
from solver.eventhop.explain import Explanation
from solver.eventhop.messages import (
    claim_in_words,
    hops_in_words,
    sentence_in_words,
    status_in_words,
)
from solver.io.terminal import SafeConsole

if TYPE_CHECKING:
    from solver.eventhop.records import Record


_OTHERS = """\
Also explains patterns of facts, temporal rules, answers to queries and to questions about a graph,
and why an event is striking. Add --help to any of these lines to see its options.

\b
  python -m solver explain --pattern "1 -1-> 2 => 2 -2-> 1"
  python -m solver explain --rule 0 --rules rules.json --data examples/tkg
  python -m solver explain --query Belmora visits "?" 2031-05-10 --rules rules.json \\
    --data examples/tkg
  python -m solver explain --question test-2-hop-000000 QUESTIONS --data GRAPH
  python -m solver explain --event Belmora visits Dunmarch 2031-05-10 --rules rules.json \\
    --data examples/tkg
"""


@click.command(cls=DelegatingCommand, chooser=explaining, epilog=_OTHERS)
@click.argument("path", required=False)
@click.option("--id", "item_id", metavar="N", help="Id of the item in PATH.")
@click.option("--premise", metavar="TEXT", help="Premise, instead of PATH.")
@click.option("--claim", metavar="TEXT", help="Claim, with --premise.")
@setting_options(
    "settings",
    ItemSettings,
    *("policy", "spatial", "domain", "mapping", "labels", "names", "phrases", "grammar", "engines"),
)
@svg
@as_json
def command(
    *,
    path: str | None,
    item_id: str | None,
    premise: str | None,
    claim: str | None,
    settings: ItemSettings,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Show why one item has its label: the chain, the cycle, or two timelines.

    \b
    Examples:
      python -m solver explain examples/flawed.tsv --id 3
      python -m solver explain examples/flawed.tsv --id 3 --svg item3.svg
      python -m solver explain --claim "the fair happens before the race" \\
        --premise "the end of the fair happened before the start of the race"
    """  # noqa: D301 - click reads the backslash
    from solver.eventhop.explain import explain

    explanation = explain(_record(path, item_id, premise, claim, settings), settings)
    if drawing is not None:
        write_drawing(drawing, explanation.picture)
    if as_json:
        print_json(explanation.as_json())
    else:
        print_explanation(explanation)


def _record(
    path: str | None,
    item_id: str | None,
    premise: str | None,
    claim: str | None,
    settings: ItemSettings,
) -> Record:
    from solver.eventhop.explain import find, record_from_texts

    if path is not None and item_id is not None and premise is None and claim is None:
        return find(path, item_id, settings.columns)
    if path is None and item_id is None and premise is not None and claim is not None:
        return record_from_texts(premise, claim)
    raise click.UsageError("Give either PATH and --id, or --premise and --claim.")


MOST_SENTENCES = 60

_STATUS_STYLE = {
    Status.ENTAILED: "bold green",
    Status.REFUTED: "bold magenta",
    Status.UNKNOWN: "bold",
    Status.CONTRADICTORY: "bold red",
}
_ROLE_STYLE = {Role.LEFT: "bold cyan", Role.RIGHT: "bold yellow", Role.OTHER: ""}


def print_explanation(explanation: Explanation) -> None:
    """Print an explanation."""
    console = SafeConsole(soft_wrap=True)
    _premise(console, explanation)
    _verdict(console, explanation)
    lines = (f"  {legible(line)}" for line in explanation.words)
    console.print(Text("\n".join(("", *lines, ""))))
    drawn = text_timelines(explanation.item, explanation.verdict, explanation.evidence)
    for timeline in drawn:
        _timeline(console, timeline)
    _feasible(console, explanation)


def _premise(console: SafeConsole, explanation: Explanation) -> None:
    used = relations_used(explanation.evidence)
    item = explanation.item
    console.print(Text(f"premise of item {legible(item.id)} ({item.domain})", style="bold"))
    if not item.premise:
        console.print(Text("      no sentence", style="dim"))
    shown = [
        index
        for index in range(len(item.premise))
        if len(item.premise) <= MOST_SENTENCES or index in used
    ]
    for index in shown:
        line = f"{index + 1:>4}. {legible(sentence_in_words(item.premise[index]))}"
        console.print(Text(line, style="" if index in used else "dim"))
    left_out = len(item.premise) - len(shown)
    if left_out:
        console.print(Text(f"      and {left_out:,} more that are not used", style="dim"))
    console.print(Text.assemble(("claim ", "bold"), legible(claim_in_words(item.claim))))


def _verdict(console: SafeConsole, explanation: Explanation) -> None:
    verdict, outcome = explanation.verdict, explanation.outcome
    hops = hops_in_words(outcome.hops)
    style = _STATUS_STYLE[verdict.status]
    console.print(
        Text.assemble(
            "\n", (verdict.status.value, style), f": {status_in_words(verdict)}",
            f" ({hops})" if hops else "",
        )
    )  # fmt: skip
    state = "consistent" if verdict.consistent else "contradictory"
    console.print(Text.assemble("label ", (explanation.label, "bold"), f", the premise is {state}"))
    if explanation.record.gold is not None:
        right = explanation.gold == explanation.label
        alike = "the published procedure errs alike" if set(Fault) & {*outcome.causes} else "cause"
        cause = f" ({alike}: {' + '.join(outcome.causes)})" if outcome.causes else ""
        gold = f"gold label {explanation.record.gold}: {'correct' if right else 'wrong'}{cause}"
        console.print(Text(gold, style="" if right else "bold red"))


def _timeline(console: SafeConsole, timeline: TextTimeline) -> None:
    if timeline.title:
        console.print(Text(f"  {timeline.title}"))
    widest = max((cell_len(row.name) for row in timeline.rows), default=0)
    for row in timeline.rows:
        space = " " * (widest - cell_len(row.name))
        style = _ROLE_STYLE[row.role]
        bar = row.bar or "(anywhere)"
        line = Text.assemble(f"  {space}", (row.name, style), "  ", (bar, style or "dim"))
        console.print(line, no_wrap=True, overflow="crop")
    if timeline.note:
        console.print(Text(f"  {timeline.note}", style="bold red"))
    console.print()


def _feasible(console: SafeConsole, explanation: Explanation) -> None:
    feasible = explanation.feasible
    if feasible.relations is None:
        console.print(Text(f"feasible relations: {feasible.note}", style="dim"))
        return
    named = ", ".join(relation.replace("_", " ") for relation in feasible.relations) or "none"
    note = f" ({feasible.note})" if feasible.note else ""
    console.print(Text(f"feasible relations of the two events: {named}{note}"))
