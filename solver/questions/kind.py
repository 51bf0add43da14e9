"""The declaration of ``questions``: questions over a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.verification.kinds import Checker, KindDeclaration, Signs

if TYPE_CHECKING:
    import click

    from solver.questions.settings import QuestionSettings
    from solver.questions.verify import QuestionVerifier
    from solver.verification.report import Codes


def _verifier() -> type[QuestionVerifier]:
    from solver.questions.verify import QuestionVerifier

    return QuestionVerifier


def _codes() -> Codes:
    from solver.questions.codes import CODES

    return CODES


def _settings() -> type[QuestionSettings]:
    from solver.questions.settings import QuestionSettings

    return QuestionSettings


def _checker() -> Checker:
    from solver.questions import check

    return check


def _explain() -> click.Command:
    from solver.questions.cli import explain

    return explain


def _parse() -> click.Command:
    from solver.questions.cli import parse

    return parse


def _realise() -> click.Command:
    from solver.questions.cli import realise

    return realise


def _columns() -> dict[str, type[Any]]:
    from solver.questions.model import Question, TwoHopRow

    return {"questions": Question, "two_hop_rules": TwoHopRow}


KIND = KindDeclaration(
    origin="generators.questions.files:disagreements",
    undecidable={
        "": (
            *(
                "seed",
                "config",
                "inputs",
                "graph of statistics.json",
                "left_out of statistics.json",
            ),
            *("rules.jsonl", "rules_train.jsonl", "rule_folds.tsv", "two_hop_rules.tsv"),
        ),
    },
    name="questions",
    noun="questions",
    signs=Signs(fields=frozenset({"query", "answers"}), files=("two_hop_rules.tsv",)),
    columns=_columns,
    verifier=_verifier,
    settings=_settings,
    codes=_codes,
    checker=_checker,
    explain={"--question": _explain},
    parse=_parse,
    realise=_realise,
    running=("jobs", "on_cluster", "probes"),
    help="""\
Verify questions over a graph: queries, texts, answers and certificates.

PATH is a folder written by generate questions, or files of questions. Answers must be exactly
the entailed ones, choices must be earlier facts ordered by contribution, and texts must parse
to their queries. Two engines, ASP and joins, must agree, and every certificate is checked
independently. Probes must not predict the answers of yes-unknown and fact reasoning.

\b
Examples:
  python -m solver verify --kind questions DIR --data GRAPH
  python -m solver verify --kind questions DIR --data GRAPH --jobs 2 --report reports/questions
  python -m solver verify --kind questions test.jsonl --data GRAPH --rules rules.jsonl
""",
)
