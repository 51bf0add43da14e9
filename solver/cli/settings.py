"""Options of commands, made from the settings that a kind declares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

import click

from solver.cli.options import (
    Command,
    CommaSeparated,
    EnumChoice,
    FiniteFloat,
    GraphPath,
    WholeNumbers,
    option_group,
)
from solver.cli.options import Option as Decorator
from solver.verification.settings import OPTION, Option


def setting_option(settings: type[Any], name: str) -> Decorator:
    """The option of one setting; the command receives it by its name."""
    (chosen,) = (field for field in fields(settings) if field.name == name)
    (decorator,) = _decorators(chosen)
    return decorator


def setting_options(parameter: str, settings: type[Any], *names: str) -> Decorator:
    """The options of settings, which the command receives as one object.

    Args:
        parameter: parameter of the command that receives the object.
        settings: its class.
        names: the settings with an option, the others have their defaults; all if none is named.
    """
    chosen = [
        field
        for field in fields(settings)
        if OPTION in field.metadata and (not names or field.name in names)
    ]
    decorators = [decorator for field in chosen for decorator in _decorators(field)]
    return option_group(parameter, partial(_settings, settings, chosen), *decorators)


def override_options(settings: type[Any], note: str = "") -> Decorator:
    """Options that replace settings; the command receives each by its name, None if not given.

    Args:
        settings: the class of the settings.
        note: what help texts say of the defaults.
    """

    def decorate(command: Command) -> Command:
        for field in reversed(fields(settings)):
            declared: Option | None = field.metadata.get(OPTION)
            if declared is not None:
                declared = replace(declared, help=declared.help + note)
                command = made_option(field.name, declared, None)(command)
        return command

    return decorate


def _settings(settings: type[Any], chosen: list[Field[Any]], **values: object) -> object:
    for field in chosen:
        group: Option = field.metadata[OPTION]
        if group.fields is not None and group.convert is not None:
            inner = {name: values.pop(name) for name in group.fields}
            values[field.name] = group.convert(**inner)
    return settings(**values)


def _decorators(field: Field[Any]) -> Iterator[Decorator]:
    declared: Option = field.metadata[OPTION]
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    if declared.fields is None:
        yield made_option(field.name, declared, default)
        return
    for name, inner in declared.fields.items():
        yield made_option(name, inner, getattr(default, name))


def made_option(name: str, declared: Option, default: object = MISSING) -> Decorator:
    """A click option.

    Args:
        name: of the setting, by which the command receives it.
        declared: the declaration.
        default: of the setting, or a text as it is typed; without one, the option is required.
    """
    spelling = f"--{declared.name or name.replace('_', '-')}"
    if isinstance(default, bool):
        negated = (lambda _ctx, _param, given: not given) if declared.negative else None
        return click.option(spelling, name, is_flag=True, help=declared.help, callback=negated)
    typed = default
    if isinstance(default, StrEnum):
        typed = default.value
    elif declared.several and default:
        typed = ",".join(map(str, default)) if isinstance(default, tuple) else default
        if declared.choices is not None and default == tuple(declared.choices):
            typed = "all"
    elif declared.several and default is not None and default is not MISSING:
        typed = ()
    form: dict[str, Any] = {} if typed is MISSING or declared.repeated else {"default": typed}
    return click.option(
        spelling,
        name,
        type=_type(declared, default),
        required=default is MISSING,
        show_default=not declared.hidden and typed not in (None, (), MISSING),
        multiple=declared.repeated,
        nargs=declared.number,
        metavar=declared.metavar,
        help=declared.help,
        callback=None if declared.convert is None else partial(converted, declared.convert),
        **form,
    )


_PATHS = {
    "folder": {"file_okay": False},
    "file": {"dir_okay": False},
    "present": {"exists": True, "file_okay": False},
}


def _type(declared: Option, default: object) -> click.ParamType[Any] | None:
    choices = type(default) if isinstance(default, StrEnum) else declared.choices
    if choices is not None:
        if declared.several:
            return CommaSeparated(choices, declared.others)
        return EnumChoice(choices)
    if declared.low is not None:
        if declared.several:
            return WholeNumbers(declared.low, declared.high or declared.low)
        return click.IntRange(declared.low, declared.high)
    above, below = declared.above, declared.below
    if (declared.least, declared.most, above, below) != (None,) * 4:
        least = declared.least if above is None else above
        most = declared.most if below is None else below
        open_ends = {"min_open": above is not None, "max_open": below is not None}
        return FiniteFloat(least, most, **open_ends)
    if declared.uri:
        return GraphPath(copied=False)
    if declared.path:
        return click.Path(path_type=Path, **_PATHS.get(str(declared.path), {}))
    return click.DateTime(["%Y-%m-%d"]) if declared.date else None


def converted(
    convert: Any,  # noqa: ANN401 - any function of one value
    ctx: click.Context,
    param: click.Parameter,
    value: object,
) -> object:
    """The value of an option after ``convert``; a ``ValueError`` is one of usage."""
    if value is None:
        return None
    try:
        return convert(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None
