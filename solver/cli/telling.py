"""Terminal output of ``explain``."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from solver.drawing.blocks import TextTimeline, text_timelines
from solver.drawing.names import legible
from solver.drawing.scene import Role
from solver.explanation import Explanation
from solver.model import Certificate, Chain, Cycle, Status, Timelines
from solver.wording import claim_in_words, hops_in_words, sentence_in_words, status_in_words

MOST_SENTENCES = 60

_STATUS_STYLE = {
    Status.ENTAILED: "bold green",
    Status.REFUTED: "bold magenta",
    Status.UNKNOWN: "bold",
    Status.CONTRADICTORY: "bold red",
}
_ROLE_STYLE = {Role.LEFT: "bold cyan", Role.RIGHT: "bold yellow", Role.OTHER: ""}


def print_explanation(explanation: Explanation) -> None:
    """Print an explanation."""
    console = Console(highlight=False, soft_wrap=True)
    certificate = explanation.outcome.certificate
    _premise(console, explanation, certificate)
    _verdict(console, explanation)
    lines = (f"  {legible(line)}" for line in explanation.words)
    console.print(Text("\n".join(("", *lines, ""))))
    if certificate is not None:
        for timeline in text_timelines(explanation.item, explanation.verdict, certificate):
            _timeline(console, timeline)
    _feasible(console, explanation)


def _premise(console: Console, explanation: Explanation, certificate: Certificate | None) -> None:
    used = frozenset(_used(certificate))
    item = explanation.item
    console.print(Text(f"premise of item {legible(item.id)} ({item.domain})", style="bold"))
    if not item.premise:
        console.print(Text("      no sentence", style="dim"))
    shown = [
        index
        for index in range(len(item.premise))
        if len(item.premise) <= MOST_SENTENCES or index in used
    ]
    for index in shown:
        line = f"{index + 1:>4}. {legible(sentence_in_words(item.premise[index]))}"
        console.print(Text(line, style="" if index in used else "dim"))
    left_out = len(item.premise) - len(shown)
    if left_out:
        console.print(Text(f"      and {left_out:,} more that are not used", style="dim"))
    console.print(Text.assemble(("claim ", "bold"), legible(claim_in_words(item.claim))))


def _used(certificate: Certificate | None) -> Iterable[int]:
    match certificate:
        case Chain():
            walks = certificate.walks
        case Cycle():
            walks = (certificate.forward, certificate.backward)
        case Timelines() | None:
            walks = ()
    return (s.relation for walk in walks for s in walk if s.relation is not None)


def _verdict(console: Console, explanation: Explanation) -> None:
    verdict, outcome = explanation.verdict, explanation.outcome
    hops = hops_in_words(outcome.hops)
    style = _STATUS_STYLE[verdict.status]
    console.print(
        Text.assemble(
            "\n", (verdict.status.value, style), f": {status_in_words(verdict)}",
            f" ({hops})" if hops else "",
        )
    )  # fmt: skip
    state = "consistent" if verdict.consistent else "contradictory"
    console.print(
        Text.assemble("label ", (verdict.label.value, "bold"), f", the premise is {state}")
    )
    if explanation.record.gold is not None:
        right = explanation.gold is verdict.label
        cause = f" (cause: {' + '.join(outcome.causes)})" if outcome.causes else ""
        gold = f"gold label {explanation.record.gold}: {'correct' if right else 'wrong'}{cause}"
        console.print(Text(gold, style="" if right else "bold red"))


def _timeline(console: Console, timeline: TextTimeline) -> None:
    if timeline.title:
        console.print(Text(f"  {timeline.title}"))
    widest = max((cell_len(row.name) for row in timeline.rows), default=0)
    for row in timeline.rows:
        space = " " * (widest - cell_len(row.name))
        style = _ROLE_STYLE[row.role]
        bar = row.bar or "(anywhere)"
        line = Text.assemble(f"  {space}", (row.name, style), "  ", (bar, style or "dim"))
        console.print(line, no_wrap=True, overflow="crop")
    if timeline.note:
        console.print(Text(f"  {timeline.note}", style="bold red"))
    console.print()


def _feasible(console: Console, explanation: Explanation) -> None:
    feasible = explanation.feasible
    if feasible.relations is None:
        console.print(Text(f"feasible relations: {feasible.note}", style="dim"))
        return
    named = ", ".join(relation.replace("_", " ") for relation in feasible.relations) or "none"
    note = f" ({feasible.note})" if feasible.note else ""
    console.print(Text(f"feasible relations of the two events: {named}{note}"))
