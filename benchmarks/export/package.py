"""Folders of generated files: rendered templates, rows and the openings of their prompts."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from benchmarks.eventhop.prompts import Prompter, Variant
from benchmarks.export.source import PROBLEMS, ExportError, Source, SourceKind
from benchmarks.predictions import distinct
from generators.dataset import DatasetFolder
from generators.problems.run import theory_of
from grammar.errors import HopcheckError
from grammar.eventhop.model import Domain
from grammar.questions.model import QuestionKind
from solver.questions.model import LETTERS

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
class Samples(ABC):
    """Items, questions or problems to export with their prompts.

    Attributes:
        source: their folder.
        openings: kind of prompt -> its text before the sample.
        groups: fields by which accuracy is reported.
        fields: further fields that are kept.
    """

    source: Source
    openings: Mapping[str, str]
    groups: ClassVar[tuple[str, ...]]
    fields: ClassVar[tuple[str, ...]]

    @property
    def kind(self) -> str:
        """Name of the templates for this kind of data."""
        return self.source.kind.value

    @property
    def variants(self) -> dict[str, str]:
        """The kinds of prompts, by their names in Python."""
        return {opening.replace("-", "_"): opening for opening in self.openings}

    @abstractmethod
    def sample(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The ``prompt`` of a row after the opening, and fields of ``groups`` that it lacks.

        Raises:
            KeyError: the row lacks a field.
        """

    def rows(self, split: str) -> Iterator[Mapping[str, Any]]:
        """The samples of a split.

        Raises:
            ExportError: a row lacks a field.
            UnmatchedError: two rows share an id, by which tools find their answers.
        """
        file = str(self.source.files[split])
        rows = distinct(self.source.rows(split), lambda row: str(row.get("id")), file)
        for number, row in enumerate(rows, 1):
            try:
                more = self.sample(row)
                yield {**{name: row.get(name) for name in (*self.fields, *self.groups)}, **more}
            except KeyError as error:
                where = f"{file}:{number}"
                message = f"found a row without {error.args[0]}, expected one written by generate"
                raise ExportError(message, where=where) from None

    def values(self, split: str) -> dict[str, list[str]]:
        """The values of each group that occur in a split."""
        found: dict[str, set[str]] = {name: set() for name in self.groups}
        for row in self.rows(split):
            for name in self.groups:
                found[name].add(value_name(row[name]))
        return {name: sorted(values) for name, values in found.items()}

    def write(self, folder: DatasetFolder, inside: str = "") -> None:
        """Write a JSON Lines file for each split."""
        for split in self.source.files:
            folder.add_lines(f"{inside}{split}.jsonl", self.rows(split))


