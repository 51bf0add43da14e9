"""The folder of a data set, for all kinds: splits, JSON Lines, Parquet, card and manifest."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from solver.extras import available, require
from solver.io.sources import MANIFEST
from solver.io.writing import atomic, json_lines, line, make_folder, remove, write_json
from solver.manifest import manifest
from solver.report.model import Report
from solver.report.page import PAGE, write_page

if TYPE_CHECKING:
    import pyarrow as pa

README = "README.md"
_SIZES = (("n<1K", 1_000), ("1K<n<10K", 10_000), ("10K<n<100K", 10**5), ("100K<n<1M", 10**6))


class SplitFormat(StrEnum):
    """The formats in which the rows of a split are written."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    BOTH = "both"

    def writable(self) -> SplitFormat:
        """The format itself; JSON Lines for both if pyarrow is not installed.

        Raises:
            MissingLibraryError: Parquet alone is requested, and pyarrow is not installed.
        """
        if self is SplitFormat.PARQUET:
            require("Parquet", "pyarrow")
        missing = self is SplitFormat.BOTH and not available("pyarrow")
        return SplitFormat.JSONL if missing else self


class DatasetFolder:
    """A folder that is being written; the manifest of an earlier run is removed first.

    Attributes:
        path: the folder.
        written: the files so far.
    """

    def __init__(self, path: Path, *, manifest: str = MANIFEST) -> None:
        """Create the folder if it does not exist.

        Args:
            path: the folder.
            manifest: name of its manifest.

        Raises:
            OutputError: the folder cannot be created, or its manifest not removed.
        """
        self.path = make_folder(path)
        self.written: list[Path] = []
        self._manifest = manifest
        # An older manifest must not describe a half-written folder.
        self.remove(manifest)

    def add(self, *paths: Path) -> None:
        """Record files that were written into the folder."""
        self.written += paths

    def add_json(self, name: str, value: object) -> None:
        """Write a JSON file."""
        write_json(self.path / name, value)
        self.add(self.path / name)

    def add_text(self, name: str, text: str) -> None:
        """Write a text file in UTF-8."""
        with atomic(self.path / name) as file:
            file.write(text.encode())
        self.add(self.path / name)

    def add_lines(self, name: str, rows: Iterable[object]) -> None:
        """Write JSON Lines, one row a line."""
        with json_lines(self.path / name) as file:
            for row in rows:
                file.write(row)
        self.add(self.path / name)

    def add_split(
        self,
        split: str,
        blocks: Iterable[bytes],
        schema: Callable[[], pa.Schema],
        form: SplitFormat = SplitFormat.BOTH,
    ) -> None:
        """Write the rows of a split as JSON Lines, Parquet or both.

        Args:
            split: its name, and that of its files.
            blocks: whole lines of JSON, one row each; read once, in order.
            schema: makes the columns of the Parquet file.
            form: the formats to write, if they are writable.
        """
        form, lines, table = form.writable(), f"{split}.jsonl", f"{split}.parquet"
        if form is not SplitFormat.PARQUET:
            with atomic(self.path / lines) as file:
                file.writelines(blocks)
            self.add(self.path / lines)
        if form is not SplitFormat.JSONL:
            from solver.io.parquet import write_rows

            if form is SplitFormat.PARQUET:
                write_rows(self.path / table, schema, decoded(blocks))
            else:
                with (self.path / lines).open("rb") as source:
                    write_rows(self.path / table, schema, decoded(source))
            self.add(self.path / table)

    def add_page(self, report: Report) -> None:
        """Write the page of the data set."""
        self.add(*write_page(self.path / PAGE, report))

    def remove(self, name: str) -> None:
        """Remove a file of an earlier run, if there is one."""
        remove(self.path / name)

    def remove_stale(self, names: Iterable[str]) -> None:
        """Remove files that this run has not written and readers would take as a part of it."""
        for name in names:
            if self.path / name not in self.written:
                self.remove(name)

    def finish(
        self,
        *,
        config: Mapping[str, object],
        seed: int | None = None,
        encodings: Iterable[str] | None = None,
        inputs: Iterable[str | Path] = (),
        more: Mapping[str, object] | None = None,
    ) -> tuple[Path, ...]:
        """Write the manifest and return the paths of all files, the manifest last.

        Args:
            config: options of the run.
            seed: random seed, if any.
            encodings: the encodings used; all by default.
            inputs: files that were read; of a folder all its files.
            more: further entries of the manifest.
        """
        described = manifest(
            config=config,
            seed=seed,
            encodings=encodings,
            inputs=[file for entry in inputs for file in _files(Path(entry))],
            outputs=sorted(self.written),
            folder=self.path,
        )
        path = self.path / self._manifest
        write_json(path, {**described, **(more or {})})
        return (*self.written, path)


def batches(size: int, length: int) -> Iterator[range]:
    """The numbers below a size in ranges of a length, the last one perhaps shorter."""
    return (range(start, min(start + length, size)) for start in range(0, size, length))


def decoded(blocks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The rows of whole lines of JSON."""
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    return (decode(data) for block in blocks for data in block.splitlines())


def encoded(rows: Iterable[object]) -> Iterator[bytes]:
    """The rows as lines of JSON."""
    return map(line, rows)


def _files(path: Path) -> list[Path]:
    """The file itself, or the files of a folder, sorted, without hidden ones."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")


def card(
    name: str,
    template: Path,
    values: Mapping[str, object],
    *,
    task: str,
    tags: Sequence[str],
    splits: Mapping[str, str],
    items: int,
    commands: Sequence[Sequence[str]],
    task_ids: Sequence[str] = (),
    with_features: bool = True,
) -> str:
    """A dataset card: its YAML head, as the Hugging Face hub reads it, the page, and commands.

    Args:
        name: name of the data set for people.
        template: lines of the head on the columns, ``---``, and the page in Markdown.
        values: values of the placeholders of the page.
        task: category of the task.
        tags: tags of the data set.
        splits: split -> name of its file, if the library can load them; ``valid`` is called
            ``validation`` in the head.
        items: number by which the data set's size category is chosen.
        commands: arguments of ``hopcheck`` that make the data set again, and that check it.
        task_ids: identifiers of the task.
        with_features: whether the head has the lines on the columns.
    """
    lines = ["---", *_listed("language", ["en"]), *_listed("task_categories", [task])]
    if task_ids:
        lines += _listed("task_ids", task_ids)
    lines += [*_listed("size_categories", [size_category(items)]), *_listed("tags", tags)]
    lines += [f"pretty_name: {name}"]
    if splits:
        lines += ["configs:", "  - config_name: default", "    data_files:"]
    for split, file in splits.items():
        called = "validation" if split == "valid" else split
        lines += [f"      - split: {called}", f"        path: {file}"]
    features, page = template.read_text(encoding="utf-8").split("---\n", 1)
    head = "\n".join(lines) + f"\n{features if with_features else ''}---\n"
    shown = "".join(f"hopcheck {shlex.join(arguments)}\n" for arguments in commands)
    return f"{head}{page.format_map(values)}\n{_AGAIN}\n```sh\n{shown}```\n"


def size_category(items: int) -> str:
    """The size category of the hub: ``1K<n<10K``."""
    return next((name for name, limit in _SIZES if items < limit), "1M<n<10M")


_AGAIN = """## Make and check it

The same options, inputs and versions give the same bytes; `manifest.json` holds the checksums.
"""


def _listed(key: str, values: Sequence[str]) -> list[str]:
    return [f"{key}:", *(f"- {value}" for value in values)]
