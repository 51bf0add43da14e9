"""The results of a training: figures as JSON and as a plot, and a manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from benchmarks.models.encoder import MODEL
from benchmarks.models.history import History
from solver.manifest import manifest
from solver.report.plot import plot
from solver.writing import atomic, write_json

FIGURES = "training.json"
PLOT = "training.svg"
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingResult:
    """The result of a training.

    Attributes:
        train, validation: number of pairs of each part.
        cut: number of truncated pairs.
        parameters: number of parameters.
    """

    train: int
    validation: int
    cut: int
    parameters: int
    history: History

    def as_json(self) -> dict[str, object]:
        """All figures, including those of each step."""
        sizes = {name: getattr(self, name) for name in ("train", "validation", "cut", "parameters")}
        return {"pairs": sizes, **self.history.as_json()}


def read_results(out: Path) -> dict[str, Any] | None:
    """The figures of the complete training in this folder; None if there is none."""
    if not (out / MANIFEST).exists():
        return None
    figures: dict[str, Any] = msgspec.json.decode((out / FIGURES).read_bytes())
    return figures


def write_results(
    trained: TrainingResult,
    out: Path,
    *,
    start: Mapping[str, object],
    seed: int,
    inputs: Sequence[str],
) -> None:
    """Write the figures, the plot and, last, the manifest."""
    write_json(out / FIGURES, trained.as_json())
    with atomic(out / PLOT) as file:
        file.write(training_plot(trained.history).encode())
    outputs = [out / FIGURES, out / PLOT, *sorted((out / MODEL).iterdir())]
    write_json(
        out / MANIFEST,
        manifest(config=start, seed=seed, encodings=(), inputs=inputs, outputs=outputs),
    )


def training_plot(history: History) -> str:
    """Plot the smoothed loss by step, and macro-F1 on the validation pairs."""
    losses = np.array(history.losses)
    window = max(1, len(losses) // 50)
    smooth = np.convolve(losses, np.ones(window) / window, mode="valid")
    steps = [one.step for one in history.evaluations]
    with plot(width=9.6, panels=2) as figure:
        left, right = figure.axes
        left.plot(range(1, len(losses) + 1), losses, color="C0", alpha=0.3)
        left.plot(range(window, len(losses) + 1), smooth, color="C0", label="training")
        left.plot(
            steps, [one.loss for one in history.evaluations], "o-", color="C1", label="validation"
        )
        left.set_ylim(bottom=0)
        left.set(title="loss (nats)", xlabel="step")
        left.legend()
        right.plot(steps, [one.macro_f1 for one in history.evaluations], "o-", color="C1")
        right.axvline(history.best_step, color="grey", linestyle=":")
        right.set_ylim(-0.02, 1.02)
        right.set(title="macro-F1, validation", xlabel="step")
    return figure.svg
