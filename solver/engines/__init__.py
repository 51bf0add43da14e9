"""Engines: each decides items in its own way, behind one protocol.

An engine is found by its name (``asp``, ``graph``, ``smt``, ``timelines``) and imported only when
it is asked for, so that a run pays for no solver that it does not use.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module
from typing import Protocol

from solver import NAMESPACE
from solver.model import Item, Policy, Verdict


class EngineName(StrEnum):
    """The engines there are; the value is what ``--crosscheck`` takes."""

    ASP = "asp"
    GRAPH = "graph"
    SMT = "smt"
    TIMELINES = "timelines"


class Engine(Protocol):
    """Decides items under the policy it was made for (``local`` or ``global``)."""

    name: EngineName

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """Give one verdict an item, in the order of the items."""
        ...


_HOMES = {
    EngineName.ASP: ("solver.engines.derivation", "DerivationEngine"),
    EngineName.GRAPH: ("solver.engines.closure", "ClosureEngine"),
    EngineName.SMT: ("solver.engines.refutation", "RefutationEngine"),
    EngineName.TIMELINES: ("solver.engines.search", "SearchEngine"),
}


def engine(name: EngineName, policy: Policy = Policy.LOCAL) -> Engine:
    """Make the engine of that name."""
    module, class_name = _HOMES[name]
    made: Engine = getattr(import_module(NAMESPACE + module), class_name)(policy=policy)
    return made
