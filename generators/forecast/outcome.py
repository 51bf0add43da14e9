"""A forecast from a graph to proved facts: read, mine if need be, forecast, prove."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from generators.forecast.dated import DatedGraph, ForecastError, dated_graph
from generators.forecast.figures import Figures, figures_of
from generators.forecast.gate import Admission, Gate
from generators.forecast.kinds import Kinds, kinds_of
from generators.forecast.oracle import Oracle
from generators.forecast.proof import unproved, verified
from generators.forecast.rare import without_rare_entities
from generators.forecast.reference import Reference, reference_of
from generators.forecast.run import Forecasting, Made
from generators.forecast.settings import WINDOW, Settings
from generators.forecast.workers import oracles
from solver.errors import ExitStatus, HopcheckError
from solver.rules.application import Application
from solver.rules.application import Settings as RuleSettings
from solver.rules.files import read_rules
from solver.rules.graph import RuleGraph
from solver.rules.sampled import SampledMining, mine_sampled
from solver.rules.table import RuleTable
from solver.schema import Schema
from solver.schema.entity_types import TYPES, EntityTypes, read_types
from solver.schema.reading import read_schema
from solver.tkg.dataset import Dataset
from solver.verify.checked import VerifyReport

LENGTHS = (1, 2, 3)

OF_CLASSES = "disjoint-types"
"""A violation in what is known of entities, about which no fact is made."""


class UnprovedError(HopcheckError):
    """Facts that their own proof refuses; nothing of them is written."""

    code = "unproved"
    exit_status = ExitStatus.DISAGREEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be forecast.

    Attributes:
        rules: a file of them; mined if there is none.
        schema: a folder or a file; nothing is asked of classes without one.
        reference: a year; that of the last known fact by default.
        window: days before a fact whose facts count; 0 for all.
        frequent: whether to forget entities of one fact, again and again, before anything else.
        coherent, exclusive, unknown, typed: as ``Admission`` has them.
    """

    settings: Settings
    rules: Path | None = None
    schema: Path | None = None
    reference: int | None = None
    window: int = WINDOW
    frequent: bool = False
    coherent: bool = True
    exclusive: bool = False
    unknown: bool = False
    typed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was forecast, and what its proof says.

    Attributes:
        checked: as by ``verify --kind facts``; violations only where coherency was not asked for,
            or where classes of entities that are known contradict each other.
    """

    plan: Plan
    graph: DatedGraph
    reference: Reference
    rules: int
    made: Made
    figures: Figures
    checked: VerifyReport


def forecast(
    dataset: Dataset,
    plan: Plan,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Outcome:
    """Forecast; the same for any number of processes.

    Raises:
        ForecastError: the graph has nothing to forecast from.
        UnprovedError: what was made does not pass its own proof.
    """
    settings = plan.settings
    admission = _admission(plan)
    graph, kinds = _known(dataset, plan, admission.schema)
    reference = reference_of(graph, plan.reference)
    gate = Gate(graph, kinds, admission)
    applied = Application(
        _rules(graph, plan, jobs),
        graph.facts,
        graph.vocabulary,
        settings=RuleSettings(window=plan.window),
    )
    with oracles(Oracle(applied), jobs) as asked:
        run = Forecasting(graph, reference, gate, settings, asked)
        made = run.run(progress)
    if not made.forecasts:
        message = f"found no facts to forecast of {made.wanted:,} that the days are to have"
        hint = "another --reference or more --rules may have some"
        raise ForecastError(message, where=dataset.name, hint=hint)
    return Outcome(
        plan=plan,
        graph=graph,
        reference=reference,
        rules=len(applied.rules),
        made=made,
        figures=figures_of(made, reference, run.ruled),
        checked=_proved(made, graph, plan),
    )


def _known(dataset: Dataset, plan: Plan, schema: Schema | None) -> tuple[DatedGraph, Kinds]:
    """What there is to learn from, and what its relations tell of."""
    graph = dated_graph(dataset, begin=plan.settings.begin, end=plan.settings.end)
    kinds = kinds_of(graph.vocabulary, schema)
    return (without_rare_entities(graph, kinds) if plan.frequent else graph), kinds


def _admission(plan: Plan) -> Admission:
    schema = None if plan.schema is None else read_schema(plan.schema)
    types = EntityTypes()
    if plan.schema is not None and schema is not None and (plan.schema / TYPES).is_file():
        types = read_types(plan.schema / TYPES, schema.hierarchy).whole()
    return Admission(
        schema=schema,
        types=types.of,
        coherent=plan.coherent,
        exclusive=plan.exclusive,
        unknown=plan.unknown,
        typed=plan.typed,
    )


def _rules(graph: DatedGraph, plan: Plan, jobs: int) -> RuleTable:
    relations = graph.vocabulary.relations
    if plan.rules is not None:
        return read_rules(plan.rules, relations=relations)
    mining = SampledMining(lengths=LENGTHS, seed=plan.settings.seed)
    found = mine_sampled(RuleGraph.of(graph.facts, relations), mining, jobs=jobs)
    return RuleTable.joined(*(one.rules for one in found)).sorted()


def _proved(made: Made, graph: DatedGraph, plan: Plan) -> VerifyReport:
    left = unproved(made.forecasts, graph)
    if left:
        named = left[0].as_json(graph)
        found = ", ".join(str(named[part]) for part in ("subject", "relation", "object", "date"))
        message = f"found {len(left):,} certificates that clingo does not confirm, expected none"
        raise UnprovedError(f"{message}: the first is of ({found})")
    checked = verified(
        made.forecasts,
        graph,
        schema=plan.schema,
        exclusive=plan.exclusive and plan.coherent,
        typed=plan.typed,
    )
    own = [one for one in checked.violations if one.code != OF_CLASSES]
    if plan.coherent and own:
        first = own[0]
        message = f"found {len(own):,} violations, expected none"
        raise UnprovedError(f"{message}: {first.message} ({first.code})")
    return checked
