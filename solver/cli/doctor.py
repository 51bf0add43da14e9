"""``doctor``: checks the installation."""

from __future__ import annotations

import click

from grammar.errors import ExitStatus
from solver.cli.options import as_json
from solver.verification.kinds import built_in


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

    checks = [check for kind in built_in().values() if kind.self_test for check in kind.self_test()]
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
