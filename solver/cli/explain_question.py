"""``explain --question``: how one question is read, and what shows its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.drawn import svg, write_drawing
from solver.cli.options import as_json
from solver.cli.question_options import data, rules

if TYPE_CHECKING:
    from solver.questions.explanation import Support
    from solver.questions.linking import LinkedFact, LinkedQuestion
    from solver.questions.question import Question
    from solver.questions.world import World
    from solver.verify.checked import Violation


@click.command()
@click.option("--question", "name", required=True, metavar="ID", help="Which one of PATH.")
@click.argument("path", metavar="PATH")
@data
@rules
@svg
@as_json
def command(name: str, path: str, **options: Any) -> None:  # noqa: ANN401
    """Show how a question is read, and the facts and rules that show its answers.

    PATH is the folder that generate questions made, or a file of questions. What is wrong with the
    question by itself is told too. A drawing shows what speaks most for the fact of a question of
    the kind fact-reasoning.

    \b
    Examples:
      python -m solver explain --question test-2-hop-000000 DIR --data GRAPH
      python -m solver explain --question test-fact-reasoning-000003 DIR --data GRAPH --svg q.svg
    """  # noqa: D301 - click reads the backslash
    from solver.questions.question import Question
    from solver.verify.questions_single import find, judged
    from solver.verify.questions_source import Source, held

    source = Source.of((path,), options["data"], options["rules"])
    placed = find(source, name)
    if not isinstance(placed.read, Question):
        raise placed.read.error
    linked, violations = judged(source, placed)
    told = _Told(held(source).world, placed.read, linked, placed.place.at())
    if options["drawing"] is not None:
        _draw(told, options["drawing"])
    if options["as_json"]:
        from solver.cli.printing import print_json

        print_json(told.as_json() | {"violations": [one.as_json() for one in violations]})
        return
    for line in (*told.lines(), *_wrong(violations)):
        click.echo(line)


def _wrong(violations: tuple[Violation, ...]) -> Iterator[str]:
    if not violations:
        yield "right: asp = join, and the certificate holds"
    for one in violations:
        yield f"flawed: {one.code}: {one.message}"


class _Told:
    """A question with what shows its answers; ``linked`` is None if its names are not known."""

    def __init__(
        self, world: World, question: Question, linked: LinkedQuestion | None, where: str
    ) -> None:
        from solver.questions.explanation import supports

        self.world, self.question, self.linked, self.where = world, question, linked, where
        reasons = linked is not None and bool(linked.choices)
        self.supports = supports(linked, world) if linked is not None and reasons else ()

    def lines(self) -> Iterator[str]:
        """In words."""
        one = self.question
        yield f"{one.id}: {one.kind}, {one.split}, {one.time} ({self.where})"
        yield f"  {one.text}"
        triples = " and ".join(f"({', '.join(triple)})" for triple in one.query)
        yield f"reads as: {triples} at {one.time}"
        if one.rule is not None:
            yield f"made by: row {one.rule} of the 2-hop rules"
        yield f"answers: {', '.join(one.answers)}"
        if self.linked is not None:
            yield from self._shown_by(self.linked)

    def _shown_by(self, linked: LinkedQuestion) -> Iterator[str]:
        if self.supports:
            yield from self._reasons(linked)
        elif self._of_a_fact():
            yield from self._whether(linked)
        else:
            for name, lines in self._who(linked).items():
                yield f"  {name}"
                yield from (f"    {', '.join(facts)}" for facts in lines or [["no fact shows it"]])

    def _of_a_fact(self) -> bool:
        """Whether it is asked if a fact holds."""
        from grammar.question import QuestionKind

        return self.question.kind is QuestionKind.YES_UNKNOWN

    def _who(self, linked: LinkedQuestion) -> dict[str, list[list[str]]]:
        """By answer the facts that lead to it, a list for each way."""
        from solver.questions.explanation import behind

        size = self.world.vocabulary
        return {
            size.entity(answer): [
                [self._fact(fact) for fact in facts] for facts in behind(linked, self.world, answer)
            ]
            for answer in linked.answers
        }

    def _whether(self, linked: LinkedQuestion) -> Iterator[str]:
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
            yield f"  changed from the fact ({', '.join(source)})"

    def _times(self, linked: LinkedQuestion) -> list[str]:
        from solver.questions.explanation import times

        return [self.world.vocabulary.time(time) for time in times(linked, self.world)]

    def _reasons(self, linked: LinkedQuestion) -> Iterator[str]:
        from solver.questions.explanation import speaking
        from solver.questions.question import LETTERS
        from solver.wording import counted

        number = counted(len(speaking(linked, self.world).facts), "earlier fact")
        yield f"{number} of the two contribute; most first:"
        for one in self.supports:
            choice = self.question.choices[one.letter]
            place = "contributes nothing" if one.place is None else f"number {one.place + 1}"
            yield f"  {LETTERS[one.letter]}  {choice.text}"
            yield f"     {self._fact(one.fact)}: {one.weight:,}, {place}, {_lag(one.lag)} before"
            if one.rule is not None:
                yield f"     {self._by(one)}"

    def _by(self, one: Support) -> str:
        from solver.rules.wording import rule_text

        assert one.rule is not None
        told = f"rule {one.row}, confidence {one.rule.confidence:.3f}"
        proved = "" if one.proved else "; NOT confirmed by clingo"
        return f"by {told}: {rule_text(one.rule, self.world.vocabulary)}{proved}"

    def _fact(self, fact: LinkedFact) -> str:
        from solver.questions.linking import graph_fact
        from solver.questions.question import written

        return written(graph_fact(fact, self.world.vocabulary))

    def as_json(self) -> dict[str, Any]:
        """As one JSON object: the fields of the question, and what shows its answers."""
        from solver.questions.files import fields

        told: dict[str, Any] = fields(self.question) | {"where": self.where}
        if self.linked is None:
            return told
        if self.supports:
            return told | {"supports": [self._support(one) for one in self.supports]}
        if self._of_a_fact():
            return told | {"holds_at": self._times(self.linked)}
        return told | {"behind": self._who(self.linked)}

    def _support(self, one: Support) -> dict[str, Any]:
        from solver.questions.question import LETTERS
        from solver.rules.wording import rule_text

        told: dict[str, Any] = {
            "choice": LETTERS[one.letter],
            "fact": self._fact(one.fact),
            "contribution": one.weight,
            "lag": one.lag,
        }
        if one.rule is None:
            return told
        return told | {
            "place": one.place,
            "rule": one.row,
            "text": rule_text(one.rule, self.world.vocabulary),
            "confidence": one.rule.confidence,
            "proved": one.proved,
        }


def _lag(lag: int) -> str:
    from solver.wording import counted

    return counted(lag, "step")


def _draw(told: _Told, path: Path) -> None:
    """Draw the choice that contributes most, and the fact that it speaks for."""
    from solver.drawing.grounding import DrawnGrounding, arrow, draw, picture
    from solver.questions.question import LETTERS
    from solver.rules.wording import rule_text

    best = max(told.supports, key=lambda one: one.weight, default=None)
    if best is None or best.rule is None or told.linked is None:
        click.echo("nothing is drawn: no choice contributes to a fact", err=True)
        return
    size, query = told.world.vocabulary, told.linked.query
    drawn = DrawnGrounding(
        title=rule_text(best.rule, size),
        note=f"choice {LETTERS[best.letter]}: confidence {best.rule.confidence:.3f}, "
        f"{_lag(best.lag)} before; contributes {best.weight:,}",
        body=(arrow(best.fact, size),),
        head=arrow((*query.triples[0], query.time), size),
    )
    write_drawing(path, draw=lambda: draw(drawn), picture=lambda form: picture(drawn, form=form))
