"""The HTML report of a data set of questions."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

from generators.questions.settings import Settings
from generators.questions.statistics import Outcome
from grammar.question import QuestionKind
from solver.questions.two_hop import TwoHopRule
from solver.report.plot import plot
from solver.report.sheet import Section, Sheet, Table, write_sheet

REPORT = "report.html"
SHOWN = 20
_COLOURS = ("#4878a8", "#e49444", "#6a9f58", "#a87c9f")


def write_report(folder: Path, outcome: Outcome, settings: Settings) -> Path:
    """Write the page, and give its path.

    Raises:
        OutputError: it cannot be written.
    """
    graph, made = outcome.graph, outcome.made
    total = sum(outcome.tally.counts.values())
    used = sum(rule.use for rule in made.two_hop or ())
    sheet = Sheet(
        title="Questions over a temporal knowledge graph",
        lead=f"{total:,} questions about {len(graph.facts):,} facts of {graph.name}; only facts "
        "before the query time may be used to answer.",
        facts={
            "seed": str(settings.seed),
            "2-hop rules": f"{used:,} used of {len(made.two_hop or ()):,}",
            "questions of a 2-hop rule and split": f"{settings.cap:,}" if settings.cap else "all",
            "rules of one fact": f"{len(made.rules) if made.rules is not None else 0:,}",
        },
        sections=_sections(outcome),
    )
    return write_sheet(folder / REPORT, sheet)


def _sections(outcome: Outcome) -> tuple[Section, ...]:
    reasons = Table(columns=("kind", "split", "reason", "number"), rows=outcome.reasons())
    sections = [
        Section(title="Questions", table=Table(columns=outcome.columns(), rows=outcome.table())),
        Section(title="Questions by time", plots=(_times(outcome),)),
        Section(title="Most queried relations", table=_relations(outcome)),
    ]
    if outcome.made.two_hop:
        sections.append(Section(title="2-hop rules", table=_rules(outcome.made.two_hop)))
    return (*sections, Section(title="Left out", table=reasons))


def _times(outcome: Outcome) -> str:
    """Plot the questions of each kind by time, on a logarithmic scale: some kinds have few."""
    days = outcome.tally.days
    kinds = [kind for kind in QuestionKind if outcome.tally.total(kind)]
    places = range(len(days))
    with plot(width=8.0, height=3.2, legend=True) as drawn:
        axes = drawn.axes[0]
        for kind, colour in zip(QuestionKind, _COLOURS, strict=True):
            if kind in kinds:
                # A logarithmic scale has no place for a time without questions.
                counts = [one[kind] or math.nan for one in days.values()]
                # Markers, as an isolated time has no line to it.
                axes.plot(places, counts, ".-", ms=2.5, lw=0.9, color=colour, label=kind.value)
        begins = _begins(outcome)
        for begin in begins[1:]:
            axes.axvline(begin - 0.5, color="0.7", linewidth=0.8)
        axes.set_yscale("log")
        axes.set(xlabel=f"times from {next(iter(days), '')}, splits marked", ylabel="questions")
    return drawn.svg


def _begins(outcome: Outcome) -> list[int]:
    """Where each split begins among the times that have questions."""
    names, graph = list(outcome.tally.days), outcome.graph
    first = [
        graph.vocabulary.time(int(facts.time[0])) for facts in graph.asked.values() if len(facts)
    ]
    return [names.index(name) for name in first if name in outcome.tally.days]


def _relations(outcome: Outcome) -> Table:
    kinds = [kind for kind in QuestionKind if outcome.tally.total(kind)]

    def cells(counts: Counter[QuestionKind]) -> tuple[str, ...]:
        return tuple(f"{counts[kind]:,}" for kind in kinds)

    rows = tuple((name, *cells(counts)) for name, counts in outcome.tally.relations()[:SHOWN])
    return Table(columns=("relation", *kinds), rows=rows)


def _rules(rules: tuple[TwoHopRule, ...]) -> Table:
    rows = tuple(
        (
            rule.given.relation,
            rule.given.shared.value,
            rule.asked.relation,
            rule.asked.shared.value,
            f"{rule.rule_support:,}",
            f"{rule.confidence:.3f}",
            "yes" if rule.use else "no",
        )
        for rule in rules[:SHOWN]
    )
    columns = ("given", "party is", "asked", "party is", "support", "confidence", "used")
    return Table(columns=columns, rows=rows)
