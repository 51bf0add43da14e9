"""The declaration of ``tkg``: generated temporal knowledge graphs with labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.tkg import check, codes, io, planted, proved, settings, verify
else:
    check, codes, io, planted, proved, settings, verify = lazy(
        "solver.tkg", "check", "codes", "io", "planted", "proved", "settings", "verify"
    )


KIND = KindDeclaration(
    origin="generators.tkg.files:disagreements",
    undecidable={"": ("preset", "order of entity2id.txt", "order of relation2id.txt")},
    name="tkg",
    noun="facts",
    signs=Signs(
        files=("labels.tsv", "patterns.jsonl"),
        tables=("labels-train.parquet", "patterns-train.parquet"),
    ),
    columns=lambda: {
        "labels": io.LabelRow,
        "patterns": planted.PlantedRow,
        "facts": io.FactRow,
    },
    verifier=lambda: verify.GraphVerifier,
    settings=lambda: settings.GraphSettings,
    codes=lambda: codes.CODES,
    checker=lambda: check,
    proved_checker=lambda: proved,
    argument="DIR",
    help="""\
Prove that the labels of a generated graph are correct, from the files of its folder alone.

Every label must be correct, every fact must be supported by a label, and in forward mode no
consequence may be missing. Decided by an ASP encoding and by an independent column join. Parts
of the folder that state the same, such as facts as text and as Parquet, must agree.

\b
Examples:
  python -m solver generate tkg --out graph
  python -m solver verify --kind tkg graph
  python -m solver verify --kind tkg graph --json
  python -m solver verify --kind tkg graph --regenerate
  python -m solver verify --kind tkg graph --report reports/graph
""",
)
