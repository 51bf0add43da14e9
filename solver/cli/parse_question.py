"""``parse --kind questions``: questions over a graph and their choices, from text to query."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from solver.errors import ExitStatus, HopcheckError

if TYPE_CHECKING:
    from grammar.question import Query, Statement
    from solver.questions.labels import Labels
    from solver.questions.said_names import SaidNames
    from solver.questions.texts import PlacedText

Read: TypeAlias = dict[str, Any] | list[HopcheckError]
"""The fields to be printed, or what is wrong."""


@click.command()
@click.argument("path", required=False)
@click.option("--question", help="A question to read, instead of a file.")
@click.option("--choice", help="A choice to read, a statement about the past, instead of a file.")
@click.option(
    "--data",
    metavar="GRAPH",
    help="A graph: its names are printed, and only they are known.",
)
@click.pass_context
def command(ctx: click.Context, /, path: str | None, **options: Any) -> None:  # noqa: ANN401
    """Read questions over a graph: kind, query and time of each, one JSON object a line.

    PATH holds a question a line, or questions as JSON Lines or Parquet, of which the texts are
    read; - is standard input. In a query, ?answer is what is asked for and ?party what its two
    facts share. Choices are read to facts. A text that cannot be read is told on standard error,
    and the exit status is 2.

    \b
    Examples:
      python -m solver parse --kind questions \\
        --question "Who will Ada Brook host a visit by on 2026-01-11?"
      python -m solver parse --kind questions --choice "Ada Brook accused Ben on 2026-01-10."
      python -m solver parse --kind questions test.jsonl --data GRAPH
    """  # noqa: D301 - click reads the backslash
    question, choice = options["question"], options["choice"]
    if sum(one is not None for one in (path, question, choice)) != 1:
        raise click.UsageError("Give one of PATH, --question and --choice.")
    names = None if options["data"] is None else _names(options["data"])
    if path is not None:
        ctx.exit(_parse_file(path, names))
    errors = _told(_read(question if choice is None else choice, names, choice=choice is not None))
    for error in errors:
        click.echo(f"error: {error}", err=True)
    ctx.exit(ExitStatus.UNREADABLE if errors else ExitStatus.OK)


def _parse_file(path: str, names: SaidNames | None) -> ExitStatus:
    from solver.questions.texts import placed_texts

    status = ExitStatus.OK
    for one in placed_texts(path):
        errors = [one] if isinstance(one, HopcheckError) else _told(_read_row(one, names))
        for error in errors:
            status = ExitStatus.UNREADABLE
            click.echo(f"unparsed: {error}", err=True)
    return status


def _names(data: str) -> SaidNames:
    from solver.cli.graph_reading import read_graph
    from solver.questions.labels import Labels
    from solver.questions.said_names import SaidNames

    return SaidNames(Labels.of(read_graph(data).vocabulary))


def _read_row(one: PlacedText, names: SaidNames | None) -> Read:
    """What a question and its choices say, or all that is wrong with their texts."""
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


def _read(text: str, names: SaidNames | None, *, choice: bool) -> Read:
    """What a text says, or what is wrong with it."""
    from grammar.question import Statement
    from grammar.question_reader import read_question, read_statement

    known = None if names is None else names.knows
    labels = None if names is None else names.labels
    try:
        said, variant = read_statement(text, known) if choice else read_question(text, known)
        unknown = [] if names is None else names.unknown(said, text)
        if unknown:
            return [*unknown]
        fields = _fact(said, labels) if isinstance(said, Statement) else _query(said, labels)
    except HopcheckError as error:
        return [error]
    return fields | {"variant": variant}


def _query(query: Query, labels: Labels | None) -> dict[str, Any]:
    from solver.questions.linking import graph_triples, linked_query
    from solver.questions.triples import kind_of, time_of, triples_of

    if labels is None:
        return {"kind": kind_of(query), "query": triples_of(query), "time": time_of(query)}
    linked = linked_query(query, labels)
    return {
        "kind": linked.kind,
        "query": graph_triples(linked, labels.vocabulary),
        "time": labels.vocabulary.time(linked.time),
    }


def _fact(said: Statement, labels: Labels | None) -> dict[str, Any]:
    from solver.questions.linking import graph_fact, linked_statement

    if labels is None:
        return {"fact": (said.subject, said.relation, said.object, said.time)}
    return {"fact": graph_fact(linked_statement(said, labels), labels.vocabulary)}


def _told(read: Read) -> list[HopcheckError]:
    """Print what was read, or give what is wrong."""
    from solver.writing.jsonl import line

    if isinstance(read, list):
        return read
    try:
        sys.stdout.buffer.write(line(read))
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end]
        return [HopcheckError(f"found {found!a}, expected text in UTF-8")]
    return []
