"""Words the questions about whole facts: yes-unknown and fact reasoning."""

from __future__ import annotations

from math import factorial

from generators.questions.drafts import Drafts, NamedQuery, SplitContext
from generators.questions.reasoning import ReasoningItems
from generators.questions.yes_unknown import YesUnknownItems
from grammar.question import FactReasoning, QuestionKind, YesUnknown
from grammar.question_writer import STATEMENT_VARIANTS, write_question, write_statement
from solver.questions.contributions import CHOICES
from solver.questions.question import LETTERS, UNKNOWN, YES, Certificate, Choice, Question
from solver.tkg.quadruples import Quadruples

Row = tuple[int, int, int, int]


class YesUnknownDrafts(Drafts):
    """Will this happen: yes or unknown?"""

    kind = QuestionKind.YES_UNKNOWN

    def __init__(self, frame: SplitContext, items: YesUnknownItems) -> None:
        super().__init__(frame, items.asked.time)
        self._asked, self._source = _rows(items.asked), _rows(items.source)
        self._true = items.true.tolist()

    def query(self, row: int) -> NamedQuery:
        """The triple of the queried fact."""
        return (self.names.fact(*self._asked[row])[:3],)

    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """The certificate is the fact for a yes, and the source fact for an unknown."""
        names, asked, true = self.names, self._asked[row], self._true[row]
        day = names.times[asked[3]]
        source = names.fact(*self._source[row])
        return Question(
            id=name,
            kind=self.kind,
            split=self.frame.split,
            time=day,
            text=write_question(YesUnknown(fact=names.statement(*asked)), self.variant(query, day)),
            query=query,
            answers=(YES if true else UNKNOWN,),
            certificate=Certificate(facts=(source,)) if true else Certificate(source=source),
        )


class ReasoningDrafts(Drafts):
    """Which of four earlier facts contributes most to the queried one?"""

    kind = QuestionKind.FACT_REASONING

    def __init__(self, frame: SplitContext, items: ReasoningItems) -> None:
        super().__init__(frame, items.facts.time)
        self._asked = _rows(items.facts)
        self._choices = _rows(items.choices)
        self._values, self._rules = items.values.tolist(), items.rules.tolist()

    def query(self, row: int) -> NamedQuery:
        """The triple of the queried fact."""
        return (self.names.fact(*self._asked[row])[:3],)

    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """The choices are shuffled."""
        names, asked = self.names, self._asked[row]
        day = names.times[asked[3]]
        shown = _permutation(self.seed(query, day, "order") % factorial(CHOICES))
        # Position of each choice, by contribution.
        order = "".join(LETTERS[shown.index(place)] for place in range(CHOICES))
        return Question(
            id=name,
            kind=self.kind,
            split=self.frame.split,
            time=day,
            text=write_question(
                FactReasoning(fact=names.statement(*asked)), self.variant(query, day)
            ),
            query=query,
            answers=(order[0],),
            choices=tuple(self._choice(row, place, query, day) for place in shown),
            order=order,
            certificate=Certificate(
                contributions=tuple(self._values[row][place] for place in shown),
                rules=tuple(self._rules[row][place] for place in shown),
            ),
        )

    def _choice(self, row: int, place: int, query: NamedQuery, day: str) -> Choice:
        fact = self._choices[CHOICES * row + place]
        named = self.names.fact(*fact)
        variant = self.seed(query, day, "choice", *named) % STATEMENT_VARIANTS
        return Choice(text=write_statement(self.names.statement(*fact), variant), fact=named)


def _rows(facts: Quadruples) -> list[Row]:
    columns = (facts.head, facts.relation, facts.tail, facts.time)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _permutation(number: int) -> list[int]:
    """A permutation of the choices, by its number."""
    left, order = list(range(CHOICES)), []
    for size in range(CHOICES, 0, -1):
        number, place = divmod(number, size)
        order.append(left.pop(place))
    return order
