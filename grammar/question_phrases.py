"""The phrases that say relations in questions and statements: a table, ``question_phrases.tsv``.

Rows are for the 230 relations of ICEWS14, with blanks where they have underscores. The object
always comes right after a phrase. No phrase stands within another and none begins where another
ends, in whatever forms, so a text in which one of them occurs once can be read in one way only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

from grammar.errors import UnwritableError
from grammar.fact_names import quote_name


class Form(StrEnum):
    """The forms of a phrase, by what it follows: *will*, a subject today, a subject of the past."""

    BASE = "base"
    PRESENT = "present"
    PAST = "past"


GENERIC = MappingProxyType(
    {
        Form.BASE: ("have the relation ", " to"),
        Form.PRESENT: ("has the relation ", " to"),
        Form.PAST: ("had the relation ", " to"),
    }
)
"""What stands before and after the quoted name of a relation that has no row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """How a relation is said.

    Attributes:
        suits: whether it makes a question about two parties.
        base, present, past: ``host a visit by``, ``hosts a visit by``, ``hosted a visit by``.
    """

    relation: str
    suits: bool
    base: str
    present: str
    past: str

    def form(self, form: Form) -> str:
        """The words of one form."""
        return {Form.BASE: self.base, Form.PRESENT: self.present, Form.PAST: self.past}[form]


class QuestionPhrases:
    """All phrases.

    Args:
        rows: the phrase of each relation of the table.

    Attributes:
        rows: the same.
        by_words: of each form, the relation that some words say.
    """

    def __init__(self, rows: Mapping[str, Phrase]) -> None:
        self.rows = MappingProxyType(dict(rows))
        self.by_words: Mapping[Form, Mapping[str, str]] = {
            form: {phrase.form(form): relation for relation, phrase in rows.items()}
            for form in Form
        }

    def of(self, relation: str) -> Phrase:
        """The phrase of a relation; one without a row gets words that quote its name.

        Raises:
            UnwritableError: the relation has an empty name.
        """
        return self.rows.get(relation) or _generic(relation)

    def suits(self, relation: str) -> bool:
        """Whether a relation makes a question about two parties; any without a row does."""
        found = self.rows.get(relation)
        return found is None or found.suits


@cache
def phrase_table() -> QuestionPhrases:
    """Read the table: a heading, then ``relation, suits, base, present, past`` between tabs."""
    path = Path(__file__).with_name("question_phrases.tsv")
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    rows = {}
    for line in lines:
        relation, suits, base, present, past = line.split("\t")
        rows[relation] = Phrase(
            relation=relation, suits=suits == "yes", base=base, present=present, past=past
        )
    return QuestionPhrases(rows)


@lru_cache(maxsize=4096)
def _generic(relation: str) -> Phrase:
    if not relation:
        message = "found a relation with an empty name, expected one"
        raise UnwritableError(message, hint="name it or leave it out")
    quoted = quote_name(relation)
    base, present, past = (quoted.join(GENERIC[form]) for form in Form)
    return Phrase(relation=relation, suits=True, base=base, present=present, past=past)
