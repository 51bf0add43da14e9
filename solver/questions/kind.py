"""The declaration of ``questions``: questions over a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.questions import check, cli, codes, model, proved, settings, verify
else:
    check, cli, codes, model, proved, settings, verify = lazy(
        "solver.questions", "check", "cli", "codes", "model", "proved", "settings", "verify"
    )


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
    columns=lambda: {"questions": model.Question, "two_hop_rules": model.TwoHopRow},
    verifier=lambda: verify.QuestionVerifier,
    settings=lambda: settings.QuestionSettings,
    codes=lambda: codes.CODES,
    checker=lambda: check,
    proved_checker=lambda: proved,
    explain={"--question": lambda: cli.explain},
    parse=lambda: cli.parse,
    realise=lambda: cli.realise,
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
