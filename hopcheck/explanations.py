"""``explain``: why an item, a pattern, a rule, an answer or an event is as it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Required, Unpack, cast, overload

from grammar.eventhop.model import Domain, Policy, SpatialReading
from hopcheck.graphs import Rules, graph_of, rules_of
from hopcheck.inputs import (
    ArgumentError,
    DomainName,
    EngineName,
    Opened,
    PathLike,
    PolicyName,
    ProfileName,
    Rows,
    SpatialName,
    as_file,
    member,
    paths_of,
    scratch_folder,
    sealed,
)
from hopcheck.verification import pairs, with_settings
from solver.eventhop.explain import Explanation
from solver.graph.model import Dataset
from solver.report.explanation import WrittenExplanation
from solver.rules.model import RuleTable
from solver.verification.report import Kind

if TYPE_CHECKING:
    from benchmarks.rules.strikingness.explanations import EventExplanation
    from solver.eventhop.columns import ItemMap
    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.records import Record
    from solver.patterns.explain import PatternExplanation
    from solver.questions.explain import QuestionExplanation
    from solver.rules.explanations import QueryExplanation, RuleExplanation


class ItemOptions(Opened, total=False):
    """Options to explain an item."""

    premise: str | None
    claim: str | None
    id: str | None
    policy: PolicyName
    spatial: SpatialName
    domain: DomainName | None
    columns: Mapping[str, str] | None
    labels: str | Mapping[str, str] | None
    names: Collection[str]
    phrases: PathLike | Sequence[PathLike]
    grammar: str | None
    engines: Sequence[EngineName]


class PatternOptions(Opened, total=False):
    """Options to explain a pattern."""

    pattern: Required[str]
    flags: str
    cycle_reading: str


class _Ruled(Opened, total=False):
    rules: Required[Rules | RuleTable | PathLike]
    graph: Required[Dataset | PathLike | Rows]


class RuleOptions(_Ruled, total=False):
    """Options to explain a rule."""

    rule: Required[str | int]
    groundings: int
    seed: int


class QueryOptions(_Ruled, total=False):
    """Options to explain the answers to a query."""

    query: Required[Sequence[str]]
    candidates: int
    reasons: int
    top_k: int
    min_confidence: float
    min_body_support: int
    lengths: Sequence[int]
    window: int
    alpha: float
    decay: float


class EventOptions(_Ruled, total=False):
    """Options to explain the strikingness of an event."""

    event: Required[Sequence[str]]
    profile: ProfileName
    peers: int
    reasons: int


class QuestionOptions(Opened, total=False):
    """Options to explain the answers to a question."""

    question: Required[str]
    graph: Required[Dataset | PathLike | Rows]
    rules: PathLike | None


@overload
def explain(**options: Unpack[PatternOptions]) -> PatternExplanation: ...
@overload
def explain(**options: Unpack[RuleOptions]) -> RuleExplanation: ...
@overload
def explain(**options: Unpack[QueryOptions]) -> QueryExplanation: ...
@overload
def explain(**options: Unpack[EventOptions]) -> EventExplanation: ...
@overload
def explain(source: PathLike | Rows, **options: Unpack[QuestionOptions]) -> QuestionExplanation: ...
@overload
def explain(
    source: PathLike | Mapping[str, Any] | None = None, **options: Unpack[ItemOptions]
) -> Explanation: ...
@sealed
def explain(
    source: PathLike | Mapping[str, Any] | Rows | None = None,
    *,
    unsealed: bool = False,  # noqa: ARG001
    **options: Any,
) -> Explanation | WrittenExplanation:
    """Explain an item, a pattern, a rule, a query, a question or an event, as ``explain`` does.

    Args:
        source: of an item, a dict with its fields or a file; of a question, a folder, a file or
            rows.
        unsealed: also read data sets that differ from their manifest.
        options: what is explained, and its options with the defaults of the command:

            - an item: ``premise`` and ``claim``, or ``source`` (a file needs ``id``). Options:
              ``policy`` (local, global or published), ``spatial`` (geometric or published),
              ``domain`` (detected by default), ``columns`` and ``labels`` (as of ``verify``),
              ``names`` (that may contain any word), ``phrases`` (phrase files),
              ``grammar`` (an installed one), ``engines`` (asp, graph, smt, timelines).
            - ``pattern``: a pattern. Options: ``flags``, ``cycle_reading``.
            - ``rule``: a rule as text or its number, with ``rules`` and ``graph``. Options:
              ``groundings``, ``seed``.
            - ``query``: subject, relation, object and time, one of subject and object ``"?"``, with
              ``rules`` and ``graph``. Options: ``candidates``, ``reasons``, and those of ``apply``.
            - ``question``: id of a question in ``source``, with ``graph``. Option: ``rules``.
            - ``event``: subject, relation, object and time, with ``rules`` and ``graph``. Options:
              ``profile`` (released or paper), ``peers``, ``reasons``.

    Returns:
        The explanation; a notebook draws it. That of an item has ``label``, ``status``, ``hops``,
        ``consistent`` and ``certificate``; the others have ``lines()``, ``as_json()``,
        ``to_pandas()``, ``svg()`` and ``write(path)``.

    Raises:
        TypeError: there is no such option.
        HopcheckError: an input cannot be read or parsed, a name is unknown, or engines disagree.

    Examples:
        >>> import hopcheck as hc
        >>> verdict = hc.explain(
        ...     premise="the end of the fair happened before the start of the race",
        ...     claim="the race happens before the fair",
        ... )
        >>> verdict.label.value, verdict.status.value, verdict.hops
        ('false', 'refuted', 1)
        >>> hc.explain("examples/flawed.tsv", id="3").status.value
        'contradictory'
        >>> hc.explain(pattern="1 -1-> 2 => 2 -2-> 1").valid
        True
        >>> rules = hc.mine("examples/tkg", lengths=[1])
        >>> query = ("Belmora", "visits", "?", "2031-05-10")
        >>> len(hc.explain(query=query, rules=rules, graph=rules.graph).candidates)
        5
    """
    kinds: dict[str, Callable[..., WrittenExplanation]] = {
        "pattern": _explain_pattern,
        "rule": _explain_rule,
        "query": _explain_query,
        "question": _explain_question,
        "event": _explain_event,
    }
    named = [name for name in kinds if options.get(name) is not None]
    if len(named) > 1:
        raise ArgumentError(f"found {' and '.join(named)}, expected one of them")
    if not named:
        return _explain_item(source, **options)
    if named == ["question"]:
        return _explain_question(source, **options)
    if source is not None:
        raise ArgumentError(f"found a source and {named[0]}, expected one of them")
    return kinds[named[0]](**options)


def _explain_pattern(
    *, pattern: str, flags: str = "none", cycle_reading: str = "fixed"
) -> PatternExplanation:
    from solver.patterns.explain import explain as explain_pattern
    from solver.patterns.model import CycleReading, PatternFlags

    reading = member(CycleReading, "cycle_reading", cycle_reading)
    return explain_pattern(pattern, PatternFlags.read(flags), reading)


@sealed
def _explain_rule(
    *,
    rule: str | int,
    rules: Rules | RuleTable | PathLike,
    graph: Dataset | PathLike | Rows,
    groundings: int = 3,
    seed: int = 0,
) -> RuleExplanation:
    from solver.rules.explanations import explain_rule

    dataset = graph_of(graph)
    return explain_rule(
        rules_of(rules, dataset),
        dataset,
        str(rule),
        groundings=groundings,
        seed=seed,
        where=str(rules) if isinstance(rules, str | os.PathLike) else "rules",
    )


@sealed
def _explain_query(
    *,
    query: Sequence[str],
    rules: Rules | RuleTable | PathLike,
    graph: Dataset | PathLike | Rows,
    candidates: int = 5,
    reasons: int = 3,
    top_k: int = 20,
    min_confidence: float = 0.01,
    min_body_support: int = 2,
    lengths: Sequence[int] = (),
    window: int = 0,
    alpha: float = 0.5,
    decay: float = 0.1,
) -> QueryExplanation:
    from solver.rules.application import Application, Settings
    from solver.rules.explanations import explain_query
    from solver.rules.ranks import ScoreWeights

    dataset = graph_of(graph)
    settings = Settings(
        top_k=top_k,
        confidence=min_confidence,
        body_support=min_body_support,
        window=window,
        weighing=ScoreWeights(alpha=alpha, rate=decay),
        lengths=frozenset(lengths),
    )
    applied = Application.of(rules_of(rules, dataset), dataset, settings)
    asked = tuple(map(str, query))
    return explain_query(applied, dataset, asked, candidates=candidates, reasons=reasons)


@sealed
def _explain_event(
    *,
    event: Sequence[str],
    rules: Rules | RuleTable | PathLike,
    graph: Dataset | PathLike | Rows,
    profile: str = "released",
    peers: int = 5,
    reasons: int = 2,
) -> EventExplanation:
    from benchmarks.rules.strikingness.explanations import explain_event
    from benchmarks.rules.strikingness.settings import PROFILES, Profile

    dataset = graph_of(graph)
    fact = tuple(map(str, event))
    if len(fact) != 4:
        raise ArgumentError(f"found event={fact!r}, expected subject, relation, object and time")
    settings = PROFILES[member(Profile, "profile", profile)]
    table = rules_of(rules, dataset)
    return explain_event(dataset, table, fact, settings, peers=peers, reasons=reasons)


@sealed
def _explain_question(
    source: Any = None,  # noqa: ANN401 - as in rows
    *,
    question: str,
    graph: Dataset | PathLike | Rows,
    rules: PathLike | None = None,
) -> QuestionExplanation:
    from solver.questions.explain import explain as explain_question
    from solver.questions.rows import Source

    if source is None:
        raise ArgumentError("found no questions, expected a folder, a file or rows")
    with ExitStack() as files:
        path = files.enter_context(as_file(source, "questions.jsonl"))
        data: PathLike
        if isinstance(graph, str | os.PathLike):
            data = graph
        else:
            data = files.enter_context(scratch_folder())
            graph_of(graph).write(data)
        read = Source.of((str(path),), str(data), None if rules is None else Path(rules))
        return explain_question(read, question)


@sealed
def _explain_item(
    source: Any = None,  # noqa: ANN401 - checked here
    *,
    premise: str | None = None,
    claim: str | None = None,
    id: str | None = None,
    policy: str = Policy.LOCAL,
    spatial: str = SpatialReading.GEOMETRIC,
    domain: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: str | Mapping[str, str] | None = None,
    names: Collection[str] = (),
    phrases: PathLike | Sequence[PathLike] = (),
    grammar: str | None = None,
    engines: Sequence[str] = ("asp", "graph"),
) -> Explanation:
    from solver.eventhop.explain import explain as explain_record
    from solver.eventhop.explain import find, record_from_texts

    settings = _settings(policy, spatial, domain, names, phrases, engines)
    renamed = {"columns": columns and pairs(columns), "labels": labels and pairs(labels)}
    renamed |= {"grammar": grammar}
    settings = cast("ItemSettings", with_settings(settings, source, Kind.EVENTHOP, renamed))
    if isinstance(source, str | os.PathLike):
        if id is None or premise is not None or claim is not None:
            raise ArgumentError("a file needs the id of an item, and no texts")
        return explain_record(find(str(source), id, settings.columns), settings)
    if source is not None:
        if premise is not None or claim is not None:
            raise ArgumentError("found an item and texts, expected one of them")
        return explain_record(_record(source, settings.columns), settings)
    if claim is None:
        raise ArgumentError("found no item, expected premise and claim, a dict, or a file and id")
    return explain_record(record_from_texts(premise or "", claim), settings)


@sealed
def _settings(
    policy: str,
    spatial: str,
    domain: str | None,
    names: Collection[str],
    phrases: PathLike | Sequence[PathLike],
    engines: Sequence[str],
) -> ItemSettings:
    from solver.eventhop.engines import EngineName, ItemSettings, installed, phrase_files

    given = (engines,) if isinstance(engines, str) else engines
    others = () if set(given) <= {*EngineName} else installed()
    return ItemSettings(
        policy=member(Policy, "policy", policy),
        spatial=member(SpatialReading, "spatial", spatial),
        domain=None if domain is None else member(Domain, "domain", domain),
        names=frozenset(names),
        phrases=phrase_files(paths_of(phrases)),
        engines=tuple(
            name if name in others else member(EngineName, "engines", name)
            for name in dict.fromkeys(given)
        ),
    )


def _record(fields: Mapping[str, Any], mapping: ItemMap | None) -> Record:
    from solver.eventhop.explain import GIVEN
    from solver.eventhop.records import ItemPlace, record
    from solver.io.sources import FieldError

    try:
        place = ItemPlace(file=GIVEN, line=1)
        if mapping is None:
            return record(fields, place)
        return record(mapping.ours(fields), place, mapping.scheme)
    except FieldError as error:
        raise ArgumentError(str(error), hint=error.hint) from None
