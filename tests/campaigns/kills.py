"""Kills commands that write: ``python -m tests.campaigns.kills --kills N``.

Kill ``n`` is a hash of the seed and ``n``: a command, and a moment of its run at which it is sent
``SIGKILL`` or ``SIGTERM``. It runs over the output of an earlier run with other input. Each file
has to be the earlier one or the finished one; a manifest may be missing, but one that is there has
to describe the files beside it. ``SIGTERM`` leaves the earlier folder, or the finished one; only
finished shards, from which the next run goes on, and finished lines of a report may be there too.
After one more run, undisturbed, the folder is the finished one.
"""

from __future__ import annotations

import argparse
import random
import re
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
from tests.campaigns.edits import EXAMPLES, ROOT, words

SIGNALS = (signal.SIGKILL, signal.SIGTERM)
_SIZES = "--train-size 24 --test-size 12 --shape 8x16"
_HIDDEN = ".hopcheck"
_PARTIAL = ".partial"
_SHARDS = "/.shards/"
_LIMIT = 120
_TIMES = re.compile(rb'"(?:seconds|items_per_second)": [-+.e0-9]+')


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
    earlier: str | None
    later: str
    resumes: bool = False

    def words(self, out: Path, more: str, inputs: Path) -> list[str]:
        """The words of a run."""
        file = more.removeprefix("FILE=")
        command = f"{self.command} {more}" if file == more else self.command.replace("FILE", file)
        return words(command, out, inputs)


SUBJECTS = {
    "generate eventhop --out": Subject(
        command=f"generate eventhop {_SIZES} --out OUT/set",
        earlier=None,
        later="--seed 2",
        resumes=True,
    ),
    "generate eventhop --shard-size": Subject(
        command=f"generate eventhop {_SIZES} --shard-size 9 --out OUT/set",
        earlier=None,
        later="--seed 2",
        resumes=True,
    ),
    "generate tkg --out": Subject(
        command="generate tkg --mode forward --entities 60 --relations 12 --steps 30 --lags 1,3 "
        "--patterns 2,2,1 --out OUT/graph",
        earlier="--seed 1",
        later="--seed 2",
    ),
    "generate questions --out": Subject(
        command="generate questions EXAMPLES/questions/graph --out OUT/asked",
        earlier="--seed 1",
        later="--seed 2",
    ),
    "generate traces --out": Subject(
        command="generate traces --test 12 --probes none --out OUT/chains",
        earlier="--seed 1",
        later="--seed 2",
    ),
    "generate texts --out": Subject(
        command="generate texts --facts EXAMPLES/texts/references.txt --out OUT/texts",
        earlier="--seed 1",
        later="--seed 2",
    ),
    "generate patterns --out": Subject(
        command="generate patterns --flags unique,no-self --out OUT/list.jsonl",
        earlier="--hops 1",
        later="--hops 1,2",
    ),
    "forecast --out": Subject(
        command="forecast EXAMPLES/tkg --from 2032-03-02 --to 2032-03-11 --out OUT/future",
        earlier="--seed 1",
        later="--seed 2",
    ),
    "mine --out": Subject(
        command="mine EXAMPLES/tkg --out OUT/rules.jsonl",
        earlier="--lengths 1",
        later="--lengths 1,2",
    ),
    "verify --fixed": Subject(
        command="verify EXAMPLES/flawed.tsv --fixed OUT/fixed.tsv",
        earlier="--policy global",
        later="--policy local",
    ),
    "audit --patch": Subject(
        command="audit stepgame EXAMPLES/audits/stepgame.json --patch OUT/patch",
        earlier="--reading steps=any",
        later="--reading steps=unit",
    ),
}

