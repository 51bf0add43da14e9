"""``generate questions``: questions over a temporal knowledge graph with gold answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generators.dataset import SplitFormat
from generators.levels import level_option, settled
from generators.questions.graph import LEVELS, Settings
from grammar.questions.model import QuestionKind
from solver.cli.options import (
    as_json,
    choice_option,
    graph_argument,
    jobs,
    on_cluster,
    out_folder,
    path_option,
    read_graph,
)
from solver.cli.settings import setting_option
from solver.io.sources import output_name

if TYPE_CHECKING:
    from generators.questions.files import Outcome
    from generators.questions.run import Plan
    from solver.rules.model import RuleTable


@click.command()
@graph_argument
@setting_option(Settings, "kinds")
@level_option(LEVELS)
@setting_option(Settings, "met")
@setting_option(Settings, "seed")
@setting_option(Settings, "cap")
@setting_option(Settings, "min_support")
@setting_option(Settings, "min_days")
@setting_option(Settings, "min_confidence")
@path_option(
    "--two-hop-rules",
    metavar="FILE",
    help="Curated 2-hop rules (two_hop_rules.tsv).  [default: mined from train]",
)
@setting_option(Settings, "reasoning")
@path_option(
    "--rules",
    metavar="RULES",
    help="Rules for fact reasoning, of which those with one body atom are used.  [default: mined "
    "the other parts of train]",
)
@choice_option(
    "--format",
    "form",
    values=SplitFormat,
    default=SplitFormat.BOTH,
    help="Format of the question files: JSON Lines, Parquet or both.",
)
@jobs
@on_cluster
@out_folder()
@as_json
def command(
    *,
    graph: Path,
    two_hop_rules: Path | None,
    rules: Path | None,
    form: SplitFormat,
    jobs: int,
    out: Path,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - the fields of the settings
) -> None:
    """Generate forecasting questions over a temporal knowledge graph, with gold answers.

    GRAPH is a folder or a file of dated facts. Splits are kept; a file without splits is train.

    \b
    Examples:
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver generate questions GRAPH --kinds 1-hop,yes-unknown --seed 7 --out asked
      python -m solver generate questions GRAPH --level 3 --out asked
      python -m solver generate questions GRAPH --two-hop-rules curated.tsv --out asked
    """  # noqa: D301 - click reads the backslash
    from generators.questions.files import write_data_set
    from generators.questions.graph import question_graph
    from generators.questions.run import Plan, make
    from solver.cli.printing import print_json, progress
    from solver.questions.model import read_two_hop_rules

    _check_format(form)
    asked = question_graph(read_graph(graph))
    plan = Plan(
        graph=asked,
        settings=Settings(**settled(LEVELS, given)),
        rules=None if rules is None else _rules(rules, asked.vocabulary.relations),
        two_hop=None if two_hop_rules is None else read_two_hop_rules(two_hop_rules),
        table="" if two_hop_rules is None else str(two_hop_rules),
    )
    parts = len(plan.graph.splits) * len(plan.settings.kinds)
    _note_reasoning(plan)
    with progress("kinds of splits", parts) as advance:
        made = make(plan, advance, jobs=jobs)
    inputs = [path for path in (rules, two_hop_rules) if path is not None]
    with progress("questions", sum(map(made.size, made.drafts))) as advance:
        outcome = write_data_set(out, plan, made, form, [graph, *inputs], advance)
    if as_json:
        print_json({"out": out.name, "seed": plan.settings.seed} | outcome.as_json())
    else:
        _show(outcome, out)


def _check_format(form: SplitFormat) -> None:
    from solver.cli.printing import note_skipped
    from solver.extras import require

    if form is SplitFormat.PARQUET:
        require("--format parquet", "pyarrow")
    elif form is SplitFormat.BOTH:
        note_skipped("Parquet files are not written", "pyarrow")


def _rules(path: Path, relations: int) -> RuleTable:
    """The rules of a file with a body of one fact.

    Raises:
        GenerationError: there is none.
    """
    from generators.questions.graph import GenerationError
    from solver.questions.contributions import between_two
    from solver.rules.io import read_rules

    rules = between_two(read_rules(path, relations=relations))
    if not len(rules):
        message = "found no rule with a body of one fact, expected some"
        raise GenerationError(message, where=str(path), hint="mine with --lengths 1")
    return rules


def _note_reasoning(plan: Plan) -> None:
    """Note that the graph lacks the splits requested for fact reasoning."""
    settings, splits = plan.settings, plan.graph.splits
    if QuestionKind.FACT_REASONING in settings.kinds and not set(settings.reasoning) & set(splits):
        wanted, found = ", ".join(settings.reasoning), ", ".join(splits)
        note = f"no fact reasoning: found no {wanted} in {plan.graph.name}"
        click.echo(f"{note}; --reasoning {found} asks there", err=True)


def _show(outcome: Outcome, out: Path) -> None:
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console, graph = wide_console(), outcome.graph
    words = graph.vocabulary
    console.print(
        f"{graph.name}: {len(graph.facts):,} facts, {words.entities:,} entities, "
        f"{words.relations:,} relations",
    )
    columns = outcome.columns()
    table = narrow_table("", columns[0], columns[1:])
    for row in outcome.table():
        table.add_row(*row)
    console.print(table)
    for kind, split, reason, number in outcome.reasons():
        console.print(f"left out of {split}, {kind}: {number} {reason}")
    rules = outcome.made.two_hop
    if rules is not None:
        used = sum(rule.use for rule in rules)
        console.print(f"2-hop rules: {used:,} used of {len(rules):,}")
    total = sum(outcome.tally.counts.values())
    console.print(f"made: {total:,} questions in {output_name(out)}")
