"""The declaration of ``eventhop``: items about the order of events, with labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.eventhop import check, engines, outcomes, records, self_test, verify
    from solver.eventhop.certificates import lines, proved
    from solver.eventhop.cli import explain as explain_command
    from solver.eventhop.cli import parse as parse_command
    from solver.eventhop.cli import realise as realise_command
    from solver.eventhop.cli import verify as verify_command
else:
    check, engines, outcomes, records, self_test, verify = lazy(
        "solver.eventhop", "check", "engines", "outcomes", "records", "self_test", "verify"
    )
    lines, proved = lazy("solver.eventhop.certificates", "lines", "proved")
    explain_command, parse_command, realise_command, verify_command = lazy(
        "solver.eventhop.cli", "explain", "parse", "realise", "verify"
    )


def _is_published_row(line: str) -> bool:
    """Whether a line has the ten columns of the published files."""
    cells = line.split("\t")
    return len(cells) == 10 and cells[1].strip().lower() in ("possible", "impossible")


KIND = KindDeclaration(
    origin="generators.eventhop.run:disagreements",
    # Items of annotated documents, which the data set does not contain.
    undecidable={
        "items": ("config", "seed", "inputs", "document", "links"),
        "splits": ("exact of config", "keep_unbalanced of config"),
    },
    name="eventhop",
    noun="items",
    signs=Signs(
        fields=frozenset({"premise"}),
        without=frozenset({"steps"}),
        row=_is_published_row,
        otherwise=True,
    ),
    columns=lambda: {"items": records.ItemRow, "verdicts": lines.VerifiedRow},
    verifier=lambda: verify.ItemVerifier,
    settings=lambda: engines.ItemSettings,
    codes=lambda: outcomes.CODES,
    verify=lambda: verify_command.command,
    explain={"": lambda: explain_command.command},
    parse=lambda: parse_command.command,
    realise=lambda: realise_command.command,
    checker=lambda: check,
    proved_checker=lambda: proved,
    certificates=("items.jsonl", "items-*.jsonl"),
    quotes=True,
    self_test=lambda: self_test.self_test(),
)
