"""Training of neural models: the device, and the folder of checkpoints and best weights.

Folders are written under a temporary name and then renamed, so that a training that is killed at
any time resumes from its last checkpoint.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from grammar.errors import HopcheckError
from solver.io.writing import OutputError, line, os_errors_reported, rename, write_json

if TYPE_CHECKING:
    from torch import device

MODEL = "model"
"""Folder of the trained model, in the folder of its training."""
START = "run.json"
_STATE = "state.pt"
_KEPT = re.compile(r"(?P<kind>checkpoint|best)-(?P<step>\d{8})")
_LEFT = re.compile(rf"\.(?:{_KEPT.pattern}|run\.json)\.[0-9a-f]{{8}}")


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
            write_json(stamp, start)
        elif _differing(stamp, start):
            raise OtherTrainingError(
                "the folder contains a training with different "
                f"{', '.join(_differing(stamp, start))}",
                where=str(out),
                hint="use another --out, or the same options, data and versions",
            )
        for path in out.glob(".*"):
            if _LEFT.fullmatch(path.name):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

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
        return sorted(int(one["step"]) for one in found if one and one["kind"] == kind)


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
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with os_errors_reported(target):
            temporary.mkdir()
            yield temporary
            for path in temporary.iterdir():
                with path.open("rb+") as file:
                    os.fsync(file.fileno())
        rename(temporary, target)
    except RuntimeError as error:
        # torch raises RuntimeError when the disk is full.
        message = f"cannot be written: {str(error).splitlines()[0]}"
        raise OutputError(message, where=str(target)) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
