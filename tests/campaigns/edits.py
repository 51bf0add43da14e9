"""Edits data sets and verifies them: ``python -m tests.campaigns.edits --edits N``.

Edit ``n`` is a hash of the seed and ``n``: a data set, and one cell of one of its files, or an
entry of its manifest, that gets another value; or a row or a file that is removed, added or moved.
The manifest gets the checksums of what the folder then contains. ``verify`` has to find the edit,
or to list what was edited as not decidable; otherwise the edit counts as missed.

``--write`` writes the table of kinds, fields and verdicts into ``docs/files.md``.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import random
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solver.cli import run
from tests.campaigns.journal import campaign

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PAGE = ROOT / "docs" / "files.md"
BEGIN, END = "<!-- edits: begin -->\n", "<!-- edits: end -->\n"
INPUTS = "inputs"
FOUND, LISTED, MISSED = "found", "not decidable", "missed"
_SIZES = "--train-size 24 --test-size 12 --shape 8x16"
_ROUNDS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A data set to edit.

    Attributes:
        kind: its kind.
        make: the words of the command that makes it; ``OUT`` is its folder, ``INPUTS`` one of
            files that ``write_inputs`` writes.
        verify: further words of the command that verifies it.
        check: whether that is ``check``, as nothing but audits writes data of this kind.
        path: what is verified, in its folder.
        manifest: name of its manifest.
    """

    kind: str
    make: str
    verify: str = ""
    check: bool = False
    path: str = ""
    manifest: str = "manifest.json"


SUBJECTS = {
    "items": Subject(kind="eventhop", make=f"generate eventhop {_SIZES} --certificates --out OUT"),
    "shards": Subject(kind="eventhop", make=f"generate eventhop {_SIZES} --shard-size 9 --out OUT"),
    "pairs": Subject(
        kind="eventhop", make=f"generate eventhop --preset minimal-pairs {_SIZES} --out OUT"
    ),
    "linked": Subject(
        kind="eventhop",
        make="generate eventhop --from-links EXAMPLES/links --links 4 --test-size 20 --out OUT",
    ),
    "graph": Subject(
        kind="tkg",
        make="generate tkg --mode forward --entities 60 --relations 12 --steps 30 --lags 1,3 "
        "--patterns 2,2,1 --out OUT",
    ),
    "asked": Subject(
        kind="questions",
        make="generate questions EXAMPLES/questions/graph --out OUT",
        verify="--kind questions --data EXAMPLES/questions/graph",
    ),
    "future": Subject(
        kind="facts",
        make="forecast EXAMPLES/tkg --from 2032-03-02 --to 2032-03-11 --seed 7 --out OUT",
    ),
    "texts": Subject(
        kind="texts", make="generate texts --facts EXAMPLES/texts/references.txt --out OUT"
    ),
    "patterns": Subject(
        kind="patterns",
        make="generate patterns --hops 1 --flags unique,no-self --out OUT/list.jsonl",
        path="list.jsonl",
        manifest="list.manifest.json",
    ),
    "chains": Subject(
        kind="traces", make="generate traces --train 6 --test 12 --probes none --out OUT"
    ),
    **{
        name: Subject(
            kind=name, make=f"generate {name} --train 8 --test 16 --probes none --out OUT"
        )
        for name in ("calendar", "positions", "assignments")
    },
    "dates": Subject(
        kind="calendar",
        make="audit bbh EXAMPLES/audits/date_understanding.json --report OUT",
        check=True,
    ),
    "stories": Subject(
        kind="positions",
        make="audit stepgame EXAMPLES/audits/stepgame.json --report OUT",
        check=True,
    ),
    "puzzles": Subject(
        kind="assignments", make="audit bbeh INPUTS/puzzles.json --report OUT", check=True
    ),
    "families": Subject(
        kind="family",
        make="audit reasoning-gym INPUTS/families.jsonl --report OUT",
        check=True,
    ),
}


def write_inputs(folder: Path) -> None:
    """Write files of public sets that are made of examples: several items, with wrong labels."""
    folder.mkdir(exist_ok=True)
    puzzle = (EXAMPLES / "puzzles" / "boats.txt").read_text(encoding="utf-8")
    examples = [{"input": puzzle, "target": target} for target in ("2", "3", "1")]
    (folder / "puzzles.json").write_text(json.dumps({"examples": examples}), encoding="utf-8")
    family = json.loads((EXAMPLES / "audits" / "family.jsonl").read_text(encoding="utf-8"))
    rows = [{**family, "answer": answer} for answer in (family["answer"], "sister", "mother")]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "families.jsonl").write_text(lines, encoding="utf-8")


