"""The declaration of ``texts``: dated facts as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.verification.kinds import KindDeclaration, Signs

if TYPE_CHECKING:
    from solver.texts.settings import TextSettings
    from solver.texts.verify import TextVerifier
    from solver.verification.report import Codes


def _verifier() -> type[TextVerifier]:
    from solver.texts.verify import TextVerifier

    return TextVerifier


def _codes() -> Codes:
    from solver.texts.codes import CODES

    return CODES


def _settings() -> type[TextSettings]:
    from solver.texts.settings import TextSettings

    return TextSettings


def _columns() -> dict[str, type[Any]]:
    from grammar.texts.phrases import PhraseRow
    from solver.texts.io import TextRow

    return {"texts": TextRow, "phrases": PhraseRow}


KIND = KindDeclaration(
    name="texts",
    noun="texts",
    # Questions have texts as well.
    signs=Signs(
        fields=frozenset({"text"}),
        without=frozenset({"answers"}),
        files=("descriptions.txt", "references.txt"),
    ),
    origin="generators.texts.run:disagreements",
    undecidable={"counts": ("seed", "config", "inputs", "headline", "where", "left_out")},
    columns=_columns,
    verifier=_verifier,
    settings=_settings,
    codes=_codes,
    running=("probes",),
    argument="TEXTS",
    help="""\
Check texts of dated facts, one per line (or JSON Lines with a field text).

\b
Examples:
  python -m solver verify --kind texts examples/texts/right.txt \\
    --facts examples/texts/references.txt
  python -m solver verify --kind texts letters.txt --facts references.txt --reading names
  python -m solver verify --kind texts texts/descriptions.txt --facts texts/references.txt \\
    --phrases texts/phrases.tsv
""",
)
