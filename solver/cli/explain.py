"""``explain``: shows why one item has its label."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.delegation import DelegatingCommand, by_presence
from solver.cli.drawn import svg, write_drawing
from solver.cli.options import as_json, crosscheck, domain, policy, spatial
from solver.verify.settings import Settings

if TYPE_CHECKING:
    from solver.explanation import Explanation
    from solver.records import Record

# Packages that build on this one add their modules by name, as for commands.
MODULES = {
    "--event": "benchmarks.cli.explain_event",
    "--pattern": "solver.cli.explain_pattern",
    "--query": "solver.cli.explain_query",
    "--question": "solver.cli.explain_question",
    "--rule": "solver.cli.explain_rule",
}
"""Options that request an explanation of something other than an item, and their modules."""


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


@click.command(cls=DelegatingCommand, chooser=by_presence(MODULES), epilog=_OTHERS)
@click.argument("path", required=False)
@click.option("--id", "item_id", metavar="N", help="Id of the item in PATH.")
@click.option("--premise", metavar="TEXT", help="Premise, instead of PATH.")
@click.option("--claim", metavar="TEXT", help="Claim, with --premise.")
@policy
@spatial
@domain
@crosscheck
@svg
@as_json
def command(**options: Any) -> None:  # noqa: ANN401
    """Show why one item has its label: the chain, the cycle, or two timelines.

    \b
    Examples:
      python -m solver explain examples/flawed.tsv --id 3
      python -m solver explain examples/flawed.tsv --id 3 --svg item3.svg
      python -m solver explain --claim "the fair happens before the race" \\
        --premise "the end of the fair happened before the start of the race"
    """  # noqa: D301 - click reads the backslash
    from solver.explanation import as_json, explain

    settings = Settings(
        policy=options["policy"],
        spatial=options["spatial"],
        domain=options["domain"],
        engines=options["crosscheck"],
    )
    explanation = explain(_record(options), settings)
    if options["drawing"] is not None:
        _draw(explanation, options["drawing"])
    if options["as_json"]:
        import msgspec

        encoded = msgspec.json.encode(as_json(explanation, settings), order="sorted")
        click.echo(msgspec.json.format(encoded, indent=2))
    else:
        from solver.cli.telling import print_explanation

        print_explanation(explanation)


def _record(options: dict[str, Any]) -> Record:
    from solver.explanation import find, record_from_texts

    path, item_id = options["path"], options["item_id"]
    premise, claim = options["premise"], options["claim"]
    if path is not None and item_id is not None and premise is None and claim is None:
        return find(path, item_id)
    if path is None and item_id is None and premise is not None and claim is not None:
        return record_from_texts(premise, claim)
    raise click.UsageError("Give either PATH and --id, or --premise and --claim.")


def _draw(explanation: Explanation, path: Path) -> None:
    from solver.drawing import draw, picture

    item, verdict, outcome = explanation.item, explanation.verdict, explanation.outcome
    certificate = outcome.certificate
    if certificate is None:
        return
    write_drawing(
        path,
        draw=lambda: draw(item, verdict, certificate, hops=outcome.hops),
        picture=lambda form: picture(item, verdict, certificate, hops=outcome.hops, form=form),
    )
