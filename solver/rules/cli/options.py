"""Shared options of the commands that apply temporal rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import FiniteFloat, WholeNumbers, number_option, option_group, path_option
from solver.rules.model import LONGEST

if TYPE_CHECKING:
    from solver.graph.model import Dataset, Split
    from solver.rules.application import RuleEngine, Settings
    from solver.rules.provenance import Seen

LEARNED = -1
"""Value of ``--window`` that selects the facts of the train split."""

rules_file = path_option(
    "--rules",
    metavar="FILE",
    required=True,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationOptions:
    """How rules are applied, as on the command line."""

    top_k: int
    min_confidence: float
    min_body_support: int
    lengths: tuple[int, ...] | None
    window: int
    alpha: float
    rate: float

    def settings(self, engine: RuleEngine | None = None) -> Settings:
        """The settings of the application."""
        from solver.rules.application import RuleEngine, Settings
        from solver.rules.ranks import ScoreWeights

        return Settings(
            top_k=self.top_k,
            confidence=self.min_confidence,
            body_support=self.min_body_support,
            window=max(self.window, 0),
            weighing=ScoreWeights(alpha=self.alpha, rate=self.rate),
            lengths=frozenset(self.lengths or ()),
            engine=engine or RuleEngine.FAST,
        )

    @property
    def trained(self) -> bool:
        """Whether only the facts of the train split are used."""
        return self.window == LEARNED


allow_leak = click.option(
    "--allow-leak",
    is_flag=True,
    help="Accept what was learned from facts of the evaluated times.",
)


def print_provenance(
    path: Path, seen: Seen | None, dataset: Dataset, split: Split, *, allow_leak: bool
) -> None:
    """Print a note if it is not known what rules were mined from, or if they have seen a split.

    Raises:
        InputError: the split is empty, or contains duplicate facts.
        LeakError: they have seen facts of the times of the split, and this is not allowed.
    """
    from solver.rules.application import queried_facts
    from solver.rules.provenance import refuse_leak

    times = queried_facts(dataset, split).time
    if seen is None:
        click.echo(f"note: {path} does not state the facts that it was mined from", err=True)
    for note in refuse_leak(seen, dataset, times, str(path), allow=allow_leak):
        click.echo(f"note: {note}", err=True)


applying = option_group(
    "applying",
    ApplicationOptions,
    number_option(
        "--top-k",
        default=20,
        low=0,
        help="Stop applying rules once this many best candidates differ; 0 to apply all.",
    ),
    min_confidence,
    number_option("--min-body-support", default=2, low=0, help="Minimum body support of a rule."),
    click.option(
        "--lengths",
        type=WholeNumbers(1, LONGEST),
        help="Lengths of the rules to apply; all by default.",
    ),
    number_option(
        "--window",
        default=0,
        low=LEARNED,
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
