"""Trains an encoder: AdamW, a rate that warms up and falls, clipped gradients, an early end."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.models.answering import logits
from benchmarks.models.batches import epoch_batches
from benchmarks.models.checkpoints import Checkpoints
from benchmarks.models.encoder import Encoder
from benchmarks.models.history import Evaluation, History
from benchmarks.models.recipe import Recipe
from benchmarks.models.tokens import Tokens, padded
from benchmarks.nli.metrics import confusion, macro_f1
from solver.errors import HopcheckError

if TYPE_CHECKING:
    from torch import device


class DivergedError(HopcheckError):
    """A training whose loss is no number any more."""

    code = "diverged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What is learned, from what, and how."""

    encoder: Encoder
    train: Tokens
    validation: Tokens
    recipe: Recipe
    place: device


def train(
    lesson: Lesson,
    checkpoints: Checkpoints,
    *,
    progress: Callable[[int], object] | None = None,
) -> History:
    """Train, or go on from the last checkpoint; the best weights are in ``checkpoints`` then.

    A training that was interrupted and went on has the same weights as one that was not.

    Raises:
        DivergedError: the loss is not finite.
        OutputError: a checkpoint cannot be written.
    """
    training = _Training(lesson)
    state = checkpoints.last()
    if state is not None:
        training.restore(state)
        if progress is not None:
            progress(training.steps)
    while not training.over:
        training.step()
        if progress is not None:
            progress(1)
        if not training.due:
            continue
        training.evaluate()
        best = training.history.best_step
        if best == training.steps:
            checkpoints.keep(lesson.encoder, best)
        checkpoints.write(training.state(), training.steps, best)
    return training.history


class _Training:
    """A training under way."""

    def __init__(self, lesson: Lesson) -> None:
        import torch
        from transformers import get_linear_schedule_with_warmup

        self._lesson = lesson
        recipe = lesson.recipe
        self._model: Any = lesson.encoder.model.to(lesson.place)
        self._total = recipe.total(len(lesson.train.ids))
        self._interval = recipe.interval(len(lesson.train.ids))
        weights = [one for one in self._model.parameters() if one.requires_grad]
        self._optimizer = torch.optim.AdamW(
            [
                # Biases and the scales of norms are not to be pulled to 0.
                {"params": [w for w in weights if w.ndim > 1], "weight_decay": recipe.decay},
                {"params": [w for w in weights if w.ndim <= 1], "weight_decay": 0.0},
            ],
            lr=recipe.rate,
        )
        self._schedule = get_linear_schedule_with_warmup(
            self._optimizer, math.ceil(recipe.warmup * self._total), self._total
        )
        self._batches = lru_cache(maxsize=1)(self._epoch)
        self._losses: list[float] = []
        self._rates: list[float] = []
        self._evaluations: list[Evaluation] = []
        self._early = False
        torch.manual_seed(recipe.seed)

    @property
    def steps(self) -> int:
        return len(self._losses)

    @property
    def history(self) -> History:
        return History(
            losses=tuple(self._losses),
            rates=tuple(self._rates),
            evaluations=tuple(self._evaluations),
            early=self._early,
        )

    @property
    def due(self) -> bool:
        """Whether it is time to evaluate."""
        return self.steps % self._interval == 0 or self.steps == self._total

    @property
    def over(self) -> bool:
        return self._early or self.steps >= self._total

    def step(self) -> None:
        """Learn one batch."""
        import torch

        lesson, number = self._lesson, self.steps
        epoch, place = divmod(number, -(-len(lesson.train.ids) // lesson.recipe.batch))
        rows = self._batches(epoch)[place]
        pad = lesson.encoder.tokenizer.pad_token_id
        batch = padded(lesson.train, rows, pad=pad)
        batch["labels"] = torch.from_numpy(lesson.train.labels[list(rows)])
        self._model.train()
        loss = self._model(**{name: one.to(lesson.place) for name, one in batch.items()}).loss
        found = float(loss.item())
        if not math.isfinite(found):
            message = f"the loss of step {number + 1:,} is {found}, expected a number"
            raise DivergedError(message, hint="lower --rate, or raise --warmup")
        self._rates.append(float(self._optimizer.param_groups[0]["lr"]))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), lesson.recipe.clip)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad()
        self._losses.append(found)

    def evaluate(self) -> None:
        """Answer the pairs held out, if there are any."""
        lesson = self._lesson
        gold = lesson.validation.labels
        if not len(gold):
            return
        found = logits(lesson.encoder, lesson.validation, lesson.place)
        score = Evaluation(
            step=self.steps,
            loss=-float(_log_softmax(found)[np.arange(len(gold)), gold].mean()),
            macro_f1=macro_f1(confusion(gold, found.argmax(axis=1))),
        )
        self._evaluations.append(score)
        self._early = 0 < lesson.recipe.patience <= self.history.waited and not self.over

    def state(self) -> dict[str, object]:
        """All that the steps to come depend on."""
        import torch

        return {
            "model": self._model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "schedule": self._schedule.state_dict(),
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state_all(),
            "history": self.history.as_json(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        import torch

        self._model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        if torch.cuda.is_available():
            torch.cuda.set_rng_state_all(state["random_cuda"])
        said = state["history"]
        self._losses = list(said["losses"])
        self._rates = list(said["rates"])
        self._evaluations = [Evaluation(**one) for one in said["evaluations"]]
        self._early = said["early"]

    def _epoch(self, epoch: int) -> list[tuple[int, ...]]:
        recipe = self._lesson.recipe
        return epoch_batches(
            self._lesson.train.lengths, recipe.batch, seed=recipe.seed, epoch=epoch
        )


def _log_softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of the softmax of each row, shape (rows, labels)."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    found: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found
