"""How an encoder is trained."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Choices that the weights depend on, beside the encoder and the data.

    Attributes:
        epochs: passes over the training part, at most.
        steps: batches, at most; None for as many as the epochs have.
        batch: pairs of a batch.
        rate: the highest learning rate, reached at the end of the warm-up.
        warmup: share of the steps over which the rate rises from 0, in [0, 1]; then it falls to 0.
        decay: weight decay (AdamW), of matrices only.
        clip: the longest gradient; longer ones are scaled down to it.
        validation: share of the pairs held out to choose the best step, in [0, 1).
        patience: evaluations without a better one after which training ends; 0 for never.
        every: steps between evaluations; None for once an epoch.
        seed: of weights without training, of dropout, of the order and of what is held out.
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
        """The steps of a training on so many pairs, if it is not ended early."""
        most = self.epochs * -(-pairs // self.batch)
        return most if self.steps is None else min(most, self.steps)

    def interval(self, pairs: int) -> int:
        """Steps between evaluations."""
        return self.every or -(-pairs // self.batch)

    def as_json(self) -> dict[str, object]:
        """All choices by their names."""
        return asdict(self)
