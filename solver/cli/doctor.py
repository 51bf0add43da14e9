"""``doctor``: checks the installation."""

from __future__ import annotations

import click

from solver.cli.options import as_json
from solver.errors import ExitStatus


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
    from solver.selftest import self_test

    checks = self_test()
    if as_json:
        import msgspec

        found = {
            "versions": versions(),
            "engines": {check.engine: check.trouble or "works" for check in checks},
        }
        encoded = msgspec.json.encode(found, order="sorted")
        click.echo(msgspec.json.format(encoded, indent=2))
    else:
        for name, version in versions().items():
            click.echo(f"{name:<12} {version}")
        for check in checks:
            click.echo(f"{'engine ' + check.engine:<18} {check.trouble or 'works'}")
    ctx.exit(ExitStatus.DISAGREEMENT if any(check.trouble for check in checks) else ExitStatus.OK)
