"""Terminal output of ``verify``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from grammar.errors import printable
from grammar.eventhop.model import Label
from solver.eventhop.outcomes import FindingCode, Outcome
from solver.eventhop.records import Record
from solver.io.sources import counted
from solver.io.terminal import SafeConsole


def show_run(figures: Mapping[str, Any], flawed: Sequence[Outcome]) -> None:
    """Print the summary of a run and some flawed items with their certificates."""
    console = SafeConsole()
    _head(console, figures)
    if figures["confusion"]:
        console.print(_confusion(figures["confusion"]))
    _declared(console, figures["declared"])
    _causes(console, figures["causes"])
    for outcome in flawed:
        _flaw(console, outcome)
    _verdict(console, figures, len(flawed))


_FILES = 8
"""Maximum number of files that are named: a data set may have many shards."""


def _head(console: SafeConsole, figures: Mapping[str, Any]) -> None:
    engines, files = " = ".join(figures["engines"]), figures["files"]
    more = f" and {len(files) - _FILES:,} more" if len(files) > _FILES else ""
    console.print(
        Text.assemble(
            (", ".join(files[:_FILES]) + more, "bold"),
            f": {counted(figures['items'], 'item')}, policy {figures['policy']}, "
            f"engines {engines}, {figures['items_per_second']:,.0f} items/s",
        )
    )


def _confusion(confusion: Mapping[str, Mapping[str, int]]) -> Table:
    table = Table()
    table.add_column("gold \\ decided")
    for label in Label:
        table.add_column(label, justify="right")
    for gold, counts in confusion.items():
        table.add_row(printable(gold), *(f"{counts.get(label, 0):,}" for label in Label))
    return table


def _declared(console: SafeConsole, declared: Mapping[str, Mapping[str, int]]) -> None:
    for name, found in declared.items():
        counts = ", ".join(f"{count:,} {state}" for state, count in found.items())
        console.print(f"premises declared {name}: {counts}")


def _causes(console: SafeConsole, causes: Mapping[str, int]) -> None:
    if not causes:
        return
    table = Table()
    table.add_column("cause of wrong labels")
    table.add_column("items", justify="right")
    for cause, count in causes.items():
        table.add_row(cause.replace("+", " + "), f"{count:,}")
    console.print(table)


def _flaw(console: SafeConsole, outcome: Outcome) -> None:
    from solver.eventhop.certificates.expand import evidence
    from solver.eventhop.messages import in_words, status_in_words

    record, item, verdict = outcome.record, outcome.item, outcome.verdict
    if not isinstance(record, Record) or item is None or verdict is None:
        return
    console.print()
    console.print(
        Text.assemble(
            (f"item {printable(record.id)}", "bold"),
            f" ({record.place.at()}): ",
            ", ".join(outcome.findings),
        )
    )
    lines = [f"claim: {record.claim}"]
    if FindingCode.WRONG_LABEL in outcome.findings:
        lines.append(f"gold {record.gold}, decided {verdict.label}: {status_in_words(verdict)}")
    if outcome.causes:
        lines.append(f"cause: {' + '.join(outcome.causes)}")
    if FindingCode.WRONG_CONSISTENCY in outcome.findings:
        state = "consistent" if verdict.consistent else "contradictory"
        lines.append(f"the premise is {state}, declared otherwise")
    if FindingCode.WRONG_HOPS in outcome.findings:
        lines.append(f"declared hops {record.hops}, found {outcome.hops}")
    if outcome.certificate is not None:
        lines += in_words(item, verdict, evidence(item, verdict, outcome.certificate))
    for line in lines:
        console.print(Text(f"  {printable(line)}"), soft_wrap=True)


def _verdict(console: SafeConsole, figures: Mapping[str, Any], shown: int) -> None:
    findings = figures["findings"]
    console.print()
    if not findings:
        result = "every item is as declared, and its certificate was checked"
        console.print(Text.assemble(("right: ", "bold green"), result))
        for folder in figures["datasets"]:
            result = "files, counts and overlaps match its manifest"
            console.print(Text.assemble(("right: ", "bold green"), f"{folder}: {result}"))
        return
    for one in figures["problems"]:
        line = Text.assemble(
            f"{one['where']}: ", (one["flaw"], "bold"), f": {printable(one['message'])}"
        )
        console.print(line, soft_wrap=True)
    counts = ", ".join(f"{count:,} {finding}" for finding, count in findings.items())
    console.print(Text.assemble(("flawed: ", "bold red"), counts))
    if shown:
        console.print("--report DIR shows all of them, explain PATH --id N any one", style="dim")
