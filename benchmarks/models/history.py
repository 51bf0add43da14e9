"""The history of a training."""

from __future__ import annotations

from dataclasses import asdict, dataclass


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
