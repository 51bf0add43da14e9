"""A training's folder: how far it got, and the best weights so far.

Folders are written under a temporary name and renamed when they are whole, so that a training
that is killed at any time goes on from its last checkpoint.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.models.encoder import MODEL, Encoder
from solver.errors import HopcheckError
from solver.writing import OutputError, write_json
from solver.writing.atomic import os_errors_reported, rename
from solver.writing.jsonl import line

START = "run.json"
_STATE = "state.pt"
_KEPT = re.compile(r"(?P<kind>checkpoint|best)-(?P<step>\d{8})")
_LEFT = re.compile(rf"\.(?:{_KEPT.pattern}|run\.json)\.[0-9a-f]{{8}}")


class OtherTrainingError(HopcheckError):
    """A folder that holds another training."""

    code = "other-training"


class Checkpoints:
    """The folder of one training."""

    def __init__(self, out: Path, start: Mapping[str, object]) -> None:
        """Open the folder, new or of the same training.

        Args:
            out: the folder, made if it is not there.
            start: what the weights follow from: recipe, data, encoder, versions.

        Raises:
            OtherTrainingError: the folder holds a training that began otherwise.
        """
        self._out = out
        with os_errors_reported(out):
            out.mkdir(parents=True, exist_ok=True)
        stamp = out / START
        if not stamp.exists():
            if (out / MODEL).exists():
                message = "the folder holds a model, expected a new folder or an own one"
                raise OtherTrainingError(message, where=str(out), hint="give another --out")
            write_json(stamp, start)
        elif _differing(stamp, start):
            raise OtherTrainingError(
                f"the folder holds a training with other {', '.join(_differing(stamp, start))}",
                where=str(out),
                hint="give another --out, or the options, data and versions it began with",
            )
        for path in out.glob(".*"):
            if _LEFT.fullmatch(path.name):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def last(self) -> dict[str, Any] | None:
        """The state to go on from; None at the beginning."""
        import torch

        steps = self._steps("checkpoint")
        if not steps:
            return None
        path = self._folder("checkpoint", steps[-1]) / _STATE
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        return state

    def keep(self, encoder: Encoder, step: int) -> None:
        """Keep weights that are the best so far."""
        # A training that was killed after this and before its checkpoint comes here again.
        shutil.rmtree(self._folder("best", step), ignore_errors=True)
        with _whole(self._folder("best", step)) as folder:
            encoder.save(folder)

    def write(self, state: Mapping[str, object], step: int, best: int) -> None:
        """Write a state to go on from; what it makes superfluous is taken away after it."""
        import torch

        shutil.rmtree(self._folder("checkpoint", step), ignore_errors=True)
        with _whole(self._folder("checkpoint", step)) as folder:
            torch.save(dict(state), folder / _STATE)
        self._sweep({"checkpoint": step, "best": best})

    def finish(self, best: int) -> Path:
        """Give the best weights their final name."""
        model = self._out / MODEL
        if not model.exists():
            rename(self._folder("best", best), model)
        return model

    def clear(self) -> None:
        """Take the checkpoints away: nothing will go on from them."""
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
    """What a training began with that is not the same now."""
    import msgspec

    try:
        before = msgspec.json.decode(stamp.read_bytes(), type=dict[str, Any])
    except (msgspec.DecodeError, OSError):
        return [START]
    now = msgspec.json.decode(line(start), type=dict[str, Any])
    return sorted(name for name in now | before if now.get(name) != before.get(name))


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A folder to fill, which is there under its name only when it is whole."""
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
        # What torch makes of a disk that is full.
        message = f"cannot be written: {str(error).splitlines()[0]}"
        raise OutputError(message, where=str(target)) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
