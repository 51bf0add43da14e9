"""Engines: independent decision procedures for items, behind one protocol.

Engines are imported on demand by name (``asp``, ``graph``, ``smt``, ``timelines``), so that a run
does not load solvers that it does not use.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module
from typing import Protocol

from grammar.eventhop.model import Item, Policy, Verdict
from solver import NAMESPACE


class EngineName(StrEnum):
    """Names of the engines, as in ``--crosscheck``."""

    ASP = "asp"
    GRAPH = "graph"
    SMT = "smt"
    TIMELINES = "timelines"


class Engine(Protocol):
    """Decides items under a policy (``local`` or ``global``)."""

    name: EngineName

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict per item, in order."""
        ...


_CLASSES = {
    EngineName.ASP: ("solver.eventhop.engines.asp", "DerivationEngine"),
    EngineName.GRAPH: ("solver.eventhop.engines.graph", "ClosureEngine"),
    EngineName.SMT: ("solver.eventhop.engines.smt", "RefutationEngine"),
    EngineName.TIMELINES: ("solver.eventhop.engines.timelines", "SearchEngine"),
}


def engine(name: EngineName, policy: Policy = Policy.LOCAL) -> Engine:
    """Create the engine of that name."""
    module, class_name = _CLASSES[name]
    made: Engine = getattr(import_module(NAMESPACE + module), class_name)(policy=policy)
    return made
