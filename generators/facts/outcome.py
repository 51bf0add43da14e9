"""Forecasts from a graph to verified facts: read, mine rules if needed, forecast, verify."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from generators.facts.figures import (
    Figures,
    Possible,
    compare,
    compute_figures,
    facts_of,
    write_facts,
)
from generators.facts.gate import FactConstraints, FactFilter
from generators.facts.model import (
    DatedGraph,
    Forecast,
    ForecastError,
    Settings,
    dated_graph,
)
from generators.facts.oracle import RulePredictor, predictor_pool
from generators.facts.reference import Reference, reference_of, without_rare_entities
from generators.facts.run import ForecastResult, RuleForecaster
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
from solver.facts.schema import TYPES, EntityTypes, read_types
from solver.facts.schema_files import read_schema
from solver.facts.settings import FactSettings
from solver.facts.verify import FACTS, HISTORY
from solver.graph.model import Dataset, Ids
from solver.io.sources import InputError
from solver.rules.application import Application
from solver.rules.application import Settings as RuleSettings
from solver.rules.graph import RuleGraph
from solver.rules.io import read_rules
from solver.rules.model import MiningSettings, RuleTable
from solver.rules.provenance import LeakError
from solver.rules.sampled import mine_sampled
from solver.verification.report import Kind, VerifyReport
from solver.verification.run import verify
from solver.verification.settings import setting


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
    """Options of a forecast."""

    settings: Settings
    rules: Path | None = setting(
        None,
        "Rules written by mine. Default: sampled from the graph, lengths 1 to 3.",
        path=True,
        metavar="RULES",
    )
    scores: Path | None = setting(
        None,
        "Scores of a model, in parts, to be used instead of rules.",
        path="present",
        metavar="FOLDER",
    )
    schema: Path | None = setting(
        None,
        "Schema folder with relations.csv, classes.csv and, optionally, types.tsv.",
        path=True,
        metavar="DIR",
    )
    reference: int | None = setting(
        None,
        "Year whose daily counts and relations are imitated. Default: the last known year.",
        low=1,
        high=9999,
        metavar="YEAR",
    )
    window: int = setting(
        2048, "Days before a fact within which groundings may lie; 0 for all.", low=0
    )
    frequent: bool = setting(
        False, "First remove entities with a single fact, recursively.", name="without-rare"
    )
    coherent: bool = setting(
        True,
        "Allow starts of open facts and ends of facts not open.",
        name="no-coherency",
        negative=True,
    )
    exclusive: bool = setting(False, "Enforce one object at a time for exclusive relations.")
    unknown: bool = setting(
        False, "Allow ends of facts without a known start.", name="unknown-ends"
    )
    typed: bool = setting(False, "Exclude entities without a class.", name="require-types")


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
    settings = plan.settings
    graph, kinds, reference, constraints = _known(dataset, plan)
    roles, rules, applied = None, RuleTable.joined(), 0
    if plan.scores is None and not settings.published:
        roles = mine_role_rules(graph.facts, graph.vocabulary, kinds)
    fact_filter = FactFilter(graph, kinds, replace(constraints, roles=roles))
    openings = fact_filter.openings()
    if plan.scores is not None:
        begin = date.fromordinal(settings.begin).isoformat()
        queries = ScoredQueries.read(plan.scores, dataset, begin=begin)
        made = ScoreForecaster(graph, reference, fact_filter, settings, queries).run(progress)
        able = np.zeros(graph.vocabulary.relations, dtype=np.bool_)
        within = (queries.day >= settings.begin) & (queries.day <= settings.end)
        able[queries.relation[within]] = True
        where = str(plan.scores)
        hint = "score the queries that forecast --queries writes for these days"
    else:
        rules = _rules(graph, plan, jobs)
        application = Application(
            rules,
            graph.facts,
            graph.vocabulary,
            settings=RuleSettings(window=plan.window, distinct_facts=True),
        )
        applied = len(application.rules)
        with predictor_pool(RulePredictor(application), jobs) as predictors:
            run = RuleForecaster(
                graph, reference, fact_filter, settings, predictors, kinds, roles, plan.window
            )
            made, able = run.run(progress), run.with_rules
        where, hint = dataset.name, "try another --reference or more --rules"
    if not made.forecasts:
        message = f"no facts could be forecast, of {made.wanted:,} requested"
        raise ForecastError(message, where=where, hint=hint)
    limited = plan.coherent and not plan.unknown
    possible = Possible(able=able, limited=limited, openings=openings)
    comparisons = compare(made.forecasts, graph, kinds, reference, possible, settings)
    return Outcome(
        plan=plan,
        graph=graph,
        kinds=kinds,
        reference=reference,
        rules=applied,
        table=rules,
        result=made,
        roles=roles,
        figures=compute_figures(made, comparisons),
        checked=_proved(made, graph, kinds, roles, plan),
    )


def queries_of(dataset: Dataset, plan: Plan) -> Ids:
    """Draw the queries that a model has to score for a forecast; see ``asked_queries``."""
    graph, kinds, reference, constraints = _known(dataset, plan)
    fact_filter = FactFilter(graph, kinds, constraints)
    return asked_queries(graph, dataset, reference, fact_filter, plan.settings)


def _known(
    dataset: Dataset, plan: Plan
) -> tuple[DatedGraph, RelationKinds, Reference, FactConstraints]:
    """The known facts, their relations and reference year, and the constraints on further facts."""
    schema, types = None, EntityTypes()
    if plan.schema is not None:
        schema = read_schema(plan.schema)
        if (plan.schema / TYPES).is_file():
            types = read_types(plan.schema / TYPES, schema.hierarchy).complete()
    constraints = FactConstraints(
        schema=schema,
        types=types.of,
        coherent=plan.coherent,
        exclusive=plan.exclusive,
        unknown=plan.unknown,
        typed=plan.typed,
    )
    graph = dated_graph(dataset, begin=plan.settings.begin, end=plan.settings.end)
    kinds = relation_kinds(graph.vocabulary, schema)
    if plan.frequent:
        graph = without_rare_entities(graph, kinds)
    return graph, kinds, reference_of(graph, kinds, plan.reference), constraints


def _rules(graph: DatedGraph, plan: Plan, jobs: int) -> RuleTable:
    relations = graph.vocabulary.relations
    if plan.rules is not None:
        rules = read_rules(plan.rules, relations=relations)
        if not len(rules):
            raise InputError("found no rules, expected at least one", where=str(plan.rules))
        begin = date.fromordinal(plan.settings.begin).isoformat()
        if rules.seen is not None and rules.seen.reaches_date(begin):
            message = f"learned from facts up to {rules.seen.last_name}, expected facts before "
            hint = "mine earlier facts"
            raise LeakError(f"{message}{begin}, the first day", where=str(plan.rules), hint=hint)
        return rules
    mining = MiningSettings(lengths=LENGTHS, seed=plan.settings.seed)
    found = mine_sampled(RuleGraph.of(graph.facts, relations), mining, jobs=jobs)
    return RuleTable.joined(*(result.rules for result in found)).sorted()


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
    own_findings = [finding for finding in checked.findings if finding.code != OF_CLASSES]
    if plan.coherent and own_findings:
        first = own_findings[0]
        message = f"found {len(own_findings):,} violations, expected none"
        raise UnprovedError(f"{message}: {first.message} ({first.code})")
    return checked
