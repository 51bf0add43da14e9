"""``explain --rule``: a temporal rule with its supports and groundings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, svg, write_drawing
from solver.rules.cli.options import data, rules_file

if TYPE_CHECKING:
    from solver.graph.model import Vocabulary
    from solver.rules.explain import Support
    from solver.rules.model import Rule, RuleTable


@click.command()
@click.option(
    "--rule",
    "wanted",
    required=True,
    metavar="TEXT|N",
    help="Rule such as `hosts(A, B) <- visits(B, A)`, or its number in FILE, from 0.",
)
@rules_file
@data
@click.option(
    "--groundings",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Number of groundings to show.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed.")
@svg
@as_json
def command(wanted: str, rules: Path, **options: Any) -> None:  # noqa: ANN401
    """Show a temporal rule of a file with its supports and some groundings in the graph.

    Groundings are found by joins and confirmed by clingo.

    \b
    Examples:
      python -m solver explain --rule 0 --rules rules.json --data examples/tkg
      python -m solver explain --rule "hosts(A, B) <- visits(B, A)" --rules rules.json \\
        --data examples/tkg --svg rule.svg
    """  # noqa: D301 - click reads the backslash
    from solver.graph.cli import read_graph
    from solver.rules.explain import supporting
    from solver.rules.graph import History
    from solver.rules.io import read_rules

    dataset = read_graph(options["data"])
    size = dataset.vocabulary
    table = read_rules(rules, relations=size.relations)
    number = _number(wanted, table, size, str(rules))
    rule = table.rule(number)
    found = supporting(
        History.of(dataset.facts(), size), rule, number=options["groundings"], seed=options["seed"]
    )
    if options["drawing"] is not None:
        _draw(rule, found, size, options["drawing"])
    if options["as_json"]:
        from solver.cli.printing import print_json

        print_json(_as_json(number, rule, found, size))
        return
    for line in _lines(number, rule, found, size):
        click.echo(line)


def _number(wanted: str, table: RuleTable, size: Vocabulary, file: str) -> int:
    """Find the row of a rule given as text or number."""
    from solver.rules.notation import RuleTextError, read_rule

    if wanted.isascii() and wanted.isdecimal():
        if int(wanted) < len(table):
            return int(wanted)
        message = f"found rule {wanted}, expected 0 to {len(table) - 1}"
        raise RuleTextError(message, where=file)
    meant = {(one.head, one.body, one.same) for one in read_rule(wanted, size)}
    heads = {head for head, _, _ in meant}
    for number, rule in enumerate(table):
        if rule.head in heads and (rule.head, rule.body, rule.same) in meant:
            return number
    raise RuleTextError("the file has no such rule", where=file, hint=_near(heads, table, size))


def _near(heads: set[int], table: RuleTable, size: Vocabulary) -> str:
    """Describe the rules of the file with the same head relation."""
    import numpy as np

    from solver.rules.notation import rule_text

    rows = np.flatnonzero(np.isin(table.head, sorted(heads)))
    if not len(rows):
        return "it has none for this relation"
    first = rule_text(table.rule(int(rows[0])), size)
    return f"it has {len(rows):,} for this relation, such as {first}"


def _lines(number: int, rule: Rule, found: Sequence[Support], size: Vocabulary) -> Iterator[str]:
    from solver.rules.notation import fact_text, rule_text

    yield f"rule {number}: {rule_text(rule, size)}"
    yield (
        f"confidence {rule.confidence:.4f}: {rule.rule_support:,} of {rule.body_support:,} body "
        "groundings are followed by the head"
    )
    if not found:
        yield "no grounding was found among the sampled facts of the head"
    for place, one in enumerate(found, 1):
        yield f"{place}. {size.time(one.head[3])}  {fact_text(one.head, size)}"
        for fact in reversed(one.body):
            yield f"   {size.time(fact[3])}  {fact_text(fact, size)}"
        if not one.proved:
            yield "   NOT confirmed by clingo"


def _as_json(number: int, rule: Rule, found: Sequence[Support], size: Vocabulary) -> dict[str, Any]:
    from solver.rules.notation import rule_text

    return {
        "rule": number,
        "text": rule_text(rule, size),
        "head": rule.head,
        "body": rule.body,
        "same": rule.same,
        "confidence": rule.confidence,
        "rule_support": rule.rule_support,
        "body_support": rule.body_support,
        "groundings": [{"head": one.head, "body": one.body, "proved": one.proved} for one in found],
    }


def _draw(rule: Rule, found: Sequence[Support], size: Vocabulary, path: Path) -> None:
    """Draw the first grounding."""
    from solver.rules.drawing import DrawnGrounding, arrow, draw, picture
    from solver.rules.notation import rule_text

    if not found:
        click.echo("nothing is drawn: no grounding was found", err=True)
        return
    drawn = DrawnGrounding(
        title=rule_text(rule, size),
        note=f"confidence {rule.confidence:.3f}: {rule.rule_support:,} of "
        f"{rule.body_support:,} body groundings",
        body=tuple(arrow(fact, size) for fact in found[0].body),
        head=arrow(found[0].head, size),
    )
    write_drawing(path, draw=lambda: draw(drawn), picture=lambda form: picture(drawn, form=form))
