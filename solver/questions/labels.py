"""Labels of a graph's entities and relations in texts: ``Mill_(Orm)`` reads ``Mill (Orm)``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grammar.question_phrases import phrase_table
from solver.questions.moments import TimeIndex
from solver.reading.failures import shown
from solver.tkg.dataset import Vocabulary
from solver.tkg.naming import UnknownNameError, nearest_hint


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of a vocabulary, by id; unique among entities and among relations.

    Attributes:
        entities, relations: label of each id; the id itself in a graph without names.
    """

    vocabulary: Vocabulary
    entities: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Labels:
        """Replace underscores by blanks, except where two labels would coincide.

        A relation that the phrase table has in another case takes the table's spelling.
        """
        entities = [vocabulary.entity(number) for number in range(vocabulary.entities)]
        relations = [vocabulary.relation(number) for number in range(vocabulary.relations)]
        known = {name.casefold(): name for name in phrase_table().rows}
        return cls(
            vocabulary=vocabulary,
            entities=_disambiguated(entities, map(_with_blanks, entities)),
            relations=_disambiguated(
                relations, (_as_known(_with_blanks(name), known) for name in relations)
            ),
        )

    def entity_label(self, number: int) -> str:
        """The label of an entity."""
        return self.entities[number]

    def relation_label(self, number: int) -> str:
        """The label of a relation that is not an inverse."""
        return self.relations[number]

    def time_label(self, number: int) -> str:
        """The label of a time: its name, such as a date, or its number."""
        return self.vocabulary.time(number)

    def entity(self, label: str) -> int:
        """The id of an entity's label.

        Raises:
            UnknownNameError: no entity has this label; the hint lists the nearest ones.
        """
        number = self._entity_ids.get(label)
        return _missing("entity", label, self.entities) if number is None else number

    def relation(self, label: str) -> int:
        """The id of a relation's label; raises as ``entity`` does."""
        number = self._relation_ids.get(label)
        return _missing("relation", label, self.relations) if number is None else number

    def time(self, label: str) -> int:
        """The id of a time's label; raises as ``entity`` does."""
        number = self._time_ids.get(label)
        if number is None and not self.vocabulary.time_names:
            hint = f"they are 0 to {self.vocabulary.times - 1}"
            message = f"found no time {shown(label)}, expected one of the graph"
            raise UnknownNameError(message, hint=hint)
        return _missing("time", label, self.vocabulary.time_names) if number is None else number

    @cached_property
    def _entity_ids(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.entities)}

    @cached_property
    def _relation_ids(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.relations)}

    @cached_property
    def _time_ids(self) -> Mapping[str, int]:
        return TimeIndex(self.vocabulary)


def _with_blanks(name: str) -> str:
    label = name.replace("_", " ")
    # Texts do not preserve leading, trailing or repeated blanks.
    return label if label == " ".join(label.split()) else name


def _as_known(label: str, known: Mapping[str, str]) -> str:
    return known.get(label.casefold(), label)


def _disambiguated(names: Sequence[str], label: Iterable[str]) -> tuple[str, ...]:
    wanted = list(label)
    counts = Counter(wanted)
    return tuple(
        form if counts[form] == 1 else name for name, form in zip(names, wanted, strict=True)
    )


def _missing(kind: str, label: str, names: Sequence[str]) -> int:
    hint = nearest_hint(label, names)
    raise UnknownNameError(f"found no {kind} {shown(label)}, expected one of the graph", hint=hint)
