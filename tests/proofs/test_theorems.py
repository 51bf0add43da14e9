"""The theorems are proved without gaps and without axioms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
THEORIES = sorted(PROOFS.glob("*.v"))
COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
GAP = re.compile(
    r"\b(?:Admitted|admit|give_up|Axioms?|Parameters?|Conjecture|Hypothes[ie]s|Variables?|Context"
    r"|Declare|Abort|bypass_check|Unset|Extract)\b"
)
WANTED = {
    "check_sound",
    "check_sound_label",
    "label_unique",
    "verdict_unique",
    "potential_proves_minimality",
    "certificate_complete",
    "consistent_iff_model",
    "derivable_iff_true_in_all_models",
    "check_chain_sound",
    "judged_unique",
    "order_derivable_iff_true_in_all_models",
    "check_graph_sound",
    "check_inconsistent_sound",
    "check_repair_sound",
    "read_iff",
    "check_texts_sound",
    "check_answers_sound",
    "check_so_iff",
    "check_unknown_iff",
    "check_plausible_sound",
}


def source(path: Path) -> str:
    """A theory without its comments."""
    return COMMENT.sub(" ", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", THEORIES, ids=lambda path: path.name)
def test_no_theory_has_a_gap(path: Path) -> None:
    assert GAP.findall(source(path)) == []


@pytest.mark.parametrize("gap", ["Admitted.", "  admit.", "Axiom a : False.", "Parameter p : nat."])
def test_a_gap_is_found(gap: str) -> None:
    assert GAP.search(f"Lemma x : False.\nProof.\n{gap}\n")


def test_the_makefile_builds_every_theory() -> None:
    makefile = (PROOFS.parent / "Makefile").read_text(encoding="utf-8")
    listed = re.search(r"^THEORIES := (.*)$", makefile, re.MULTILINE)
    assert listed
    assert sorted(listed[1].split()) == [path.stem for path in THEORIES]


def test_the_theorems_assume_nothing(built: Path) -> None:
    asked = re.findall(r"Print Assumptions (\w+)\.", source(PROOFS / "Assumptions.v"))
    assert set(asked) >= WANTED
    printed = (built / "assumptions.txt").read_text(encoding="utf-8").splitlines()
    assert printed == ["Closed under the global context"] * len(asked)
