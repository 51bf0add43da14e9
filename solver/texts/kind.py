"""The declaration of ``texts``: dated facts as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.texts import codes, io, settings, verify
else:
    codes, io, settings, verify = lazy("solver.texts", "codes", "io", "settings", "verify")


KIND = KindDeclaration(
    name="texts",
    noun="texts",
    # Questions have texts as well.
    signs=Signs(fields=frozenset({"text"}), without=frozenset({"answers"})),
    columns=lambda: {"texts": io.TextRow, "phrases": io.PhraseLine},
    verifier=lambda: verify.TextVerifier,
    settings=lambda: settings.TextSettings,
    codes=lambda: codes.CODES,
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
