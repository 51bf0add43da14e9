"""What happened while an encoder was trained."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """How well the held out pairs were answered after a step; higher macro-F1 is better.

    Attributes:
        loss: mean cross-entropy in nats.
        macro_f1: in [0, 1].
    """

    step: int
    loss: float
    macro_f1: float

    @property
    def rank(self) -> tuple[float, float]:
        """Greater is better: the loss decides between equals."""
        return (self.macro_f1, -self.loss)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A training from its first step on.

    Attributes:
        losses: mean cross-entropy of each batch, in nats, by step.
        rates: the learning rate of each step.
        evaluations: by step; empty if nothing was held out.
        early: whether it ended because nothing got better.
    """

    losses: tuple[float, ...] = ()
    rates: tuple[float, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    early: bool = False

    @property
    def steps(self) -> int:
        """How many there were."""
        return len(self.losses)

    @property
    def best(self) -> Evaluation | None:
        """The best evaluation, the first of equals; None if nothing was held out."""
        return max(self.evaluations, key=lambda one: one.rank, default=None)

    @property
    def best_step(self) -> int:
        """The step whose weights are kept: the last one if nothing was held out."""
        return self.best.step if self.best else self.steps

    @property
    def waited(self) -> int:
        """Evaluations since the best one."""
        return sum(one.step > self.best_step for one in self.evaluations)

    def as_json(self) -> dict[str, object]:
        """Everything, with the best step."""
        return asdict(self) | {"steps": self.steps, "best_step": self.best_step}
