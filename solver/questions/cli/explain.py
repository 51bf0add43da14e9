"""``explain --question``: the query of a question and the evidence for its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, graph, question_rules, svg
from solver.cli.printing import print_json, write_drawing

if TYPE_CHECKING:
    from solver.questions.linking import LinkedFact, LinkedQuestion
    from solver.questions.messages import Support
    from solver.questions.model import Question
    from solver.questions.world import World
    from solver.verification.report import Finding


@click.command()
@click.option("--question", "name", required=True, metavar="ID", help="Id of the question.")
@click.argument("path", metavar="PATH")
@graph()
@question_rules
@svg
@as_json
def command(
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
    from solver.questions.model import Question
    from solver.questions.rows import Source, load_graph
    from solver.questions.single import check_question, find_question

    source = Source.of((path,), graph, rules)
    placed = find_question(source, name)
    if not isinstance(placed.read, Question):
        raise placed.read.error
    linked, violations = check_question(source, placed)
    explanation = _Explanation(load_graph(source).world, placed.read, linked, placed.place.at())
    if drawing is not None:
        _draw(explanation, drawing)
    if as_json:
        print_json(explanation.as_json() | {"violations": [one.as_json() for one in violations]})
        return
    for line in (*explanation.lines(), *_wrong(violations)):
        click.echo(line)


def _wrong(violations: tuple[Finding, ...]) -> Iterator[str]:
    if not violations:
        yield "right: asp = join, and the certificate holds"
    for one in violations:
        yield f"flawed: {one.code}: {one.message}"


class _Explanation:
    """A question with the evidence for its answers; ``linked`` is None if a name is unknown."""

    def __init__(
        self, world: World, question: Question, linked: LinkedQuestion | None, where: str
    ) -> None:
        from solver.questions.messages import supports

        self.world, self.question, self.linked, self.where = world, question, linked, where
        reasons = linked is not None and bool(linked.choices)
        self.supports = supports(linked, world) if linked is not None and reasons else ()

    def lines(self) -> Iterator[str]:
        """The explanation as text."""
        one = self.question
        yield f"{one.id}: {one.kind}, {one.split}, {one.time} ({self.where})"
        yield f"  {one.text}"
        triples = " and ".join(f"({', '.join(triple)})" for triple in one.query)
        yield f"reads as: {triples} at {one.time}"
        if one.rule is not None:
            yield f"generated from: row {one.rule} of the 2-hop rules"
        yield f"answers: {', '.join(one.answers)}"
        if self.linked is not None:
            yield from self._shown_by(self.linked)

    def _shown_by(self, linked: LinkedQuestion) -> Iterator[str]:
        if self.supports:
            yield from self._reasons(linked)
        elif self._of_a_fact():
            yield from self._yes_unknown(linked)
        else:
            for name, lines in self._derivations(linked).items():
                yield f"  {name}"
                yield from (f"    {', '.join(facts)}" for facts in lines or [["not entailed"]])

    def _of_a_fact(self) -> bool:
        """Whether the question is of kind yes-unknown."""
        from grammar.questions.model import QuestionKind

        return self.question.kind is QuestionKind.YES_UNKNOWN

    def _derivations(self, linked: LinkedQuestion) -> dict[str, list[list[str]]]:
        """The derivations of each answer, as lists of facts."""
        from solver.questions.messages import derivations

        size = self.world.vocabulary
        return {
            size.entity(answer): [
                [self._fact(fact) for fact in facts]
                for facts in derivations(linked, self.world, answer)
            ]
            for answer in linked.answers
        }

    def _yes_unknown(self, linked: LinkedQuestion) -> Iterator[str]:
        found = self._times(linked)
        triple = f"({', '.join(self.question.query[0])})"
        if self.question.time in found:
            yield f"  {triple} is in the graph at {self.question.time}"
        elif found:
            yield f"  {triple} is in the graph at other times: {', '.join(found)}"
        else:
            yield f"  {triple} is in the graph at no time, in no split"
        source = self.question.certificate.source
        if source is not None:
            yield f"  corrupted from the fact ({', '.join(source)})"

    def _times(self, linked: LinkedQuestion) -> list[str]:
        from solver.questions.messages import times

        return [self.world.vocabulary.time(time) for time in times(linked, self.world)]

    def _reasons(self, linked: LinkedQuestion) -> Iterator[str]:
        from solver.io.sources import counted
        from solver.questions.messages import contributions_to
        from solver.questions.model import LETTERS

        number = counted(len(contributions_to(linked, self.world).facts), "earlier fact")
        yield f"{number} of the two contribute; most first:"
        for one in self.supports:
            choice = self.question.choices[one.letter]
            place = "contributes nothing" if one.place is None else f"number {one.place + 1}"
            yield f"  {LETTERS[one.letter]}  {choice.text}"
            yield f"     {self._fact(one.fact)}: {one.weight:,}, {place}, {_lag(one.lag)} before"
            if one.rule is not None:
                yield f"     {self._by(one)}"

    def _by(self, one: Support) -> str:
        from solver.rules.notation import rule_text

        assert one.rule is not None
        rule = f"rule {one.row}, confidence {one.rule.confidence:.3f}"
        proved = "" if one.proved else "; NOT confirmed by clingo"
        return f"by {rule}: {rule_text(one.rule, self.world.vocabulary)}{proved}"

    def _fact(self, fact: LinkedFact) -> str:
        from solver.questions.linking import graph_fact
        from solver.questions.model import format_fact

        return format_fact(graph_fact(fact, self.world.vocabulary))

    def as_json(self) -> dict[str, Any]:
        """The fields of the question and the evidence, as one JSON object."""
        from solver.questions.io import fields

        explanation: dict[str, Any] = fields(self.question) | {"where": self.where}
        if self.linked is None:
            return explanation
        if self.supports:
            return explanation | {"supports": [self._support(one) for one in self.supports]}
        if self._of_a_fact():
            return explanation | {"holds_at": self._times(self.linked)}
        return explanation | {"behind": self._derivations(self.linked)}

    def _support(self, one: Support) -> dict[str, Any]:
        from solver.questions.model import LETTERS
        from solver.rules.notation import rule_text

        explanation: dict[str, Any] = {
            "choice": LETTERS[one.letter],
            "fact": self._fact(one.fact),
            "contribution": one.weight,
            "lag": one.lag,
        }
        if one.rule is None:
            return explanation
        return explanation | {
            "place": one.place,
            "rule": one.row,
            "text": rule_text(one.rule, self.world.vocabulary),
            "confidence": one.rule.confidence,
            "proved": one.proved,
        }


def _lag(lag: int) -> str:
    from solver.io.sources import counted

    return counted(lag, "step")


def _draw(explanation: _Explanation, path: Path) -> None:
    """Draw the choice that contributes most, and the queried fact."""
    from solver.questions.model import LETTERS
    from solver.rules.drawing import DrawnGrounding, arrow, draw, picture
    from solver.rules.notation import rule_text

    best = max(explanation.supports, key=lambda one: one.weight, default=None)
    if best is None or best.rule is None or explanation.linked is None:
        click.echo("note: nothing to draw: no choice contributes to a fact", err=True)
        return
    size, query = explanation.world.vocabulary, explanation.linked.query
    drawn = DrawnGrounding(
        title=rule_text(best.rule, size),
        note=f"choice {LETTERS[best.letter]}: confidence {best.rule.confidence:.3f}, "
        f"{_lag(best.lag)} before; contributes {best.weight:,}",
        body=(arrow(best.fact, size),),
        head=arrow((*query.triples[0], query.time), size),
    )
    write_drawing(path, draw=lambda: draw(drawn), picture=lambda form: picture(drawn, form=form))
