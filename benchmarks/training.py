"""Training of neural models: device, epochs, and the folder of checkpoints and best weights.

Folders are written under a temporary name and then renamed, so that a training that is killed at
any time resumes from its last checkpoint.
"""

from __future__ import annotations

import math
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import numpy as np

from grammar.errors import HopcheckError
from solver.graph.model import Ids
from solver.io.writing import (
    OutputError,
    hidden_beside,
    lasting,
    line,
    os_errors_reported,
    rename,
    write_json,
)

if TYPE_CHECKING:
    from torch import Tensor, device
    from torch.nn import Module
    from torch.optim import Optimizer

MODEL = "model"
"""Folder of the trained model, in the folder of its training."""
START = "run.json"
_STATE = "state.pt"
_KEPT = re.compile(r"(?P<kind>checkpoint|best)-(?P<step>\d{8})")


class Device(StrEnum):
    """Device; ``auto`` selects a GPU if available."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


class UnusableModelError(HopcheckError):
    """A folder without a usable model, or a device that there is not."""

    code = "unusable-model"


def select_device(wanted: Device) -> device:
    """Select the device.

    Raises:
        UnusableModelError: a GPU is requested and there is none.
    """
    import torch

    there = torch.cuda.is_available()
    if wanted is Device.CUDA and not there:
        raise UnusableModelError("CUDA is not available", hint="use --device cpu")
    return torch.device("cuda" if there and wanted is not Device.CPU else "cpu")


class Savable(Protocol):
    """A model that can be saved."""

    def save(self, folder: Path) -> None:
        """Save it to an existing folder."""


class OtherTrainingError(HopcheckError):
    """A folder that contains another training."""

    code = "other-training"


class Checkpoints:
    """The folder of one training."""

    def __init__(self, out: Path, start: Mapping[str, object]) -> None:
        """Open a new folder or one of the same training.

        Args:
            out: the folder, created if missing.
            start: everything that determines the weights: recipe, data, model, versions.

        Raises:
            OtherTrainingError: the folder contains another training.
        """
        self._out = out
        with os_errors_reported(out):
            out.mkdir(parents=True, exist_ok=True)
        stamp = out / START
        if not stamp.exists():
            if (out / MODEL).exists():
                message = "the folder contains a model, expected a new folder or one of a training"
                raise OtherTrainingError(message, where=str(out), hint="use another --out")
            with lasting():
                write_json(stamp, start)
        elif _differing(stamp, start):
            raise OtherTrainingError(
                "the folder contains a training with different "
                f"{', '.join(_differing(stamp, start))}",
                where=str(out),
                hint="use another --out, or the same options, data and versions",
            )

    def last(self) -> dict[str, Any] | None:
        """The state of the last checkpoint; None if there is none."""
        import torch

        steps = self._steps("checkpoint")
        if not steps:
            return None
        path = self._folder("checkpoint", steps[-1]) / _STATE
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        return state

    def keep(self, model: Savable, step: int) -> None:
        """Save the best weights so far."""
        # The folder exists if the training was killed before the next checkpoint.
        shutil.rmtree(self._folder("best", step), ignore_errors=True)
        with _whole(self._folder("best", step)) as folder:
            model.save(folder)

    def write(self, state: Mapping[str, object], step: int, best: int) -> None:
        """Write a checkpoint, then delete the files it supersedes."""
        import torch

        shutil.rmtree(self._folder("checkpoint", step), ignore_errors=True)
        with _whole(self._folder("checkpoint", step)) as folder:
            torch.save(dict(state), folder / _STATE)
        self._sweep({"checkpoint": step, "best": best})

    def finish(self, best: int) -> Path:
        """Move the best weights to their final path."""
        model = self._out / MODEL
        if not model.exists():
            rename(self._folder("best", best), model)
        return model

    def clear(self) -> None:
        """Delete all checkpoints."""
        self._sweep({})

    def _sweep(self, kept: Mapping[str, int]) -> None:
        for kind in ("checkpoint", "best"):
            for step in self._steps(kind):
                if step != kept.get(kind):
                    shutil.rmtree(self._folder(kind, step), ignore_errors=True)

    def _folder(self, kind: str, step: int) -> Path:
        return self._out / f"{kind}-{step:08d}"

    def _steps(self, kind: str) -> list[int]:
        found = (_KEPT.fullmatch(path.name) for path in self._out.iterdir())
        return sorted(int(match["step"]) for match in found if match and match["kind"] == kind)


def _differing(stamp: Path, start: Mapping[str, object]) -> list[str]:
    """The keys in which a training's recorded start differs from the current one."""
    try:
        before = msgspec.json.decode(stamp.read_bytes(), type=dict[str, Any])
    except (msgspec.DecodeError, OSError):
        return [START]
    now = msgspec.json.decode(line(start), type=dict[str, Any])
    return sorted(name for name in now | before if now.get(name) != before.get(name))


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A temporary folder that is renamed to the target when it is complete."""
    temporary = hidden_beside(target)
    try:
        with os_errors_reported(target):
            temporary.mkdir()
            yield temporary
            for path in temporary.rglob("*"):
                if path.is_file():
                    with path.open("rb+") as file:
                        os.fsync(file.fileno())
        rename(temporary, target)
    except RuntimeError as error:
        # torch raises RuntimeError when the disk is full.
        message = f"cannot be written: {str(error).splitlines()[0]}"
        raise OutputError(message, where=str(target)) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


class DivergedError(HopcheckError):
    """A training whose loss is not finite."""

    code = "diverged"


class Trainable(Protocol):
    """What is trained by epochs."""

    modules: Module
    """The parameters."""

    def optimizer(self) -> Optimizer:
        """A new optimizer of the parameters."""

    def steps(self, order: np.random.Generator) -> Sequence[Ids]:
        """The steps of an epoch: numbers of the examples of each."""
        ...

    def loss(self, rows: Ids) -> Tensor:
        """The loss of a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How long to train.

    Attributes:
        epochs: maximum number of epochs.
        patience: epochs without a better validation figure to stop after; 0 for never.
        clip: maximum gradient norm; 0 for none.
        seed: random seed of the order of the steps.
    """

    epochs: int
    patience: int = 0
    clip: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The course of a training.

    Attributes:
        losses: mean loss of each epoch.
        validation: the validation figure after each epoch, higher is better; empty without.
    """

    losses: tuple[float, ...] = ()
    validation: tuple[float, ...] = ()

    @property
    def best(self) -> int:
        """Number of the epoch that is kept, from 1: the best one, or the last; 0 for none."""
        if not self.validation:
            return len(self.losses)
        return int(np.argmax(self.validation)) + 1

    def over(self, schedule: Schedule) -> bool:
        """Whether the training has ended."""
        waited = len(self.validation) - self.best if self.validation else 0
        early = 0 < schedule.patience <= waited
        return early or len(self.losses) >= schedule.epochs