_KEPT = "--resamples 100"
_TABLE: dict[str, tuple[str, str | None, str]] = {
    # name: command, what the earlier run has, what the killed one has
    **{f"generate {name} --out": (f"generate {name} --test 30 --probes none --out OUT/set",
                                  "--seed 1", "--seed 2")
       for name in ("calendar", "positions", "assignments")},
    "verify --kind positions --report": (
        "verify --kind positions EXAMPLES/positions/FILE --report OUT/r",
        "right.jsonl", "flawed.jsonl"),
    "verify --kind assignments --report": (
        "verify --kind assignments EXAMPLES/puzzles/FILE --report OUT/r",
        "right.jsonl", "flawed.jsonl"),
    "verify --report": ("verify EXAMPLES/flawed.tsv --probes none --report OUT/r",
                        "--policy global", "--policy local"),
    "verify --kind links --report": ("verify --kind links INPUTS/FILE/day.tml --report OUT/r",
                                     "one", "other"),
    "verify --kind patterns --report": (
        "verify --kind patterns INPUTS/FILE/list.jsonl --report OUT/r", "one", "other"),
    "verify --kind tkg --report": ("verify --kind tkg INPUTS/FILE/graph --report OUT/r",
                                   "one", "other"),
    "verify --kind facts --report": ("verify --kind facts EXAMPLES/facts/FILE --report OUT/r",
                                     "right.tsv", "flawed.references.txt"),
    "verify --kind texts --report": (
        "verify --kind texts EXAMPLES/texts/FILE --facts EXAMPLES/texts/references.txt "
        "--probes none --report OUT/r", "right.txt", "flawed.txt"),
    "verify --kind questions --report": (
        "verify --kind questions INPUTS/FILE/asked --data EXAMPLES/questions/graph --probes none "
        "--report OUT/r", "one", "other"),
    "verify --kind traces --report": ("verify --kind traces EXAMPLES/traces/FILE --report OUT/r",
                                      "right.jsonl", "flawed.jsonl"),
    "verify --kind calendar --report": (
        "verify --kind calendar EXAMPLES/calendar/FILE --report OUT/r",
        "right.jsonl", "flawed.jsonl"),
    "explain --svg": ("explain EXAMPLES/flawed.tsv --svg OUT/p.svg", "--id 3", "--id 2"),
    "repair --out": ("repair INPUTS/FILE/day.tml --out OUT/repaired", "one", "other"),
    "repair --report": ("repair INPUTS/FILE/day.tml --report OUT/r", "one", "other"),
    "close --out": ("close INPUTS/FILE/day.tml --out OUT/closed.tml", "one", "other"),
    "close --folder": ("close EXAMPLES/links/market.tml --folder OUT/f", None, ""),
    "reduce --out": ("reduce INPUTS/FILE/day.tml --out OUT/r.tml", "one", "other"),
    "reduce --folder": ("reduce EXAMPLES/links/market.tml --folder OUT/f", None, ""),
    "audit --report": ("audit stepgame EXAMPLES/audits/stepgame.json --report OUT/r",
                       "--reading steps=any", "--reading steps=unit"),
    "extract --out": ("extract EXAMPLES/texts/FILE --out OUT/parsed", "right.txt", "flawed.txt"),
    "ablate --report": ("ablate EXAMPLES/FILE --report OUT/r", "flawed.tsv", "right.tsv"),
    "diagnose --report": ("diagnose INPUTS/one/answers.jsonl --data EXAMPLES/right.tsv "
                          "--report OUT/r",
                          "--seed 1", "--seed 2"),
    "prompts eventhop --out": ("prompts EXAMPLES/FILE --out OUT/p.jsonl",
                               "right.tsv", "flawed.tsv"),
    "prompts tkg --out": ("prompts tkg EXAMPLES/ranks/graph --strategy naive-pair "
                          "--out OUT/p.jsonl", "--sample 5", "--sample 10"),
    "prompts quadruples --out": ("prompts quadruples EXAMPLES/texts/FILE --out OUT/p.jsonl",
                                 "right.txt", "flawed.txt"),
    "prompts traces --out": ("prompts traces EXAMPLES/traces/FILE --out OUT/p.jsonl",
                             "right.jsonl", "flawed.jsonl"),
    **{f"baseline {name} --out": (f"baseline {name} --data EXAMPLES/FILE --out OUT/a.jsonl",
                                  "right.tsv", "flawed.tsv")
       for name in ("majority", "claim-only", "bag-of-words")},
    "baseline random --out": ("baseline random --data EXAMPLES/right.tsv --out OUT/a.jsonl",
                              "--seed 1", "--seed 2"),
    **{f"baseline {name} --out": (f"baseline {name} --data EXAMPLES/ranks/graph --out OUT/a.txt",
                                  "--split valid", "--split test")
       for name in ("recurrency", "frequency", "recency")},
    "baseline planted --out": ("baseline planted --data INPUTS/FILE/graph --out OUT/a.txt",
                               "one", "other"),
    "score nli --report": (f"score nli INPUTS/one/answers.jsonl --data EXAMPLES/right.tsv {_KEPT} "
                           "--report OUT/r", "--seed 1", "--seed 2"),
    "score ranks --report": ("score ranks EXAMPLES/ranks/FILE --data EXAMPLES/ranks/graph "
                             f"{_KEPT} --report OUT/r", "strict.ranks.txt", "dice.ranks.txt"),
    "score links --report": ("score links INPUTS/FILE/day.tml --data INPUTS/FILE/day.tml "
                             "--inconsistent repair --report OUT/r", "one", "other"),
    "score traces --report": ("score traces EXAMPLES/traces/FILE "
                              f"--data EXAMPLES/traces/right.jsonl {_KEPT} --report OUT/r",
                              "critic.jsonl", "own.jsonl"),
    "score quadruples --report": (
        "score quadruples EXAMPLES/quadruples/FILE "
        f"--references EXAMPLES/quadruples/club.references.txt {_KEPT} --report OUT/r",
        "careful.predictions.txt", "hasty.predictions.txt"),
    "score questions --report": ("score questions INPUTS/one/ranking.jsonl "
                                 f"--questions INPUTS/one/asked {_KEPT} --report OUT/r",
                                 "--seed 1", "--seed 2"),
    "compare --report": ("compare A=INPUTS/one/answers.jsonl B=INPUTS/other/answers.jsonl "
                         "--data EXAMPLES/right.tsv --report OUT/r", "--seed 1", "--seed 2"),
    "apply --out": ("apply INPUTS/one/rules.jsonl --data EXAMPLES/tkg --out OUT/ranks.txt",
                    "--split valid", "--split test"),
    "answer --out": ("answer INPUTS/one/asked --data EXAMPLES/questions/graph --observe past "
                     "--threshold 1 --out OUT/a.jsonl", "--by recency", "--by frequency"),
    "strikingness --out": ("strikingness EXAMPLES/tkg --rules INPUTS/one/rules.jsonl "
                           "--out OUT/s.txt",
                           "--split valid", "--split test"),
    "strikingness --report": ("strikingness EXAMPLES/tkg --rules INPUTS/one/rules.jsonl "
                              "--report OUT/r", "--split valid", "--split test"),
    "like --report": ("like INPUTS/FILE/graph EXAMPLES/tkg --period 1 --report OUT/r",
                      "one", "other"),
    **{f"export {name} --out": (f"export {name} INPUTS/FILE/items --out OUT/e", "one", "other")
       for name in ("hf", "inspect", "lm-eval", "reasoning-gym")},
    **{f"export {name} --out": (f"export {name} INPUTS/FILE/chains --out OUT/e", "one", "other")
       for name in ("processbench", "prm800k", "stepwise", "preference", "verifiers", "openenv")},
    **{f"export {name} --out": (f"export {name} INPUTS/FILE/graph --out OUT/e", "one", "other")
       for name in ("pykeen", "tgb", "graph")},
    "split --out": ("split EXAMPLES/tkg --out OUT/s", "--shares .5,.5", "--shares .8,.1,.1"),
    "examples folder": ("examples OUT/e", None, "--force"),
}  # fmt: skip


