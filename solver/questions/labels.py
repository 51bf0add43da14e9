"""From the names of a graph to names that a text says, and back: ``Mill_(Orm)`` has blanks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grammar.question_phrases import phrase_table
from solver.questions.moments import Moments
from solver.reading.failures import shown
from solver.tkg.dataset import Vocabulary
from solver.tkg.naming import UnknownNameError, nearest_hint


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The said names of a vocabulary, by id; no two of a sort are the same.

    Attributes:
        entities, relations: what a text says for each id. A graph without names has its ids said.
    """

    vocabulary: Vocabulary
    entities: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Labels:
        """The said names: with blanks, but as the graph writes them where two would be alike.

        A relation that the phrase table knows in another case is said as the table has it.
        """
        entities = [vocabulary.entity(number) for number in range(vocabulary.entities)]
        relations = [vocabulary.relation(number) for number in range(vocabulary.relations)]
        known = {name.casefold(): name for name in phrase_table().rows}
        return cls(
            vocabulary=vocabulary,
            entities=_told_apart(entities, map(_with_blanks, entities)),
            relations=_told_apart(
                relations, (_as_known(_with_blanks(name), known) for name in relations)
            ),
        )

    def said_entity(self, number: int) -> str:
        """What a text says for an entity."""
        return self.entities[number]

    def said_relation(self, number: int) -> str:
        """What a text says for a relation, which is no inverse."""
        return self.relations[number]

    def said_time(self, number: int) -> str:
        """What a text says for a time: its name, a date for one, or its number."""
        return self.vocabulary.time(number)

    def entity(self, said: str) -> int:
        """The id of a said entity.

        Raises:
            UnknownNameError: nobody is called so; the nearest names are told. So for the others.
        """
        number = self._entity_ids.get(said)
        return _missing("entity", said, self.entities) if number is None else number

    def relation(self, said: str) -> int:
        """The id of a said relation."""
        number = self._relation_ids.get(said)
        return _missing("relation", said, self.relations) if number is None else number

    def time(self, said: str) -> int:
        """The time of a date, or of a number where a graph has no dates."""
        number = self._time_ids.get(said)
        if number is None and not self.vocabulary.time_names:
            hint = f"they are 0 to {self.vocabulary.times - 1}"
            message = f"found no time {shown(said)}, expected one of the graph"
            raise UnknownNameError(message, hint=hint)
        return _missing("time", said, self.vocabulary.time_names) if number is None else number

    @cached_property
    def _entity_ids(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.entities)}

    @cached_property
    def _relation_ids(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.relations)}

    @cached_property
    def _time_ids(self) -> Mapping[str, int]:
        return Moments(self.vocabulary)


def _with_blanks(name: str) -> str:
    said = name.replace("_", " ")
    # A text does not tell blanks at the ends, or two from one.
    return said if said == " ".join(said.split()) else name


def _as_known(said: str, known: Mapping[str, str]) -> str:
    return known.get(said.casefold(), said)


def _told_apart(names: Sequence[str], said: Iterable[str]) -> tuple[str, ...]:
    wanted = list(said)
    counts = Counter(wanted)
    return tuple(
        form if counts[form] == 1 else name for name, form in zip(names, wanted, strict=True)
    )


def _missing(kind: str, said: str, names: Sequence[str]) -> int:
    hint = nearest_hint(said, names)
    raise UnknownNameError(f"found no {kind} {shown(said)}, expected one of the graph", hint=hint)
