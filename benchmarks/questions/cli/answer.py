"""``answer``: answers questions about a graph from their texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import FiniteFloat, NewFile, as_json, jobs
from solver.questions.cli.parse import data, split

if TYPE_CHECKING:
    from benchmarks.questions.run import AnswerConfig
    from benchmarks.questions.scores import Scores
    from solver.graph.model import Dataset
    from solver.questions.names import Labels
    from solver.rules.model import RuleTable

_MOST = 100
BASES = ("rules", "frequency", "recency", "chance")


@click.command()
@click.argument("questions", type=click.Path(path_type=Path), metavar="DIR|FILE")
@data
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
    help="Minimal score for the answer yes, instead of --tune.",
)
@click.option(
    "--most",
    type=click.IntRange(1, 100_000),
    help="Maximal number of entities per answer.  [default: 100; no limit with --observe all]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed.")
@jobs
@click.option(
    "--out",
    type=NewFile(),
    required=True,
    metavar="FILE",
    help="Prediction file to write, JSON Lines; gzip if it ends in .gz.",
)
@as_json
def command(questions: Path, **options: Any) -> None:  # noqa: ANN401
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
    if options["observe"] == "all" and options["by"]:
        raise click.UsageError("--by requires --observe past.")
    figures = _answered(questions, options)
    scores = _scores(questions, options)
    if options["as_json"]:
        from solver.cli.printing import print_json

        print_json(figures | {"scores": None if scores is None else scores.as_json()})
        return
    counts = ", ".join(f"{number:,} {kind}" for kind, number in figures["questions"].items())
    threshold = figures["threshold"]
    tail = "" if threshold is None else f"; yes from a score of {threshold:g} on"
    click.echo(f"{sum(figures['questions'].values()):,} questions: {counts}{tail}")
    click.echo(f"written: {options['out']}", err=True)
    if scores is not None:
        from benchmarks.questions.cli.score import show

        show(scores)


def _scores(path: Path, options: dict[str, Any]) -> Scores | None:
    """Score the written answers; None if there are no gold answers."""
    from benchmarks.questions.cli.score import scored
    from benchmarks.questions.run import split_file
    from grammar.errors import HopcheckError
    from solver.graph.model import Split

    file = split_file(path, Split(options["split"]))
    try:
        return scored(str(options["out"]), file, details=False).scores
    except HopcheckError as error:
        # Scoring is optional: the questions need not have gold answers.
        click.echo(f"note: not scored: {error}", err=True)
        return None


def _answered(path: Path, options: dict[str, Any]) -> dict[str, Any]:
    from collections import Counter

    from benchmarks.questions.predictions import write_predictions
    from benchmarks.questions.run import CERTAIN, answer, read_question_set, split_file
    from solver.cli.printing import progress
    from solver.graph.cli import read_graph
    from solver.graph.model import Split
    from solver.questions.names import Labels

    dataset = read_graph(options["data"])
    labels = Labels.of(dataset.vocabulary)
    file = split_file(path, Split(options["split"]))
    with progress("questions read") as advance:
        read = read_question_set(file, labels, advance)
    means = _means(path, dataset, options)
    kinds = Counter(one.query.kind.value for one in read.asked)
    if kinds["fact-reasoning"] and not means.reasons:
        raise click.UsageError("Pass --reasoning-rules: there are fact-reasoning questions.")
    threshold = _threshold(path, means, labels, options) if means.tunable else CERTAIN
    with progress("questions answered", len(read.asked)) as advance:
        found = answer(read.asked, means, threshold, jobs=options["jobs"], each=advance)
    write_predictions(options["out"], read.ids, found)
    return {
        "observe": options["observe"],
        "by": None if means.basis is None else means.basis.value,
        "questions": dict(sorted(kinds.items())),
        # JSON has no infinity, which means never to answer yes.
        "threshold": threshold if means.tunable and threshold < float("inf") else None,
        "predictions": options["out"].name,
    }


def _means(path: Path, dataset: Dataset, options: dict[str, Any]) -> AnswerConfig:
    from benchmarks.questions.run import AnswerConfig, Basis
    from solver.questions.io import RULES

    observed = options["observe"] == "all"
    basis = None if observed else Basis(options["by"] or "rules")
    own = path / RULES if path.is_dir() and (path / RULES).is_file() else None
    rules = options["rules"] or own
    if basis is Basis.RULES and rules is None:
        raise click.UsageError(f"Pass --rules to forecast with: found no {RULES} in {path}.")
    needs = basis in (None, Basis.RULES)
    reasoning = options["reasoning_rules"] or own or rules
    return AnswerConfig(
        dataset=dataset,
        basis=basis,
        rules=_rules(rules if basis is Basis.RULES else None, dataset),
        reasoning=_rules(reasoning if needs else None, dataset),
        # The oracle leaves no answer out.
        most=options["most"] or (dataset.vocabulary.entities if observed else _MOST),
        seed=options["seed"],
    )


def _rules(path: Path | None, dataset: Dataset) -> RuleTable:
    from solver.rules.io import read_rules
    from solver.rules.model import RuleTable

    if path is None:
        return RuleTable.of(())
    return read_rules(path, relations=dataset.vocabulary.relations)


def _threshold(path: Path, means: AnswerConfig, labels: Labels, options: dict[str, Any]) -> float:
    from benchmarks.questions.run import split_file, threshold_of
    from solver.cli.printing import progress
    from solver.graph.model import Split

    given: float | None = options["threshold"]
    if given is not None:
        return given
    tune: Path | None = options["tune"]
    if tune is None:
        if not path.is_dir():
            raise click.UsageError("A single file requires --tune FILE or --threshold.")
        tune = split_file(path, Split.VALID)
    with progress("questions to tune on") as advance:
        return threshold_of(tune, means, labels, jobs=options["jobs"], each=advance)
