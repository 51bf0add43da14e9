"""The folder of a data set: files, dataset card and manifest, for all kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from solver.io.sources import MANIFEST
from solver.io.writing import atomic, make_folder, os_errors_reported, write_json
from solver.manifest import manifest
from solver.report.model import Report
from solver.report.page import PAGE, write_page

README = "README.md"
_SIZES = (("n<1K", 1_000), ("1K<n<10K", 10_000), ("10K<n<100K", 10**5), ("100K<n<1M", 10**6))


class DatasetFolder:
    """A folder that is being written; the manifest of an earlier run is removed first.

    Attributes:
        path: the folder.
        written: the files so far.
    """

    def __init__(self, path: Path) -> None:
        """Create the folder if it does not exist.

        Raises:
            OutputError: the folder cannot be created, or its manifest not removed.
        """
        self.path = make_folder(path)
        self.written: list[Path] = []
        # An older manifest must not describe a half-written folder.
        self.remove(MANIFEST)

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

    def add_page(self, report: Report) -> None:
        """Write the page of the data set."""
        self.add(*write_page(self.path / PAGE, report))

    def remove(self, name: str) -> None:
        """Remove a file of an earlier run, if there is one."""
        with os_errors_reported(self.path / name):
            (self.path / name).unlink(missing_ok=True)

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
            inputs: files that were read.
            more: further entries of the manifest.
        """
        described = manifest(
            config=config,
            seed=seed,
            encodings=encodings,
            inputs=inputs,
            outputs=sorted(self.written),
        )
        path = self.path / MANIFEST
        write_json(path, {**described, **(more or {})})
        return (*self.written, path)


def card_head(
    name: str,
    *,
    task: str,
    tags: Sequence[str],
    splits: Mapping[str, str],
    items: int,
    task_ids: Sequence[str] = (),
    features: str = "",
) -> str:
    """The YAML head of a dataset card, as the Hugging Face hub reads it.

    Args:
        name: name of the data set for people.
        task: category of the task.
        tags: tags of the data set.
        splits: split -> name of its file.
        items: number by which the data set's size category is chosen.
        task_ids: identifiers of the task.
        features: lines on the columns.
    """
    lines = ["---", *_listed("language", ["en"]), *_listed("task_categories", [task])]
    if task_ids:
        lines += _listed("task_ids", task_ids)
    category = next((one for one, limit in _SIZES if items < limit), "1M<n<10M")
    lines += [*_listed("size_categories", [category]), *_listed("tags", tags)]
    lines += [f"pretty_name: {name}", "configs:", "  - config_name: default", "    data_files:"]
    for split, file in splits.items():
        lines += [f"      - split: {split}", f"        path: {file}"]
    return "\n".join(lines) + f"\n{features}---\n"


def _listed(key: str, values: Sequence[str]) -> list[str]:
    return [f"{key}:", *(f"- {value}" for value in values)]
