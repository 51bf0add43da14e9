"""Terminal output of ``verify``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from grammar.errors import printable
from solver.eventhop.outcomes import NOTES, FindingCode, Outcome, message_of
from solver.eventhop.records import DECLARED, Record, label_words, meaning
from solver.eventhop.tally import Premise, Tally
from solver.io.sources import counted
from solver.io.terminal import SafeConsole, print_last
from solver.verification.report import agreeing

if TYPE_CHECKING:
    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.report import ItemReport


def show_run(report: ItemReport, shown: int) -> None:
    """Print the summary of a run and some flawed items with their certificates."""
    console, tally = SafeConsole(), report.tally
    _head(console, report)
    if not tally.confusion and tally.items > tally.unparsed:
        console.print("no labels: consistency and texts only")
    if tally.confusion:
        console.print(_labels(tally, report.settings))
    if tally.declared:
        console.print(_premises(tally))
    _causes(console, tally.shown_causes())
    flawed = [outcome for outcome in report.flawed if outcome.item is not None][:shown]
    for outcome in flawed:
        _flaw(console, outcome)
    _verdict(console, report, len(flawed))
    if report.scope:
        print_last(console, printable(report.scope))


_FILES = 8
"""Maximum number of files that are named: a data set may have many shards."""


def _head(console: SafeConsole, report: ItemReport) -> None:
    files = report.files
    more = f" and {len(files) - _FILES:,} more" if len(files) > _FILES else ""
    decided = report.tally.items > report.tally.unparsed or not report.rows
    engines = agreeing(report.engines) if decided else "none could be read"
    console.print(
        Text.assemble(
            (", ".join(files[:_FILES]) + more, "bold"),
            f": {counted(report.rows, 'item')}, policy {report.settings.policy}, "
            f"{engines}{_compiled(report)}",
        )
    )


def _compiled(report: ItemReport) -> str:
    if not report.settings.proved:
        return ""
    from solver.eventhop.certificates.proved import name

    read = f"{report.tally.proved_reader:,} of the texts read by the proved reader too"
    return f", certificates accepted by check.py and the proved checker ({name()}), {read}"


def _labels(tally: Tally, settings: ItemSettings) -> Table:
    known = label_words(settings.labels)
    table = _table("gold label", [f"decided {label}" for label in known])
    meanings = {gold: meaning(gold, settings.labels) for gold, _ in tally.confusion}
    for gold in sorted(meanings, key=lambda gold: (known.index(meanings[gold]), gold)):
        note = "" if gold.lower() == meanings[gold].lower() else f" ({meanings[gold]})"
        counts = (tally.confusion[gold, label] for label in known)
        table.add_row(f"{printable(gold)}{note}", *(f"{count:,}" for count in counts))
    return table


def _premises(tally: Tally) -> Table:
    table = _table("premise declared", list(Premise))
    for possible, name in DECLARED.items():
        counts = [tally.declared[possible, found] for found in Premise]
        if any(counts):
            table.add_row(name, *(f"{count:,}" for count in counts))
    return table


def _table(first: str, columns: Sequence[str]) -> Table:
    table = Table()
    table.add_column(first)
    for name in columns:
        table.add_column(name, justify="right")
    return table


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
    from solver.eventhop.messages import in_words

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
    for code in outcome.findings:
        if code is not FindingCode.SELF_CLAIM:
            lines.append(message_of(code, outcome))
        if code is FindingCode.WRONG_LABEL and outcome.causes:
            lines.append(f"cause: {' + '.join(outcome.causes)}")
    if outcome.certificate is not None:
        lines += in_words(item, verdict, evidence(item, verdict, outcome.certificate))
    for line in lines:
        console.print(Text(f"  {printable(line)}"), soft_wrap=True)


def _verdict(console: SafeConsole, report: ItemReport, shown: int) -> None:
    findings = report.findings.counts()
    console.print()
    for note, count in report.tally.notes.items():
        single, several, rest = NOTES[note]
        text = f"note: {count:,} {note}: the {single if count == 1 else several} {rest}"
        console.print(text, soft_wrap=True)
    if not findings:
        console.print(Text.assemble(("right: ", "bold green"), report.passed))
        for folder in report.metrics["datasets"]:
            result = "files, counts and overlaps match its manifest"
            console.print(Text.assemble(("right: ", "bold green"), f"{folder}: {result}"))
        return
    for problem in report.problems:
        line = Text.assemble(
            f"{problem.where}: ", (problem.flaw.value, "bold"), f": {printable(problem.message)}"
        )
        console.print(line, soft_wrap=True)
    counts = ", ".join(f"{count:,} {finding}" for finding, count in findings.items())
    console.print(Text.assemble(("flawed: ", "bold red"), counts))
    if shown:
        console.print("--report DIR shows all of them, explain PATH --id N any one", style="dim")
