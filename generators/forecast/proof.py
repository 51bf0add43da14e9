"""Proves what was forecast before it is written: coherent, of the right classes, and founded."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from generators.forecast.dated import DatedGraph
from generators.forecast.factfiles import facts_of, write_facts
from generators.forecast.forecast import Forecast
from solver.rules.replay import Certificate, invalid_certificates
from solver.tkg.quadruples import Quadruples
from solver.verify.checked import VerifyReport
from solver.verify.facts import Asked, check
from solver.verify.facts_folder import FACTS, HISTORY


def verified(
    forecasts: Sequence[Forecast],
    graph: DatedGraph,
    *,
    schema: Path | None,
    exclusive: bool = False,
    typed: bool = False,
) -> VerifyReport:
    """What ``verify --kind facts`` says of the facts, with the history of what they speak of.

    What is known of other entities has no part in it, and is left out.
    """
    facts = facts_of(forecasts)
    known = graph.facts
    ends = np.unique(np.concatenate((facts.head, facts.tail)))
    about = known.take(np.isin(known.head, ends) | np.isin(known.tail, ends))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = write_facts(folder / FACTS, facts, graph)
        history = [write_facts(folder / HISTORY, about, graph)] if len(about) else []
        how = Asked(
            schema=schema,
            history=tuple(map(str, history)),
            exclusive=exclusive,
            require_types=typed,
        )
        return check([str(made)], how).checked


def unproved(forecasts: Sequence[Forecast], graph: DatedGraph) -> list[Forecast]:
    """The forecasts whose certificate clingo does not confirm; there should be none."""
    certificates = [
        Certificate(fact=one.fact, rule=one.rule, grounding=one.grounding) for one in forecasts
    ]
    known = Quadruples.joined(graph.facts, facts_of(forecasts))
    return [
        forecasts[number] for number in invalid_certificates(certificates, known, graph.vocabulary)
    ]
