"""Every option of every command means the same before and after the arguments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from solver.cli import cli
from solver.cli.program import DelegatingCommand, load_command
from solver.cli.verify import command_of
from solver.verification.kinds import built_in

EXAMPLES = Path(__file__).parents[2] / "examples"
ANY = "examples/right.tsv"
"""As the value of an option, a path of one kind must not be taken for the argument."""

PATHS = {
    "eventhop": EXAMPLES / "right.tsv",
    "links": EXAMPLES / "links",
    "facts": EXAMPLES / "facts" / "right.tsv",
    "questions": EXAMPLES / "questions" / "flawed.jsonl",
}


def commands(
    command: click.Command = cli, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that select it, and those that it delegates to."""
    context = click.Context(cli)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, (*words, name))
        return
    yield words, command
    if isinstance(command, DelegatingCommand):
        for selecting, place in command.chooser.places.items():
            option, _, value = selecting.partition(" ")
            selected = (option, value) if value else ()
            yield (*words, *selected), load_command(place)


def written(option: click.Option) -> list[str]:
    """The option with its values."""
    values = [] if option.is_flag else [ANY] * option.nargs
    return [option.opts[0], *values]


def parsed(words: list[str]) -> tuple[list[str | None], dict[str, Any], list[str]]:
    """The parameters of the command that is chosen, and the words for each."""
    command: click.Command = cli
    rest = words
    context = click.Context(cli)
    while isinstance(command, click.Group):
        _, found, rest = command.resolve_command(context, rest)
        assert found is not None
        command = found
    while isinstance(command, DelegatingCommand) and (chosen := command.chooser(rest)):
        command, rest = load_command(chosen[0]), chosen[1]
    context = click.Context(command, help_option_names=["-h", "--help"])
    values, arguments, _ = command.make_parser(context).parse_args(list(rest))
    return [param.name for param in command.params], values, arguments


def others_of(command: click.Command, option: click.Option) -> list[str]:
    """The other options that the command requires; one of them may be what selects it."""
    options = (other for other in command.params if isinstance(other, click.Option))
    return [
        word
        for other in options
        if other.required and other is not option
        for word in written(other)
    ]


CASES = list(commands())


@pytest.mark.parametrize("case", range(len(CASES)))
def test_options_of_each_command(case: int) -> None:
    words, command = CASES[case]
    kind = words.index("--kind") if "--kind" in words else len(words)
    group, stated = [*words[:kind]], [*words[kind:]]
    if group[-1].startswith("--"):
        group.pop()
    for option in command.params:
        if isinstance(option, click.Option):
            others = others_of(command, option)
            before = parsed([*group, *written(option), *others, *stated, "one", "two"])
            after = parsed([*group, "one", "two", *stated, *others, *written(option)])
            assert before == after, (words, option.opts)
            assert before[0] == [param.name for param in command.params], (words, option.opts)
            assert option.name in before[1], (words, option.opts)


@pytest.mark.parametrize("kind", PATHS)
def test_options_of_verify_without_a_stated_kind(kind: str) -> None:
    command = command_of(built_in()[kind])
    path = str(PATHS[kind])
    for option in command.params:
        if isinstance(option, click.Option) and option.name != "kind":
            before = parsed(["verify", *written(option), path])
            after = parsed(["verify", path, *written(option)])
            assert before == after, option.opts
            assert before[0] == [*(param.name for param in command.params), "unsealed"], option.opts
