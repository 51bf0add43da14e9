"""Adapts the inputs of the public functions: paths, lists of dicts, tables of other libraries."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from enum import StrEnum
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, Literal, ParamSpec, Protocol, TypeAlias, TypedDict, TypeVar

from grammar.errors import HopcheckError
from solver.dataset.seal import opening, require_sealed
from solver.io.json_lines import without_nulls
from solver.io.parquet import labels_of, named_labels
from solver.io.writing import json_lines


class ArgumentError(HopcheckError, ValueError):
    """An argument that a public function does not accept."""

    code = "argument"


class ArrowTable(Protocol):
    """A ``pyarrow.Table``."""

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows."""


class DataFrame(Protocol):
    """A ``pandas.DataFrame``."""

    columns: Any

    def to_dict(self, orient: Any) -> Any:  # noqa: ANN401 - the signature of pandas
        """The rows, for the orientation ``records``."""


Rows: TypeAlias = Iterable[Mapping[str, Any]] | ArrowTable | DataFrame
"""A list of dicts, a ``datasets.Dataset``, a pyarrow table or a pandas data frame."""

PathLike: TypeAlias = str | os.PathLike[str]
DomainName: TypeAlias = Literal["temporal", "spatial", "logical"]
GoldName: TypeAlias = Literal["decided", "file"]
PolicyName: TypeAlias = Literal["local", "global", "published"]
SplitName: TypeAlias = Literal["train", "test", "both"]
SpatialName: TypeAlias = Literal["geometric", "published"]
ReadingName: TypeAlias = Literal["lenient", "allen"]
DuringName: TypeAlias = Literal["included", "simultaneous"]
ProfileName: TypeAlias = Literal["released", "paper"]
ProbeName: TypeAlias = Literal["none", "fast", "all"]
EngineName: TypeAlias = Literal["asp", "graph", "smt", "timelines"]
JoinName: TypeAlias = Literal["fast", "asp"]
MethodName: TypeAlias = Literal["exact", "sample"]
TransitionName: TypeAlias = Literal["exp", "unif"]
BasisName: TypeAlias = Literal["rules", "frequency", "recency", "chance", "multi-hop"]
ObserveName: TypeAlias = Literal["past", "all"]
ScoreName: TypeAlias = Literal["ranks", "nli", "questions", "quadruples", "links", "traces"]
FormatName: TypeAlias = Literal[
    "hf",
    "inspect",
    "lm-eval",
    "reasoning-gym",
    "processbench",
    "prm800k",
    "stepwise",
    "preference",
    "verifiers",
    "openenv",
    "pykeen",
    "tgb",
]

Member = TypeVar("Member", bound=StrEnum)
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Opened(TypedDict, total=False):
    """Options of every function that reads paths."""

    unsealed: bool