def _subject(command: str, earlier: str | None, later: str) -> Subject:
    """A subject whose runs differ by further words, or by the word for ``FILE``."""
    if "FILE" not in command:
        return Subject(command=command, earlier=earlier, later=later)
    return Subject(command=command, earlier=f"FILE={earlier}", later=f"FILE={later}")


SUBJECTS |= {name: _subject(*row) for name, row in _TABLE.items()}

_GRAPH = SUBJECTS["generate tkg --out"].command.partition(" --out")[0]
MADE: dict[str, tuple[str, str, str]] = {
    # name: command, what the first has, what the other has
    "graph": (_GRAPH, "--seed 1", "--seed 2"),
    "list.jsonl": ("generate patterns", "--hops 1", "--hops 2 --flags unique,no-self"),
    "asked": ("generate questions EXAMPLES/questions/graph", "--seed 1", "--seed 2"),
    "chains": ("generate traces --test 6 --probes none", "--seed 1", "--seed 2"),
    "items": (f"generate eventhop {_SIZES}", "--seed 1", "--seed 2"),
    "answers.jsonl": ("baseline random --data EXAMPLES/right.tsv", "--seed 1", "--seed 2"),
    "rules.jsonl": ("mine EXAMPLES/tkg", "--lengths 1", "--lengths 2"),
    "ranking.jsonl": (
        "answer INPUTS/one/asked --data EXAMPLES/questions/graph --observe past --threshold 1",
        "--by recency",
        "--by frequency",
    ),
}
"""Inputs of subjects, in two folders, and the commands that make them with ``--out``."""
DOCUMENTS = {"one": "market.tml", "other": "harbour.tml"}
"""The examples that are ``day.tml`` of the two folders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A subject whose earlier and later outputs are at hand.

    Attributes:
        earlier, later: their folders.
        inputs: the folder of what the subjects read.
        seconds: how long the later run took.
    """

    earlier: Path
    later: Path
    inputs: Path
    seconds: float


