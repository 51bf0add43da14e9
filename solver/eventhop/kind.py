"""The declaration of ``eventhop``: items about the order of events, with labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.verification.kinds import Checker, KindDeclaration, SelfTest, Signs

if TYPE_CHECKING:
    import click

    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.verify import ItemVerifier
    from solver.verification.report import Codes


def _verifier() -> type[ItemVerifier]:
    from solver.eventhop.verify import ItemVerifier

    return ItemVerifier


def _codes() -> Codes:
    from solver.eventhop.outcomes import CODES

    return CODES


def _settings() -> type[ItemSettings]:
    from solver.eventhop.engines import ItemSettings

    return ItemSettings


def _checker() -> Checker:
    from solver.eventhop import check

    return check


def _verify() -> click.Command:
    from solver.eventhop.cli.verify import command

    return command


def _explain() -> click.Command:
    from solver.eventhop.cli.explain import command

    return command


def _parse() -> click.Command:
    from solver.eventhop.cli.parse import command

    return command


def _realise() -> click.Command:
    from solver.eventhop.cli.realise import command

    return command


def _self_test() -> Sequence[SelfTest]:
    from solver.eventhop.self_test import self_test

    return self_test()


def _is_published_row(line: str) -> bool:
    """Whether a line has the ten columns of the published files."""
    cells = line.split("\t")
    return len(cells) == 10 and cells[1].strip().lower() in ("possible", "impossible")


KIND = KindDeclaration(
    name="eventhop",
    noun="items",
    signs=Signs(
        fields=frozenset({"premise"}),
        without=frozenset({"steps"}),
        row=_is_published_row,
        otherwise=True,
    ),
    verifier=_verifier,
    settings=_settings,
    codes=_codes,
    verify=_verify,
    explain={"": _explain},
    parse=_parse,
    realise=_realise,
    checker=_checker,
    certificates=("items.jsonl", "items-*.jsonl"),
    quotes=True,
    self_test=_self_test,
)
