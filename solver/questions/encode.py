"""The ASP engine: violations of a batch of questions by ``encodings/questions/questions.lp``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from grammar.questions.model import QuestionKind
from solver.asp import AspError, Atom, Program
from solver.graph.model import Split
from solver.questions.contributions import HORIZON, confidence, decay
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuestion, LinkedTriple
from solver.questions.world import RelevantFacts, World
from solver.tkg.encode import Finding

QUESTIONS = "questions/questions.lp"
CONTRIBUTIONS = "questions/contributions.lp"
ENCODINGS = (QUESTIONS, CONTRIBUTIONS)

_SPLITS = [split.value for split in Split]
_MOST = 2**31 - 1


class AspEngine:
    """Encodes batches of questions as ASP facts, and decodes the violations."""

    def __init__(self, world: World) -> None:
        size = world.vocabulary
        self._world = world
        self._needed = RelevantFacts(world.facts, (size.entities, size.relations, size.times))
        self._days = {split: set(days.tolist()) for split, days in world.days.items()}
        self._confidence = confidence(world.rules)
        self._single = (world.rules.length == 1) & (world.rules.same == 0)

    def findings(self, questions: Sequence[LinkedQuestion]) -> set[Finding]:
        """Violations; the first number of each is the question's position in the batch."""
        atoms = Program(encodings=(QUESTIONS,)).unique_model(self.program(questions))
        return set(map(_finding, atoms))

    def program(self, questions: Sequence[LinkedQuestion]) -> str:
        """The ASP facts of a batch and of all that its answers depend on."""
        lines = [f"relations({self._world.vocabulary.relations})."]
        lines += self._splits(questions)
        for number, question in enumerate(questions):
            lines += _question_facts(number, question)
        if self._world.two_hop is not None:
            lines += self._curated(questions)
        facts = self._needed.facts(questions)
        lines += [f"fact({s},{r},{o},{t})." for s, r, o, t in facts.rows().tolist()]
        if any(one.query.kind is QuestionKind.FACT_REASONING for one in questions):
            lines += self._weighed(questions, set(facts.relation.tolist()))
            lags = np.arange(1, HORIZON, dtype=np.int64)
            recent = zip(lags.tolist(), decay(lags).tolist(), strict=True)
            lines += [f"decay({lag},{parts})." for lag, parts in recent]
        return "\n".join(lines)

    def _splits(self, questions: Sequence[LinkedQuestion]) -> Iterator[str]:
        for time in sorted({one.query.time for one in questions}):
            for split, days in self._days.items():
                if time in days:
                    yield f"day({split},{time})."

    def _curated(self, questions: Sequence[LinkedQuestion]) -> Iterator[str]:
        known = self._world.two_hop or ()
        for number in sorted({one.rule for one in questions if one.rule is not None}):
            if number < len(known):
                rule = known[number]
                ends = ",".join(map(self._arc, (rule.given, rule.asked)))
                yield f"curated({number},{ends},{'yes' if rule.use else 'no'})."
        for number, one in enumerate(questions):
            if one.rule is not None:
                yield f"made_by({number},{one.rule})."

    def _arc(self, relation: int) -> str:
        size = self._world.vocabulary.relations
        return f"{relation % size},{'subject' if relation < size else 'object'}"

    def _weighed(self, questions: Sequence[LinkedQuestion], between: set[int]) -> Iterator[str]:
        rules, size = self._world.rules, self._world.vocabulary.relations
        heads = sorted(
            {
                one.query.triples[0][1]
                for one in questions
                if one.query.kind is QuestionKind.FACT_REASONING
            }
        )
        bodies = sorted(between | {relation + size for relation in between})
        chosen = self._single & np.isin(rules.head, heads) & np.isin(rules.body[:, 0], bodies)
        for row in np.flatnonzero(chosen).tolist():
            head, body = int(rules.head[row]), int(rules.body[row, 0])
            support = min(int(rules.body_support[row]), _MOST)
            yield f"weighed({row},{head},{body},{int(self._confidence[row])},{support})."


def _question_facts(number: int, question: LinkedQuestion) -> Iterator[str]:
    """ASP facts of one question."""
    query = question.query
    asked = _asked(query.kind, query.triples)
    yield f"question({number},{question.split},{query.time},{asked})."
    for answer in question.answers:
        if query.kind is QuestionKind.YES_UNKNOWN:
            yield f"answer({number},{'yes' if answer else 'unknown'})."
        else:
            yield f"answer({number},{answer})."
    for place, (s, r, o, t) in enumerate(question.choices):
        yield f"choice({number},{place},{s},{r},{o},{t})."
    for place, choice in enumerate(question.order):
        yield f"ordered({number},{place},{choice})."


def _asked(kind: QuestionKind, triples: Sequence[LinkedTriple]) -> str:
    subject, relation, end = triples[0]
    match kind:
        case QuestionKind.ONE_HOP:
            if subject == ASKED_ID:
                return f"one_hop({end},{relation},subject)"
            return f"one_hop({subject},{relation},object)"
        case QuestionKind.TWO_HOP:
            given = (
                f"{end},{relation},subject"
                if subject == PARTY_ID
                else f"{subject},{relation},object"
            )
            first, other, _ = triples[1]
            return f"two_hop({given},{other},{'subject' if first == PARTY_ID else 'object'})"
        case QuestionKind.YES_UNKNOWN:
            return f"holds({subject},{relation},{end})"
    return f"reasons({subject},{relation},{end})"


def _finding(atom: Atom) -> Finding:
    match atom.arguments:
        case ((str(code), numbers),):
            return Finding(code=code, numbers=tuple(map(_number, numbers)))
    raise AspError(f"found {atom}, expected violation(code(numbers))")


def _number(term: object) -> int:
    """An integer, or the number of a split or of a symbolic answer."""
    if isinstance(term, int):
        return term
    return _SPLITS.index(str(term))