def train_epochs(
    model: Trainable,
    schedule: Schedule,
    *,
    validate: Callable[[], float] | None = None,
    checkpoints: Checkpoints | None = None,
    progress: Callable[[int], object] | None = None,
) -> Course:
    """Train, or go on from the last checkpoint, to the weights of the best epoch.

    A training that goes on ends with the same weights as an uninterrupted one.

    Args:
        model: what is trained, with new weights.
        schedule: how long.
        validate: the figure that selects the epoch, higher is better; without, the last is kept.
        checkpoints: the folder of the training; None to keep nothing.
        progress: called with 1 after each step.

    Raises:
        DivergedError: the loss is not finite.
    """
    import torch

    optimizer = model.optimizer()
    course = Course()
    best: Mapping[str, Any] = {}
    state = None if checkpoints is None else checkpoints.last()
    if state is not None:
        model.modules.load_state_dict(state["modules"])
        optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        course = Course(losses=tuple(state["losses"]), validation=tuple(state["validation"]))
        best = state["best"]
    while not course.over(schedule):
        epoch = len(course.losses)
        order = np.random.default_rng((schedule.seed, epoch))
        loss = _epoch(model, optimizer, model.steps(order), epoch, schedule.clip, progress)
        figures = () if validate is None else (validate(),)
        course = Course(losses=(*course.losses, loss), validation=(*course.validation, *figures))
        if course.best == epoch + 1:
            best = {name: weight.clone() for name, weight in model.modules.state_dict().items()}
        if checkpoints is not None:
            state = {
                "modules": model.modules.state_dict(),
                "optimizer": optimizer.state_dict(),
                "random": torch.get_rng_state(),
                "losses": list(course.losses),
                "validation": list(course.validation),
                "best": best,
            }
            checkpoints.write(state, epoch + 1, 0)
    model.modules.load_state_dict(best)
    return course


def _epoch(
    model: Trainable,
    optimizer: Optimizer,
    steps: Sequence[Ids],
    epoch: int,
    clip: float,
    progress: Callable[[int], object] | None,
) -> float:
    """Train one epoch; returns the mean loss of its steps."""
    from torch.nn.utils import clip_grad_norm_

    losses = []
    model.modules.train()
    for rows in steps:
        optimizer.zero_grad()
        loss = model.loss(rows)
        value = float(loss.item())
        if not math.isfinite(value):
            message = f"the loss of epoch {epoch + 1} is {value}, expected a finite number"
            raise DivergedError(message, hint="lower --rate")
        loss.backward()
        if clip:
            clip_grad_norm_(model.modules.parameters(), clip)
        optimizer.step()
        losses.append(value)
        if progress is not None:
            progress(1)
    return sum(losses) / max(len(losses), 1)
