"""The course of a training, its hyperparameters, and the files of a complete one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from benchmarks.training import MODEL
from solver.io.writing import atomic, write_json
from solver.manifest import manifest
from solver.report.charts import plot


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Scores on the validation pairs after a step; higher macro-F1 is better.

    Attributes:
        loss: mean cross-entropy in nats.
        macro_f1: in [0, 1].
    """

    step: int
    loss: float
    macro_f1: float

    @property
    def rank(self) -> tuple[float, float]:
        """Higher is better: macro-F1, then the loss."""
        return (self.macro_f1, -self.loss)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Losses, learning rates and evaluations by step.

    Attributes:
        losses: mean cross-entropy of each batch, in nats, by step.
        rates: the learning rate of each step.
        evaluations: by step; empty without validation pairs.
        early: whether training stopped early.
    """

    losses: tuple[float, ...] = ()
    rates: tuple[float, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    early: bool = False

    @property
    def steps(self) -> int:
        """Number of steps."""
        return len(self.losses)

    @property
    def best(self) -> Evaluation | None:
        """The first of the best evaluations; None without validation pairs."""
        return max(self.evaluations, key=lambda one: one.rank, default=None)

    @property
    def best_step(self) -> int:
        """The step whose weights are kept; the last one without validation pairs."""
        return self.best.step if self.best else self.steps

    @property
    def waited(self) -> int:
        """Number of evaluations since the best one."""
        return sum(one.step > self.best_step for one in self.evaluations)

    def as_json(self) -> dict[str, object]:
        """All fields, with the number of steps and the best step."""
        return asdict(self) | {"steps": self.steps, "best_step": self.best_step}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Hyperparameters of a training.

    Attributes:
        epochs: maximum number of epochs.
        steps: maximum number of steps; None for no limit.
        batch: batch size.
        rate: peak learning rate, reached at the end of the warm-up.
        warmup: share of the steps over which the rate rises from 0, in [0, 1]; then it falls to 0.
        decay: weight decay (AdamW), of matrices only.
        clip: maximum gradient norm.
        validation: share of the pairs held out for model selection, in [0, 1).
        patience: evaluations without improvement to stop after; 0 for never.
        every: steps between evaluations; None for one epoch.
        seed: random seed of initialisation, dropout, order and validation pairs.
    """

    epochs: int = 3
    steps: int | None = None
    batch: int = 16
    rate: float = 2e-5
    warmup: float = 0.1
    decay: float = 0.01
    clip: float = 1.0
    validation: float = 0.1
    patience: int = 3
    every: int | None = None
    seed: int = 0

    def total(self, pairs: int) -> int:
        """Number of steps on that many pairs, without early stopping."""
        most = self.epochs * -(-pairs // self.batch)
        return most if self.steps is None else min(most, self.steps)

    def interval(self, pairs: int) -> int:
        """Number of steps between evaluations."""
        return self.every or -(-pairs // self.batch)

    def as_json(self) -> dict[str, object]:
        """All hyperparameters by name."""
        return asdict(self)