class Items(Samples):
    """Items about the order of events."""

    groups = ("label", "status", "hops")
    fields = (
        *("id", "premise", "claim", "events", "relations", "relation", "declared"),
        "event_distance",
    )

    def sample(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Statements and claim."""
        _require(row, ("id", "premise", "claim", "label", "status"))
        return {"prompt": f"Statements: {row['premise']}\nClaim: {row['claim']}\n"}


class Questions(Samples):
    """Questions over a temporal knowledge graph."""

    groups = ("kind", "hops", "label")
    fields = ("id", "split", "time", "text", "query", "answers", "choices", "order")

    def sample(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The question with its choices; hops of questions about entities; the label if any."""
        _require(row, ("id", "text", "kind"))
        kind, answers = QuestionKind(row["kind"]), row["answers"]
        choices = row.get("choices") or ()
        listed = (
            f"{letter}. {choice['text']}\n"
            for letter, choice in zip(LETTERS, choices, strict=False)
        )
        hops = {QuestionKind.ONE_HOP: 1, QuestionKind.TWO_HOP: 2}.get(kind)
        return {
            "prompt": f"Question: {row['text']}\n{''.join(listed)}",
            "hops": hops,
            "label": None if hops else answers[0],
        }


class Problems(Samples):
    """Problems of the calendar, of positions or of assignments."""

    kind = "problems"
    groups = ("label", "family", "level", "hops")
    fields = ("id",)

    def sample(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The text, the possible answers, and the label without brackets.

        Raises:
            KeyError: the row lacks a field.
            ExportError: its text cannot be read.
        """
        _require(row, ("id", "gold"))
        theory = theory_of(self.source.kind)
        try:
            known = msgspec.convert(row, theory.rows)
            text, answers = theory.text(known), theory.answers(known)
        except (msgspec.ValidationError, HopcheckError) as error:
            raise ExportError(f"found {row['id']}, which is not read: {error}") from None
        return {
            "prompt": f"{text}\n",
            "answers": {label.strip("()"): meaning for label, meaning in answers.items()},
            "label": row["gold"].strip("()"),
        }


def _require(row: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in names:
        if not isinstance(row.get(name), str):
            raise KeyError(name)


def samples_of(source: Source, tool: str) -> Samples:
    """The items, questions or problems of a folder.

    Raises:
        ExportError: the folder contains none.
        HopcheckError: a row cannot be read.
    """
    source.require(tool, SourceKind.EVENTHOP, SourceKind.QUESTIONS, *PROBLEMS)
    split = list(source.files)[-1]
    first = next(iter(source.rows(split)), None)
    if first is None:
        message = f"found no rows of {source.kind} data"
        raise ExportError(message, where=str(source.files[split]))
    if source.kind in PROBLEMS:
        return Problems(source=source, openings=problem_openings(source.kind))
    if source.kind is SourceKind.QUESTIONS:
        return Questions(source=source, openings=question_openings())
    domain = Domain(first.get("domain", Domain.TEMPORAL.value))
    openings = {
        variant.value: Prompter(domain, variant, scheme=source.labels).opening
        for variant in Variant
    }
    return Items(source=source, openings=openings)


def value_name(value: object) -> str:
    """A value as a part of the name of a metric; ``none`` for an item without one."""
    return "none" if value is None else str(value)


@cache
def _environment() -> Environment:
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


def words_of(source: Source) -> dict[str, str] | None:
    """The word of each status, if the labels of the items are those of a scheme."""
    if source.labels is None:
        return None
    return {status.value: word for status, word in source.labels.words.items()}


def finish(
    folder: DatasetFolder, form: str, source: Source, options: Mapping[str, object]
) -> Sequence[Path]:
    """Write the manifest; returns the files."""
    config = {"format": form, "folder": source.name, **options}
    if source.labels is not None:
        config["labels"] = source.labels.name
    return folder.finish(config=config, seed=source.seed, encodings=())


_TASK = """\
You are asked about an event at a certain time. Answer from what happened before that time.

Answers:
- Who or which party: names of people, organisations or places, the most likely first, with \
semicolons between them.
- Whether something will happen: yes, or unknown if nothing supports it.
- Why something will happen, with choices: the letter of the choice that explains it best."""
_FORMS = {
    Variant.ZERO_SHOT: "Give no reasons. Reply with one line of the form\nAnswer: ANSWER",
    Variant.COT: "Reason step by step: recall what the parties did before. Then end your reply "
    "with one line of the form\nAnswer: ANSWER",
}


def question_openings() -> dict[str, str]:
    """Kind of prompt -> the text before the question."""
    return _openings(_TASK)


_PROBLEM_TASKS = {
    SourceKind.CALENDAR: "Answer the question about dates and times with the letter of an option.",
    SourceKind.POSITIONS: """\
Sentences state where things are on a grid. Answer the question about them: where a thing is, with
one of above, below, left, right, upper-left, upper-right, lower-left, lower-right, overlap; or yes
or no.""",
    SourceKind.ASSIGNMENTS: "Solve the puzzle; answer its question with the number of a position.",
}


def problem_openings(kind: SourceKind) -> dict[str, str]:
    """Kind of prompt -> the text before a problem."""
    return _openings(_PROBLEM_TASKS[kind])


def _openings(task: str) -> dict[str, str]:
    return {variant.value: f"{task}\n\n{form}" for variant, form in _FORMS.items()}
