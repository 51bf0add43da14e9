"""Kills commands that write: ``python -m tests.campaigns.kills --kills N``.

Kill ``n`` is a hash of the seed and ``n``: a command, and a moment of its run at which it is sent
``SIGKILL`` or ``SIGTERM``. It runs over the output of an earlier run with other input. Each file
has to be the earlier one or the finished one; a manifest may be missing, but one that is there has
to describe the files beside it. ``SIGTERM`` leaves the earlier folder, or the finished one; only
finished shards, from which the next run goes on, may be there too. After one more run, undisturbed,
the folder is the finished one.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from solver.dataset.seal import open_dataset
from tests.campaigns.edits import ROOT, words
from tests.campaigns.edits import SUBJECTS as EDITED

SIGNALS = (signal.SIGKILL, signal.SIGTERM)
_HIDDEN = ".hopcheck"
_SHARDS = ".shards/"
_LIMIT = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A command that writes.

    Attributes:
        command: its words; ``OUT`` is an empty folder of its own.
        earlier: further words of the run before, whose output differs; None for an empty folder,
            as ``generate eventhop`` refuses one with a data set of other options.
        later: further words of the run that is killed.
        resumes: whether finished shards stay, from which the next run goes on.
    """

    command: str
    earlier: str | None = "--seed 1"
    later: str = "--seed 2"
    resumes: bool = False

    def words(self, out: Path, more: str) -> list[str]:
        """The words of a run."""
        return words(f"{self.command} {more}", out)


SUBJECTS = {
    **{
        name: Subject(command=edited.make, earlier=None, resumes=True)
        if edited.kind == "eventhop"
        else Subject(command=edited.make)
        for name, edited in EDITED.items()
        if name not in ("linked", "pairs", "patterns")
    },
    "patterns": Subject(command=EDITED["patterns"].make, earlier="--hops 1", later="--hops 1,2"),
    "chains": Subject(command="generate traces --test 12 --probes none --out OUT"),
    "rules": Subject(
        command="mine EXAMPLES/tkg --out OUT/rules.jsonl",
        earlier="--lengths 1",
        later="--lengths 1,2",
    ),
    "fixed": Subject(
        command="verify EXAMPLES/flawed.tsv --fixed OUT/fixed.tsv",
        earlier="--policy global",
        later="--policy local",
    ),
    "patch": Subject(
        command="audit stepgame EXAMPLES/audits/stepgame.json --patch OUT/patch",
        earlier="--reading steps=any",
        later="--reading steps=unit",
    ),
}
"""Commands by the names of what they write; those that make data sets are those that are edited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A subject whose earlier and later outputs are at hand.

    Attributes:
        earlier, later: their folders.
        seconds: how long the later run took.
    """

    earlier: Path
    later: Path
    seconds: float


@dataclass(slots=True)
class Tally:
    """What was found: kills by command and what they left, and the faults."""

    states: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def files(folder: Path) -> dict[str, bytes]:
    """The files under a folder, by their paths."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def process(arguments: list[str]) -> subprocess.Popen[bytes]:
    """A run of the program."""
    return subprocess.Popen(
        [sys.executable, "-m", "solver", *arguments],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def ended(arguments: list[str]) -> None:
    """Run a command to its end.

    Raises:
        RuntimeError: it failed.
    """
    running = process(arguments)
    _, printed = running.communicate()
    if running.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(arguments)}: {printed.decode()}")


def prepare(home: Path, name: str) -> Prepared:
    """Run a command twice, without disturbing it, into two folders."""
    subject, folders, seconds = SUBJECTS[name], {}, 0.0
    for which, more in (("earlier", subject.earlier), ("later", subject.later)):
        (home / "out").mkdir()
        if more is not None:
            started = time.monotonic()
            ended(subject.words(home / "out", more))
            seconds = time.monotonic() - started
        # The folder is in the manifest of some commands, so all runs write to the same one.
        folders[which] = home / which
        (home / "out").rename(folders[which])
    return Prepared(earlier=folders["earlier"], later=folders["later"], seconds=seconds)


def kill(home: Path, name: str, prepared: Prepared, draw: random.Random, tally: Tally) -> None:
    """Kill a run at a random moment, look at what it left, and run it again."""
    out, subject = home / "out", SUBJECTS[name]
    shutil.copytree(prepared.earlier, out)
    number, moment = draw.choice(SIGNALS), draw.random() * prepared.seconds * 1.1
    running = process(subject.words(out, subject.later))
    try:
        running.communicate(timeout=moment)
    except subprocess.TimeoutExpired:
        running.send_signal(number)
        running.communicate(timeout=_LIMIT)
    shown = f"{name}, {number.name} after {moment:.3f} s"
    earlier, later, found = files(prepared.earlier), files(prepared.later), files(out)
    found = {path: data for path, data in found.items() if _SHARDS not in path}
    left = {path: data for path, data in found.items() if not path.endswith(_HIDDEN)}
    faults = [*torn(left, earlier, later), *misdescribed(out)]
    if number is signal.SIGTERM:
        faults += [f"{path} is left" for path in found if path not in left]
        if not subject.resumes and left not in (earlier, later):
            faults.append("the folder is neither the earlier nor the finished one")
    tally.states[name, _state(left, earlier, later)] += 1
    ended(subject.words(out, subject.later))
    if files(out) != later:
        again = files(out)
        names = sorted(p for p in again.keys() | later.keys() if again.get(p) != later.get(p))
        faults.append(f"after the next run there differ: {', '.join(names)}")
    tally.faults += [f"{shown}: {fault}" for fault in faults]
    shutil.rmtree(out)


def torn(
    left: Mapping[str, bytes], earlier: Mapping[str, bytes], later: Mapping[str, bytes]
) -> Iterator[str]:
    """Files that are neither the earlier nor the finished ones."""
    for path, data in left.items():
        if data not in (earlier.get(path), later.get(path)):
            yield f"{path} is neither the earlier nor the finished one"


def misdescribed(out: Path) -> Iterator[str]:
    """Manifests that do not describe the files beside them."""
    for folder in (out, *(path for path in out.iterdir() if path.is_dir())):
        dataset = open_dataset(folder)
        if dataset is not None:
            yield from map(str, dataset.breaches())


def _state(
    left: Mapping[str, bytes], earlier: Mapping[str, bytes], later: Mapping[str, bytes]
) -> str:
    if left == later:
        return "finished"
    return "earlier" if left == earlier else "without a manifest"


def tally(seed: int, first: int, count: int, home: Path) -> Tally:
    """Run some kills of a campaign."""
    result, prepared = Tally(), {}
    names = list(SUBJECTS)
    for number in range(first, first + count):
        name = names[number % len(names)]
        place = home / name
        if name not in prepared:
            place.mkdir()
            prepared[name] = prepare(place, name)
        draw = random.Random(f"{seed} kills {number}")
        kill(place, name, prepared[name], draw, result)
    return result


def main() -> int:
    """Run the campaign; the exit status is 1 if a kill left something else."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        found = tally(given.seed, given.start, given.kills, Path(home))
    rows: dict[str, dict[str, int]] = defaultdict(dict)
    for (name, state), count in found.states.items():
        rows[name][state] = count
    for name, states in rows.items():
        counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        sys.stdout.write(f"{name}: {counts}\n")
    for fault in found.faults:
        sys.stdout.write(f"fault: {fault}\n")
    sys.stdout.write(f"{found.states.total()} kills, {len(found.faults)} faults\n")
    return int(bool(found.faults))


if __name__ == "__main__":
    sys.exit(main())
