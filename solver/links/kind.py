"""The declaration of ``links``: documents with annotated temporal links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.verification.kinds import Checker, KindCommand, KindDeclaration, Signs

if TYPE_CHECKING:
    import click

    from solver.links.settings import LinkSettings
    from solver.links.verify import LinkVerifier
    from solver.verification.report import Codes


def _verifier() -> type[LinkVerifier]:
    from solver.links.verify import LinkVerifier

    return LinkVerifier


def _codes() -> Codes:
    from solver.links.messages import CODES

    return CODES


def _settings() -> type[LinkSettings]:
    from solver.links.settings import LinkSettings

    return LinkSettings


def _checker() -> Checker:
    from solver.links import check

    return check


def _is_row(line: str) -> bool:
    if line.count("\t") not in (3, 5):
        return False
    from grammar.links.tables import is_row

    return is_row(line)


def _repair() -> click.Command:
    from solver.links.cli import repair

    return repair


def _close() -> click.Command:
    from solver.links.cli import close

    return close


def _reduce() -> click.Command:
    from solver.links.cli import reduce

    return reduce


def _columns() -> dict[str, type[Any]]:
    from solver.links.io import DocumentRow, StartsRow, TableRow

    return {"documents": DocumentRow, "table": TableRow, "starts": StartsRow}


KIND = KindDeclaration(
    name="links",
    noun="documents",
    signs=Signs(
        fields=frozenset({"document", "links"}),
        row=_is_row,
        suffixes=(".tar.gz", ".tgz"),
        documents=(".tml", ".tml.gz", ".timeml"),
    ),
    columns=_columns,
    verifier=_verifier,
    settings=_settings,
    codes=_codes,
    checker=_checker,
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
            load=_repair,
            help="Find the fewest links to remove from annotated documents.",
            after="check",
        ),
        "close": KindCommand(
            load=_close, help="Write all links that follow from annotated ones.", after="repair"
        ),
        "reduce": KindCommand(
            load=_reduce, help="Write a minimal equivalent set of links.", after="close"
        ),
    },
)
