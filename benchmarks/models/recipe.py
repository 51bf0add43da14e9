"""Hyperparameters of a training."""

from __future__ import annotations

from dataclasses import asdict, dataclass


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
