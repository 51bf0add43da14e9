"""Verifies a forecast before it is written: coherency, schema and certificates."""

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
from solver.verify.facts import FactSettings, check
from solver.verify.facts_folder import FACTS, HISTORY


def verified(
    forecasts: Sequence[Forecast],
    graph: DatedGraph,
    *,
    schema: Path | None,
    exclusive: bool = False,
    typed: bool = False,
) -> VerifyReport:
    """Verify the facts as ``verify --kind facts`` does.

    The history is restricted to facts that share an entity with the forecast.
    """
    facts = facts_of(forecasts)
    known = graph.facts
    ends = np.unique(np.concatenate((facts.head, facts.tail)))
    about = known.take(np.isin(known.head, ends) | np.isin(known.tail, ends))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = write_facts(folder / FACTS, facts, graph)
        history = [write_facts(folder / HISTORY, about, graph)] if len(about) else []
        settings = FactSettings(
            schema=schema,
            history=tuple(map(str, history)),
            exclusive=exclusive,
            require_types=typed,
        )
        return check([str(made)], settings).checked


def unconfirmed(forecasts: Sequence[Forecast], graph: DatedGraph) -> list[Forecast]:
    """The forecasts whose certificate clingo rejects; expected to be empty."""
    certificates = [
        Certificate(fact=one.fact, rule=one.rule, grounding=one.grounding) for one in forecasts
    ]
    known = Quadruples.joined(graph.facts, facts_of(forecasts))
    return [
        forecasts[number] for number in invalid_certificates(certificates, known, graph.vocabulary)
    ]