def sealed(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Check the data sets that arguments name before a function reads them.

    The argument ``unsealed`` of the call, or of the public function that calls it, decides whether
    broken seals are refused or recorded in the result. Messages name arguments, not options.
    """
    of_function = signature(function)
    names = [
        name
        for name, parameter in of_function.parameters.items()
        if "PathLike" in str(parameter.annotation) and name != "out"
    ]

    @wraps(function)
    def call(*arguments: Parameters.args, **options: Parameters.kwargs) -> Result:
        try:
            given = of_function.bind(*arguments, **options).arguments
        except TypeError:  # that of the function itself names it
            return function(*arguments, **options)
        with in_arguments(), opening(unsealed=bool(given.get("unsealed"))):
            require_sealed(*(place for name in names for place in _places(given.get(name))))
            return function(*arguments, **options)

    return call


@contextmanager
def in_arguments() -> Iterator[None]:
    """Let errors name arguments of public functions where they name options of commands."""
    try:
        yield
    except HopcheckError as error:
        error.message, error.hint = named(error.message), named(error.hint)
        if _OPTION.fullmatch(error.where):
            error.where = named(error.where)
        error.args = (error.message,)
        raise


def named(text: str) -> str:
    """A message that names arguments where it names options."""
    return _OPTION.sub(_argument, text) if "--" in text else text


# What is quoted is from the data.
_OPTION = re.compile(r'"[^"]*"|(?<![\w/-])--([a-z][a-z-]*)(?: (?:FILE|DIR|GRAPH|PATH|NAME)\b)?')
_RENAMED = {"map": "columns", "data": "graph", "gold": "gold_from"}
"""Options whose arguments have another name."""


def _argument(option: re.Match[str]) -> str:
    name: str | None = option[1]
    return option[0] if name is None else _RENAMED.get(name, name.replace("-", "_"))


def _places(value: object) -> Iterator[str]:
    """The paths of an argument: a path, several, or none in data."""
    if isinstance(value, str | os.PathLike):
        yield os.fspath(value)
    elif isinstance(value, list | tuple):
        for part in value:
            if isinstance(part, str | os.PathLike):
                yield os.fspath(part)


def paths_of(paths: PathLike | Iterable[PathLike]) -> list[str]:
    """Paths as texts; a single one may be given alone."""
    if isinstance(paths, str | os.PathLike):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def member(kind: type[Member], name: str, value: str) -> Member:
    """The member of an enum with a value.

    Raises:
        ArgumentError: there is none.
    """
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(kind)
        raise ArgumentError(f"found {name}={value!r}, expected one of {known}") from None


def members(kind: type[Member], name: str, values: Iterable[str]) -> tuple[Member, ...]:
    """The members of an enum with some values, each once; a single value may be given alone.

    Raises:
        ArgumentError: a value has no member.
    """
    given = (values,) if isinstance(values, str) else values
    return tuple(dict.fromkeys(member(kind, name, value) for value in given))


def chosen(options: Mapping[str, Any], **kinds: type[StrEnum]) -> dict[str, Any]:
    """Options, those with these names as members of the enums unless they are None.

    Raises:
        ArgumentError: a value has no member.
    """
    given = {name: options[name] for name in kinds if options.get(name) is not None}
    return {**options, **{name: member(kinds[name], name, text) for name, text in given.items()}}


def rows_of(source: Rows) -> list[dict[str, Any]]:
    """The rows of a table; missing values are None, dates are texts such as ``2031-05-10``.

    Raises:
        ArgumentError: the input is not a table, or has no rows.
    """
    if hasattr(source, "to_pylist"):
        rows = source.to_pylist()
    elif hasattr(source, "to_dicts"):
        rows = source.to_dicts()
    elif hasattr(source, "to_dict") and hasattr(source, "columns"):
        rows = source.to_dict("records")
    elif isinstance(source, Iterable) and not isinstance(source, str | bytes | Mapping):
        rows = list(source)
    else:
        rows = [source]
    if not rows:
        raise ArgumentError("found no rows, expected at least one")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            message = f"found {type(row).__name__} as row {number}, expected a dict"
            raise ArgumentError(message, hint="pass a path, a list of dicts or a table")
    plain = [{str(name): _plain(value) for name, value in row.items()} for row in rows]
    labels = _labels(source)
    return [named_labels(row, labels) for row in plain] if labels else plain


def _labels(source: object) -> dict[str, list[str]]:
    """The names of labels that a ``datasets.Dataset`` or an Arrow table has as numbers."""
    features = getattr(source, "features", None)
    if isinstance(features, Mapping):
        inner = {name: getattr(kind, "feature", kind) for name, kind in features.items()}
        names = {name: getattr(kind, "names", None) for name, kind in inner.items()}
        return {name: list(known) for name, known in names.items() if known is not None}
    schema = getattr(source, "schema", None)
    return labels_of(schema) if isinstance(getattr(schema, "metadata", None), dict) else {}


def _plain(value: Any) -> Any:  # noqa: ANN401 - a cell of any table
    """A cell as a JSON value."""
    # Missing numbers and times of pandas are not equal to themselves.
    if isinstance(value, float | date) and value != value:
        return None
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    # NumPy's numbers; arrays become lists.
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def splits_of(source: object) -> Mapping[str, Rows] | None:
    """The tables of a ``datasets.DatasetDict`` or another mapping of tables; None for others."""
    if not isinstance(source, Mapping) or not source:
        return None
    tables = ("to_pylist", "to_dict", "column_names")
    known = all(any(hasattr(table, name) for name in tables) for table in source.values())
    return {str(name): table for name, table in source.items()} if known else None


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A temporary folder; the positions in errors do not mention it."""
    with tempfile.TemporaryDirectory(prefix="hopcheck-") as name:
        try:
            yield Path(name)
        except HopcheckError as error:
            error.where = error.where.replace(f"{name}{os.sep}", "")
            raise


@contextmanager
def as_file(source: PathLike | Rows, name: str = "rows.jsonl") -> Iterator[Path]:
    """The path of an input; rows are written to a temporary JSON Lines file."""
    if isinstance(source, str | os.PathLike):
        yield Path(source)
        return
    with scratch_folder() as folder:
        with json_lines(folder / name) as file:
            for row in rows_of(source):
                # A table has a null for what a row lacks.
                file.write(without_nulls(row))
        yield folder / name
