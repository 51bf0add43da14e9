"""Finding codes of a kind: the message of each, and the violation that derives it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from solver.verification.report import Finding

_FIELD = re.compile(r"\{(\w[\w.]*)[^}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A finding code.

    Attributes:
        name: as in reports.
        message: template of the messages; names in braces are arguments of the violation, or what
            the kind says of them.
        meaning: the code in tables; empty if the message is enough.
        violation: its name in the encodings; empty for a code that Python derives.
        arguments: names of the arguments of the violation, in order.
    """

    name: str
    message: str
    meaning: str = ""
    violation: str = ""
    arguments: tuple[str, ...] = ()

    def describe(self) -> str:
        """The meaning, else the message with its names in angle brackets."""
        shown = _FIELD.sub(r"<\1>", self.message)
        return self.meaning or f"`{shown}`"

    def finding(
        self, where: str, certificate: Mapping[str, Any] | None = None, **words: object
    ) -> Finding:
        """A finding with its message."""
        message = self.message.format(**words)
        return Finding(code=self.name, where=where, message=message, certificate=certificate or {})

    def format(self, words: Mapping[str, Callable[[], object]]) -> str:
        """The message; words that it does not contain are not computed."""
        return self.message.format_map(_Called(words))


@dataclass(frozen=True, slots=True)
class _Called:
    words: Mapping[str, Callable[[], object]]

    def __getitem__(self, name: str) -> object:
        return self.words[name]()


class Codes(Mapping[str, Code]):
    """The codes of a kind by name, in the order of their declaration.

    Args:
        declared: the message, or the message and the meaning, of each violation as its encoding
            derives it, such as ``late_choice(question,choice)``, and of each code that Python
            derives. An underscore in the name of a violation is a hyphen in its code.
    """

    def __init__(self, declared: Mapping[str, str | tuple[str, str]]) -> None:
        self._codes: dict[str, Code] = {}
        for key, text in declared.items():
            message, meaning = (text, "") if isinstance(text, str) else text
            violation, _, arguments = key.rstrip(")").partition("(")
            name = violation.replace("_", "-") if arguments else violation
            self._codes[name] = Code(
                name=name,
                message=message,
                meaning=meaning,
                violation=violation if arguments else "",
                arguments=tuple(filter(None, arguments.split(","))),
            )

    def __getitem__(self, name: str) -> Code:
        """The code of that name, or of the violation of that name."""
        return self._codes[name] if name in self._codes else self._codes[name.replace("_", "-")]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._codes)

    def __len__(self) -> int:
        """Their number."""
        return len(self._codes)


SHORTCUT = {"shortcut": ("{message}", "a probe predicts labels better than chance")}
"""The code of kinds whose data are probed."""
