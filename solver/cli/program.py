"""How commands are found, and the name of the program in their texts.

A group imports a command only when it is called. Texts that show a command line name the program
``python -m solver``; users see the name they called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from solver import NAMESPACE

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

PROGRAM = "python -m solver"

Place: TypeAlias = str | Callable[[], click.Command]
"""Where a command is; see ``load_command``."""


def program_name(path: str) -> str:
    """The program's name, from ``sys.argv[0]``: ``hopcheck``, or ``python -m PACKAGE``."""
    called = PurePath(path)
    if called.name == "__main__.py":
        return f"python -m {called.parent.name}"
    return called.stem if called.suffix == ".exe" else called.name


def as_called(text: str, program: str | None = None) -> str:
    """The text with the program's name as it was called.

    Args:
        text: names the program as ``PROGRAM``.
        program: its name; by default that of the command which runs.
    """
    return text.replace(PROGRAM, program or _current(click.get_current_context(silent=True)))


def _current(context: click.Context | None) -> str:
    root = None if context is None else context.find_root()
    # A command that is invoked by itself, as in a test, has no other name than its own.
    if root is None or root.info_name in (None, root.command.name):
        return PROGRAM
    return str(root.info_name)


class ProgramContext(click.Context):
    """The context of a command; its help names the program as it was called."""

    def make_formatter(self) -> click.HelpFormatter:
        """The formatter of a help page."""
        formatter = ProgramFormatter(width=self.terminal_width, max_width=self.max_content_width)
        formatter.program = _current(self)
        return formatter


class ProgramFormatter(click.HelpFormatter):
    """Writes help pages; ``program`` is the name to show."""

    program = PROGRAM

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(as_called(text, self.program))

    def write_dl(self, rows: Any, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - passed on
        """Write a list of options or commands."""
        named = [
            (as_called(row, self.program), as_called(other, self.program)) for row, other in rows
        ]
        super().write_dl(named, *arguments, **options)


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: where it is defined, and its line in an overview of commands.

    Attributes:
        place: where the command is, see ``load_command``.
        help: one sentence.
        chooser: place of the ``Chooser`` by which the command delegates to others; those are then
            called without importing the command.
        hidden: an older name of a command, which overviews and completion leave out.
    """

    place: Place
    help: str
    chooser: str = ""
    hidden: bool = False

    def load(self) -> click.Command:
        """Import the command."""
        return load_command(self.place)


def _load(place: str) -> Any:  # noqa: ANN401 - what is defined there
    module, _, name = place.partition(":")
    return getattr(import_module(NAMESPACE + module), name or "command")


def load_command(place: Place) -> click.Command:
    """Import a command.

    Args:
        place: a function that imports it, or ``module:name`` of the command or such a function,
            or ``module``; without a name, it is called ``command``.
    """
    found = _load(place) if isinstance(place, str) else place
    command: click.Command = found if isinstance(found, click.Command) else found()
    command.context_class = ProgramContext
    from solver.cli.sealing import seal_inputs

    seal_inputs(command)
    return command


class LazyGroup(click.Group):
    """A group whose commands are imported only when they are called.

    Args:
        entries: the commands by name, in the order of the overview.
        default: command that runs if the first argument is not the name of a command.
    """

    context_class = ProgramContext

    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401 - click's own
        entries: Mapping[str, Entry],
        default: str | None = None,
        **settings: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*arguments, **settings)
        self.entries = entries
        self._shown = {name: entry for name, entry in entries.items() if not entry.hidden}
        self._default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default command where no command is named."""
        known = {*self.entries, *ctx.help_option_names}
        if self._default is not None and args and args[0] not in known:
            args = [self._default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or the one that it delegates to."""
        entry = self.entries.get(args[0])
        if entry is not None and entry.chooser:
            chooser: Chooser = _load(entry.chooser)
            chosen = chooser(args[1:])
            if chosen is not None:
                return args[0], load_command(chosen[0]), chosen[1]
        if entry is None and not ctx.resilient_parsing:
            close = get_close_matches(args[0], self._shown, n=1)
            if close:
                ctx.fail(f"No such command {args[0]!r}. Did you mean {close[0]!r}?")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order a newcomer meets them."""
        return list(self._shown)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command."""
        return self.entries[cmd_name].load() if cmd_name in self.entries else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self._shown.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without importing any, or of an option."""
        from click.shell_completion import CompletionItem

        return [
            *(
                CompletionItem(name, help=entry.help)
                for name, entry in self._shown.items()
                if name.startswith(incomplete)
            ),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]


@dataclass(frozen=True, slots=True)
class Chooser:
    """Chooses another command by the arguments.

    Attributes:
        places: places of the other commands by the words that select them, ``--kind tkg``.
        choose: maps arguments to the place of the requested command and its arguments, or to None.
    """

    places: Mapping[str, Place]
    choose: Callable[[list[str]], tuple[Place, list[str]] | None]

    def __call__(self, args: list[str]) -> tuple[Place, list[str]] | None:
        """Choose."""
        return self.choose(args)


class DelegatingCommand(click.Command):
    """A command that delegates to another command for certain arguments.

    Args:
        chooser: chooses the other command; returns None to run this one.
    """

    def __init__(self, *arguments: Any, chooser: Chooser, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments, **settings)
        self.chooser = chooser

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401
    ) -> click.Context:
        """Parse the arguments, or let the other command parse them."""
        chosen = self.chooser(args)
        if chosen is None:
            return super().make_context(info_name, args, parent, **extra)
        place, rest = chosen
        return load_command(place).make_context(info_name, rest, parent, **extra)


def values_of(option: str, args: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each value of ``--kind tkg`` or ``--kind=tkg``, with the other arguments."""
    for index, word in enumerate(args):
        name, glued, value = word.partition("=")
        if name == option:
            if not glued:
                value = args[index + 1] if index + 1 < len(args) else ""
            yield value, args[:index] + args[index + (1 if glued else 2) :]


def by_value(option: str, places: Mapping[str, Place]) -> Chooser:
    """Choose by an option's value, and remove the option."""

    def choose(args: list[str]) -> tuple[Place, list[str]] | None:
        for value, others in values_of(option, args):
            if value in places:
                return places[value], others
        return None

    return Chooser({f"{option} {value}": place for value, place in places.items()}, choose)


def by_presence(places: Mapping[str, Place]) -> Chooser:
    """Choose by the first option of ``places`` that is present."""

    def choose(args: list[str]) -> tuple[Place, list[str]] | None:
        given = {word.partition("=")[0] for word in args}
        for option, place in places.items():
            if option in given:
                return place, args
        return None

    return Chooser(places, choose)
