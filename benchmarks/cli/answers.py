"""What commands about a model's answers tell alike."""

from __future__ import annotations

import click

from benchmarks.nli.matching import Matched
from benchmarks.nli.predictions import Predictions
from solver.wording import counted

_SHOWN = 10
_MESSAGES = 20


def tell_unusable(predictions: Predictions, matched: Matched) -> None:
    """Say on stderr which answers and items could not be used."""
    told = {
        "without an answer": matched.missing,
        "answered, but not in the data": matched.unknown,
        "answered more than once; the first answer counts": predictions.doubled,
        "answered without a label": [one.id for one in matched.unreadable],
    }
    for what, ids in told.items():
        if ids:
            more = ", …" if len(ids) > _SHOWN else ""
            named = ", ".join(ids[:_SHOWN])
            click.echo(f"{counted(len(ids), 'item')} {what}: {named}{more}", err=True)
    for message in predictions.broken[:_MESSAGES]:
        click.echo(f"no prediction: {message}", err=True)


def incomplete(predictions: Predictions, matched: Matched) -> bool:
    """Whether something in the files could not be read or matched; unreadable answers may be."""
    left = (matched.missing, matched.unknown, predictions.doubled, predictions.broken)
    return any(left)
