"""``explain --trace``: each step of a chain of thought, coloured by its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.text import Text

from solver.cli.options import as_json
from solver.cli.printing import print_json
from solver.drawing.canvas import legible
from solver.io.terminal import SafeConsole
from solver.traces.model import StepVerdict

if TYPE_CHECKING:
    from solver.traces.explain import TraceExplanation

_STYLES = {
    StepVerdict.CONTRADICTS: "bold red",
    StepVerdict.OPEN: "bold yellow",
    StepVerdict.CARRIED: "magenta",
    StepVerdict.UNREAD: "dim italic",
    StepVerdict.WITHDRAWN: "dim strike",
    StepVerdict.FOLLOWS: "green",
    StepVerdict.RESTATED: "cyan",
    StepVerdict.NONE: "dim",
}


@click.command()
@click.option("--trace", "name", required=True, metavar="ID", help="Id of the chain of thought.")
@click.argument("path", metavar="PATH")
@as_json
def explain(*, name: str, path: str, as_json: bool) -> None:
    """Explain a chain of thought: the verdict of each step, and why the first wrong one is wrong.

    PATH is a file of chains, see docs/traces.md. A step that contradicts the premise is shown with
    a walk that derives the opposite, one that the premise leaves open with two timelines.

    \b
    Examples:
      python -m solver explain --trace order-1 examples/traces/right.jsonl
      python -m solver explain --trace order-2 examples/traces/flawed.jsonl
    """  # noqa: D301 - click reads the backslash
    from solver.traces.explain import explain

    explanation = explain(path, name)
    if as_json:
        print_json(explanation.as_json())
    else:
        print_trace(explanation)


def print_trace(explanation: TraceExplanation) -> None:
    """Print a chain of thought with its verdicts."""
    console = SafeConsole(soft_wrap=True)
    row, verdict = explanation.row, explanation.result.verdict
    console.print(Text(f"trace {legible(row.id)}", style="bold"))
    console.print(Text(f"premise: {legible(row.premise)}"))
    console.print(Text(f"claim:   {legible(row.claim)} ({verdict.status}, {verdict.label})\n"))
    for place, step in enumerate(verdict.steps):
        style = _STYLES[step.verdict]
        console.print(
            Text.assemble((f"{place:>3} {step.verdict:<11} ", style), (legible(step.text), style))
        )
        if place == verdict.first_error:
            for line in explanation.proof:
                console.print(Text(f"      {legible(line)}"))
    place = verdict.first_error
    first = "no wrong step" if place < 0 else f"first wrong step: {place}"
    lucky = ", a right answer after an error" if verdict.lucky else ""
    console.print(Text(f"\n{first}; the status is {verdict.support}{lucky}", style="bold"))
