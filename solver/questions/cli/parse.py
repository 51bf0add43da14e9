"""``parse --kind questions``: parses questions and their choices to queries and facts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.options import graph, read_graph

if TYPE_CHECKING:
    from grammar.questions.model import Query, Statement
    from solver.questions.inputs import PlacedText
    from solver.questions.names import Labels, NameChecker


Read: TypeAlias = dict[str, Any] | list[HopcheckError]
"""The fields to print, or errors."""


@click.command()
@click.argument("path", required=False)
@click.option("--question", help="Question to parse, instead of a file.")
@click.option("--choice", help="Choice (a statement about the past) to parse, instead of a file.")
@graph(required=False)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    path: str | None,
    question: str | None,
    choice: str | None,
    graph: Path | None,
) -> None:
    """Parse questions over a graph to kind, query and time, one JSON object per line.

    PATH contains one question per line, or questions as JSON Lines or Parquet, of which only the
    texts are read; - is standard input. In a query, the variable ?answer is asked for, and ?party
    is shared by both facts. Choices are parsed to facts. With --data, names are linked to those of
    the graph, and unknown names are errors. Unparsable texts are reported on standard error, and
    the exit status is 2.

    \b
    Examples:
      python -m solver parse --kind questions \\
        --question "Who will Ada Brook host a visit by on 2026-01-11?"
      python -m solver parse --kind questions --choice "Ada Brook accused Ben on 2026-01-10."
      python -m solver parse --kind questions test.jsonl --data GRAPH
    """  # noqa: D301 - click reads the backslash
    if sum(one is not None for one in (path, question, choice)) != 1:
        raise click.UsageError("Give one of PATH, --question and --choice.")
    names = None if graph is None else _names(graph)
    if path is not None:
        ctx.exit(_parse_file(path, names))
    text = choice if question is None else question
    assert text is not None
    errors = _print_or_errors(_read(text, names, choice=choice is not None))
    for error in errors:
        click.echo(f"error: {error}", err=True)
    ctx.exit(ExitStatus.UNREADABLE if errors else ExitStatus.OK)


def _parse_file(path: str, names: NameChecker | None) -> ExitStatus:
    from solver.questions.inputs import placed_texts

    status = ExitStatus.OK
    for one in placed_texts(path):
        errors = (
            [one] if isinstance(one, HopcheckError) else _print_or_errors(_read_row(one, names))
        )
        for error in errors:
            status = ExitStatus.UNREADABLE
            click.echo(f"unparsed: {error}", err=True)
    return status


def _names(path: Path) -> NameChecker:
    from solver.questions.names import Labels, NameChecker

    return NameChecker(Labels.of(read_graph(path).vocabulary))


def _read_row(one: PlacedText, names: NameChecker | None) -> Read:
    """Parse a question and its choices, or return the errors of their texts."""
    found: list[dict[str, Any]] = []
    errors: list[HopcheckError] = []
    for text in (one, *one.choices):
        read = _read(text.text, names, choice=bool(text.letter))
        if isinstance(read, list):
            errors += map(text.located, read)
        else:
            found.append(read)
    if errors:
        return errors
    fields, *choices = found
    if choices:
        fields["choices"] = choices
    if one.id is not None:
        fields["id"] = one.id
    return fields


def _read(text: str, names: NameChecker | None, *, choice: bool) -> Read:
    """Parse a text, or return its errors."""
    from grammar.questions.model import Statement
    from grammar.questions.reader import read_question, read_statement

    known = None if names is None else names.knows
    labels = None if names is None else names.labels
    try:
        meaning, variant = read_statement(text, known) if choice else read_question(text, known)
        unknown = [] if names is None else names.unknown(meaning, text)
        if unknown:
            return [*unknown]
        fields = (
            _fact(meaning, labels) if isinstance(meaning, Statement) else _query(meaning, labels)
        )
    except HopcheckError as error:
        return [error]
    return fields | {"variant": variant}


def _query(query: Query, labels: Labels | None) -> dict[str, Any]:
    from solver.questions.linking import graph_triples, kind_of, linked_query, time_of, triples_of

    if labels is None:
        return {"kind": kind_of(query), "query": triples_of(query), "time": time_of(query)}
    linked = linked_query(query, labels)
    return {
        "kind": linked.kind,
        "query": graph_triples(linked, labels.vocabulary),
        "time": labels.vocabulary.time(linked.time),
    }


def _fact(meaning: Statement, labels: Labels | None) -> dict[str, Any]:
    from solver.questions.linking import graph_fact, linked_statement

    if labels is None:
        return {"fact": (meaning.subject, meaning.relation, meaning.object, meaning.time)}
    return {"fact": graph_fact(linked_statement(meaning, labels), labels.vocabulary)}


def _print_or_errors(read: Read) -> list[HopcheckError]:
    """Print the parsed fields, or return the errors."""
    from solver.io.writing import line

    if isinstance(read, list):
        return read
    try:
        sys.stdout.buffer.write(line(read))
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end]
        return [HopcheckError(f"found {found!a}, expected text in UTF-8")]
    return []
