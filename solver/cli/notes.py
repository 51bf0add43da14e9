"""Notes on stderr about what a command leaves out where a library is not installed."""

from __future__ import annotations

import click

from solver.extras import available, distribution, install_hint


def note_skipped(what: str, *modules: str) -> None:
    """Print a note if a module is missing: ``what`` is left out, and this extra installs it."""
    missing = [name for name in modules if not available(name)]
    if missing:
        name = distribution(missing[0])
        click.echo(f"note: {what} without {name} ({install_hint(missing[0])})", err=True)
