"""Explains one question: its query, and the facts and rules that support its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grammar.questions.model import QuestionKind
from solver.graph.model import nearest_hint
from solver.io.sources import InputError, counted, shown
from solver.questions.codes import Support, contributions_to, derivations, supports, times
from solver.questions.io import PlacedQuestion, fields, placed_questions
from solver.questions.linking import LinkedFact, LinkedQuestion, graph_fact, unpacked
from solver.questions.model import LETTERS, Question, format_fact
from solver.questions.rows import Rows, Source, check_task, load_graph
from solver.questions.verify import Batch, decide_batch
from solver.questions.world import World
from solver.report.explanation import WrittenExplanation
from solver.rules.notation import rule_text
from solver.verification.report import Finding

_NEARBY = 10_000


def find_question(source: Source, name: str) -> PlacedQuestion:
    """Find the question with this id.

    Raises:
        InputError: there is none, and the hint lists the nearest ids; or there are several.
        RowError: a row cannot be read.
    """
    # Ids start with split and kind: suggestions with the same prefix come first.
    begin = name[: len(name) // 2]
    likely: list[str] = []
    others: list[str] = []
    found: list[PlacedQuestion] = []
    for path in source.paths:
        for placed in placed_questions(path):
            if not isinstance(placed.read, Question):
                raise placed.read.error
            if placed.read.id == name:
                found.append(placed)
            ids = likely if placed.read.id.startswith(begin) else others
            if len(ids) < _NEARBY:
                ids.append(placed.read.id)
    where = str(source.folder or source.paths[0])
    if len(found) > 1:
        raise InputError(f"found {len(found)} questions {shown(name)}, expected one", where=where)
    if found:
        return found[0]
    hint = nearest_hint(name, likely or others)
    raise InputError(f"found no question {shown(name)}", where=where, hint=hint)


def check_question(
    source: Source, placed: PlacedQuestion
) -> tuple[LinkedQuestion | None, tuple[Finding, ...]]:
    """Check a question without regard to the others, such as duplicates.

    Returns:
        The linked question, None if it has unknown names, and its findings.

    Raises:
        InputError: rules are required and missing.
    """
    reasons = isinstance(placed.read, Question) and bool(placed.read.choices)
    if reasons and not source.rules:
        message = "found a fact-reasoning question, no rules"
        hint = "pass the rules with --rules FILE"
        raise InputError(message, where=placed.place.at(), hint=hint)
    _, (row,) = check_task(source, Rows(file=placed.place.file, rows=(placed,)))
    if not row.linked:
        return None, row.findings
    batch = Batch(numbers=(0,), places=(placed.place.at(),), ids=(row.id,), packed=(row.linked,))
    _, found = decide_batch(source, batch)
    return unpacked(row.linked), (*row.findings, *found.get(0, ()))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionExplanation(WrittenExplanation):
    """A question with the evidence for its answers.

    Attributes:
        question: the question as in its file.
        findings: findings of the question by itself; none if it is right.
        where: its file and line.
        world: the graph and the rules.
        linked: the question by ids; None if a name is unknown.
        supports: the facts that its choices contribute by, if it has choices.
    """

    question: Question
    findings: tuple[Finding, ...]
    where: str
    world: World
    linked: LinkedQuestion | None
    supports: tuple[Support, ...]

    def lines(self) -> Iterator[str]:
        """The explanation as text."""
        question = self.question
        yield f"{question.id}: {question.kind}, {question.split}, {question.time} ({self.where})"
        yield f"  {question.text}"
        triples = " and ".join(f"({', '.join(triple)})" for triple in question.query)
        yield f"reads as: {triples} at {question.time}"
        if question.rule is not None:
            yield f"generated from: row {question.rule} of the 2-hop rules"
        yield f"answers: {', '.join(question.answers)}"
        if self.linked is not None:
            yield from self._shown_by(self.linked)
        if not self.findings:
            yield "right: asp = join, and the certificate holds"
        for found in self.findings:
            yield f"flawed: {found.code}: {found.message}"

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
        return self.question.kind is QuestionKind.YES_UNKNOWN

    def _derivations(self, linked: LinkedQuestion) -> dict[str, list[list[str]]]:
        """The derivations of each answer, as lists of facts."""
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
        return [self.world.vocabulary.time(time) for time in times(linked, self.world)]

    def _reasons(self, linked: LinkedQuestion) -> Iterator[str]:
        number = counted(len(contributions_to(linked, self.world).facts), "earlier fact")
        yield f"{number} of the two contribute; most first:"
        for support in self.supports:
            choice = self.question.choices[support.letter]
            place = (
                "contributes nothing" if support.place is None else f"number {support.place + 1}"
            )
            yield f"  {LETTERS[support.letter]}  {choice.text}"
            yield (
                f"     {self._fact(support.fact)}: {support.weight:,}, {place}, "
                f"{_lag(support.lag)} before"
            )
            if support.rule is not None:
                yield f"     {self._by(support)}"

    def _by(self, support: Support) -> str:
        assert support.rule is not None
        rule = f"rule {support.row}, confidence {support.rule.confidence:.3f}"
        proved = "" if support.proved else "; NOT confirmed by clingo"
        return f"by {rule}: {rule_text(support.rule, self.world.vocabulary)}{proved}"

    def _fact(self, fact: LinkedFact) -> str:
        return format_fact(graph_fact(fact, self.world.vocabulary))

    def as_json(self) -> dict[str, Any]:
        """The fields of the question and the evidence, as one JSON object."""
        explanation: dict[str, Any] = fields(self.question) | {
            "where": self.where,
            "violations": [finding.as_json() for finding in self.findings],
        }
        if self.linked is None:
            return explanation
        if self.supports:
            return explanation | {"supports": [self._support(support) for support in self.supports]}
        if self._of_a_fact():
            return explanation | {"holds_at": self._times(self.linked)}
        return explanation | {"behind": self._derivations(self.linked)}

    def _support(self, support: Support) -> dict[str, Any]:
        explanation: dict[str, Any] = {
            "choice": LETTERS[support.letter],
            "fact": self._fact(support.fact),
            "contribution": support.weight,
            "lag": support.lag,
        }
        if support.rule is None:
            return explanation
        return explanation | {
            "place": support.place,
            "rule": support.row,
            "text": rule_text(support.rule, self.world.vocabulary),
            "confidence": support.rule.confidence,
            "proved": support.proved,
        }

    def columns(self) -> Sequence[str]:
        """Answer and fact; the contribution of the fact, for questions with choices."""
        return ("answer", "fact", "contribution") if self.supports else ("answer", "fact")

    def rows(self) -> list[Mapping[str, object]]:
        """The facts behind each answer; the fact of a yes-unknown question at each of its times."""
        if self.linked is None:
            return []
        if self.supports:
            return [
                {
                    "answer": LETTERS[support.letter],
                    "fact": self._fact(support.fact),
                    "contribution": support.weight,
                }
                for support in self.supports
            ]
        if self._of_a_fact():
            triple = self.question.query[0]
            (answer,) = self.question.answers
            return [
                {"answer": answer, "fact": format_fact((*triple, time))}
                for time in self._times(self.linked)
            ]
        return [
            {"answer": name, "fact": ", ".join(facts)}
            for name, derived in self._derivations(self.linked).items()
            for facts in derived
        ]

    def picture(self, form: str = "svg") -> bytes | None:
        """The choice that contributes most, and the queried fact."""
        from solver.rules.drawing import picture_of

        best = max(self.supports, key=lambda support: support.weight, default=None)
        if best is None or best.rule is None or self.linked is None:
            return None
        size, query = self.world.vocabulary, self.linked.query
        note = (
            f"choice {LETTERS[best.letter]}: confidence {best.rule.confidence:.3f}, "
            f"{_lag(best.lag)} before; contributes {best.weight:,}"
        )
        head = (*query.triples[0], query.time)
        return picture_of(best.rule, size, note=note, body=[best.fact], head=head, form=form)


def _lag(lag: int) -> str:
    return counted(lag, "step")


def explain(source: Source, name: str) -> QuestionExplanation:
    """Find, check and explain a question.

    Args:
        source: the questions, their graph and rules.
        name: id of the question.

    Raises:
        HopcheckError: there is no such question, or a file cannot be read.
    """
    placed = find_question(source, name)
    if not isinstance(placed.read, Question):
        raise placed.read.error
    linked, findings = check_question(source, placed)
    world = load_graph(source).world
    reasons = linked is not None and bool(linked.choices)
    return QuestionExplanation(
        question=placed.read,
        findings=findings,
        where=placed.place.at(),
        world=world,
        linked=linked,
        supports=supports(linked, world) if linked is not None and reasons else (),
    )
