"""``mine``: mines temporal rules from a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, jobs, on_cluster, out_file, read_graph, show
from solver.cli.settings import setting_options
from solver.rules.mining import MinedRules
from solver.rules.model import Method, MiningSettings

if TYPE_CHECKING:
    from solver.graph.model import Vocabulary
    from solver.rules.model import RuleTable


@click.command()
@click.argument("path", metavar="PATH")
@setting_options("settings", MiningSettings)
@jobs
@on_cluster
@out_file("Output file: .json (published format), .jsonl, .parquet, or .lp (facts for clingo).")
@show("rules", default=10)
@as_json
def command(
    *,
    path: str,
    settings: MiningSettings,
    jobs: int,
    out: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Mine temporal rules with their supports and confidences from a graph.

    PATH is a graph: a folder with train.txt and so on, or one file. Rules are printed by descending
    lower bound of the 95% confidence interval of their confidence.

    \b
    Examples:
      python -m solver mine examples/tkg
      python -m solver mine examples/tkg --lengths 1,2,3 --method sample --seed 7 --out rules.json
      python -m solver mine examples/tkg --min-confidence .1 --min-support 5 --out rules.lp
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import print_json, progress
    from solver.rules.io import format_of, write_rules
    from solver.rules.mining import mine

    if out is not None:
        format_of(out)
    found = mine(read_graph(path), settings, jobs=jobs, progress=progress)
    if out is not None:
        write_rules(out, found.rules)
    summary = {
        "data": found.dataset.name,
        "facts": found.facts,
        "method": settings.used_method,
        "seed": settings.seed if settings.used_method is Method.SAMPLE else None,
        "out": None if out is None else out.name,
        "rules": len(found.rules),
        "lengths": _by_length(found),
        "best": _best(found.rules, found.dataset.vocabulary, show),
    }
    if as_json:
        print_json(summary)
    else:
        _show(summary)


def _by_length(found: MinedRules) -> list[dict[str, int]]:
    walks = "groundings" if found.settings.used_method is Method.EXACT else "walks"
    return [
        {
            "length": length,
            walks: result.walks,
            "rules": len(result.rules),
            "rule_support": int(result.rules.rule_support.sum()),
        }
        for length, result in zip(found.settings.lengths, found.by_length, strict=True)
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
    from grammar.errors import printable
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console = wide_console()
    title = f"{summary['data']}: {summary['facts']:,} facts, {summary['rules']:,} rules"
    console.print(title)
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
            table.add_row(f"{rule['confidence']:.3f}", *support, printable(rule["rule"]))
        console.print(table)
    if summary["out"]:
        console.print(f"written: {summary['out']}")
    else:
        console.print(f"shown: the best {len(summary['best']):,}; --out RULES writes all")
