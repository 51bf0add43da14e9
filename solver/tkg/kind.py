"""The declaration of ``tkg``: generated temporal knowledge graphs with labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.verification.kinds import Checker, KindDeclaration, Signs

if TYPE_CHECKING:
    from solver.tkg.settings import GraphSettings
    from solver.tkg.verify import GraphVerifier
    from solver.verification.report import Codes


def _verifier() -> type[GraphVerifier]:
    from solver.tkg.verify import GraphVerifier

    return GraphVerifier


def _codes() -> Codes:
    from solver.tkg.codes import CODES

    return CODES


def _settings() -> type[GraphSettings]:
    from solver.tkg.settings import GraphSettings

    return GraphSettings


def _checker() -> Checker:
    from solver.tkg import check

    return check


def _columns() -> dict[str, type[Any]]:
    from solver.tkg.io import LabelRow
    from solver.tkg.planted import PlantedRow

    return {"labels": LabelRow, "patterns": PlantedRow}


KIND = KindDeclaration(
    origin="generators.tkg.files:disagreements",
    undecidable={"": ("preset", "order of entity2id.txt", "order of relation2id.txt")},
    name="tkg",
    noun="facts",
    signs=Signs(files=("labels.tsv", "patterns.jsonl")),
    columns=_columns,
    verifier=_verifier,
    settings=_settings,
    codes=_codes,
    checker=_checker,
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
