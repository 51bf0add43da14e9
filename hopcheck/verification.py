"""Artefacts and items: ``verify`` and ``check``, ``parse`` and ``realise``."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from grammar.eventhop.model import Domain, Item, Policy, SpatialReading
from hopcheck.inputs import (
    ArgumentError,
    DomainName,
    PathLike,
    PolicyName,
    ProbeName,
    Rows,
    SpatialName,
    as_file,
    member,
    named,
    paths_of,
    rows_of,
    sealed,
    splits_of,
)
from solver.eventhop.explain import Explanation
from solver.eventhop.labels import SchemeError
from solver.io.columns import MapError
from solver.probes.probe import ProbeLevel
from solver.verification.kinds import detect, find, kind_named
from solver.verification.report import Findings, Kind, VerifyReport
from solver.verification.settings import OPTION

if TYPE_CHECKING:
    from grammar.eventhop.writer import Text
    from solver.eventhop.columns import ItemMap
    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.records import ReadRecord

KindName: TypeAlias = Literal[
    "eventhop",
    "links",
    "patterns",
    "tkg",
    "facts",
    "texts",
    "questions",
    "traces",
    "calendar",
    "positions",
    "assignments",
]
"""The kinds of this project that are verified."""


_ROWS = "rows"
"""Name of rows without a file in positions: ``rows:3``."""


@sealed
def verify(
    source: PathLike | Sequence[PathLike] | Rows,
    kind: KindName | None = None,
    *,
    config: object | None = None,
    columns: Mapping[str, str] | None = None,
    labels: str | Mapping[str, str] | None = None,
    policy: PolicyName | None = None,
    names: Collection[str] = (),
    phrases: PathLike | Sequence[PathLike] = (),
    grammar: str | None = None,
    jobs: int = 1,
    probes: ProbeName = "fast",
    unsealed: bool = False,  # noqa: ARG001
) -> VerifyReport:
    """Verify items, annotated links, patterns, generated graphs, facts, texts or questions.

    At least two engines decide every verdict, and an independent checker checks its certificate.

    Args:
        source: a file or a folder, several of them, rows of a table, or several tables by name.
        kind: eventhop, links, patterns, tkg, facts, texts or questions, or a kind of another
            distribution; by default detected from files, and eventhop for rows.
        config: settings of the kind, such as ``solver.eventhop.engines.ItemSettings``; None for
            the defaults.
        columns: our name of a field -> its name in the data.
        labels: the words of the labels of items: eventhop, nli3, nli2 or yes-no; or the word of
            each status: entailed, refuted, unknown and contradictory.
        policy: when a label of an item is undefined: local, global or published.
        names: names of events that may contain any word.
        phrases: phrase files, whose phrases are read as well: paths, names of installed ones, or
            texts.
        grammar: name of an installed grammar, in whose wording the texts are.
        jobs: number of worker processes; the result does not depend on it.
        probes: which probes search for shortcuts in labelled data: none, fast (on a sample) or all.
        unsealed: also read data sets that differ from their manifest; outputs record it.

    Returns:
        The report, with ``findings``, ``unreadable``, ``exit_status`` and ``write()``.

    Raises:
        HopcheckError: a file cannot be read, or engines disagree.

    Examples:
        >>> import hopcheck as hc
        >>> items = [{"premise": "the end of A happened before the start of B",
        ...           "claim": "B happens before A", "label": "true"}]
        >>> report = hc.verify(items)
        >>> [(finding.code, finding.where) for finding in report.findings]
        [('wrong-label', 'rows:1')]
        >>> hc.verify("examples/right.tsv").findings.counts()
        {}
    """
    from solver.verification.run import verify as verify_files

    chosen = None if kind is None else _kind(kind)
    level = member(ProbeLevel, "probes", probes)
    given: dict[str, object] = {
        "columns": columns and pairs(columns),
        "labels": labels and pairs(labels),
        "policy": policy and member(Policy, "policy", policy),
        "names": frozenset(names),
        "phrases": paths_of(phrases),
        "grammar": grammar,
    }
    if any(given.values()):
        config = with_settings(config, source, chosen, given)
    check_files = partial(verify_files, config=config, jobs=jobs, probes=level)
    if isinstance(source, str | os.PathLike):
        return _in_arguments(check_files(_path(source), chosen))
    if isinstance(source, list | tuple) and source:
        paths = [path for path in source if isinstance(path, str | os.PathLike)]
        if len(paths) == len(source):
            return _in_arguments(check_files(map(_path, paths), chosen))
    tables = splits_of(source) or {_ROWS: cast(Rows, source)}
    if chosen in (None, Kind.EVENTHOP):
        mapping = None if config is None else cast("ItemSettings", config).columns
        records = [
            record
            for name, table in tables.items()
            for record in _records(rows_of(table), name, mapping)
        ]
        return _in_arguments(check_files(records, Kind.EVENTHOP))
    with ExitStack() as files:
        written = [
            files.enter_context(as_file(table, f"{name}.jsonl")) for name, table in tables.items()
        ]
        found = check_files(written, chosen)
    return _in_arguments(replace(found, files=tuple(tables)))


def _in_arguments(report: VerifyReport) -> VerifyReport:
    """A report whose messages name arguments, not options."""
    findings = [replace(found, message=named(found.message)) for found in report.findings]
    return replace(
        report,
        findings=Findings(findings, report.findings.counts()),
        unreadable=tuple(replace(row, message=named(row.message)) for row in report.unreadable),
    )


def pairs(given: str | Mapping[str, str]) -> str:
    """A mapping as an option writes it; a text is one already."""
    if isinstance(given, str):
        return given
    return ",".join(f"{name}={value}" for name, value in given.items())


def _kind(name: str) -> str:
    kind = find(name)
    # For the message, if there is no such kind.
    return member(Kind, "kind", name) if kind is None else kind.name


_FIELDS = {"columns": "mapping"}
"""Arguments whose settings have another name."""


def with_settings(
    config: object | None, source: object, kind: str | None, given: Mapping[str, object]
) -> object:
    """Settings with some arguments: those of the kind of a file, if none are given."""
    settings: Any = config
    if settings is None:
        first: Any = source[0] if isinstance(source, list | tuple) and source else source
        of_file = isinstance(first, str | os.PathLike)
        named = kind or (detect([_path(first)]) if of_file else Kind.EVENTHOP.value)
        make = kind_named(named).settings
        settings = None if make is None else make()()
    known = {field.name: field for field in (() if settings is None else fields(settings))}
    changed: dict[str, Any] = {}
    for name, value in given.items():
        if not value:
            continue
        setting = known.get(_FIELDS.get(name, name))
        if setting is None:
            raise ArgumentError(f"found {name}, expected a kind that has it, such as eventhop")
        convert = setting.metadata[OPTION].convert
        # Names are given as they are, not as a file of them.
        as_given = convert is None or name == "names"
        try:
            changed[setting.name] = value if as_given else convert(value)
        except (MapError, SchemeError) as error:
            raise ArgumentError(f"{name}: {error.message}", hint=error.hint) from None
    made: object = replace(settings, **changed)
    return made


def _path(source: PathLike) -> str | Path:
    return source if isinstance(source, str) else Path(source)


def _records(
    rows: Sequence[Mapping[str, Any]], name: str, mapping: ItemMap | None
) -> Iterator[ReadRecord]:
    from solver.eventhop.records import ItemPlace, broken, record
    from solver.io.sources import FieldError

    for number, row in enumerate(rows, 1):
        place = ItemPlace(file=name, line=number)
        try:
            if mapping is None:
                yield record(row, place)
            else:
                yield record(mapping.ours(row), place, mapping.scheme)
        except FieldError as error:
            yield broken(str(number), place, None, error)


@sealed
def parse(
    premise: str = "",
    claim: str = "",
    *,
    id: str = "1",
    domain: DomainName | None = None,
    spatial: SpatialName = "geometric",
    names: Collection[str] = (),
    phrases: PathLike | Sequence[PathLike] = (),
    grammar: str | None = None,
) -> Item:
    """Parse the texts of an item into its graph.

    Args:
        premise: sentences that order the starts and ends of events; may be empty.
        claim: a sentence about two events.
        id: id of the item.
        domain: wording of the texts: temporal, spatial or logical; detected by default.
        spatial: which edge of a place is its start: geometric or published.
        names: names of events that may contain any word.
        phrases: phrase files, whose phrases are read as well: paths, names of installed ones, or
            texts.
        grammar: name of an installed grammar, in whose wording the texts are.

    Raises:
        PhraseError: a phrase file is refused.
        ParseError: a text cannot be parsed; its position is in the message.

    Examples:
        >>> import hopcheck as hc
        >>> item = hc.parse("the end of the fair happened before the start of the race",
        ...                 "the fair happens before the race")
        >>> [str(relation) for relation in item.premise]
        ['end of fair before start of race']
        >>> str(item.claim)
        'fair before race'
    """
    from grammar.eventhop.grammars import grammar_named
    from solver.eventhop.engines import ItemSettings, phrase_files
    from solver.eventhop.explain import record_from_texts
    from solver.eventhop.reading import read

    settings = ItemSettings(
        domain=None if domain is None else member(Domain, "domain", domain),
        spatial=member(SpatialReading, "spatial", spatial),
        names=frozenset(names),
        phrases=phrase_files(paths_of(phrases)),
        grammar=None if grammar is None else grammar_named(grammar),
    )
    return read(replace(record_from_texts(premise, claim), id=id), settings)[1]


@sealed
def realise(item: Item, *, seed: int | None = None, spatial: SpatialName = "geometric") -> Text:
    """Write an item as texts, which parse as the same item.

    Args:
        item: the item, as ``parse`` returns it.
        seed: random seed to vary phrases; by default one phrase per relation.
        spatial: which edge of a place is its start: geometric or published.

    Returns:
        The texts, with the attributes ``premise`` and ``claim``.

    Raises:
        UnwritableError: a name of the item cannot be parsed back.

    Examples:
        >>> import hopcheck as hc
        >>> item = hc.parse("the start of the fair happened after the end of the race",
        ...                 "the fair happens after the race")
        >>> hc.realise(item).claim
        'fair happens after race'
        >>> text = hc.realise(item, seed=7)
        >>> hc.parse(text.premise, text.claim) == item
        True
    """
    from grammar.eventhop.writer import Writer

    reading = member(SpatialReading, "spatial", spatial)
    if seed is None:
        return Writer(item.domain, reading).write(item)
    # Seeded by the id, as the command is: an item's phrases do not depend on other items.
    choose = Random(f"{seed} {item.id}").choice
    return Writer(item.domain, reading, phrases=choose).write(item)


@sealed
def check(
    verdict: Explanation | Mapping[str, Any] | PathLike,
    *,
    unsealed: bool = False,  # noqa: ARG001
) -> None:
    """Check that a certificate proves the whole verdict: status, consistency, label and hops.

    The checker is one file, ``solver/eventhop/check.py``. It reads the texts itself and shares no
    code with the readers, the engines and the generation of certificates.

    Args:
        verdict: what ``explain`` returns, a row of ``items.jsonl`` as ``verify`` writes it, or such
            a file.
        unsealed: also read data sets that differ from their manifest.

    Raises:
        RejectedCertificateError: a certificate does not prove its verdict.

    Examples:
        >>> import hopcheck as hc
        >>> verdict = hc.explain(premise="the end of A happened before the start of B",
        ...                      claim="A happens before B")
        >>> hc.check(verdict)
        >>> row = verdict.as_json()
        >>> row["verdict"]["hops"] = 2
        >>> hc.check(row)
        Traceback (most recent call last):
        ...
        solver.eventhop.outcomes.RejectedCertificateError: given: the distances do not show ...
    """
    from solver.eventhop.check import RejectedError, check_file, check_row
    from solver.eventhop.outcomes import RejectedCertificateError

    if isinstance(verdict, str | os.PathLike):
        for number, name, fault in check_file(os.fspath(verdict)):
            if fault is not None:
                where = f"{os.fspath(verdict)}:{number}: {name}"
                raise RejectedCertificateError(fault, where=where)
        return
    row = verdict.as_json() if isinstance(verdict, Explanation) else dict(verdict)
    try:
        check_row(row)
    except RejectedError as error:
        raise RejectedCertificateError(str(error), where=str(row.get("id", ""))) from None
