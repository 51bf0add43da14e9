"""hopcheck: benchmarks of temporal reasoning whose every label is proved.

The public Python API. Names are resolved on first use, so that ``import hopcheck`` is fast.

Examples:
    >>> import hopcheck as hc
    >>> hc.explain(premise="the end of A happened before the start of B",
    ...            claim="A happens before B").label.value
    'true'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from solver import NAMESPACE, __version__

if TYPE_CHECKING:
    from benchmarks.rules.strikingness.explanations import EventExplanation
    from grammar.errors import ExitStatus, HopcheckError
    from hopcheck.analysis import (
        LinkedDocuments,
        Result,
        ablate,
        close,
        compare,
        diagnose,
        reduce,
        repair,
    )
    from hopcheck.auditing import Audit, audit
    from hopcheck.explanations import explain
    from hopcheck.exporting import export
    from hopcheck.generation import generate, item
    from hopcheck.graphs import (
        ForecastFacts,
        Ranking,
        Rules,
        StrikingnessWeights,
        apply,
        forecast,
        load_graph,
        mine,
        split,
        strikingness,
    )
    from hopcheck.inputs import ArgumentError
    from hopcheck.scoring import (
        Answers,
        Score,
        answer,
        answer_ranks,
        read_answer,
        read_answers,
        read_choice,
        score,
    )
    from hopcheck.verification import check, parse, realise, verify
    from solver.eventhop.explain import Explanation
    from solver.graph.model import Dataset
    from solver.patterns.explain import PatternExplanation
    from solver.questions.explain import QuestionExplanation
    from solver.rules.explanations import QueryExplanation, RuleExplanation
    from solver.verification.report import Finding, Findings, VerifyReport

__all__ = [
    "Answers",
    "ArgumentError",
    "Audit",
    "Dataset",
    "EventExplanation",
    "ExitStatus",
    "Explanation",
    "Finding",
    "Findings",
    "ForecastFacts",
    "HopcheckError",
    "LinkedDocuments",
    "PatternExplanation",
    "QueryExplanation",
    "QuestionExplanation",
    "Ranking",
    "Result",
    "RuleExplanation",
    "Rules",
    "Score",
    "StrikingnessWeights",
    "VerifyReport",
    "__version__",
    "ablate",
    "answer",
    "answer_ranks",
    "apply",
    "audit",
    "check",
    "close",
    "compare",
    "diagnose",
    "explain",
    "export",
    "forecast",
    "generate",
    "item",
    "load_graph",
    "mine",
    "parse",
    "read_answer",
    "read_answers",
    "read_choice",
    "realise",
    "reduce",
    "repair",
    "score",
    "split",
    "strikingness",
    "verify",
]

# Module -> its public names. A new name goes here, into `__all__` and into the imports for type
# checkers above.
_NAMES = {
    "grammar.errors": ("ExitStatus", "HopcheckError"),
    "hopcheck.analysis": (
        *("LinkedDocuments", "Result", "ablate", "close", "compare"),
        *("diagnose", "reduce", "repair"),
    ),
    "hopcheck.auditing": ("Audit", "audit"),
    "hopcheck.exporting": ("export",),
    "hopcheck.generation": ("generate", "item"),
    "hopcheck.graphs": (
        *("apply", "forecast", "load_graph", "mine", "split", "strikingness"),
        *("ForecastFacts", "Ranking", "Rules", "StrikingnessWeights"),
    ),
    "hopcheck.inputs": ("ArgumentError",),
    "hopcheck.explanations": ("explain",),
    "hopcheck.scoring": (
        *("Answers", "Score", "answer", "answer_ranks", "score"),
        *("read_answer", "read_answers", "read_choice"),
    ),
    "hopcheck.verification": ("check", "parse", "realise", "verify"),
    "benchmarks.rules.strikingness.explanations": ("EventExplanation",),
    "solver.eventhop.explain": ("Explanation",),
    "solver.patterns.explain": ("PatternExplanation",),
    "solver.questions.explain": ("QuestionExplanation",),
    "solver.rules.explanations": ("QueryExplanation", "RuleExplanation"),
    "solver.graph.model": ("Dataset",),
    "solver.verification.report": ("Finding", "Findings", "VerifyReport"),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name from the module that defines it (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # The modules of this package are in the namespace of a wheel already.
    module = import_module(NAMESPACE + _MODULES[name].removeprefix(NAMESPACE))
    value: object = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
