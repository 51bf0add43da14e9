"""The page of models that answer questions.

    python -m benchmarks.reproduction.questions.models FIGURES

FIGURES is what ``reproduce questions --json`` printed. The figures and the page are written to
``benchmarks/results/question-models.{json,md}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from benchmarks.reproduction.questions.tables import report
from benchmarks.reproduction.speed.clock import write_results
from solver.report.page import markdown


@click.command()
@click.argument("figures", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(figures: Path) -> None:
    """Write ``benchmarks/results/question-models.{json,md}``."""
    values = msgspec.json.decode(figures.read_bytes())
    write_results("question-models", values, page(values))


def page(values: Mapping[str, Any]) -> str:
    """The tables in Markdown."""
    return markdown(report(values))


if __name__ == "__main__":
    main()
