"""``mine``: mines temporal rules from a graph."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import click

from grammar.errors import HopcheckError
from solver.cli.options import CommaSeparated, EnumChoice, FiniteFloat, NewFile, as_json, jobs
from solver.graph.model import Split
from solver.rules.random_walks import Transition

if TYPE_CHECKING:
    from solver.graph.model import Vocabulary
    from solver.rules.graph import RuleGraph
    from solver.rules.model import MiningResult, RuleTable

_LONGEST = 6
_MOST_GROUNDINGS = 5e9


class Method(StrEnum):
    """The mining method."""

    EXACT = "exact"
    SAMPLE = "sample"


class MiningError(HopcheckError):
    """A graph from which the requested rules cannot be mined."""

    code = "mining"


class Lengths(click.ParamType[tuple[int, ...]]):
    """Comma-separated body lengths."""

    name = "lengths"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Parse the distinct lengths, ascending."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in str(value).split(",")]
        if not all(part.isdecimal() and 1 <= int(part) <= _LONGEST for part in parts):
            self.fail(f"{value!r}: expected lengths from 1 to {_LONGEST}, such as 1,2.", param, ctx)
        return tuple(sorted({int(part) for part in parts}))


@click.command()
@click.argument("path", metavar="PATH")
@click.option(
    "--lengths", type=Lengths(), default="1,2", show_default=True, help="Lengths of rule bodies."
)
@click.option(
    "--method",
    type=EnumChoice(Method),
    help="Mining method: count all body groundings (exact; the default for lengths 1 and 2), or "
    "estimate from random walks (sample; the default for longer rules).",
)
@click.option(
    "--split",
    "splits",
    type=CommaSeparated(Split),
    default=(Split.TRAIN,),
    show_default="train",
    metavar="SPLITS",
    help=f"Splits to mine, separated by commas: {', '.join(Split)}; or all.",
)
@click.option(
    "--repeated",
    is_flag=True,
    help="Also mine rules whose body repeats an entity (exact only).",
)
@click.option(
    "--walks",
    type=click.IntRange(1, 1_000_000),
    default=200,
    show_default=True,
    help="Number of random walks per relation and length (sample only).",
)
@click.option(
    "--samples",
    type=click.IntRange(1, 1_000_000),
    default=500,
    show_default=True,
    help="Number of body samples per rule (sample only).",
)
@click.option(
    "--transition",
    type=EnumChoice(Transition),
    default=Transition.EXPONENTIAL,
    show_default="exp",
    help="Transition distribution of walks: exponential in time, or uniform (sample only).",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Random seed (sample only).",
)
@jobs
@click.option(
    "--min-confidence",
    type=FiniteFloat(0, 1),
    default=0.0,
    show_default=True,
    help="Minimum confidence of a rule.",
)
@click.option(
    "--min-support",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Minimum body support of a rule.",
)
@click.option(
    "--out",
    type=NewFile(),
    metavar="RULES",
    help="Output file: .json (published format), .jsonl, .parquet, or .lp (facts for clingo).",
)
@click.option(
    "--show",
    type=click.IntRange(0, 1_000),
    default=10,
    show_default=True,
    help="Number of rules to print.",
)
@as_json
def command(path: str, **options: Any) -> None:  # noqa: ANN401
    """Mine temporal rules with their supports and confidences from a graph.

    PATH is a graph: a folder with train.txt and so on, or one file. Rules are printed by descending
    lower bound of the 95% confidence interval of their confidence.

    \b
    Examples:
      python -m solver mine examples/tkg
      python -m solver mine examples/tkg --lengths 1,2,3 --method sample --seed 7 --out rules.json
      python -m solver mine examples/tkg --min-confidence .1 --min-support 5 --out rules.lp
    """  # noqa: D301 - click reads the backslash
    from solver.rules.io import format_of

    longest = max(options["lengths"])
    options["method"] = options["method"] or (Method.SAMPLE if longest > 2 else Method.EXACT)
    if options["out"] is not None:
        format_of(options["out"])
    summary = _mine(path, options)
    if options["as_json"]:
        from solver.cli.printing import print_json

        print_json(summary)
    else:
        _show(summary)


def _mine(path: str, options: dict[str, Any]) -> dict[str, Any]:
    """Mine rules, write them, and return a summary."""
    from solver.graph.cli import read_graph
    from solver.rules.graph import RuleGraph
    from solver.rules.io import write_rules
    from solver.rules.model import RuleTable

    dataset = read_graph(path)
    facts = dataset.facts(*options["splits"])
    if not len(facts):
        message = f"found no facts in {', '.join(options['splits'])}, expected at least one"
        raise MiningError(message, where=path, hint="choose other splits with --split")
    graph = RuleGraph.of(facts, dataset.vocabulary.relations)
    sampled = options["method"] is Method.SAMPLE
    found = _sampled(graph, options) if sampled else _exact(graph, options)
    rules = RuleTable.joined(*(one.rules for one in found)).sorted()
    if options["out"] is not None:
        write_rules(options["out"], rules)
    return {
        "data": dataset.name,
        "facts": len(facts),
        "method": options["method"],
        "seed": options["seed"] if sampled else None,
        "out": None if options["out"] is None else options["out"].name,
        "rules": len(rules),
        "lengths": _by_length(options, found),
        "best": _best(rules, dataset.vocabulary, options["show"]),
    }


def _exact(graph: RuleGraph, options: dict[str, Any]) -> tuple[MiningResult, ...]:
    from solver.cli.printing import progress
    from solver.rules.exact import ExactMining, blocks, count_walks, mine_exact

    mining = ExactMining(
        lengths=options["lengths"],
        repeated=options["repeated"],
        confidence=options["min_confidence"],
        body_support=options["min_support"],
    )
    for length in mining.lengths:
        groundings = count_walks(graph, length)
        if groundings > _MOST_GROUNDINGS:
            message = f"found {groundings:,.0f} body groundings of length {length}"
            expected = f"expected at most {_MOST_GROUNDINGS:,.0f}"
            raise MiningError(f"{message}, {expected}", hint="use --method sample")
    with progress("blocks", len(blocks(graph, mining.lengths))) as advance:
        return mine_exact(graph, mining, jobs=options["jobs"], progress=advance)


def _sampled(graph: RuleGraph, options: dict[str, Any]) -> tuple[MiningResult, ...]:
    from solver.cli.printing import progress
    from solver.rules.sampled import SampledMining, mine_sampled, parts

    mining = SampledMining(
        lengths=options["lengths"],
        walks=options["walks"],
        samples=options["samples"],
        transition=options["transition"],
        seed=options["seed"],
        confidence=options["min_confidence"],
        body_support=options["min_support"],
    )
    with progress("relations", len(parts(graph, mining.lengths))) as advance:
        return mine_sampled(graph, mining, jobs=options["jobs"], progress=advance)


def _by_length(options: dict[str, Any], found: tuple[MiningResult, ...]) -> list[dict[str, int]]:
    walks = "groundings" if options["method"] is Method.EXACT else "walks"
    return [
        {
            "length": length,
            walks: one.walks,
            "rules": len(one.rules),
            "rule_support": int(one.rules.rule_support.sum()),
        }
        for length, one in zip(options["lengths"], found, strict=True)
    ]


def _best(rules: RuleTable, vocabulary: Vocabulary, count: int) -> list[dict[str, object]]:
    from solver.rules.model import best
    from solver.rules.notation import rule_text

    # A rule of length 1 and its inverse have the same text; they are shown once.
    chosen = {rule_text(rule, vocabulary): rule for rule in rules.take(best(rules, 2 * count))}
    return [
        {
            "rule": text,
            "confidence": rule.confidence,
            "rule_support": rule.rule_support,
            "body_support": rule.body_support,
        }
        for text, rule in list(chosen.items())[:count]
    ]


def _show(summary: dict[str, Any]) -> None:
    from rich.markup import escape

    from solver.cli.printing import narrow_table, wide_console

    console = wide_console()
    title = f"{summary['data']}: {summary['facts']:,} facts, {summary['rules']:,} rules"
    console.print(title, markup=False)
    columns = [name.replace("_", " ") for name in summary["lengths"][0]][1:]
    counts = narrow_table("", "length", columns)
    for row in summary["lengths"]:
        counts.add_row(*(f"{value:,}" for value in row.values()))
    console.print(counts)
    if summary["best"]:
        table = narrow_table("", "confidence", ["rule support", "body support"])
        table.add_column("rule", overflow="fold")
        for rule in summary["best"]:
            support = (f"{rule[name]:,}" for name in ("rule_support", "body_support"))
            table.add_row(f"{rule['confidence']:.3f}", *support, escape(rule["rule"]))
        console.print(table)
    if summary["out"]:
        console.print(f"written: {summary['out']}", markup=False)
    else:
        console.print(f"shown: the best {len(summary['best']):,}; --out RULES writes all")
