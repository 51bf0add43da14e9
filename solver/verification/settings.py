"""Settings of a kind: the fields of a dataclass, each with the option that sets it.

The command line makes its options from these; nothing of it is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeVar, runtime_checkable

Value = TypeVar("Value")

OPTION = "option"
"""Key of a field's option in its metadata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """How a setting is given on the command line.

    The default of an option is that of its field, a field without default is required, and a
    setting that is true or false is an option without a value.

    Attributes:
        help: one or two sentences.
        name: its spelling without the dashes, if it is not the name of the field.
        metavar: the value in help texts; by default that of its type.
        choices: the enum of its values; by default that of its default.
        others: further values of a list, looked up on demand: what other distributions add.
        low: minimum; the value is a whole number.
        high: maximum.
        least: minimum; the value is a finite number. Likewise its maximum, ``most``.
        above: what a finite number has to exceed. Likewise ``below``.
        path: whether the value is a path; or which, ``folder``, ``file`` or ``present``.
        uri: whether that may be a URI of a graph.
        date: whether the value is a day.
        several: whether the value is a list, separated by commas.
        repeated: whether the option may be repeated.
        number: number of values.
        hidden: whether help texts leave out the default.
        negative: whether giving an option without a value makes the setting false.
        fields: the options of a setting that is a dataclass itself, by its fields.
        convert: makes the setting from the value, or from those of ``fields`` by name.
    """

    help: str = ""
    name: str = ""
    metavar: str | None = None
    choices: type[StrEnum] | None = None
    others: Callable[[], Iterable[str]] | None = None
    low: int | None = None
    high: int | None = None
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    path: bool | str = False
    uri: bool = False
    date: bool = False
    several: bool = False
    repeated: bool = False
    number: int = 1
    hidden: bool = False
    negative: bool = False
    fields: Mapping[str, Option] | None = None
    convert: Callable[..., object] | None = None


def option(help: str = "", **form: Any) -> dict[str, Option]:  # noqa: ANN401 - those of Option
    """The metadata of a field with an option: ``field(default=1, metadata=option("…"))``."""
    return {OPTION: Option(help=help, **form)}


def setting(default: Value, help: str = "", **form: Any) -> Value:  # noqa: ANN401 - those of Option
    """Make a field with a default and with an option of that form."""
    return field(default=default, metadata=option(help, **form))


@runtime_checkable
class CheckedSettings(Protocol):
    """Settings that not all paths fit."""

    def usage(self, paths: Sequence[str]) -> str:
        """What is wrong with the settings for these paths; empty if nothing is."""
