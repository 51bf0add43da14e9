"""The declaration of ``traces``: chains of thought about event-ordering items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.traces import check, cli, codes, io, proved, settings, verify
else:
    check, cli, codes, io, proved, settings, verify = lazy(
        "solver.traces", "check", "cli", "codes", "io", "proved", "settings", "verify"
    )


KIND = KindDeclaration(
    name="traces",
    noun="traces",
    signs=Signs(fields=frozenset({"premise", "claim", "steps"})),
    origin="generators.traces.run:disagreements",
    # A small set does not use all of the lists.
    undecidable={
        "": (
            *("certificate", "probes of statistics.json"),
            *("domains of config", "errors of config", "hops of config"),
        )
    },
    columns=lambda: {"traces": io.TraceRow},
    verifier=lambda: verify.TraceVerifier,
    settings=lambda: settings.TraceSettings,
    codes=lambda: codes.CODES,
    checker=lambda: check,
    proved_checker=lambda: proved,
    certificates=("items.jsonl",),
    quotes=True,
    running=("jobs",),
    explain={"--trace": lambda: cli.explain},
    help="""\
Check chains of thought: does each step follow from the premise of its item?

Each row of JSON Lines has a premise, a claim, and steps (a list of objects with text) or a trace
(one text). Two engines decide what the steps state; each verdict has a certificate, which is
checked. What a row declares (first_error, the verdict of a step, label) is compared; of a folder
made by generate traces, all fields, copies, twins and counts.

\b
Examples:
  python -m solver verify --kind traces examples/traces/right.jsonl
  python -m solver verify --kind traces examples/traces/flawed.jsonl --report reports/traces
  python -m solver verify data/traces
""",
)
