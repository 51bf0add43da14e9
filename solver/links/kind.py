"""The declaration of ``links``: documents with annotated temporal links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import KindCommand, KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.links import check, cli, io, messages, proved, settings, verify
else:
    check, cli, io, messages, proved, settings, verify = lazy(
        "solver.links", "check", "cli", "io", "messages", "proved", "settings", "verify"
    )


def _is_row(line: str) -> bool:
    if line.count("\t") not in (3, 5):
        return False
    from grammar.links.tables import is_row

    return is_row(line)


KIND = KindDeclaration(
    name="links",
    noun="documents",
    signs=Signs(
        fields=frozenset({"document", "links"}),
        row=_is_row,
        suffixes=(".tar.gz", ".tgz"),
        documents=(".tml", ".tml.gz", ".timeml"),
    ),
    columns=lambda: {"documents": io.DocumentRow, "table": io.TableRow, "starts": io.StartsRow},
    verifier=lambda: verify.LinkVerifier,
    settings=lambda: settings.LinkSettings,
    codes=lambda: messages.CODES,
    checker=lambda: check,
    proved_checker=lambda: proved,
    certificates=("documents.jsonl",),
    running=("jobs", "probes"),
    help="""\
Check annotated documents: are the temporal links of each consistent?

PATH is a file, a folder or a .tar.gz of TimeML (.tml), tables (TDDiscourse, TimeBank-Dense,
MATRES) or JSON Lines. Two engines decide each document; an inconsistent one is shown with a
minimal contradictory cycle, a consistent one has a timeline, and both are checked. With
--probes all, probes must not predict the relations from words, order or distance.

\b
Examples:
  python -m solver verify --kind links examples/links
  python -m solver verify --kind links examples/links --reading allen --dates --cores 10
  python -m solver verify --kind links corpus.tar.gz --jobs 2 --report reports/links
""",
    commands={
        "repair": KindCommand(
            load=lambda: cli.repair,
            help="Find the fewest links to remove from annotated documents.",
            after="check",
        ),
        "close": KindCommand(
            load=lambda: cli.close,
            help="Write all links that follow from annotated ones.",
            after="repair",
        ),
        "reduce": KindCommand(
            load=lambda: cli.reduce, help="Write a minimal equivalent set of links.", after="close"
        ),
    },
)
