"""A command delegates to another one depending on its arguments."""

from __future__ import annotations

import sys
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from solver import NAMESPACE
from solver.cli.program import DelegatingCommand, Entry, LazyGroup, by_presence, by_value


def other_command(name: str) -> ModuleType:
    """A module with a command that prints what it was given."""
    module = ModuleType(name)

    @click.command()
    @click.argument("words", nargs=-1)
    @click.option("--special")
    def command(words: tuple[str, ...], special: str | None) -> None:
        click.echo(f"{name}: {' '.join(words)} {special}")

    module.command = command  # type: ignore[attr-defined]
    return module


@pytest.fixture(autouse=True)
def others(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("graph_command", "text_command"):
        monkeypatch.setitem(sys.modules, NAMESPACE + name, other_command(name))


MODULES = {"graph": "graph_command", "text": "text_command"}


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["a", "b"], None),
        (["--kind", "graph", "a"], ("graph_command", ["a"])),
        (["a", "--kind=text", "b"], ("text_command", ["a", "b"])),
        (["a", "--kind", "other"], None),
        (["a", "--kind"], None),
        (["--kind", "other", "--kind", "text"], ("text_command", ["--kind", "other"])),
        (["kind", "graph"], None),
        ([], None),
    ],
)
def test_by_the_value_of_an_option(args: list[str], expected: tuple[str, list[str]] | None) -> None:
    before = list(args)
    assert by_value("--kind", MODULES)(args) == expected
    assert args == before


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["a", "--id", "3"], None),
        (["--graph", "g"], "graph_command"),
        (["x", "--graph=g"], "graph_command"),
        (["--text", "t", "--graph", "g"], "graph_command"),
        (["--graphs", "g"], None),
    ],
)
def test_by_an_option_that_is_present(args: list[str], expected: str | None) -> None:
    modules = {f"--{name}": module for name, module in MODULES.items()}
    chosen = by_presence(modules)(args)
    assert chosen == (None if expected is None else (expected, args))


GROUP = {
    "graph": Entry("graph_command", "About graphs."),
    "text": Entry("text_command:command", "About texts."),
}


@pytest.mark.parametrize(
    ("args", "printed"),
    [
        (["graph", "a", "--special", "s"], "graph_command: a s\n"),
        (["text", "a"], "text_command: a None\n"),
        (["a", "--special", "s"], "text_command: a s\n"),
        (["--special", "s", "graph"], "text_command: graph s\n"),
    ],
)
def test_a_group_runs_the_named_or_the_default_command(args: list[str], printed: str) -> None:
    group = LazyGroup("group", entries=GROUP, default="text")
    ran = CliRunner().invoke(group, args)
    assert (ran.exit_code, ran.output) == (0, printed)


@pytest.mark.parametrize("args", [["a"], []])
def test_a_group_without_default_requires_a_command(args: list[str]) -> None:
    ran = CliRunner().invoke(LazyGroup("group", entries=GROUP), args)
    assert ran.exit_code == 2


def test_help_of_a_group_imports_no_command() -> None:
    entries = {"missing": Entry("no_such_module", "About nothing.")}
    ran = CliRunner().invoke(LazyGroup("group", entries=entries, default="missing"), ["--help"])
    assert ran.exit_code == 0
    assert "missing  About nothing." in ran.output


@click.group()
def program() -> None:
    """Group of the commands, like the command line."""


@program.command(cls=DelegatingCommand, chooser=by_value("--kind", MODULES))
@click.argument("paths", nargs=-1)
@click.option("--kind", default="plain")
def checks(paths: tuple[str, ...], kind: str) -> None:
    """Check."""
    click.echo(f"itself: {' '.join(paths)} {kind}")


@pytest.mark.parametrize(
    ("args", "printed"),
    [
        (["a", "b"], "itself: a b plain\n"),
        (["a", "--kind", "plain"], "itself: a plain\n"),
        (["a", "--kind", "graph", "--special", "s"], "graph_command: a s\n"),
    ],
)
def test_the_chosen_command_runs(args: list[str], printed: str) -> None:
    ran = CliRunner().invoke(program, ["checks", *args])
    assert (ran.exit_code, ran.output) == (0, printed)


def test_the_other_command_rejects_unknown_options() -> None:
    ran = CliRunner().invoke(program, ["checks", "--kind", "text", "--unheard-of"])
    assert ran.exit_code == 2
    assert "--unheard-of" in ran.output
