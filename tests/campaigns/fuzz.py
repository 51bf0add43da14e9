"""Runs commands on damaged files: ``python -m tests.campaigns.fuzz --items N``.

Mutant ``n`` is a hash of the seed and ``n``: a command, one of its files, and one to three ways to
damage it. The command runs in this process, for 20 seconds of processor and with 1 GiB of further
memory at most. It fails if it

* raises, or prints a traceback;
* ends with another exit status than 0, 1, 2 or 3, or with 2 and without a message;
* lacks time or memory;
* ends with status 0 although a plain reader finds a record that cannot be read: damaged gzip, text
  that is not UTF-8, a line that is no JSON, or another number of records than the result reports.

The run stops and resumes at any time. Failing files are kept in ``OUT/failures``; ``--write``
writes the figures to ``benchmarks/results`` after every shard.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from unittest.mock import MagicMock, patch

import msgspec
import numpy as np

from solver.cli import run
from solver.eventhop.io import read_records, write_jsonl, write_parquet
from solver.eventhop.records import Record
from solver.io.writing import line, make_folder, write_json
from solver.questions.io import placed_questions, write_parquet_questions
from solver.questions.model import Question
from tests.campaigns.damage import damage
from tests.campaigns.journal import campaign

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
RESULTS = ROOT / "benchmarks" / "results" / "fuzz.json"
SHARD = 2_000
SECONDS = 20
MEMORY = 1 << 30
DRAWN = 20
"""One mutant in so many of a command has its charts drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A command and the files of it that are damaged.

    Attributes:
        command: its words; paths are relative to the folder of inputs.
        files: the files to damage.
        count: key of its JSON result that is the number of records of the file.
        whole: whether the command reads its files to their end.
    """

    command: str
    files: tuple[str, ...]
    count: str = ""
    whole: bool = True


GRAPH_FILES = tuple(
    f"graph/{name}"
    for name in ("train.txt", "test.txt", "entity2id.txt", "relation2id.txt", "stat.txt")
)
GENERATED_FILES = tuple(
    f"generated/{name}"
    for name in (
        "config.json", "entity2id.txt", "facts.parquet", "labels.tsv", "manifest.json",
        "patterns.jsonl", "relation2id.txt", "stat.txt", "statistics.json", "test.txt",
        "train.txt", "valid.txt",
    )
)  # fmt: skip
PROBLEMS = {
    "calendar": "calendar",
    "positions": "positions",
    "assignments": "puzzles",
    "traces": "traces",
}
"""The example folder of each kind of problem."""
MADE = "made"
"""Name of what a command writes; removed after it."""

TARGETS = (
    Target(command="verify items.tsv --json", files=("items.tsv",), count="items"),
    Target(command="verify items.jsonl --json", files=("items.jsonl",), count="items"),
    Target(command="verify items.tsv.gz --json", files=("items.tsv.gz",), count="items"),
    Target(command="verify items.parquet --json", files=("items.parquet",)),
    Target(command="verify items.tsv", files=("items.tsv",)),
    Target(command="check checked.jsonl --json", files=("checked.jsonl",)),
    Target(command="explain items.tsv --id 3", files=("items.tsv",), whole=False),
    Target(command="parse items.jsonl", files=("items.jsonl",)),
    Target(command="realise graphs.jsonl", files=("graphs.jsonl",)),
    Target(command="prompts items.jsonl", files=("items.jsonl",)),
    Target(command="baseline majority --data items.tsv", files=("items.tsv",)),
    Target(
        command="score nli answers.jsonl --data items.tsv --resamples 100",
        files=("answers.jsonl",),
    ),
    Target(
        command="score nli answers.csv --data items.tsv --resamples 100 --json",
        files=("answers.csv",),
    ),
    Target(command="diagnose answers.jsonl --data items.tsv --json", files=("answers.jsonl",)),
    Target(command="verify --kind links links --json", files=("links/market.tml",), whole=False),
    Target(command="verify --kind facts facts.tsv --json", files=("facts.tsv",)),
    Target(
        command="verify --kind facts facts.references.txt --schema schema --json",
        files=("facts.references.txt", "schema/relations.csv", "schema/classes.csv"),
    ),
    Target(
        command="verify --kind texts texts.txt --facts references.txt --json",
        files=("texts.txt", "references.txt"),
    ),
    Target(command="verify patterns.jsonl --json", files=("patterns.jsonl",)),
    Target(command="verify --kind tkg generated --json", files=GENERATED_FILES),
    Target(
        command=f"generate tkg --config generated/config.json --out {MADE}",
        files=("generated/config.json",),
    ),
    Target(
        command="verify --kind questions questions.jsonl --data named --rules rules.json --json",
        files=("questions.jsonl", "rules.json"),
    ),
    Target(
        command="verify --kind questions questions.parquet --data named --rules rules.json --json",
        files=("questions.parquet",),
    ),
    Target(
        command="answer questions.jsonl --data named --observe past --by recency --threshold 1"
        f" --out {MADE}.jsonl",
        files=("questions.jsonl", "named/train.tsv"),
    ),
    Target(
        command="score questions ranking.jsonl --questions questions.jsonl --resamples 100",
        files=("ranking.jsonl", "questions.jsonl"),
    ),
    Target(
        command="score quadruples predictions.txt --references club.txt",
        files=("predictions.txt", "club.txt"),
    ),
    Target(
        command="score ranks ranks.txt --data ranked --resamples 100",
        files=("ranks.txt", "ranks.txt.manifest.json"),
    ),
    Target(
        command="score ranks ranks.parquet --not-returned 0 --data ranked --resamples 100",
        files=("ranks.parquet",),
    ),
    Target(
        command="score ranks strict.scores.txt --data ranked --resamples 100",
        files=("strict.scores.txt",),
    ),
    Target(
        command="score ranks scores.npz --data ranked --resamples 100",
        files=("scores.npz",),
        whole=False,
    ),
    Target(command="mine graph --lengths 1 --json", files=GRAPH_FILES),
    Target(command="apply rules.jsonl --data graph", files=("rules.jsonl", *GRAPH_FILES)),
    Target(command="apply rules.parquet --data graph", files=("rules.parquet",)),
    Target(
        command="forecast graph --rules rules.json --from 2032-03-02 --to 2032-03-02 --most 2"
        f" --tries 5 --out {MADE}",
        files=("rules.json", *GRAPH_FILES),
    ),
    Target(command="explain --rule 0 --rules rules.json --data graph", files=("rules.json",)),
    Target(command="strikingness graph --rules rules.jsonl", files=("rules.jsonl",)),
    *(
        Target(
            command=f"verify --kind {kind} {folder}/right.jsonl", files=(f"{folder}/right.jsonl",)
        )
        for kind, folder in PROBLEMS.items()
    ),
    Target(
        command="score traces traces/critic.jsonl --data traces/right.jsonl --resamples 100",
        files=("traces/critic.jsonl", "traces/right.jsonl"),
    ),
    Target(
        command="audit stepgame audits/stepgame.json --json",
        files=("audits/stepgame.json",),
        count="items",
    ),
    Target(
        command=f"audit reasoning-gym audits/family.jsonl --report {MADE}",
        files=("audits/family.jsonl",),
    ),
    Target(
        command="score links links --data links --inconsistent repair", files=("links/harbour.tml",)
    ),
    Target(command=f"repair links/harbour.tml --out {MADE}", files=("links/harbour.tml",)),
    Target(command=f"close links/market.tml --folder {MADE}", files=("links/market.tml",)),
    Target(command=f"split graph --out {MADE}", files=GRAPH_FILES),
    Target(
        command="compare A=answers.jsonl B=answers.csv --data items.tsv",
        files=("answers.jsonl", "answers.csv"),
    ),
    Target(command=f"export pykeen graph --unsealed --out {MADE}", files=GRAPH_FILES),
)


def make_inputs(folder: Path) -> None:
    """Write the undamaged files."""
    for source, name in (
        ("right.tsv", "items.tsv"),
        ("facts/right.tsv", "facts.tsv"),
        ("facts/flawed.references.txt", "facts.references.txt"),
        ("facts/schema", "schema"),
        ("texts/right.txt", "texts.txt"),
        ("texts/references.txt", "references.txt"),
        ("quadruples/careful.predictions.txt", "predictions.txt"),
        ("quadruples/club.references.txt", "club.txt"),
        ("questions/flawed.jsonl", "questions.jsonl"),
        ("questions/graph", "named"),
        ("links", "links"),
        ("ranks/strict.ranks.txt", "ranks.txt"),
        ("ranks/strict.ranks.txt.manifest.json", "ranks.txt.manifest.json"),
        ("ranks/strict.scores.txt", "strict.scores.txt"),
        ("ranks/graph", "ranked"),
        ("tkg", "graph"),
        ("audits", "audits"),
        *((name, name) for name in PROBLEMS.values()),
    ):
        path = EXAMPLES / source
        (shutil.copytree if path.is_dir() else shutil.copyfile)(path, folder / name)
    plain = (folder / "items.tsv").read_bytes()
    (folder / "items.tsv.gz").write_bytes(gzip.compress(plain, mtime=0))
    rows = [row.split("\t") for row in plain.decode().splitlines()]
    records = [
        record for record in read_records(folder / "items.tsv") if isinstance(record, Record)
    ]
    write_jsonl(folder / "items.jsonl", records)
    write_parquet(folder / "items.parquet", records)
    questions = [
        question.read
        for question in placed_questions(folder / "questions.jsonl")
        if isinstance(question.read, Question)
    ]
    write_parquet_questions(folder / "questions.parquet", questions)
    rankings = [{"id": question.id, "ranking": list(question.answers)} for question in questions]
    _write_lines(folder / "ranking.jsonl", rankings)
    answers = [{"id": row[0], "answer": "True"} for row in rows]
    _write_lines(folder / "answers.jsonl", answers)
    table = ["id,answer", *(f"{answer['id']},{answer['answer']}" for answer in answers)]
    (folder / "answers.csv").write_text("\n".join(table) + "\n")
    _write_ranks(folder)
    for command in (
        "generate patterns --hops 1 --out patterns.jsonl",
        "generate tkg --mode forward --entities 12 --relations 5 --steps 8 --patterns 2,1,0"
        " --out generated",
        "mine graph --lengths 1 --out rules.json",
        "mine graph --lengths 1 --out rules.jsonl",
        "mine graph --lengths 1 --out rules.parquet",
        f"verify items.tsv --report {MADE}",
    ):
        with without_charts():
            ran = execute(command, folder)
        assert ran.status == 0, f"{command}: {ran.err}{ran.raised}"
    shutil.copyfile(folder / MADE / "items.jsonl", folder / "checked.jsonl")
    _clean(folder)
    (folder / "graphs.jsonl").write_bytes(execute("parse items.tsv", folder).out)


def _write_ranks(folder: Path) -> None:
    """Write ranks as Parquet, and scores of all entities for their queries."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    ranks = np.loadtxt(folder / "ranks.txt")
    names = ("s", "r", "o", "t", "rank")
    columns = dict(zip(names, ranks.T, strict=True))
    ids = {name: column.astype(np.int64) for name, column in columns.items() if name != "rank"}
    pq.write_table(pa.table(ids | {"rank": columns["rank"]}), folder / "ranks.parquet")
    queries = np.unique(np.stack([ids[name] for name in "srt"], axis=1), axis=0)
    entities = len(json.loads((folder / "ranked" / "entity2id.json").read_bytes()))
    scores = np.random.default_rng(0).random((len(queries), entities))
    np.savez(folder / "scores.npz", queries=queries, scores=scores)


