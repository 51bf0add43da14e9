"""``generate calendar | positions | assignments``: problems with proved answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generators.problems.model import LEVELS
from generators.problems.run import families as known_families
from solver.cli.options import (
    CommaSeparated,
    WholeNumbers,
    as_json,
    jobs,
    number_option,
    on_cluster,
    out_folder,
    probes,
    seed,
)
from solver.probes.probe import ProbeLevel

if TYPE_CHECKING:
    from generators.problems.run import Outcome

_ABOUT = {
    "calendar": """\
Generate questions about the calendar: dates, weekdays, ages, meetings, clocks in other places.

Each is read back from its text, decided by ASP and z3, and computed by a third program. Probes rank
the options from words.
""",
    "positions": """\
Generate stories about positions: where a thing is, seen from another, after steps on a grid.

Each is read back from its sentences, and decided by ASP and z3. Probes rank the answers from words.
""",
    "assignments": """\
Generate puzzles: people in a row with some characteristics, clues, and the question for a position.

Each is read back from its text, and decided by ASP and z3. Probes rank the positions from words.
""",
}


def _command(kind: str) -> click.Command:
    known = known_families(kind)
    examples = f"""
\b
Examples:
  python -m solver generate {kind} --test 1000 --out data/{kind}
  python -m solver generate {kind} --train 5000 --test 500 --level 3,4 --out data/{kind}
  python -m solver generate {kind} --test 40 --families {known[0]} --out data/small
"""

    @click.command(kind, help=_ABOUT[kind] + examples)
    @number_option("--train", default=0, low=0, help="Number of train problems.")
    @number_option("--test", default=1_000, low=0, help="Number of test problems.")
    @click.option(
        "--level",
        "levels",
        type=WholeNumbers(LEVELS[0], LEVELS[-1]),
        default=",".join(map(str, LEVELS)),
        show_default=True,
        metavar="LEVELS",
        help="Comma-separated difficulties: sentences that the answer needs, and others.",
    )
    @click.option(
        "--families",
        type=CommaSeparated(known),
        default="all",
        show_default=True,
        metavar="FAMILIES",
        help=f"What is asked, of {', '.join(known)}.",
    )
    @seed
    @probes
    @jobs
    @on_cluster
    @out_folder()
    @as_json
    def command(
        *,
        probes: ProbeLevel,
        jobs: int,
        out: Path,
        as_json: bool,
        **given: Any,  # noqa: ANN401 - the fields of the settings
    ) -> None:
        from generators.problems.run import ProblemSettings, generate
        from solver.cli.printing import note_skipped, print_json, progress

        settings = ProblemSettings(kind=kind, **given)
        if not settings.sizes:
            message = "found no problems to generate, expected --train or --test above 0."
            raise click.UsageError(message)
        if probes is not ProbeLevel.NONE:
            note_skipped("probes are not run", "sklearn")
        with progress("problems", sum(settings.sizes.values())) as advance:
            outcome = generate(settings, out, probes=probes, jobs=jobs, progress=advance)
        if as_json:
            print_json({"out": out.name, "seed": settings.seed} | outcome.as_json())
        else:
            _show(outcome, out)

    return command


def _show(outcome: Outcome, out: Path) -> None:
    from generators.problems.run import TARGET

    for cell, count in sorted(outcome.counts.items()):
        click.echo(f"{cell}: {count:,}")
    for level, row in sorted(outcome.reasoners.items()):
        shares = ", ".join(f"{steps} {share:.2f}" for steps, share in row.items())
        click.echo(f"level {level}, reasoners that combine: {shares}")
    for split, results in outcome.probes.items():
        for result in results:
            click.echo(
                f"probe of {split} on {result.name} ({result.learner}): "
                f"AUC {result.auc:.3f}, at most {TARGET:.2f} is wanted"
            )
    click.echo(f"made: {out}")


calendar = _command("calendar")
positions = _command("positions")
assignments = _command("assignments")
