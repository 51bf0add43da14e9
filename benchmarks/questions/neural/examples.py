"""Questions in columns, as neural models read them: texts, annotated entities and times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from benchmarks.history import TimeIndex
from benchmarks.questions.inputs import ParsedQuestion, QuestionText
from grammar.questions.model import QuestionKind
from solver.graph.model import Dataset, Ids, Quadruples, Vocabulary, entity_id, expand
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuery
from solver.questions.model import LETTERS, YES, Question


class Task(StrEnum):
    """What a model answers: each has its own weights, as in the paper."""

    ENTITIES = "entities"
    YES_UNKNOWN = "yes-unknown"
    FACT_REASONING = "fact-reasoning"

    @property
    def kinds(self) -> tuple[QuestionKind, ...]:
        """The kinds of its questions."""
        match self:
            case Task.ENTITIES:
                return QuestionKind.ONE_HOP, QuestionKind.TWO_HOP
            case Task.YES_UNKNOWN:
                return (QuestionKind.YES_UNKNOWN,)
            case Task.FACT_REASONING:
                return (QuestionKind.FACT_REASONING,)

    @property
    def batch(self) -> int:
        """Questions of a step; few where there are few to learn from."""
        return 32 if self is Task.FACT_REASONING else 256


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Examples:
    """Questions of one task.

    Attributes:
        task: their task.
        places: their numbers among all questions.
        texts: their texts.
        time: their times.
        subject: the entity that the text names, the subject if it names two; likewise ``object``,
            the same entity again if it names one.
        relation: the relation of a 1-hop question, from its subject here, r or the inverse
            ``r + relations``; -1 for other questions. For training alone.
        choices: texts of the choices; empty if the task has none.
        choice_time: times of the choices, (questions, 4); likewise their subjects and objects.
        answers: the right answers: entities, 1 for yes and 0 for unknown, or the number of the
            choice; empty if they are not known.
    """

    task: Task
    places: Ids
    texts: tuple[str, ...]
    time: Ids
    subject: Ids
    object: Ids
    relation: Ids
    choices: tuple[tuple[str, ...], ...]
    choice_time: Ids
    choice_subject: Ids
    choice_object: Ids
    answers: tuple[Ids, ...] = ()

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def of(
        cls,
        task: Task,
        asked: Sequence[ParsedQuestion],
        texts: Sequence[QuestionText],
        answers: Sequence[Ids] = (),
        *,
        relations: int,
    ) -> Examples:
        """Select the questions of a task.

        Args:
            task: the task.
            asked: all questions.
            texts: their texts.
            answers: their right answers; empty if they are not known.
            relations: number of relations of the graph.
        """
        places = [n for n, question in enumerate(asked) if question.query.kind in task.kinds]
        some = [asked[n] for n in places]
        named = _columns([_named(question) for question in some], 2)
        given = [fact for question in some for fact in question.choices]
        facts = _columns(given, 4)
        size = len(LETTERS) if task is Task.FACT_REASONING else 0
        subject, _, object, time = (fact.reshape(len(some), size) for fact in facts)
        return cls(
            task=task,
            places=np.array(places, dtype=np.int64),
            texts=tuple(texts[n].text for n in places),
            time=np.array([question.query.time for question in some], dtype=np.int64),
            subject=named[0],
            object=named[1],
            relation=np.array(
                [_relation(question.query, relations) for question in some], dtype=np.int64
            ),
            choices=tuple(tuple(choice.text for choice in texts[n].choices) for n in places),
            choice_time=time,
            choice_subject=subject,
            choice_object=object,
            answers=tuple(answers[n] for n in places) if answers else (),
        )

    def all_texts(self) -> Iterator[str]:
        """The texts of the questions and of their choices."""
        yield from self.texts
        for some in self.choices:
            yield from some


def _named(asked: ParsedQuestion) -> tuple[int, int]:
    """The entities that a question names; the same one twice if it is one."""
    variables = (ASKED_ID, PARTY_ID)
    first, *_ = asked.query.triples
    known = [end for end in (first[0], first[2]) if end not in variables]
    return known[0], known[-1]


def _relation(query: LinkedQuery, relations: int) -> int:
    """The relation of a 1-hop question, from the entity that it names."""
    if query.kind is not QuestionKind.ONE_HOP:
        return -1
    ((subject, relation, _),) = query.triples
    return relation if subject != ASKED_ID else relation + relations


def _columns(rows: Sequence[tuple[int, ...]], width: int) -> Ids:
    return np.ascontiguousarray(np.array(rows, dtype=np.int64).reshape(-1, width).T)


def right_answers(questions: Sequence[Question], vocabulary: Vocabulary) -> list[Ids]:
    """The gold answers of questions, as ``Examples`` has them.

    Raises:
        UnknownNameError: an answer is no entity of the graph.
    """
    entities = {vocabulary.entity(number): number for number in range(vocabulary.entities)}
    found = []
    for question in questions:
        match question.kind:
            case QuestionKind.YES_UNKNOWN:
                numbers = [int(answer == YES) for answer in question.answers]
            case QuestionKind.FACT_REASONING:
                numbers = [LETTERS.index(answer) for answer in question.answers]
            case _:
                numbers = [
                    entities[answer] if answer in entities else entity_id(vocabulary, answer)
                    for answer in question.answers
                ]
        found.append(np.array(numbers, dtype=np.int64))
    return found


Scores = NDArray[np.float32]


def reciprocal_rank(scores: Scores, answers: Ids) -> float:
    """Mean reciprocal rank of the right answers, each without the others; ties count half."""
    right = scores[answers]
    others = np.delete(scores, answers)
    above = (others[None, :] > right[:, None]).sum(axis=1)
    equal = (others[None, :] == right[:, None]).sum(axis=1)
    return float((1 / (1 + above + equal / 2)).mean())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EarlierTriples:
    """Distinct triples of earlier facts, by question, relation and tail.

    Attributes:
        question: number of the question, or of its pair of entities.
        relation: relation from its entity, r or the inverse ``r + relations``.
        tail: the other entity.
        count: number of earlier facts.
        lag: time since the latest one, at least 1.
    """

    question: Ids
    relation: Ids
    tail: Ids
    count: Ids
    lag: Ids


class EarlierFacts:
    """The facts of a graph in both directions, to be asked for those before some times."""

    def __init__(self, graph: Dataset) -> None:
        vocabulary = graph.vocabulary
        self._sizes = (2 * vocabulary.relations, vocabulary.entities)
        self._facts = graph.facts().distinct().both_ways(vocabulary.relations)
        self._of_entity = TimeIndex(self._facts, ("head",), vocabulary)
        self._of_pair = TimeIndex(self._facts, ("head", "tail"), vocabulary)

    def before(self, times: Ids, heads: Ids, tails: Ids | None = None) -> EarlierTriples:
        """Count the facts of entities, or of pairs of entities, before a time of each."""
        ends = np.zeros_like(heads) if tails is None else tails
        asked = Quadruples(head=heads, relation=np.zeros_like(heads), tail=ends, time=times)
        index = self._of_entity if tails is None else self._of_pair
        number, places = expand(*index.before(asked))
        rows = index.order[places]
        relations, entities = self._sizes
        keys = number * relations + self._facts.relation[rows]
        keys = keys * entities + self._facts.tail[rows]
        each, numbers, count = np.unique(keys, return_inverse=True, return_counts=True)
        latest = np.zeros(len(each), dtype=np.int64)
        # The facts of a question are in the order of time, so that the last one is kept.
        latest[numbers] = self._facts.time[rows]
        pairs, tail = np.divmod(each, entities)
        question, relation = np.divmod(pairs, relations)
        return EarlierTriples(
            question=question,
            relation=relation,
            tail=tail,
            count=count.astype(np.int64),
            lag=times[question] - latest,
        )