def words(text: str, out: Path, inputs: Path | None = None) -> list[str]:
    """The words of a command."""
    places = {"OUT": out, "EXAMPLES": EXAMPLES, "INPUTS": inputs or out.parent / INPUTS}
    for name, place in places.items():
        text = text.replace(name, str(place))
    return text.split()


def make(home: Path, names: Sequence[str] = tuple(SUBJECTS)) -> None:
    """Make the data sets, each in a folder of its name.

    Raises:
        RuntimeError: a command failed.
    """
    write_inputs(home / INPUTS)
    for name in names:
        out = home / name
        out.mkdir(parents=True, exist_ok=True)
        status, printed = called(words(SUBJECTS[name].make, out))
        if status and not SUBJECTS[name].check:  # audits find wrong labels
            raise RuntimeError(f"{SUBJECTS[name].make}: {printed}")


def called(arguments: Sequence[str]) -> tuple[int, str]:
    """The exit status of a command, and what it printed."""
    data = io.BytesIO()
    out = io.TextIOWrapper(data, encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = run(list(arguments))
    return int(status), data.getvalue().decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What was edited.

    Attributes:
        subject: name of the data set.
        file: name of the file, without the number of a shard.
        field: the field or the entry, or what was done to a row or a file.
        part: the entry of the entry, or the innermost field of a JSON file, if there is one.
    """

    subject: str
    file: str
    field: str
    part: str = ""

    def listed(self, undecidable: Sequence[str]) -> bool:
        """Whether ``verify`` states that it does not decide this."""
        names = {self.file, f"{self.field} of {self.file}"}
        if self.file in (SUBJECTS[self.subject].manifest, "rows") or "jsonl" in self.file:
            names |= {self.field, f"{self.part} of {self.field}"}
        if self.file.endswith(".json"):
            names.add(f"{self.part} of {self.file}")
        if self.field == "moved row":
            names |= {"order of rows", f"order of {self.file}"}
        if self.field.startswith("removed ") and self.field != "removed row":
            names |= {"absent fields", self.field.removeprefix("removed ")}
        return not names.isdisjoint(undecidable)


class Editor:
    """Edits one copy of a data set."""

    def __init__(self, name: str, folder: Path, chance: random.Random) -> None:
        self._name, self._folder, self._random = name, folder, chance
        self._manifest = folder / SUBJECTS[name].manifest

    def edit(self) -> Edit:
        """Edit something, and renew the checksums.

        Raises:
            ValueError: nothing was changed.
        """
        files = self._files()
        chosen = self._random.random()
        if chosen < 0.2:
            return self._entry()
        path = self._random.choice(files)
        if chosen < 0.26 and not SUBJECTS[self._name].path:
            edit = self._file(path)
        else:
            edit = self._named(path, *self._content(path))
        self._renew()
        return edit

    def _named(self, path: Path, field: str, part: str = "") -> Edit:
        stem, ending = path.name.split(".", 1)
        head, _, number = stem.rpartition("-")
        name = f"{head}-*.{ending}" if number.isdigit() and len(number) > 5 else path.name
        return Edit(subject=self._name, file=name, field=field, part=part)

    def _files(self) -> list[Path]:
        every = [path for path in sorted(self._folder.iterdir()) if path != self._manifest]
        pages = (".md", ".html", ".manifest.json")
        return [path for path in every if path.is_file() and not path.name.endswith(pages)]

    def _renew(self) -> None:
        described = json.loads(self._manifest.read_text())
        described["outputs"] = digests(self._folder, described["outputs"])
        self._manifest.write_text(json.dumps(described, indent=2, sort_keys=True) + "\n")

    def _file(self, path: Path) -> Edit:
        """Remove a file with its checksum, or add one without."""
        if self._random.random() < 0.5:
            path.unlink()
            return self._named(path, "removed file")
        shutil.copy(path, path.with_name(f"more{path.name}"))
        return self._named(path, "added file")

    def _entry(self) -> Edit:
        """Change or remove an entry of the manifest."""
        described = json.loads(self._manifest.read_text())
        name = self._random.choice(sorted(described))
        part = ""
        if self._random.random() < 0.2:
            del described[name]
            field = "removed entry" if name != "preset" else name
            edit = Edit(subject=self._name, file=self._manifest.name, field=name, part=field)
        else:
            value, path = self._changed(described[name])
            part = next((step for step in path if isinstance(step, str)), "")
            described[name] = value
            edit = Edit(subject=self._name, file=self._manifest.name, field=name, part=part)
        self._manifest.write_text(json.dumps(described, indent=2, sort_keys=True) + "\n")
        return edit

    def _changed(self, value: Any) -> tuple[Any, list[str | int]]:
        """Another value, which differs in one leaf, and the path of the leaf."""
        if isinstance(value, dict) and value:
            name = self._random.choice(sorted(value))
            inner, path = self._changed(value[name])
            return {**value, name: inner}, [name, *path]
        if isinstance(value, list) and value:
            place = self._random.randrange(len(value))
            inner, path = self._changed(value[place])
            return [*value[:place], inner, *value[place + 1 :]], [place, *path]
        if isinstance(value, bool):
            return not value, []
        if isinstance(value, int):
            return max(value + self._random.choice((-1, 1)), 0) or value + 1, []
        if isinstance(value, float):
            return round(value * 0.9 + 0.02, 6) if value < 0.2 else round(value * 0.9, 6), []
        if isinstance(value, str):
            return self._word(value), []
        return {} if value == [] else (1 if value is None else ["x"]), []

    def _word(self, text: str) -> str:
        """Another label of the same set, or another text."""
        for known in (
            ("true", "false", "undefined"), ("True", "False", "Impossible"),
            ("possible", "impossible"), ("before", "after", "overlaps"),
            ("entailed", "refuted", "unknown", "contradictory"), ("antecedent", "consequence"),
            ("right", "wrong", "unanswerable", "unread"), ("local", "global"),
            ("restated", "follows", "open", "contradicts"), ("temporal", "spatial", "logical"),
        ):  # fmt: skip
            if text in known:
                return self._random.choice([word for word in known if word != text])
        if text.isdigit() and len(text) < 9:
            return str(int(text) + 1)
        if self._random.random() < 0.3 and len(text.split(". ")) > 2:
            return ". ".join(text.split(". ")[1:])
        return f"{text}x"

    def _content(self, path: Path) -> tuple[str, ...]:
        """Edit the rows of a file; what was edited, and the innermost field of a JSON file."""
        if path.suffix == ".json":
            value, steps = self._changed(json.loads(path.read_text()))
            path.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n")
            named = [step for step in steps if isinstance(step, str)]
            # Templates are named by their texts.
            part = next((name for name in named if name == "templates"), named[-1])
            return str(steps[0]), part
        if path.suffix == ".jsonl":
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            rows, field = self._rows(rows)
            lines = (json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n" for row in rows)
            path.write_text("".join(lines))
            return (field,)
        if path.suffix == ".parquet":
            return self._table(path)
        lines = path.read_text().splitlines(keepends=True)
        cells = [line.rstrip("\r\n").split("\t") for line in lines]
        end = "\r\n" if lines[0].endswith("\r\n") else "\n"
        rows, field = self._rows([dict(enumerate(row)) for row in cells])
        text = "".join("\t".join(map(str, row.values())) + end for row in rows)
        path.write_bytes(text.encode())
        return (f"column {int(field) + 1}" if field.isdigit() else field,)

    def _table(self, path: Path) -> tuple[str]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        rows, field = self._rows(table.to_pylist())
        changed = pa.Table.from_pylist(rows, schema=table.schema)
        if changed.equals(table):  # an absent value is a missing one
            raise ValueError("nothing was changed")
        pq.write_table(changed, path)
        return (field,)

    def _rows(self, rows: list[dict[Any, Any]]) -> tuple[list[dict[Any, Any]], str]:
        changed, field = self._changed_rows(rows)
        if changed == rows:
            raise ValueError("nothing was changed")
        return changed, field

    def _changed_rows(self, rows: list[dict[Any, Any]]) -> tuple[list[dict[Any, Any]], str]:
        chosen, place = self._random.random(), self._random.randrange(len(rows))
        if chosen < 0.06:
            return [*rows[:place], *rows[place + 1 :]], "removed row"
        if chosen < 0.12:
            return [*rows[:place], rows[place], *rows[place:]], "added row"
        if chosen < 0.18:
            other = self._random.randrange(len(rows))
            rows = list(rows)
            rows[place], rows[other] = rows[other], rows[place]
            return rows, "moved row"
        row = rows[place]
        name = self._random.choice(sorted(row))
        if isinstance(name, str) and self._random.random() < 0.15:
            if row[name] is None:  # an absent value is a missing one
                return rows, name
            changed = {key: value for key, value in row.items() if key != name}
            return [*rows[:place], changed, *rows[place + 1 :]], f"removed {name}"
        value, steps = self._changed(row[name])
        field = "certificate" if "certificate" in steps else str(name)
        return [*rows[:place], {**row, name: value}, *rows[place + 1 :]], field


def digests(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The checksums of the files of a folder that are there."""
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in names
        if (folder / name).is_file()
    }


