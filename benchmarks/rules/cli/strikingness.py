"""``strikingness``: weights of the events of a split; ``explain --event``: those of one event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.rules.strikingness.settings import (
    PROFILES,
    Deviation,
    Profile,
    Settings,
    Shares,
)
from solver.cli.options import (
    as_json,
    graph,
    number_option,
    out_file,
    read_graph,
    report,
    split,
    svg,
)
from solver.cli.printing import print_explanation
from solver.cli.settings import setting_options
from solver.rules.cli.options import (
    allow_leak,
    print_provenance,
    rules_file,
)
from solver.verification.settings import setting

if TYPE_CHECKING:
    from benchmarks.rules.strikingness.report import StrikingnessRun
    from solver.graph.model import Split


_SHOWN = 5


def _switches(given: Sequence[str]) -> tuple[tuple[Deviation, Profile], ...]:
    """The profile of each ``NAME=paper`` or ``NAME=released``."""
    found = []
    for text in given:
        name, _, reading = text.partition("=")
        if name not in set(Deviation):
            raise ValueError(f"{text!r} is not a switch, expected {', '.join(Deviation)}.")
        if reading not in set(Profile):
            raise ValueError(f"{text!r} is not {name}=paper or {name}=released.")
        found.append((Deviation(name), Profile(reading)))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikingnessOptions:
    """How strikingness is computed, as on the command line."""

    profile: Profile = setting(
        Profile.RELEASED,
        "Definition of strikingness: as in the released program, or as in the paper.",
    )
    switches: tuple[tuple[Deviation, Profile], ...] = setting(
        (),
        f"Set one deviation of the profile: {', '.join(Deviation)}.",
        name="switch",
        repeated=True,
        metavar="NAME=paper|released",
        convert=_switches,
    )
    alpha: tuple[float, float, float] = setting(
        (0.4, 0.4, 0.2),
        "Weights of the subject, object and relation components; they sum to 1.",
        number=3,
        metavar="S O R",
    )
    rate: float = setting(
        0.1,
        "Decay rate of recency: exp(-lambda * time).",
        name="lambda",
        least=0,
        most=1000,
    )
    window: int = setting(
        200, "Length of the evidence window, in snapshots (released) or time steps (paper)."
    )
    min_confidence: float = setting(0.01, "Minimum confidence of a rule.", least=0, most=1)
    min_body_support: int | None = setting(
        None, "Minimum body support of a rule; by default 2 (released) or 0 (paper).", low=0
    )

    def settings(self) -> Settings:
        """The settings of the profile with these changes.

        Raises:
            SettingsError: a value is out of range.
        """
        base = PROFILES[self.profile]
        deviations = set(base.deviations)
        for deviation, reading in self.switches:
            released = reading is Profile.RELEASED
            (deviations.add if released else deviations.discard)(deviation)
        subject, target, relation = self.alpha
        support = self.min_body_support
        return replace(
            base,
            deviations=frozenset(deviations),
            shares=Shares(subject=subject, object=target, relation=relation),
            decay=self.rate,
            window=self.window,
            confidence=self.min_confidence,
            body_support=base.body_support if support is None else support,
        )


measuring = setting_options("measuring", StrikingnessOptions)


@click.command()
@click.argument("data", type=click.Path(path_type=Path), metavar="PATH")
@rules_file
@split
@measuring
@out_file("Output file for weights, `s r o t sk`; compressed if it ends in .gz.")
@click.option("--components", is_flag=True, help="Add the three components, with a header line.")
@click.option("--ablate", is_flag=True, help="Report the effect of each switch.")
@allow_leak
@report
@as_json
def command(
    *,
    data: Path,
    rules: Path,
    split: Split,
    measuring: StrikingnessOptions,
    out: Path | None,
    components: bool,
    ablate: bool,
    allow_leak: bool,
    report: Path | None,
    as_json: bool,
) -> None:
    """Measure the strikingness of the facts of a split from rules and earlier facts (RSMF).

    PATH is a graph: train.txt, valid.txt, test.txt, entity2id.json and so on. A fact is striking
    if facts that differ from it in one element are more expected.

    \b
    Examples:
      python -m solver mine examples/tkg --lengths 1 --out rules.json
      python -m solver strikingness examples/tkg --rules rules.json --out strikingness.txt
      python -m solver strikingness examples/tkg --rules rules.json --profile paper \\
        --switch squared=released --report reports/strikingness
    """  # noqa: D301 - click reads the backslash
    if components and out is None:
        raise click.UsageError("--components needs --out.")
    config = asdict(measuring) | {
        "split": split.value,
        "components": components,
        "ablate": ablate,
        "report": report,
    }
    from benchmarks.rules.scoring import measure_strikingness
    from benchmarks.rules.strikingness.report import write
    from solver.cli.printing import finish_run, progress
    from solver.rules.io import read_rules

    dataset = read_graph(data)
    table = read_rules(rules, relations=dataset.vocabulary.relations)
    print_provenance(rules, table.seen, dataset, split, allow_leak=allow_leak)
    run = measure_strikingness(
        dataset,
        table,
        split,
        measuring.settings(),
        ablations=ablate or report is not None,
        allow_leak=allow_leak,
        config=config,
        inputs=(str(rules),),
        progress=progress,
    )
    if out is not None:
        from benchmarks.rules.strikingness.measure import write_strikingness

        write_strikingness(out, run.found, seen=run.seen, components=components)
        click.echo(f"written: {out}", err=True)
    finish_run(run, as_json=as_json, show=partial(_show, run), report=report, write=write)


def _show(run: StrikingnessRun) -> None:
    from benchmarks.rules.strikingness.report import (
        ablation_table,
        events_table,
        headline,
        means_table,
    )
    from solver.io.terminal import print_table, wide_console

    found = run.found
    wide_console().print(
        f"{run.dataset.name}, {run.split}: {len(found):,} events by {run.rules:,} rules, "
        f"profile {found.settings.name}",
        soft_wrap=True,
    )
    print_table(means_table(found), "components")
    most, least = run.extremes(_SHOWN)
    print_table(events_table(run, most), "most striking", left=("event",))
    print_table(events_table(run, least), "least striking", left=("event",))
    if run.changes:
        print_table(ablation_table(run.changes), "switches", left=("meaning", "to"))
    wide_console().print(headline(found), soft_wrap=True)


@click.command()
@click.option("--event", nargs=4, required=True, metavar="S R O T", help="Fact, as names or ids.")
@rules_file
@graph()
@measuring
@number_option("--peers", default=5, help="Number of peers to show per element.")
@number_option("--reasons", default=2, low=0, help="Number of rules to show per peer.")
@svg
@as_json
def explain(
    *,
    event: tuple[str, str, str, str],
    rules: Path,
    graph: Path,
    measuring: StrikingnessOptions,
    peers: int,
    reasons: int,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Explain the strikingness of an event by its peers, their expectations and their rules.

    Peers differ from the event in its object, its subject or its relation. Peers and groundings are
    found by joins and confirmed by clingo. The event may be missing from the graph.

    \b
    Examples:
      python -m solver explain --event Belmora visits Dunmarch 2031-05-10 --rules rules.json \\
        --data examples/tkg
      python -m solver explain --event 2 2 5 70 --rules rules.json --data examples/tkg --svg e.svg
    """  # noqa: D301 - click reads the backslash
    from benchmarks.rules.strikingness.explanations import explain_event
    from solver.rules.io import read_rules

    settings = measuring.settings()
    dataset = read_graph(graph)
    table = read_rules(rules, relations=dataset.vocabulary.relations)
    explanation = explain_event(dataset, table, event, settings, peers=peers, reasons=reasons)
    print_explanation(explanation, drawing=drawing, as_json=as_json)
