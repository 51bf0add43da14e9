"""Forecasts from a graph to verified facts: read, mine rules if needed, forecast, verify."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from generators.facts.comparison import Possible, compare
from generators.facts.figures import Figures, compute_figures, facts_of, write_facts
from generators.facts.gate import FactConstraints, FactFilter
from generators.facts.model import (
    WINDOW,
    DatedGraph,
    Forecast,
    ForecastError,
    Settings,
    dated_graph,
)
from generators.facts.oracle import RulePredictor, predictor_pool
from generators.facts.reference import Reference, reference_of, without_rare_entities
from generators.facts.run import Forecaster, ForecastResult
from generators.facts.scored import ScoredQueries, ScoreForecaster, asked_queries
from grammar.errors import ExitStatus, HopcheckError
from solver.facts.check import Background, certificate_faults
from solver.facts.role_rules import (
    RelationKinds,
    RoleRules,
    mine_role_rules,
    relation_kinds,
    role_rows,
)
from solver.facts.schema import TYPES, EntityTypes, Schema, read_types
from solver.facts.schema_files import read_schema
from solver.facts.verify import FACTS, HISTORY, FactSettings
from solver.graph.model import Dataset, Ids
from solver.rules.application import Application
from solver.rules.application import Settings as RuleSettings
from solver.rules.graph import RuleGraph
from solver.rules.io import read_rules
from solver.rules.model import RuleTable
from solver.rules.provenance import LeakError
from solver.rules.sampled import SampledMining, mine_sampled
from solver.verification.report import Kind, VerifyReport
from solver.verification.run import verify


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
        return verify(made, Kind.FACTS, config=settings)


def unconfirmed(
    forecasts: Sequence[Forecast],
    graph: DatedGraph,
    kinds: RelationKinds,
    roles: RoleRules | None = None,
    *,
    window: int = 0,
) -> list[Forecast]:
    """The forecasts whose certificate the checker rejects; expected to be empty.

    Args:
        forecasts: in chronological order.
        graph: the known facts.
        kinds: its relations.
        roles: the role rules.
        window: days before a fact within which cited facts may lie; 0 for all.
    """
    named = [forecast.named(graph) for forecast in forecasts]
    # All that certificates cite, and that occupies an entity, is about one of these.
    cited = [fact for forecast in forecasts for fact in (forecast.fact, *forecast.grounding)]
    ends = np.unique(np.array([fact[0::2] for fact in cited], dtype=np.int64))
    facts = graph.facts.take(np.isin(graph.facts.head, ends) | np.isin(graph.facts.tail, ends))
    known = (graph.named((s, r, o, t)) for s, r, o, t in facts.rows().tolist())
    background = Background(
        (*known, *(fact for fact, _ in named)),
        roles=() if roles is None else list(role_rows(roles, graph.vocabulary, kinds)),
        window=window,
    )
    return [
        forecast
        for forecast, (fact, grounding) in zip(forecasts, named, strict=True)
        if forecast.rule is not None
        and any(certificate_faults(background, forecast.as_json(graph), fact, grounding))
    ]


LENGTHS = (1, 2, 3)

OF_CLASSES = "disjoint-types"
"""A violation by the given classes of entities, independent of forecast facts."""


class UnprovedError(HopcheckError):
    """The forecast fails its own verification; nothing is written."""

    code = "unproved"
    exit_status = ExitStatus.DISAGREEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Options of a forecast.

    Attributes:
        rules: file of rules; mined if None.
        scores: folder of a model's scores, to be used instead of rules.
        schema: folder or file; None to skip class constraints.
        reference: year to imitate; default is the year of the last known fact.
        window: days before a fact within which groundings may lie; 0 for all.
        frequent: whether to first remove entities with a single fact, recursively.
        coherent, exclusive, unknown, typed: see ``FactConstraints``.
    """

    settings: Settings
    rules: Path | None = None
    scores: Path | None = None
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
    """A forecast and its verification.

    Attributes:
        rules: number of rules that are confident enough to be applied.
        table: all rules, in the order by which certificates number them.
        roles: the role rules; None if the forecast is made as published.
        checked: the result of ``verify --kind facts``; violations only if coherency is off, or if
            the given classes of entities are contradictory.
    """

    plan: Plan
    graph: DatedGraph
    kinds: RelationKinds
    reference: Reference
    rules: int
    table: RuleTable
    roles: RoleRules | None
    result: ForecastResult
    figures: Figures
    checked: VerifyReport