@dataclass(slots=True)
class Tally:
    """What was found: kills by command and what they left, and the faults."""

    states: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def files(folder: Path) -> dict[str, bytes]:
    """The files under a folder, by their paths; how long a run took is left out."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): _TIMES.sub(b"", path.read_bytes()) for path in found
    }


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


def make_inputs(inputs: Path) -> None:
    """Make what the subjects read, twice, under the same names."""
    for place, (folder, document) in enumerate(DOCUMENTS.items(), 1):
        (inputs / folder).mkdir(parents=True)
        shutil.copy(EXAMPLES / "links" / document, inputs / folder / "day.tml")
        for name, made in MADE.items():
            ended(words(f"{made[0]} {made[place]} --out INPUTS/{folder}/{name}", inputs, inputs))


def prepare(home: Path, name: str, inputs: Path) -> Prepared:
    """Run a command twice, without disturbing it, into two folders."""
    subject, folders, seconds = SUBJECTS[name], {}, 0.0
    for which, more in (("earlier", subject.earlier), ("later", subject.later)):
        (home / "out").mkdir()
        if more is not None:
            started = time.monotonic()
            ended(subject.words(home / "out", more, inputs))
            seconds = time.monotonic() - started
        # The folder is in the manifest of some commands, so all runs write to the same one.
        folders[which] = home / which
        (home / "out").rename(folders[which])
    return Prepared(
        earlier=folders["earlier"], later=folders["later"], inputs=inputs, seconds=seconds
    )


def kill(home: Path, name: str, prepared: Prepared, draw: random.Random, tally: Tally) -> None:
    """Kill a run at a random moment, look at what it left, and run it again."""
    out, subject = home / "out", SUBJECTS[name]
    shutil.copytree(prepared.earlier, out)
    number, moment = draw.choice(SIGNALS), draw.random() * prepared.seconds * 1.1
    running = process(subject.words(out, subject.later, prepared.inputs))
    try:
        running.communicate(timeout=moment)
    except subprocess.TimeoutExpired:
        running.send_signal(number)
        running.communicate(timeout=_LIMIT)
    shown = f"{name}, {number.name} after {moment:.3f} s"
    earlier, later, found = files(prepared.earlier), files(prepared.later), files(out)
    found = {path: data for path, data in found.items() if _SHARDS not in path}
    left = {path: data for path, data in found.items() if not path.endswith(_HIDDEN)}
    faults = list(misdescribed(out))
    # Lines of a report that were finished stay, until the next run.
    left = {path: data for path, data in left.items() if not path.endswith(_PARTIAL)}
    faults += torn(left, earlier, later)
    if number is signal.SIGTERM:
        faults += [f"{path} is left" for path in found if path.endswith(_HIDDEN)]
        if not subject.resumes and left not in (earlier, later):
            faults.append("the folder is neither the earlier nor the finished one")
    tally.states[name, _state(left, earlier, later)] += 1
    ended(subject.words(out, subject.later, prepared.inputs))
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
    result, prepared, inputs = Tally(), dict[str, Prepared](), home / "inputs"
    names = list(SUBJECTS)
    killed = {names[number % len(names)] for number in range(first, first + count)}
    if any("INPUTS" in SUBJECTS[name].command for name in killed):
        make_inputs(inputs)
    for number in range(first, first + count):
        name = names[number % len(names)]
        place = home / name.replace(" ", "-")
        if name not in prepared:
            place.mkdir()
            prepared[name] = prepare(place, name, inputs)
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
