"""Settings of the verification of questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from solver.verification.settings import option


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSettings:
    """The graph that the questions are about, and the file of rules if any is named."""

    data: str | Path = field(
        metadata=option(
            "Graph: a folder with train.txt, valid.txt and test.txt, or one file of facts.",
            path=True,
            uri=True,
            metavar="GRAPH",
        ),
    )
    rules: str | Path | None = field(
        default=None,
        metadata=option(
            "Rules for fact reasoning: a file, or a folder with those of questions.  [default: "
            "rules.jsonl of the folder]",
            path=True,
            metavar="PATH",
        ),
    )
