"""Words the questions whose answers are entities: 1-hop and 2-hop."""

from __future__ import annotations

from collections.abc import Sequence

from generators.questions.drafts import Drafts, NamedQuery, SplitContext
from generators.questions.one_hop import OneHopItems
from generators.questions.two_hop import TwoHopItems
from grammar.question import Arc, OneHop, QuestionKind, Role, TwoHop
from grammar.question_writer import write_question
from solver.questions.question import ASKED, PARTY, Certificate, Fact, Question, Triple
from solver.questions.triples import triple_of
from solver.questions.two_hop import TwoHopRule


class OneHopDrafts(Drafts):
    """Who is at the other end of a relation?"""

    kind = QuestionKind.ONE_HOP

    def __init__(self, frame: SplitContext, items: OneHopItems) -> None:
        super().__init__(frame, items.time)
        self._relations = len(frame.names.relations)
        self._columns = [c.tolist() for c in (items.time, items.entity, items.relation)]
        self._offsets, self._answers = items.offsets.tolist(), items.answer

    def query(self, row: int) -> NamedQuery:
        """One triple, with the variable as its subject or object."""
        _, entity, relation = (column[row] for column in self._columns)
        name = self.names.entities[entity]
        if relation < self._relations:
            return ((name, self.names.relations[relation], ASKED),)
        return ((ASKED, self.names.relations[relation - self._relations], name),)

    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """Answers are all entities at the other end."""
        names = self.names
        time, entity, relation = (column[row] for column in self._columns)
        role = Role.OBJECT if relation < self._relations else Role.SUBJECT
        query_text = OneHop(
            entity=names.entity_labels[entity],
            relation=names.relation_labels[relation % self._relations],
            asked=role,
            time=names.time_labels[time],
        )
        found = self._answers[self._offsets[row] : self._offsets[row + 1]].tolist()
        answers = sorted(names.entities[one] for one in found)
        day = names.times[time]
        facts = tuple(_filled(query[0], {ASKED: one}, day) for one in answers)
        return Question(
            id=name,
            kind=self.kind,
            split=self.frame.split,
            time=day,
            text=write_question(query_text, self.variant(query, day)),
            query=query,
            answers=tuple(answers),
            certificate=Certificate(facts=facts),
        )


class TwoHopDrafts(Drafts):
    """Who is related to a party that is related to someone?"""

    kind = QuestionKind.TWO_HOP

    def __init__(
        self, frame: SplitContext, items: TwoHopItems, rules: Sequence[TwoHopRule]
    ) -> None:
        super().__init__(frame, items.time)
        self._rules = rules
        labels = dict(zip(frame.names.relations, frame.names.relation_labels, strict=True))
        self._labelled = [
            (_labelled(rule.given, labels), _labelled(rule.asked, labels)) for rule in rules
        ]
        self._columns = [c.tolist() for c in (items.time, items.entity, items.rule)]
        self._offsets, self._items = items.offsets.tolist(), items

    def query(self, row: int) -> NamedQuery:
        """The triple of the named entity, then that of the answer."""
        _, entity, rule = (column[row] for column in self._columns)
        given, asked = self._rules[rule].given, self._rules[rule].asked
        named = self.names.entities[entity]
        return triple_of(given, PARTY, named), triple_of(asked, PARTY, ASKED)

    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """Answers are all entities reached by any party; the certificate has the first one."""
        names = self.names
        time, entity, rule = (column[row] for column in self._columns)
        given, asked = self._labelled[rule]
        query_text = TwoHop(
            entity=names.entity_labels[entity],
            given=given,
            asked=asked,
            time=names.time_labels[time],
        )
        part = slice(self._offsets[row], self._offsets[row + 1])
        ends, parties = self._items.answer[part].tolist(), self._items.party[part].tolist()
        found = sorted(
            (names.entities[end], names.entities[party])
            for end, party in zip(ends, parties, strict=True)
        )
        day = names.times[time]
        facts = tuple(
            _filled(triple, {ASKED: answer, PARTY: party}, day)
            for answer, party in found
            for triple in query
        )
        return Question(
            id=name,
            kind=self.kind,
            split=self.frame.split,
            time=day,
            text=write_question(query_text, self.variant(query, day)),
            query=query,
            answers=tuple(answer for answer, _ in found),
            rule=rule,
            certificate=Certificate(facts=facts),
        )


def _labelled(arc: Arc, labels: dict[str, str]) -> Arc:
    return Arc(relation=labels[arc.relation], shared=arc.shared)


def _filled(triple: Triple, entities: dict[str, str], time: str) -> Fact:
    subject, relation, target = triple
    return entities.get(subject, subject), relation, entities.get(target, target), time
