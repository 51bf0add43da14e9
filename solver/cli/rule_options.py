"""Options of the commands that apply temporal rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.mine import Lengths
from solver.cli.options import Amount

if TYPE_CHECKING:
    from solver.rules.application import Application
    from solver.tkg.dataset import Dataset

Decorated = Callable[..., Any]

LEARNED = -1
"""The window that stands for the facts that rules are learned from."""

data = click.option(
    "--data",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="The graph: train.txt, valid.txt, test.txt; names in entity2id.json and so on.",
)


rules_file = click.option(
    "--rules",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Rules: .json as published, .jsonl or .parquet as mine writes them.",
)

min_confidence = click.option(
    "--min-confidence",
    type=Amount(0, 1),
    default=0.01,
    show_default=True,
    help="Leave out less confident rules.",
)
fading = click.option(
    "--lambda",
    "rate",
    type=Amount(0, 1000),
    default=0.1,
    show_default=True,
    help="How fast recency falls: exp(-lambda * time).",
)

_SETTINGS = (
    click.option(
        "--top-k",
        type=click.IntRange(0),
        default=20,
        show_default=True,
        help="Stop applying rules once so many best candidates differ; 0 for never.",
    ),
    min_confidence,
    click.option(
        "--min-body-support",
        type=click.IntRange(0),
        default=2,
        show_default=True,
        help="Leave out rules with fewer body groundings.",
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
        help="How many units of time before a query count; 0 for all, -1 for those of train.",
    ),
    click.option(
        "--alpha",
        type=Amount(0, 1),
        default=0.5,
        show_default=True,
        help="The share of confidence in a score; the rest is recency's.",
    ),
    fading,
)


def applying(command: Decorated) -> Decorated:
    """Add the options that say how rules are applied; ``application`` reads them."""
    for option in reversed(_SETTINGS):
        command = option(command)
    return command


def application(
    rules: Path,
    dataset: Dataset,
    options: dict[str, Any],
    **settings: Any,  # noqa: ANN401
) -> Application:
    """Rules over a graph, as the options say.

    Raises:
        HopcheckError: the rules cannot be read, or are of another graph.
    """
    from solver.rules.application import Application, Settings
    from solver.rules.files import read_rules
    from solver.rules.scores import Weighing
    from solver.tkg.dataset import Split

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
            weighing=Weighing(alpha=options["alpha"], rate=options["rate"]),
            lengths=frozenset(options["lengths"] or ()),
            **settings,
        ),
    )
