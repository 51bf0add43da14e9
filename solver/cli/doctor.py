"""``doctor``: checks the installation."""

from __future__ import annotations

from dataclasses import dataclass

import click

from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import Bound, Claim, ClaimRelation, Item, Order, Point, Relation, Status
from solver.cli.options import as_json
from solver.eventhop.certificates.lines import certificate_error
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName


@click.command()
@as_json
@click.pass_context
def command(ctx: click.Context, /, as_json: bool) -> None:
    """Show versions and test every engine on items with known labels.

    \b
    Example:
      python -m solver doctor
    """  # noqa: D301 - click reads the backslash
    from solver.manifest import versions

    checks = self_test()
    if as_json:
        from solver.cli.printing import print_json

        engines = {check.engine: check.trouble or "works" for check in checks}
        print_json({"versions": versions(), "engines": engines})
    else:
        for name, version in versions().items():
            click.echo(f"{name:<12} {version}")
        for check in checks:
            click.echo(f"{'engine ' + check.engine:<18} {check.trouble or 'works'}")
    ctx.exit(ExitStatus.DISAGREEMENT if any(check.trouble for check in checks) else ExitStatus.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Result for an engine; ``trouble`` is empty if it works."""

    engine: EngineName
    trouble: str


def self_test() -> list[Check]:
    """Run each engine on the known items and check the certificates."""
    return [Check(engine=name, trouble=_trouble(name)) for name in EngineName]


def _trouble(name: EngineName) -> str:
    try:
        verdicts = engine(name).decide(list(_KNOWN))
        for (item, status), verdict in zip(_KNOWN.items(), verdicts, strict=True):
            if verdict.status is not status:
                return f"found {verdict.status} for item {item.id}, expected {status}"
            certificate = certify(item, verdict)
            error = certificate_error(item, verdict, hops(certificate), certificate)
            if error is not None:
                return f"certificate of item {item.id} rejected: {error}"
    except (HopcheckError, ImportError) as failure:
        return f"fails: {failure}"
    return ""


def _item(name: str, claimed: ClaimRelation, *premise: str) -> Item:
    """An item about A and B; in ``A+<B-``, minus marks a start and plus an end."""
    return Item(
        id=name,
        premise=tuple(
            Relation(left=_point(text[:2]), order=_ORDERS[text[2]], right=_point(text[3:]))
            for text in premise
        ),
        claim=Claim(left="A", relation=claimed, right="B"),
    )


def _point(text: str) -> Point:
    return Point(event=text[0], bound=Bound.START if text[1] == "-" else Bound.END)


_ORDERS = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
_BEFORE, _OVERLAPS = ClaimRelation.BEFORE, ClaimRelation.OVERLAPS
_KNOWN = {
    _item("meeting", _BEFORE, "A+=C-", "C-=B-"): Status.ENTAILED,
    _item("nested", _OVERLAPS, "A-<B-", "A+>B+"): Status.ENTAILED,
    _item("apart", _OVERLAPS, "A+<B-"): Status.REFUTED,
    _item("open", _BEFORE, "A-<B-"): Status.UNKNOWN,
    _item("contradictory", _BEFORE, "A-=B-", "A-<B-"): Status.CONTRADICTORY,
    _item("contradictory elsewhere", _BEFORE, "C-<D-", "D-<C-", "A+<B-"): Status.ENTAILED,
}
