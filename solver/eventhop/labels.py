"""Label schemes: the word that the files of a benchmark have for each status of a claim."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from grammar.errors import HopcheckError
from grammar.eventhop.model import Policy, Status, Verdict
from solver.io.sources import FieldError, shown

EVENTHOP = "eventhop"
"""The labels of EventHopNLI: *true*, *false* where not entailed, *undefined*; the default."""


class SchemeError(HopcheckError):
    """Labels that are no scheme, or that cannot be used with a policy."""

    code = "label-scheme"


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """The words for the statuses.

    Attributes:
        name: of the scheme; its text if it has none.
        words: the word of each status.
        order: the words, in the order in which files number them.
        spellings: what files write, in lower case -> the word.
    """

    name: str
    words: Mapping[Status, str] = field(compare=False)
    order: tuple[str, ...] = field(compare=False)
    spellings: Mapping[str, str] = field(compare=False)

    @classmethod
    def of(
        cls,
        name: str,
        words: Mapping[Status, str],
        order: tuple[str, ...] = (),
        others: Mapping[str, str] = MappingProxyType({}),
    ) -> LabelScheme:
        """A scheme; words are numbered in the order of the statuses unless one is given."""
        known = order or tuple(dict.fromkeys(words[status] for status in Status))
        spelt = {word.lower(): word for word in known}
        numbers = {str(number): word for number, word in enumerate(known)}
        return cls(name, words, known, numbers | dict(others) | spelt)

    @classmethod
    def parse(cls, text: str) -> LabelScheme | None:
        """A named scheme, or ``entailed=WORD,refuted=WORD,unknown=WORD,contradictory=WORD``.

        None for the labels that are read without a scheme.

        Raises:
            SchemeError: it is neither.
        """
        name = text.strip()
        if name.lower() == EVENTHOP:
            return None
        if name.lower() in SCHEMES:
            return SCHEMES[name.lower()]
        words: dict[Status, str] = {}
        for part in name.split(","):
            status, sign, word = (side.strip() for side in part.partition("="))
            if not sign or not word or status.lower() not in (*Status,):
                raise _unknown(part if sign else text)
            if status.lower() in words:
                raise SchemeError(f"found {status} twice, expected one word for each status")
            words[Status(status.lower())] = word
        missing = [status.value for status in Status if status not in words]
        if missing:
            message = f"found no word for {', '.join(missing)}, expected one for each status"
            raise SchemeError(message, hint="statuses may share a word")
        return cls.of(name, words)

    def meaning(self, written: str) -> str:
        """The word that a cell stands for: a word in any case, or its number.

        Raises:
            FieldError: it is none of the scheme.
        """
        word = self.spellings.get(written.lower())
        if word is None:
            numbers = ", ".join(f"{number} {word}" for number, word in enumerate(self.order))
            hint = f"the words of --labels {self.name}, by number: {numbers}"
            raise FieldError("label", shown(written), " or ".join(self.order), hint)
        return word

    def label(self, verdict: Verdict, policy: Policy) -> str:
        """The word for a verdict; under ``global`` any contradiction of the premise counts."""
        whole = policy is Policy.GLOBAL and not verdict.consistent
        return self.words[Status.CONTRADICTORY if whole else verdict.status]


def require_labels(scheme: LabelScheme, policy: Policy, mapped: Collection[str]) -> None:
    """Refuse a scheme beside the labels of the published procedure, or words in a map.

    Raises:
        SchemeError: one of them is given.
    """
    if policy is Policy.PUBLISHED:
        message = f"found the labels {scheme.name}, expected those of the published procedure"
        raise SchemeError(message, hint="leave labels out, or choose another policy")
    for word in mapped:
        message = f"found the label {shown(word)} in a map beside the labels {scheme.name}"
        raise SchemeError(message, hint="name columns in the map, and words in the labels")


def _unknown(found: str) -> SchemeError:
    expected = f"{', '.join((EVENTHOP, *SCHEMES))} or STATUS=WORD,..."
    hint = "for example entailed=yes,refuted=no,unknown=maybe,contradictory=no"
    return SchemeError(f"found {shown(found)}, expected {expected}", hint=hint)


def _words(entailed: str, refuted: str, unknown: str, contradictory: str) -> dict[Status, str]:
    return {
        Status.ENTAILED: entailed,
        Status.REFUTED: refuted,
        Status.UNKNOWN: unknown,
        Status.CONTRADICTORY: contradictory,
    }


SCHEMES: Mapping[str, LabelScheme] = MappingProxyType(
    {
        "nli3": LabelScheme.of(
            "nli3",
            _words("entailment", "contradiction", "neutral", "contradiction"),
            ("entailment", "neutral", "contradiction"),
        ),
        "nli2": LabelScheme.of(
            "nli2",
            _words("entailment", "not_entailment", "not_entailment", "not_entailment"),
            others={"not-entailment": "not_entailment", "not entailment": "not_entailment"},
        ),
        "yes-no": LabelScheme.of(
            "yes-no", _words("yes", "no", "no", "no"), ("no", "yes"),
            {"true": "yes", "false": "no"},
        ),
    }
)  # fmt: skip
"""The schemes with names, with the numbers that their data sets use."""