def verdict(edit: Edit, folder: Path) -> tuple[str, str]:
    """The verdict about an edited data set, and what ``verify`` printed."""
    subject = SUBJECTS[edit.subject]
    command = ["verify", str(folder / subject.path), *words(subject.verify, folder)]
    if subject.check:
        command[0] = "check"
    if subject.kind in ("eventhop", "questions", "texts"):
        command += ["--probes", "none"]
    status, printed = called([*command, "--json"])
    if status:
        return FOUND, printed
    undecidable = json.loads(printed).get("undecidable", ())
    return (LISTED if edit.listed(undecidable) else MISSED), printed


@dataclass(slots=True, kw_only=True)
class Tally:
    """Verdicts by kind, format and field; ``missed`` describes the edits that were not found."""

    verdicts: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def table(self) -> str:
        """The verdicts as a Markdown table."""
        fields: dict[tuple[str, str, str], dict[str, set[str]]] = defaultdict(
            lambda: defaultdict(set)
        )
        totals: Counter[tuple[str, str, str]] = Counter()
        for (kind, file, name, result), number in sorted(self.verdicts.items()):
            fields[kind, file, result][name].add(result)
            totals[kind, file, result] += number
        lines = ["| kind | file | verdict | edits | of |\n|---|---|---|---|---|\n"]
        for (kind, file, result), names in sorted(fields.items()):
            listed = ", ".join(f"`{name}`" for name in sorted(names))
            lines.append(
                f"| {kind} | `{file}` | {result} | {totals[kind, file, result]:,} | {listed} |\n"
            )
        return "".join(lines)


