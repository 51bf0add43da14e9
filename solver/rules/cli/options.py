"""Shared options of the commands that apply temporal rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import FiniteFloat
from solver.rules.cli.mine import Lengths

if TYPE_CHECKING:
    from solver.graph.model import Dataset
    from solver.rules.application import Application

Decorated = Callable[..., Any]

LEARNED = -1
"""Value of ``--window`` that selects the facts of the train split."""

data = click.option(
    "--data",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Graph folder: train.txt, valid.txt, test.txt; optional names in entity2id.json etc.",
)


rules_file = click.option(
    "--rules",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Rule file written by mine: .json (published format), .jsonl or .parquet.",
)

min_confidence = click.option(
    "--min-confidence",
    type=FiniteFloat(0, 1),
    default=0.01,
    show_default=True,
    help="Minimum confidence of a rule.",
)
fading = click.option(
    "--lambda",
    "rate",
    type=FiniteFloat(0, 1000),
    default=0.1,
    show_default=True,
    help="Decay rate of recency: exp(-lambda * time).",
)

_SETTINGS = (
    click.option(
        "--top-k",
        type=click.IntRange(0),
        default=20,
        show_default=True,
        help="Stop applying rules once this many best candidates differ; 0 to apply all.",
    ),
    min_confidence,
    click.option(
        "--min-body-support",
        type=click.IntRange(0),
        default=2,
        show_default=True,
        help="Minimum body support of a rule.",
    ),
    click.option(
        "--lengths",
        type=Lengths(),
        help="Lengths of the rules to apply; all by default.",
    ),
    click.option(
        "--window",
        type=click.IntRange(LEARNED),
        default=0,
        show_default=True,
        help="Use facts of this many time units before a query; 0 for all, -1 for the train split.",
    ),
    click.option(
        "--alpha",
        type=FiniteFloat(0, 1),
        default=0.5,
        show_default=True,
        help="Weight of confidence in a score; recency has weight 1 - alpha.",
    ),
    fading,
)


def applying(command: Decorated) -> Decorated:
    """Add the options that control how rules are applied; ``application`` reads them."""
    for option in reversed(_SETTINGS):
        command = option(command)
    return command


def application(
    rules: Path,
    dataset: Dataset,
    options: dict[str, Any],
    **settings: Any,  # noqa: ANN401
) -> Application:
    """Read rules and prepare them for a graph, with the settings of the command line.

    Raises:
        HopcheckError: the rules cannot be read, or do not match the graph.
    """
    from solver.graph.model import Split
    from solver.rules.application import Application, Settings
    from solver.rules.io import read_rules
    from solver.rules.scores import ScoreWeights

    size = dataset.vocabulary
    learned = dataset.facts(Split.TRAIN)
    window = options["window"]
    return Application(
        read_rules(rules, relations=size.relations),
        learned if window == LEARNED else dataset.facts(),
        size,
        learned=learned,
        settings=Settings(
            top_k=options["top_k"],
            confidence=options["min_confidence"],
            body_support=options["min_body_support"],
            window=max(window, 0),
            weighing=ScoreWeights(alpha=options["alpha"], rate=options["rate"]),
            lengths=frozenset(options["lengths"] or ()),
            **settings,
        ),
    )
