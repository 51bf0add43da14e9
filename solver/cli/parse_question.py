"""``parse --kind questions``: questions over a graph, from text to query."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from solver.errors import ExitStatus, HopcheckError

if TYPE_CHECKING:
    from grammar.question import Query
    from solver.questions.labels import Labels
    from solver.questions.naming import SaidNames
    from solver.questions.texts import PlacedText


@click.command()
@click.argument("path", required=False)
@click.option("--question", help="A question to read, instead of a file.")
@click.option(
    "--data",
    metavar="GRAPH",
    help="A graph: its names are printed, and only they are known.",
)
@click.pass_context
def command(
    ctx: click.Context, /, path: str | None, question: str | None, data: str | None
) -> None:
    """Read questions over a graph: kind, query and time of each, one JSON object a line.

    PATH holds a question a line, or questions as JSON Lines or Parquet, of which the texts are
    read; - is standard input. In a query, ?answer is what is asked for and ?party what its two
    facts share. A text that cannot be read is told on standard error, and the exit status is 2.

    \b
    Examples:
      python -m solver parse --kind questions \\
        --question "Who will Ada Brook host a visit by on 2026-01-11?"
      python -m solver parse --kind questions test.jsonl --data GRAPH
    """  # noqa: D301 - click reads the backslash
    if (path is None) == (question is None):
        raise click.UsageError("Give a PATH or --question, and not both.")
    names = None if data is None else _names(data)
    if question is not None:
        errors = _parse(question, None, names)
        for error in errors:
            click.echo(f"error: {error}", err=True)
        ctx.exit(ExitStatus.UNREADABLE if errors else ExitStatus.OK)
    ctx.exit(_parse_file(str(path), names))


def _parse_file(path: str, names: SaidNames | None) -> ExitStatus:
    from solver.questions.texts import placed_texts

    status = ExitStatus.OK
    for one in placed_texts(path):
        errors = [one] if isinstance(one, HopcheckError) else _parse(one.text, one, names)
        for error in errors:
            status = ExitStatus.UNREADABLE
            click.echo(f"unparsed: {error}", err=True)
    return status


def _names(data: str) -> SaidNames:
    from solver.cli.graph_reading import read_graph
    from solver.questions.labels import Labels
    from solver.questions.naming import SaidNames

    return SaidNames(Labels.of(read_graph(data).vocabulary))


def _parse(text: str, place: PlacedText | None, names: SaidNames | None) -> Sequence[HopcheckError]:
    """Print the query of a text, or give what is wrong with it."""
    from grammar.errors import ParseError
    from grammar.question_reader import read_question

    try:
        read = read_question(text, None if names is None else names.knows)
        unknown = [] if names is None else names.unknown(read.query, text)
        if unknown:
            return unknown if place is None else [place.located(one) for one in unknown]
        fields = _fields(read.query, None if names is None else names.labels)
    except ParseError as error:
        return [error if place is None else place.located(error)]
    except HopcheckError as error:
        return [error]
    fields["variant"] = read.variant
    if place is not None and place.id is not None:
        fields["id"] = place.id
    return _print(fields)


def _fields(query: Query, labels: Labels | None) -> dict[str, Any]:
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


def _print(fields: dict[str, Any]) -> Sequence[HopcheckError]:
    from solver.writing.jsonl import line

    try:
        sys.stdout.buffer.write(line(fields))
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end]
        return [HopcheckError(f"found {found!a}, expected text in UTF-8")]
    return []
