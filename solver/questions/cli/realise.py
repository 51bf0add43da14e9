"""``realise --kind questions``: writes queries and choices as English texts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.options import as_json_lines, graph, read_graph

if TYPE_CHECKING:
    from grammar.questions.model import Query, Statement
    from solver.questions.inputs import PlacedMeaning, PlacedQuery, WordedFact
    from solver.questions.linking import Names
    from solver.questions.model import Fact
    from solver.questions.names import Labels


@click.command()
@click.argument("path", default="-")
@graph(required=False)
@click.option(
    "--variant",
    type=click.IntRange(0),
    help="Template variant of questions and single choices.  [default: variant of the line, or 0]",
)
@as_json_lines
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    path: str,
    graph: Path | None,
    variant: int | None,
    as_json: bool,
) -> None:
    """Realise queries, as printed by parse --kind questions, as texts, one per line.

    PATH contains one JSON object per line, with kind, query, time, variant and choices of a
    question, or fact and variant of a single choice. Questions of a data set are accepted too,
    also in Parquet. - is standard input. Choices follow on the lines below their question, prefixed
    "  A. " and so on. With --data, the names of the queries are those of the graph. Errors are
    reported on standard error, and the exit status is 2.

    \b
    Examples:
      python -m solver parse --kind questions test.jsonl | python -m solver realise --kind questions
      python -m solver realise --kind questions test.jsonl --data GRAPH --variant 2
    """  # noqa: D301 - click reads the backslash
    from solver.questions.inputs import placed_queries

    naming = QueryNames() if graph is None else _of_graph(graph)
    status = ExitStatus.OK
    for one in placed_queries(path):
        try:
            if isinstance(one, HopcheckError):
                raise one
            texts = _written(one, naming, variant)
        except HopcheckError as error:
            status = ExitStatus.UNREADABLE
            place = "" if isinstance(one, HopcheckError) else f"{one.place.at()}: "
            click.echo(f"not written: {place}{error}", err=True)
            continue
        sys.stdout.buffer.write(_line(one, *texts) if as_json else _lines(*texts))
    ctx.exit(status)


class QueryNames:
    """Converts queries and facts whose names are labels already."""

    def query(self, one: PlacedQuery) -> Query:
        """The query of a line, with labels."""
        from solver.questions.linking import query_of

        return query_of(one.kind, one.query, one.time)

    def statement(self, fact: Fact) -> Statement:
        """The statement of a choice, with labels."""
        from grammar.questions.model import Statement

        subject, relation, end, time = fact
        return Statement(subject=subject, relation=relation, object=end, time=time)


@dataclass(frozen=True, slots=True)
class _GraphQueryNames(QueryNames):
    """Converts names of a graph to labels."""

    names: Names
    labels: Labels

    def query(self, one: PlacedQuery) -> Query:
        from solver.questions.linking import LinkedQuery, labelled_query

        triples = tuple(map(self.names.triple, one.query))
        linked = LinkedQuery(kind=one.kind, time=self.names.time(one.time), triples=triples)
        return labelled_query(linked, self.labels)

    def statement(self, fact: Fact) -> Statement:
        from solver.questions.linking import labelled_statement

        return labelled_statement(self.names.fact(fact), self.labels)


def _of_graph(path: Path) -> QueryNames:
    from solver.questions.linking import Names
    from solver.questions.names import Labels

    vocabulary = read_graph(path).vocabulary
    return _GraphQueryNames(Names.of(vocabulary), Labels.of(vocabulary))


def _written(
    one: PlacedMeaning, naming: QueryNames, variant: int | None
) -> tuple[str, Sequence[str]]:
    """The text of a line and the texts of its choices."""
    from grammar.questions.writer import VARIANTS, write_question
    from solver.questions.inputs import PlacedChoice
    from solver.questions.model import LETTERS

    if isinstance(one, PlacedChoice):
        return _statement(one.choice, naming, variant), ()
    chosen = one.variant if variant is None else variant
    _require(chosen, VARIANTS[one.kind], f"a {one.kind} question")
    text = write_question(naming.query(one), chosen)
    choices = []
    for letter, choice in zip(LETTERS, one.choices, strict=False):
        try:
            choices.append(_statement(choice, naming, None))
        except HopcheckError as error:
            raise HopcheckError(f"choice {letter}: {error.message}", hint=error.hint) from None
    return text, choices


def _statement(choice: WordedFact, naming: QueryNames, variant: int | None) -> str:
    from grammar.questions.writer import STATEMENT_VARIANTS, write_statement

    chosen = choice.variant if variant is None else variant
    _require(chosen, STATEMENT_VARIANTS, "a choice")
    return write_statement(naming.statement(choice.fact), chosen)


def _require(variant: int, variants: int, what: str) -> None:
    if not 0 <= variant < variants:
        message = f"found variant {variant}, expected 0 to {variants - 1}"
        raise HopcheckError(message, hint=f"{what} has {variants}")


def _line(one: PlacedMeaning, text: str, choices: Sequence[str]) -> bytes:
    from solver.io.writing import line

    record: dict[str, Any] = {"text": text}
    if one.id is not None:
        record["id"] = one.id
    if choices:
        record["choices"] = choices
    return line(record)


def _lines(text: str, choices: Sequence[str]) -> bytes:
    from solver.questions.model import LETTERS

    below = (f"  {letter}. {one}\n" for letter, one in zip(LETTERS, choices, strict=False))
    return f"{text}\n{''.join(below)}".encode()