def edited(seed: int, first: int, edits: int, home: Path) -> Iterator[tuple[Edit, str, str]]:
    """Edit copies of the data sets in ``home`` and verify each."""
    names = [name for name in SUBJECTS if (home / name).is_dir()]
    for number in range(first, first + edits):
        with tempfile.TemporaryDirectory() as place:
            for attempt in range(_ROUNDS):
                chance = random.Random(f"{seed} {number} {attempt}")
                name = names[number % len(names)]
                folder = Path(place) / str(attempt) / name
                shutil.copytree(home / name, folder)
                try:
                    edit = Editor(name, folder, chance).edit()
                except (ValueError, TypeError, OverflowError):  # nothing that the format can hold
                    continue
                result, printed = verdict(edit, folder)
                yield edit, result, printed
                break


def tally(seed: int, first: int, edits: int, home: Path) -> Tally:
    """Count the verdicts about some edits."""
    counted = Tally()
    for number, (edit, result, printed) in enumerate(edited(seed, first, edits, home), first):
        kind = SUBJECTS[edit.subject].kind
        name = f"{edit.field}.{edit.part}" if edit.part else edit.field
        counted.verdicts[kind, edit.file, name, result] += 1
        if result == MISSED:
            counted.missed.append(f"{number}: {edit}: {printed[-300:]}")
    return counted


SHARD = 100


def shard(seed: int, first: int, count: int) -> dict[str, Any]:
    """The verdicts about some edits as JSON values."""
    with tempfile.TemporaryDirectory() as place:
        make(Path(place))
        counted = tally(seed, first, count, Path(place))
    verdicts = [[*key, number] for key, number in sorted(counted.verdicts.items())]
    return {"first": first, "count": count, "verdicts": verdicts, "missed": counted.missed}


def main() -> None:
    """Run the campaign; it stops and resumes at any time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("edits"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--shard", type=int, nargs=2, metavar=("FIRST", "COUNT"))
    chosen = parser.parse_args()
    if chosen.shard:
        sys.stdout.write(json.dumps(shard(chosen.seed, *chosen.shard)) + "\n")
        return
    counted, module = Tally(), "tests.campaigns.edits"
    key = {"campaign": "edits", "seed": chosen.seed}
    seed = ("--seed", str(chosen.seed))
    for row in campaign(module, chosen.out, key, SHARD, chosen.edits, *seed):
        counted.missed += row["missed"]
        for *name, number in row["verdicts"]:
            counted.verdicts[tuple(name)] += number
    totals: Counter[str] = Counter()
    for (*_, result), number in counted.verdicts.items():
        totals[result] += number
    sys.stderr.writelines(f"{line}\n" for line in counted.missed)
    sys.stdout.write(json.dumps(totals) + "\n")
    if chosen.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}{counted.table()}{END}{after}", encoding="utf-8")
    sys.exit(bool(counted.missed))


if __name__ == "__main__":
    main()