def _clean(folder: Path) -> None:
    """Remove what a command has written."""
    for path in folder.glob(f"{MADE}*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def without_charts() -> Iterator[None]:
    """Leave charts out of pages: drawing them takes most of the time of small inputs."""
    with patch("matplotlib.figure.Figure", _NoFigure):
        yield


class _NoFigure(MagicMock):
    def subplots(self, rows: int, columns: int, **_: object) -> list[list[MagicMock]]:
        return [[MagicMock() for _ in range(columns)] for _ in range(rows)]

    def savefig(self, file: BinaryIO, **_: object) -> None:
        file.write(b"<svg/>")


def _write_lines(path: Path, rows: Sequence[object]) -> None:
    path.write_bytes(b"".join(map(line, rows)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command did; ``raised`` is its traceback."""

    status: int | None
    out: bytes
    err: str
    raised: str = ""


class _TooLongError(BaseException):
    """A command that takes too long; nothing on its way catches it."""


def _stop(*_: object) -> None:
    raise _TooLongError


def execute(command: str, folder: Path) -> Ran:
    """Run a command line in this process, in a folder."""
    out, err = io.BytesIO(), io.BytesIO()
    raised, status = "", None
    before = sys.stdout, sys.stderr
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", write_through=True)
    try:
        with _inside(folder):
            status = int(run(command.split()))
    except _TooLongError:
        raised = f"more than {SECONDS} seconds"
    except BaseException:
        raised = traceback.format_exc()
    finally:
        # Kept open: closing them would close what is read below.
        wrappers = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = before
        for wrapper in wrappers:
            wrapper.detach()
    return Ran(
        status=status,
        out=out.getvalue(),
        err=err.getvalue().decode(errors="replace"),
        raised=raised,
    )


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    import contextlib

    # Of processor, as others may use it too; and a limit for one that waits for ever.
    timers = (signal.SIGPROF, signal.ITIMER_PROF, 1), (signal.SIGALRM, signal.ITIMER_REAL, 10)
    handlers = [(number, signal.signal(number, _stop)) for number, _, _ in timers]
    for _, timer, times in timers:
        signal.setitimer(timer, times * SECONDS)
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        for _, timer, _ in timers:
            signal.setitimer(timer, 0)
        for number, handler in handlers:
            signal.signal(number, handler)


def complaint(target: Target, name: str, content: bytes, ran: Ran) -> str:
    """What is wrong with a run; empty if it is right."""
    if ran.raised or ran.status is None:
        return ran.raised.strip().splitlines()[-1] if ran.raised else "no exit status"
    if "Traceback" in ran.err:
        return "a traceback"
    if ran.status not in (0, 1, 2, 3):
        return f"exit status {ran.status}: {ran.err[-200:]}"
    if "out of memory" in ran.err:
        return "out of memory"
    if ran.status == 2 and not ran.err.strip():
        return "exit status 2 without a message"
    if ran.status != 0 or not target.whole:
        return ""
    return unread(target, name, content, ran)


_XML_ENCODING = re.compile(rb"""<\?xml[^>]*\bencoding=["']([\w.-]+)["']""")


def unread(target: Target, name: str, content: bytes, ran: Ran) -> str:
    """What a plain reader cannot read of a file that a command accepted."""
    if content.startswith(b"\x1f\x8b"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            return f"status 0 for damaged gzip: {error}"
    if content.startswith(b"PAR1"):
        return _unread_table(content)
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        stated = _XML_ENCODING.match(content)
        encoding = stated[1].decode() if stated else "UTF-8"
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        return f"status 0 for text that is not {encoding}: {error}"
    except LookupError as error:
        return f"status 0 for an {error}"
    if "\0" in text and name != "stat.txt":
        return "status 0 for text with a NUL"
    rows = [word for word in text.split("\n") if word.strip()]
    sys.set_int_max_str_digits(0)  # JSON does not limit the digits of a number.
    if ".jsonl" in name:
        for row in rows:
            try:
                value = json.loads(row, parse_constant=_refuse)
            except (ValueError, RecursionError) as error:
                return f"status 0 for broken JSON: {error}"
            if not isinstance(value, dict):
                return "status 0 for a line that is no object"
    if target.count and '"' not in text.replace('": ', "").replace('","', "") * (".tsv" in name):
        # A damaged file can be one of another kind, whose result counts something else.
        found = json.loads(ran.out).get(target.count)
        if found not in (None, len(rows)):
            return f"status 0 for {found} of {len(rows)} records"
    return ""


def _unread_table(content: bytes) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.read_table(io.BytesIO(content), page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        return f"status 0 for damaged Parquet: {error}"
    return ""


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def mutant(seed: int, number: int, inputs: Path) -> tuple[Target, str, bytes]:
    """The command, the name of the damaged file and its content."""
    digest = hashlib.sha256(f"{seed} {number}".encode()).digest()
    draw = random.Random(int.from_bytes(digest))
    target = TARGETS[number % len(TARGETS)]
    name = draw.choice(target.files)
    return target, name, damage(draw, (inputs / name).read_bytes())


def fuzz(seed: int, first: int, count: int, keep: Path | None = None) -> dict[str, Any]:
    """Run mutants; failing files are kept in a folder."""
    start = time.process_time()
    statuses: Counter[str] = Counter()
    failures: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as temporary:
        inputs = Path(temporary)
        make_inputs(inputs)
        for number in range(first, first + count):
            target, name, content = mutant(seed, number, inputs)
            before = (inputs / name).read_bytes()
            (inputs / name).write_bytes(content)
            drawn = number // len(TARGETS) % DRAWN == 0
            with nullcontext() if drawn else without_charts():
                ran = execute(target.command, inputs)
            (inputs / name).write_bytes(before)
            _clean(inputs)
            statuses[str(ran.status)] += 1
            wrong = complaint(target, name, content, ran)
            if wrong:
                failure = {"number": number, "command": target.command, "file": name}
                failures.append(failure | {"complaint": wrong})
                if keep is not None:
                    folder = make_folder(keep / f"{seed}-{number}")
                    (folder / Path(name).name).write_bytes(content)
                    write_json(folder / "failure.json", failures[-1] | {"raised": ran.raised})
    return {
        "statuses": statuses,
        "failures": failures,
        "seconds": round(time.process_time() - start, 1),
        "mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _limit_memory() -> None:
    """Allow ``MEMORY`` more than the process has once its libraries are loaded."""
    with tempfile.TemporaryDirectory() as temporary:
        make_inputs(Path(temporary))
        for target in TARGETS:
            execute(target.command, Path(temporary))
            _clean(Path(temporary))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main() -> int:
    """Run a campaign, or one shard of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=2_000, help="number of mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("campaigns/fuzz"))
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parser.add_argument("--shard", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.shard is not None:
        _limit_memory()
        first, count = options.shard
        found = fuzz(options.seed, first, count, options.out.resolve() / "failures")
        sys.stdout.buffer.write(line(found))
        return 0
    arguments = ("--seed", str(options.seed), "--out", str(options.out))
    key = {"seed": options.seed, "commands": len(TARGETS)}
    rows: list[dict[str, Any]] = []
    figures: dict[str, Any] = {"mutants": 0, "failures": 0}
    for row in campaign("tests.campaigns.fuzz", options.out, key, SHARD, options.items, *arguments):
        rows.append(row)
        figures = summary(rows)
        if options.write:
            write_json(RESULTS, figures)
    sys.stdout.write(msgspec.json.format(line(figures), indent=2).decode() + "\n")
    seconds = sum(row["seconds"] for row in rows)
    sys.stdout.write(
        f"{1000 * seconds / max(figures['mutants'], 1):.0f} ms of processor time each\n"
    )
    return int(figures["failures"] > 0)


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of shards of one campaign."""
    statuses: Counter[str] = Counter()
    for row in rows:
        statuses.update(row["statuses"])
    failures = [failure for row in rows for failure in row["failures"]]
    return {
        "mutants": sum(row["count"] for row in rows),
        "seed": rows[0]["seed"],
        "commands": rows[0]["commands"],
        "statuses": statuses,
        "failures": len(failures),
        "complaints": Counter(failure["complaint"] for failure in failures),
        "largest_process_mib": max(row["mebibytes"] for row in rows),
    }


if __name__ == "__main__":
    sys.exit(main())
