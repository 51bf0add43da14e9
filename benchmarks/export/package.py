"""Folders of generated files: rendered templates and rows of items with their prompts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.eventhop.prompts import Prompter, Variant
from benchmarks.export.source import ExportError, Source, SourceKind
from generators.dataset import DatasetFolder
from grammar.eventhop.model import Domain

if TYPE_CHECKING:
    from jinja2 import Environment

GROUPS = ("label", "status", "hops")
"""Fields of an item by which accuracy is reported."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def python_name(text: str) -> str:
    """A name of a Python package: ``My data 2`` becomes ``my_data_2``."""
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return name if _NAME.fullmatch(name) else f"data_{name}".rstrip("_")


def checked_name(name: str | None, source: Source) -> str:
    """The name of an export; by default ``hopcheck_`` and the name of the folder.

    Raises:
        ExportError: it is no name of a Python package.
    """
    if name is None:
        return f"hopcheck_{python_name(source.name)}"
    if not _NAME.fullmatch(name):
        message = f"found the name {name!r}, expected lower-case letters, digits and underscores"
        raise ExportError(message)
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """Items to export with their prompts.

    Attributes:
        source: their folder.
        domain: their domain.
        openings: kind of prompt -> its text before the item.
    """

    source: Source
    domain: Domain
    openings: Mapping[str, str]

    @classmethod
    def of(cls, source: Source, tool: str) -> Items:
        """The items of a folder.

        Raises:
            ExportError: the folder contains no items.
            HopcheckError: a row cannot be read.
        """
        source.require(tool, SourceKind.EVENTHOP)
        split = list(source.files)[-1]
        first = next(iter(source.rows(split)), None)
        if first is None:
            raise ExportError("found no items", where=str(source.files[split]))
        domain = Domain(first.get("domain", Domain.TEMPORAL.value))
        openings = {one.value: Prompter(domain, one).opening for one in Variant}
        return cls(source=source, domain=domain, openings=openings)

    def rows(self, split: str) -> Iterable[Mapping[str, Any]]:
        """The items of a split: texts, label and what accuracy is reported by.

        Raises:
            ExportError: an item has no such field.
        """
        for number, row in enumerate(self.source.rows(split), 1):
            found = {name: row.get(name) for name in _FIELDS}
            missing = [name for name in _NEEDED if not isinstance(found[name], str)]
            if missing:
                where = f"{self.source.files[split]}:{number}"
                message = f"found an item without {missing[0]}, expected one written by generate"
                raise ExportError(message, where=where)
            yield found

    def values(self, split: str) -> dict[str, list[str]]:
        """The values of each of ``GROUPS`` that occur in a split."""
        found: dict[str, set[str]] = {name: set() for name in GROUPS}
        for row in self.rows(split):
            for name in GROUPS:
                found[name].add(value_name(row[name]))
        return {name: sorted(values) for name, values in found.items()}

    def write(self, folder: DatasetFolder, inside: str = "") -> None:
        """Write a JSON Lines file for each split."""
        for split in self.source.files:
            folder.add_lines(f"{inside}{split}.jsonl", self.rows(split))


_NEEDED = ("id", "premise", "claim", "label", "status")
_FIELDS = (*_NEEDED, "hops", "events", "relations", "relation", "declared", "event_distance")


def value_name(value: object) -> str:
    """A value as a part of the name of a metric; ``none`` for an item without one."""
    return "none" if value is None else str(value)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # The formats have templates in double braces of their own.
    return Environment(
        loader=PackageLoader(__package__, "templates"),
        undefined=StrictUndefined,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Python and YAML, no HTML
    )


def render(template: str, **values: object) -> str:
    """Fill a template of the folder ``templates``."""
    return _environment().get_template(template).render(values)


def write_templates(folder: DatasetFolder, templates: Mapping[str, str], **values: object) -> None:
    """Write files, each from a template.

    Args:
        folder: the folder.
        templates: name of the file -> its template.
        values: the values of all templates.
    """
    for name, template in templates.items():
        folder.add_text(name, render(template, **values))


def finish(
    folder: DatasetFolder, form: str, source: Source, options: Mapping[str, object]
) -> Sequence[Path]:
    """Write the manifest; returns the files."""
    config = {"format": form, "folder": source.name, **options}
    return folder.finish(config=config, seed=source.seed, encodings=())
