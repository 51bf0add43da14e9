"""``answer``: answers questions about a graph from their texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import FiniteFloat, as_json, graph, jobs, out_file, read_graph, seed, split

if TYPE_CHECKING:
    from benchmarks.questions.run import AnswerConfig
    from benchmarks.questions.scores import Scores
    from solver.graph.model import Dataset, Split
    from solver.questions.names import Labels
    from solver.rules.model import RuleTable

_MOST = 100
BASES = ("rules", "frequency", "recency", "chance")


@click.command()
@click.argument("questions", type=click.Path(path_type=Path), metavar="DIR|FILE")
@graph()
@click.option(
    "--observe",
    type=click.Choice(["past", "all"]),
    required=True,
    help="Facts to observe: those before the query time, or all (oracle).",
)
@click.option(
    "--by",
    type=click.Choice(BASES),
    help="Baseline to forecast with.  [default: rules]",
)
@split
@click.option(
    "--rules",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Rules to forecast with.  [default: rules.jsonl of DIR]",
)
@click.option(
    "--reasoning-rules",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Rules for contributions of choices.  [default: rules.jsonl of DIR, or else --rules]",
)
@click.option(
    "--tune",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Questions to tune the threshold of yes on.  [default: valid.jsonl of DIR]",
)
@click.option(
    "--threshold",
    type=FiniteFloat(0),
    help="Minimum score for the answer yes, instead of --tune.",
)
@click.option(
    "--most",
    type=click.IntRange(1, 100_000),
    help="Maximum number of entities per answer.  [default: 100; no limit with --observe all]",
)
@seed
@jobs
@out_file("Prediction file to write, JSON Lines; gzip if it ends in .gz.", required=True)
@as_json
def command(
    *,
    questions: Path,
    graph: Path,
    observe: str,
    by: str | None,
    split: Split,
    rules: Path | None,
    reasoning_rules: Path | None,
    tune: Path | None,
    threshold: float | None,
    most: int | None,
    seed: int,
    jobs: int,
    out: Path,
    as_json: bool,
) -> None:
    """Answer questions about a graph from their texts, write the answers, and score them.

    Texts are parsed by the grammar and linked to the graph; gold answers are not used. With
    --observe past only facts before the query time count. The answers are then scored as by score
    questions, if the file of questions has gold answers.

    \b
    Examples:
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --out answers.jsonl
      python -m solver answer asked --data examples/questions/graph --observe all \\
        --out oracle.jsonl
    """  # noqa: D301 - click reads the backslash
    from collections import Counter

    from benchmarks.questions.predictions import write_predictions
    from benchmarks.questions.run import (
        CERTAIN,
        AnswerConfig,
        Basis,
        answer,
        read_question_set,
        split_file,
    )
    from solver.cli.printing import print_json, progress
    from solver.questions.io import RULES
    from solver.questions.names import Labels

    oracle = observe == "all"
    if oracle and by:
        raise click.UsageError("--by requires --observe past.")
    dataset = read_graph(graph)
    labels = Labels.of(dataset.vocabulary)
    file = split_file(questions, split)
    with progress("questions read") as advance:
        read = read_question_set(file, labels, advance)
    basis = None if oracle else Basis(by or "rules")
    own = questions / RULES if questions.is_dir() and (questions / RULES).is_file() else None
    forecasting = rules or own
    if basis is Basis.RULES and forecasting is None:
        raise click.UsageError(f"Pass --rules to forecast with: found no {RULES} in {questions}.")
    reasoning = reasoning_rules or own or rules
    means = AnswerConfig(
        dataset=dataset,
        basis=basis,
        rules=_rules(forecasting if basis is Basis.RULES else None, dataset),
        reasoning=_rules(reasoning if basis in (None, Basis.RULES) else None, dataset),
        # The oracle leaves no answer out.
        most=most or (dataset.vocabulary.entities if oracle else _MOST),
        seed=seed,
    )
    kinds = Counter(one.query.kind.value for one in read.asked)
    if kinds["fact-reasoning"] and not means.reasons:
        raise click.UsageError("Pass --reasoning-rules: there are fact-reasoning questions.")
    if not means.tunable:
        threshold = CERTAIN
    elif threshold is None:
        threshold = _tuned(tune, questions, means, labels, jobs)
    with progress("questions answered", len(read.asked)) as advance:
        found = answer(read.asked, means, threshold, jobs=jobs, each=advance)
    write_predictions(out, read.ids, found)
    scores = _scores(out, file)
    # JSON has no infinity, which means never to answer yes.
    shown = threshold if means.tunable and threshold < float("inf") else None
    if as_json:
        figures = {
            "observe": observe,
            "by": None if basis is None else basis.value,
            "questions": dict(sorted(kinds.items())),
            "threshold": shown,
            "predictions": out.name,
        }
        print_json(figures | {"scores": None if scores is None else scores.as_json()})
        return
    counts = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
    tail = "" if shown is None else f"; yes from a score of {shown:g} on"
    click.echo(f"{sum(kinds.values()):,} questions: {counts}{tail}")
    click.echo(f"written: {out}", err=True)
    if scores is not None:
        from benchmarks.questions.cli.score import show

        show(scores)


def _scores(predictions: Path, questions: Path) -> Scores | None:
    """Score the written answers; None if there are no gold answers."""
    from benchmarks.questions.cli.score import scored
    from grammar.errors import HopcheckError

    try:
        return scored(str(predictions), questions, details=False).scores
    except HopcheckError as error:
        # Scoring is optional: the questions need not have gold answers.
        click.echo(f"note: not scored: {error}", err=True)
        return None


def _rules(path: Path | None, dataset: Dataset) -> RuleTable:
    from solver.rules.io import read_rules
    from solver.rules.model import RuleTable

    if path is None:
        return RuleTable.of(())
    return read_rules(path, relations=dataset.vocabulary.relations)


def _tuned(
    file: Path | None, questions: Path, means: AnswerConfig, labels: Labels, jobs: int
) -> float:
    """The threshold of yes, tuned on a file or on the split valid of the questions."""
    from benchmarks.questions.run import split_file, threshold_of
    from solver.cli.printing import progress
    from solver.graph.model import Split

    if file is None:
        if not questions.is_dir():
            raise click.UsageError("A single file requires --tune FILE or --threshold.")
        file = split_file(questions, Split.VALID)
    with progress("questions to tune on") as advance:
        return threshold_of(file, means, labels, jobs=jobs, each=advance)