def forecast(
    dataset: Dataset,
    plan: Plan,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Outcome:
    """Forecast and verify; the result does not depend on the number of processes.

    Raises:
        ForecastError: nothing can be forecast from the graph.
        LeakError: the rules were mined from facts of the first day or later ones.
        UnprovedError: the forecast fails its own verification.
    """
    if plan.scores is not None:
        return _by_scores(dataset, plan, plan.scores, progress)
    settings = plan.settings
    constraints = _constraints(plan)
    graph, kinds = _known(dataset, plan, constraints.schema)
    reference = reference_of(graph, kinds, plan.reference)
    roles = None if settings.published else mine_role_rules(graph.facts, graph.vocabulary, kinds)
    fact_filter = FactFilter(graph, kinds, replace(constraints, roles=roles))
    openings = fact_filter.openings()
    rules = _rules(graph, plan, jobs)
    applied = Application(
        rules,
        graph.facts,
        graph.vocabulary,
        settings=RuleSettings(window=plan.window, distinct_facts=True),
    )
    with predictor_pool(RulePredictor(applied), jobs) as predictors:
        run = Forecaster(
            graph,
            kinds,
            reference,
            fact_filter,
            settings,
            predictors,
            roles=roles,
            window=plan.window,
        )
        made = run.run(progress)
    if not made.forecasts:
        message = f"no facts could be forecast, of {made.wanted:,} requested"
        hint = "try another --reference or more --rules"
        raise ForecastError(message, where=dataset.name, hint=hint)
    possible = Possible(
        able=run.with_rules, limited=plan.coherent and not plan.unknown, openings=openings
    )
    comparisons = compare(made.forecasts, graph, kinds, reference, possible, settings)
    return Outcome(
        plan=plan,
        graph=graph,
        kinds=kinds,
        reference=reference,
        rules=len(applied.rules),
        table=rules,
        result=made,
        roles=roles,
        figures=compute_figures(made, comparisons),
        checked=_proved(made, graph, kinds, roles, plan),
    )


def queries_of(dataset: Dataset, plan: Plan) -> Ids:
    """Draw the queries that a model has to score for a forecast; see ``asked_queries``."""
    constraints = _constraints(plan)
    graph, kinds = _known(dataset, plan, constraints.schema)
    reference = reference_of(graph, kinds, plan.reference)
    fact_filter = FactFilter(graph, kinds, constraints)
    return asked_queries(graph, dataset, reference, fact_filter, plan.settings)


def _by_scores(
    dataset: Dataset, plan: Plan, scores: Path, progress: Callable[[int], object] | None
) -> Outcome:
    settings = plan.settings
    constraints = _constraints(plan)
    graph, kinds = _known(dataset, plan, constraints.schema)
    reference = reference_of(graph, kinds, plan.reference)
    fact_filter = FactFilter(graph, kinds, constraints)
    openings = fact_filter.openings()
    begin = date.fromordinal(settings.begin).isoformat()
    queries = ScoredQueries.read(scores, dataset, begin=begin)
    made = ScoreForecaster(graph, reference, fact_filter, settings, queries).run(progress)
    if not made.forecasts:
        message = f"no facts could be forecast, of {made.wanted:,} requested"
        hint = "score the queries that forecast --queries writes for these days"
        raise ForecastError(message, where=str(scores), hint=hint)
    able = np.zeros(graph.vocabulary.relations, dtype=np.bool_)
    able[queries.relation[(queries.day >= settings.begin) & (queries.day <= settings.end)]] = True
    limited = plan.coherent and not plan.unknown
    possible = Possible(able=able, limited=limited, openings=openings)
    comparisons = compare(made.forecasts, graph, kinds, reference, possible, settings)
    return Outcome(
        plan=plan,
        graph=graph,
        kinds=kinds,
        reference=reference,
        rules=0,
        table=RuleTable.joined(),
        result=made,
        roles=None,
        figures=compute_figures(made, comparisons),
        checked=_proved(made, graph, kinds, None, plan),
    )


def _known(dataset: Dataset, plan: Plan, schema: Schema | None) -> tuple[DatedGraph, RelationKinds]:
    """The known facts, and the base relation and bound of each relation."""
    graph = dated_graph(dataset, begin=plan.settings.begin, end=plan.settings.end)
    kinds = relation_kinds(graph.vocabulary, schema)
    return (without_rare_entities(graph, kinds) if plan.frequent else graph), kinds


def _constraints(plan: Plan) -> FactConstraints:
    schema = None if plan.schema is None else read_schema(plan.schema)
    types = EntityTypes()
    if plan.schema is not None and schema is not None and (plan.schema / TYPES).is_file():
        types = read_types(plan.schema / TYPES, schema.hierarchy).complete()
    return FactConstraints(
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
        rules = read_rules(plan.rules, relations=relations)
        begin = date.fromordinal(plan.settings.begin).isoformat()
        if rules.seen is not None and rules.seen.reaches_date(begin):
            message = f"learned from facts up to {rules.seen.last_name}, expected facts before "
            hint = "mine earlier facts"
            raise LeakError(f"{message}{begin}, the first day", where=str(plan.rules), hint=hint)
        return rules
    mining = SampledMining(lengths=LENGTHS, seed=plan.settings.seed)
    found = mine_sampled(RuleGraph.of(graph.facts, relations), mining, jobs=jobs)
    return RuleTable.joined(*(one.rules for one in found)).sorted()


def _proved(
    made: ForecastResult,
    graph: DatedGraph,
    kinds: RelationKinds,
    roles: RoleRules | None,
    plan: Plan,
) -> VerifyReport:
    left = unconfirmed(made.forecasts, graph, kinds, roles, window=plan.window)
    if left:
        named = left[0].as_json(graph)
        found = ", ".join(str(named[part]) for part in ("subject", "relation", "object", "date"))
        message = f"the checker rejects {len(left):,} certificates, expected none"
        raise UnprovedError(f"{message}; the first is of ({found})")
    checked = verified(
        made.forecasts,
        graph,
        schema=plan.schema,
        exclusive=plan.exclusive and plan.coherent,
        typed=plan.typed,
    )
    own = [one for one in checked.findings if one.code != OF_CLASSES]
    if plan.coherent and own:
        first = own[0]
        message = f"found {len(own):,} violations, expected none"
        raise UnprovedError(f"{message}: {first.message} ({first.code})")
    return checked
