"""Forecasts: quotas, order, groundings, coherency and reproducibility."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from generators.facts.figures import says_nothing_new
from generators.facts.model import Forecast, ForecastError
from generators.facts.outcome import Outcome, UnprovedError, unconfirmed
from solver.rules.model import Rule
from solver.rules.notation import read_rule

Make = Callable[..., Outcome]


def names(outcome: Outcome, forecast: Forecast) -> tuple[str, str, str, str]:
    words, (s, r, o, t) = outcome.graph.vocabulary, forecast.fact
    return words.entity(s), words.relation(r), words.entity(o), outcome.graph.date(t)


def test_days_are_filled_in_order(plain: Outcome) -> None:
    days = Counter(forecast.fact[3] + plain.graph.first for forecast in plain.result.forecasts)
    settings, reference = plain.plan.settings, plain.reference
    wanted = {
        day: reference.quota(day, settings.most) for day in range(settings.begin, settings.end + 1)
    }
    assert plain.result.wanted == sum(wanted.values()) > 30
    assert all(days[day] <= wanted[day] for day in days)
    assert len(plain.result.forecasts) == plain.result.wanted
    times = [forecast.fact[3] for forecast in plain.result.forecasts]
    assert times == sorted(times)
    assert not plain.checked.findings


def test_no_duplicates_within_a_day(plain: Outcome) -> None:
    counts = Counter(forecast.fact for forecast in plain.result.forecasts)
    assert max(counts.values()) == 1


def test_groundings_are_known_before_and_match_the_rule(plain: Outcome) -> None:
    words = plain.graph.vocabulary
    known = {tuple(row) for row in plain.graph.facts.rows().tolist()}
    cited_forecasts = 0
    for forecast in plain.result.forecasts:
        if not isinstance(forecast.rule, Rule):
            known.add(forecast.fact)
            continue
        assert len(forecast.grounding) == forecast.rule.length
        times = [fact[3] for fact in forecast.grounding]
        assert times == sorted(times)
        assert times[-1] < forecast.fact[3]
        assert forecast.rule.head == forecast.fact[1]
        assert tuple(fact[1] for fact in forecast.grounding) == forecast.rule.body
        ends = [forecast.fact[0], *(fact[2] for fact in forecast.grounding)]
        assert [fact[0] for fact in forecast.grounding] == ends[:-1]
        assert ends[-1] == forecast.fact[2]
        for s, r, o, t in forecast.grounding:
            own = (s, r, o, t) if r < words.relations else (o, r - words.relations, s, t)
            assert own in known
            cited_forecasts += t + plain.graph.first >= plain.plan.settings.begin
        known.add(forecast.fact)
    assert cited_forecasts, "what was forecast is history for the days after it"


def test_certificates_are_checked(published: Outcome) -> None:
    plain = published
    some = list(plain.result.forecasts[:20])
    assert not unconfirmed(some, plain.graph, plain.kinds)
    flawed = replace(some[3], grounding=tuple((o, r, s, t) for s, r, o, t in some[3].grounding))
    later = replace(some[5], fact=(*some[5].fact[:3], some[5].grounding[-1][3]))
    other = replace(some[7], fact=(some[7].fact[0], some[7].fact[1], some[7].fact[0], 800))
    wrong = [*some[:3], flawed, some[4], later, some[6], other]
    assert unconfirmed(wrong, plain.graph, plain.kinds) == [flawed, later, other]


def test_rules_can_be_read_again(plain: Outcome) -> None:
    words = plain.graph.vocabulary
    for forecast in plain.result.forecasts[:30]:
        if not isinstance(forecast.rule, Rule):
            continue
        row = forecast.as_json(plain.graph)
        readings = read_rule(row["rule"], words)
        assert (forecast.rule.head, forecast.rule.body, forecast.rule.same) in [
            (rule.head, rule.body, rule.same) for rule in readings
        ]
        assert len(row["grounding"]) == forecast.rule.length


def test_reproducible_with_any_number_of_processes(made: Make, plain: Outcome) -> None:
    assert made(jobs=2).result == plain.result
    assert made({"seed": 1}).result != plain.result


def test_a_day_does_not_depend_on_how_far_the_forecast_goes(made: Make, plain: Outcome) -> None:
    first = made({"end": plain.plan.settings.begin + 20}).result.forecasts
    assert first == plain.result.forecasts[: len(first)]
    assert 0 < len(first) < len(plain.result.forecasts)


def test_verification_finds_what_a_disabled_filter_admits(made: Make) -> None:
    found = made({"published": True}, coherent=False).checked.findings.counts()
    assert set(found) <= {"reopened", "reclosed"}
    assert sum(found.values()) > 5


def test_facts_of_a_broken_filter_are_refused(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    from generators.facts.gate import Coherency

    monkeypatch.setattr(Coherency, "allows", lambda *_: True)
    with pytest.raises(UnprovedError, match="violations, expected none"):
        made()


def test_relations_can_be_matched(made: Make, plain: Outcome, published: Outcome) -> None:
    matched = made({"published": True, "match": True})
    assert matched.figures.total_variation < published.figures.total_variation
    assert matched.figures.total_variation < 0.1
    assert matched.figures.total_variation >= matched.figures.least_total_variation
    assert plain.figures.total_variation < 0.1


def test_a_forecast_is_like_the_past(plain: Outcome) -> None:
    assert [comparison.name for comparison in plain.figures.comparisons] == [
        "bounds", "pairs", "relations", "durations"
    ]  # fmt: skip
    for comparison in plain.figures.comparisons[:3]:
        assert comparison.floor <= comparison.distance <= comparison.floor + 0.15, comparison
    assert says_nothing_new(plain.figures.comparisons) is None
    starts = [forecast for forecast in plain.result.forecasts if forecast.by_roles]
    assert len(starts) == plain.figures.by_roles > 5


def test_the_published_procedure_says_nothing_new(published: Outcome) -> None:
    outcome = published
    warning = says_nothing_new(outcome.figures.comparisons)
    assert (warning is not None) == (outcome.figures.comparison("pairs").made[0] < 3)
    assert not any(forecast.by_roles for forecast in outcome.result.forecasts)


def test_a_schema_keeps_roles_apart(made: Make, schema: Path) -> None:
    outcome = made(schema=schema)
    assert not outcome.checked.findings
    assert {
        names(outcome, forecast)[0].split()[0]
        for forecast in outcome.result.forecasts
        if forecast.fact[1]
    } == {
        "Club",
        "Player",
    }
    with pytest.raises(ForecastError, match="no facts could be forecast"):
        made(schema=schema, typed=True)


def test_numbers_can_be_limited(made: Make) -> None:
    few = made({"most": 1, "subjects": 1})
    days = Counter(forecast.fact[3] for forecast in few.result.forecasts)
    assert set(days.values()) == {1}


def test_confidences_are_of_the_best_rule_and_others(plain: Outcome) -> None:
    scores = np.array([forecast.confidence for forecast in plain.result.forecasts])
    assert ((scores > 0) & (scores <= 1)).all()
