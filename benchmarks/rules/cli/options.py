"""Shared options of the commands that compute strikingness."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from solver.rules.cli.options import fading, min_confidence

if TYPE_CHECKING:
    from benchmarks.rules.strikingness.settings import Settings

Decorated = Callable[..., Any]

PROFILES = ("released", "paper")
SWITCHES = ("squared", "missing", "one-way", "ruleless", "strict", "own-peers")


class Switch(click.ParamType[tuple[str, str]]):
    """``NAME=paper`` or ``NAME=released``."""

    name = "name=reading"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Parse the switch and the profile it is set to."""
        if isinstance(value, tuple):
            return value
        name, _, reading = str(value).partition("=")
        if name not in SWITCHES:
            self.fail(f"{value!r} is not a switch, expected {', '.join(SWITCHES)}.", param, ctx)
        if reading not in PROFILES:
            self.fail(f"{value!r} is not {name}=paper or {name}=released.", param, ctx)
        return name, reading


_SETTINGS = (
    click.option(
        "--profile",
        type=click.Choice(PROFILES),
        default="released",
        show_default=True,
        help="Definition of strikingness: as in the released program, or as in the paper.",
    ),
    click.option(
        "--switch",
        "switches",
        type=Switch(),
        multiple=True,
        metavar="NAME=paper|released",
        help=f"Set one deviation of the profile: {', '.join(SWITCHES)}.",
    ),
    click.option(
        "--alpha",
        type=float,
        nargs=3,
        default=(0.4, 0.4, 0.2),
        show_default=True,
        metavar="S O R",
        help="Weights of the subject, object and relation components; they sum to 1.",
    ),
    fading,
    click.option(
        "--window",
        type=int,
        default=200,
        show_default=True,
        help="Length of the evidence window, in snapshots (released) or time steps (paper).",
    ),
    min_confidence,
    click.option(
        "--min-body-support",
        type=click.IntRange(0),
        help="Minimum body support of a rule; by default 2 (released) or 0 (paper).",
    ),
)


def measuring(command: Decorated) -> Decorated:
    """Add the options that control how strikingness is computed; ``settings_of`` reads them."""
    for option in reversed(_SETTINGS):
        command = option(command)
    return command


def settings_of(options: dict[str, Any]) -> Settings:
    """The settings given by the options.

    Raises:
        SettingsError: a value is out of range.
    """
    from dataclasses import replace

    from benchmarks.rules.strikingness.settings import PROFILES, Deviation, Profile, Shares

    base = PROFILES[Profile(options["profile"])]
    deviations = set(base.deviations)
    for name, reading in options["switches"]:
        one = Deviation(name)
        (deviations.add if Profile(reading) is Profile.RELEASED else deviations.discard)(one)
    subject, target, relation = options["alpha"]
    support = options["min_body_support"]
    return replace(
        base,
        deviations=frozenset(deviations),
        shares=Shares(subject=subject, object=target, relation=relation),
        decay=options["rate"],
        window=options["window"],
        confidence=options["min_confidence"],
        body_support=base.body_support if support is None else support,
    )
