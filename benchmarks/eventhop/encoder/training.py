"""Trains an encoder: AdamW, linear warm-up and decay, gradient clipping, early stopping."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchmarks.eventhop.encoder.data import Tokens, epoch_batches, pad_batch
from benchmarks.eventhop.encoder.model import Encoder, logits
from benchmarks.eventhop.scores import label_confusion
from benchmarks.metrics.classification import macro_f1
from benchmarks.training import MODEL, Checkpoints, DivergedError
from solver.io.writing import atomic, lasting, write_json
from solver.manifest import manifest
from solver.report.charts import plot
from solver.verification.settings import setting

if TYPE_CHECKING:
    from torch import device


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingTask:
    """An encoder with its training data, hyperparameters and device."""

    encoder: Encoder
    train: Tokens
    validation: Tokens
    recipe: Recipe
    place: device


def train(
    task: TrainingTask,
    checkpoints: Checkpoints,
    *,
    progress: Callable[[int], object] | None = None,
) -> History:
    """Train, or resume from the last checkpoint, and save the best weights in ``checkpoints``.

    A resumed training has the same weights as an uninterrupted one.

    Raises:
        DivergedError: the loss is not finite.
        OutputError: a checkpoint cannot be written.
    """
    training = _Training(task)
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
            checkpoints.keep(task.encoder, best)
        checkpoints.write(training.state(), training.steps, best)
    return training.history


class _Training:
    """A running training."""

    def __init__(self, task: TrainingTask) -> None:
        import torch
        from transformers import get_linear_schedule_with_warmup

        self._task = task
        recipe = task.recipe
        self._model: Any = task.encoder.model.to(task.place)
        self._total = recipe.total(len(task.train.ids))
        self._interval = recipe.interval(len(task.train.ids))
        weights = [parameter for parameter in self._model.parameters() if parameter.requires_grad]
        self._optimizer = torch.optim.AdamW(
            [
                # No weight decay for biases and normalisation scales.
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
        """Whether an evaluation is due."""
        return self.steps % self._interval == 0 or self.steps == self._total

    @property
    def over(self) -> bool:
        return self._early or self.steps >= self._total

    def step(self) -> None:
        """Train on one batch."""
        import torch

        task, number = self._task, self.steps
        epoch, place = divmod(number, -(-len(task.train.ids) // task.recipe.batch))
        rows = self._batches(epoch)[place]
        pad = task.encoder.tokenizer.pad_token_id
        batch = pad_batch(task.train, rows, pad=pad)
        batch["labels"] = torch.from_numpy(task.train.labels[list(rows)])
        self._model.train()
        loss = self._model(**{name: tensor.to(task.place) for name, tensor in batch.items()}).loss
        found = float(loss.item())
        if not math.isfinite(found):
            message = f"the loss of step {number + 1:,} is {found}, expected a finite number"
            raise DivergedError(message, hint="lower --rate or raise --warmup")
        self._rates.append(float(self._optimizer.param_groups[0]["lr"]))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), task.recipe.clip)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad()
        self._losses.append(found)

    def evaluate(self) -> None:
        """Evaluate on the validation pairs, if any."""
        task = self._task
        gold = task.validation.labels
        if not len(gold):
            return
        found = logits(task.encoder, task.validation, task.place)
        score = Evaluation(
            step=self.steps,
            loss=-float(_log_softmax(found)[np.arange(len(gold)), gold].mean()),
            macro_f1=macro_f1(label_confusion(gold, found.argmax(axis=1))),
        )
        self._evaluations.append(score)
        self._early = 0 < task.recipe.patience <= self.history.waited and not self.over

    def state(self) -> dict[str, object]:
        """Everything that the following steps depend on."""
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
        """Resume from a state."""
        import torch

        self._model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        if torch.cuda.is_available():
            torch.cuda.set_rng_state_all(state["random_cuda"])
        history = state["history"]
        self._losses = list(history["losses"])
        self._rates = list(history["rates"])
        self._evaluations = [Evaluation(**evaluation) for evaluation in history["evaluations"]]
        self._early = history["early"]

    def _epoch(self, epoch: int) -> list[tuple[int, ...]]:
        recipe = self._task.recipe
        return epoch_batches(self._task.train.lengths, recipe.batch, seed=recipe.seed, epoch=epoch)


def _log_softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of the softmax of each row, shape (rows, labels)."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    found: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found


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
        return max(self.evaluations, key=lambda evaluation: evaluation.rank, default=None)

    @property
    def best_step(self) -> int:
        """The step whose weights are kept; the last one without validation pairs."""
        return self.best.step if self.best else self.steps

    @property
    def waited(self) -> int:
        """Number of evaluations since the best one."""
        return sum(evaluation.step > self.best_step for evaluation in self.evaluations)

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


@lasting()
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
    steps = [evaluation.step for evaluation in history.evaluations]
    with plot(width=9.6, panels=2) as figure:
        left, right = figure.axes
        left.plot(range(1, len(losses) + 1), losses, color="C0", alpha=0.3)
        left.plot(range(window, len(losses) + 1), smooth, color="C0", label="training")
        left.plot(
            steps,
            [evaluation.loss for evaluation in history.evaluations],
            "o-",
            color="C1",
            label="validation",
        )
        left.set_ylim(bottom=0)
        left.set(title="loss (nats)", xlabel="step")
        left.legend()
        right.plot(
            steps, [evaluation.macro_f1 for evaluation in history.evaluations], "o-", color="C1"
        )
        right.axvline(history.best_step, color="grey", linestyle=":")
        right.set_ylim(-0.02, 1.02)
        right.set(title="macro-F1, validation", xlabel="step")
    return figure.svg


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Hyperparameters of a training.

    The rate rises from 0 during the warm-up, and then falls to 0; weights decay in matrices only.
    """

    epochs: int = setting(3, "Maximum number of epochs.", low=1)
    steps: int | None = setting(None, "Maximum number of steps.", low=1)
    batch: int = setting(16, "Batch size.", low=1)
    rate: float = setting(2e-5, "Peak learning rate.", above=0)
    warmup: float = setting(0.1, "Share of the steps used for warm-up.", least=0, most=1)
    decay: float = setting(0.01, "Weight decay.", least=0)
    clip: float = setting(1.0, "Maximum gradient norm.", above=0)
    validation: float = setting(0.1, "Share of the items for validation.", least=0, below=1)
    patience: int = setting(3, "Evaluations without improvement before stopping; 0: never.", low=0)
    every: int | None = setting(None, "Steps between evaluations; one epoch by default.", low=1)
    seed: int = setting(0, "Random seed.", low=0)

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
