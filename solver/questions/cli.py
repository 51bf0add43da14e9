"""Commands about questions: ``explain``, ``parse`` and ``realise``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.options import (
    as_json,
    as_json_lines,
    graph,
    question_rules,
    read_graph,
    svg,
)
from solver.cli.printing import print_explanation

if TYPE_CHECKING:
    from grammar.questions.model import Query, Statement
    from solver.questions.inputs import PlacedMeaning, PlacedQuery, PlacedText, WordedFact
    from solver.questions.linking import Names
    from solver.questions.model import Fact
    from solver.questions.names import Labels, NameChecker


@click.command()
@click.option("--question", "name", required=True, metavar="ID", help="Id of the question.")
@click.argument("path", metavar="PATH")
@graph()
@question_rules
@svg
@as_json
def explain(
    *,
    name: str,
    path: str,
    graph: Path,
    rules: Path | None,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Explain a question: its query, and the facts and rules that support its answers.

    PATH is a folder written by generate questions, or a file of questions. Findings of the
    question by itself are reported too. The drawing of a fact-reasoning question shows the choice
    that contributes most.

    \b
    Examples:
      python -m solver explain --question test-2-hop-000000 DIR --data GRAPH
      python -m solver explain --question test-fact-reasoning-000003 DIR --data GRAPH --svg q.svg
    """  # noqa: D301 - click reads the backslash
    from solver.questions.explain import explain
    from solver.questions.rows import Source

    print_explanation(
        explain(Source.of((path,), graph, rules), name),
        drawing=drawing,
        as_json=as_json,
        nothing="note: nothing to draw: no choice contributes to a fact",
    )


Read: TypeAlias = dict[str, Any] | list[HopcheckError]
"""The fields to print, or errors."""


@click.command()
@click.argument("path", required=False)
@click.option("--question", help="Question to parse, instead of a file.")
@click.option("--choice", help="Choice (a statement about the past) to parse, instead of a file.")
@graph(required=False)
@click.pass_context
def parse(
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
    if sum(option is not None for option in (path, question, choice)) != 1:
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
    for text in placed_texts(path):
        errors = (
            [text] if isinstance(text, HopcheckError) else _print_or_errors(_read_row(text, names))
        )
        for error in errors:
            status = ExitStatus.UNREADABLE
            click.echo(f"unparsed: {error}", err=True)
    return status


def _names(path: Path) -> NameChecker:
    from solver.questions.names import Labels, NameChecker

    return NameChecker(Labels.of(read_graph(path).vocabulary))


def _read_row(placed_text: PlacedText, names: NameChecker | None) -> Read:
    """Parse a question and its choices, or return the errors of their texts."""
    found: list[dict[str, Any]] = []
    errors: list[HopcheckError] = []
    for text in (placed_text, *placed_text.choices):
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
    if placed_text.id is not None:
        fields["id"] = placed_text.id
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
def realise(
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
    for query in placed_queries(path):
        try:
            if isinstance(query, HopcheckError):
                raise query
            texts = _written(query, naming, variant)
        except HopcheckError as error:
            status = ExitStatus.UNREADABLE
            place = "" if isinstance(query, HopcheckError) else f"{query.place.at()}: "
            click.echo(f"not written: {place}{error}", err=True)
            continue
        sys.stdout.buffer.write(_line(query, *texts) if as_json else _lines(*texts))
    ctx.exit(status)


class QueryNames:
    """Converts queries and facts whose names are labels already."""

    def query(self, placed_query: PlacedQuery) -> Query:
        """The query of a line, with labels."""
        from solver.questions.linking import query_of

        return query_of(placed_query.kind, placed_query.query, placed_query.time)

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

    def query(self, placed_query: PlacedQuery) -> Query:
        from solver.questions.linking import LinkedQuery, labelled_query

        triples = tuple(map(self.names.triple, placed_query.query))
        linked = LinkedQuery(
            kind=placed_query.kind, time=self.names.time(placed_query.time), triples=triples
        )
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
    meaning: PlacedMeaning, naming: QueryNames, variant: int | None
) -> tuple[str, Sequence[str]]:
    """The text of a line and the texts of its choices."""
    from grammar.questions.writer import VARIANTS, write_question
    from solver.questions.inputs import PlacedChoice
    from solver.questions.model import LETTERS

    if isinstance(meaning, PlacedChoice):
        return _statement(meaning.choice, naming, variant), ()
    chosen = meaning.variant if variant is None else variant
    _require(chosen, VARIANTS[meaning.kind], f"a {meaning.kind} question")
    text = write_question(naming.query(meaning), chosen)
    choices = []
    for letter, choice in zip(LETTERS, meaning.choices, strict=False):
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


def _line(meaning: PlacedMeaning, text: str, choices: Sequence[str]) -> bytes:
    from solver.io.writing import line

    record: dict[str, Any] = {"text": text}
    if meaning.id is not None:
        record["id"] = meaning.id
    if choices:
        record["choices"] = choices
    return line(record)


def _lines(text: str, choices: Sequence[str]) -> bytes:
    from solver.questions.model import LETTERS

    below = (f"  {letter}. {choice}\n" for letter, choice in zip(LETTERS, choices, strict=False))
    return f"{text}\n{''.join(below)}".encode()
