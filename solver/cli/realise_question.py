"""``realise --kind questions``: questions over a graph, from query to text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from solver.errors import ExitStatus, HopcheckError

if TYPE_CHECKING:
    from grammar.question import Query
    from solver.questions.queries import PlacedQuery


@click.command()
@click.argument("path", default="-")
@click.option("--data", metavar="GRAPH", help="The graph whose names the queries have.")
@click.option(
    "--variant", type=click.IntRange(0), help="Word all so; by default as each line says, or 0."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON objects: id, text.")
@click.pass_context
def command(ctx: click.Context, /, path: str, **options: Any) -> None:  # noqa: ANN401
    """Write queries, as parse --kind questions prints them, as texts, one a line.

    PATH holds one JSON object a line, of which kind, query, time and variant are read; questions
    of a data set will do. - is standard input. A line that cannot be written is told on standard
    error, and the exit status is 2.

    \b
    Examples:
      python -m solver parse --kind questions test.jsonl | python -m solver realise --kind questions
      python -m solver realise --kind questions test.jsonl --data GRAPH --variant 2
    """  # noqa: D301 - click reads the backslash
    from solver.questions.queries import placed_queries

    said = _saying(options["data"])
    status = ExitStatus.OK
    for one in placed_queries(path):
        try:
            if isinstance(one, HopcheckError):
                raise one
            text = _written(one, said, options["variant"])
        except HopcheckError as error:
            status = ExitStatus.UNREADABLE
            place = "" if isinstance(one, HopcheckError) else f"{one.place.at()}: "
            click.echo(f"not written: {place}{error}", err=True)
            continue
        sys.stdout.buffer.write(_line(one, text) if options["as_json"] else f"{text}\n".encode())
    ctx.exit(status)


def _saying(data: str | None) -> Callable[[PlacedQuery], Query]:
    """What gives the query of a line, with said names."""
    from solver.questions.triples import query_of

    def as_it_stands(one: PlacedQuery) -> Query:
        return query_of(one.kind, one.query, one.time)

    if data is None:
        return as_it_stands
    from solver.cli.graph_reading import read_graph
    from solver.questions.labels import Labels
    from solver.questions.linking import LinkedQuery, Names, said_query

    vocabulary = read_graph(data).vocabulary
    names, labels = Names.of(vocabulary), Labels.of(vocabulary)

    def of_graph(one: PlacedQuery) -> Query:
        as_it_stands(one)
        triples = tuple(map(names.triple, one.query))
        linked = LinkedQuery(kind=one.kind, time=names.time(one.time), triples=triples)
        return said_query(linked, labels)

    return of_graph


def _written(one: PlacedQuery, said: Callable[[PlacedQuery], Query], variant: int | None) -> str:
    from grammar.question_writer import VARIANTS, write_question

    chosen = one.variant if variant is None else variant
    if not 0 <= chosen < VARIANTS[one.kind]:
        message = f"found variant {chosen}, expected 0 to {VARIANTS[one.kind] - 1}"
        raise HopcheckError(message, hint=f"a {one.kind} question has {VARIANTS[one.kind]}")
    return write_question(said(one), chosen)


def _line(one: PlacedQuery, text: str) -> bytes:
    from solver.writing.jsonl import line

    return line({"text": text} if one.id is None else {"id": one.id, "text": text})
