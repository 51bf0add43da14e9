"""Audits the released YAGO 2026 facts, with the real facts of YAGO 2022 as a control.

The data are not part of this project::

    python -m benchmarks.reproduction.facts.audit DATA --write

DATA contains ``yago2026/single.references.txt``, ``yago2026/multi.references.txt``,
``yago2022/single.references.txt`` and ``schema/relations.csv``. It prints a table; ``--write``
writes it and its figures as JSON to ``benchmarks/results/``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import click

from benchmarks.reproduction.speed.clock import write_results
from solver.encodings import ViolationAtom
from solver.facts.intervals import Naming
from solver.facts.io import read_facts
from solver.facts.literals import read_literals
from solver.facts.model import (
    Bound,
    Case,
    DatedFact,
    Window,
    build_case,
    count_chains,
    has_escape,
    is_empty,
    is_generic,
)
from solver.facts.schema import Schema
from solver.facts.schema_files import read_schema
from solver.facts.verify import EXCLUSIVE, PER_OBJECT, cross_check
from solver.io.sources import InputError

Figures = dict[str, int]
_NAMELESS = "(no name)"

ROWS = {
    "facts": "facts",
    "exact_duplicates": "exact duplicates",
    "empty_subject": "empty subjects",
    "empty_object": "empty objects",
    "date_outside": "dates outside the year",
    "chains_of_two_or_more": "chains (subject, relation) of two or more facts",
    "incoherent_chains": "of them incoherent, one object at a time",
    "second_open": "starts while an object of the same relation is open",
    "other_open": "ends of what is not open, while another object is",
    "nothing_open": "ends where nothing is open any more",
    "reopened": "starts of the same fact while it is open",
    "reclosed": "ends of the same fact after its end",
    "proper_ends": "ends of what is open",
    "unverifiable": "ends without a start among the facts",
    "disjoint_roles": "entities in roles of disjoint classes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The figures of the released sets.

    Attributes:
        future: figures of 2026; ``control``: figures of 2022.
        history: figures of 2026 with 2022 as history, over shared chains.
        multi: figures of examples with several facts.
    """

    future: Figures
    control: Figures
    history: Mapping[str, Figures]
    multi: Mapping[str, object]

    def as_json(self) -> dict[str, object]:
        """All figures by set."""
        return {
            "single_2026": self.future,
            "single_2022": self.control,
            "single_2026_after_2022": dict(self.history),
            "multi_2026": dict(self.multi),
        }


def audit(data: Path) -> Audit:
    """Audit the sets of a folder, deciding every verdict with two engines.

    Raises:
        InputError: a file or a row of it cannot be read.
    """
    schema = read_schema(data / "schema")
    paths = {year: data / f"yago{year}" / "single.references.txt" for year in (2026, 2022)}
    facts = {year: _facts(path, schema) for year, path in paths.items()}
    return Audit(
        future=_of_year(facts[2026], 2026, schema),
        control=_of_year(facts[2022], 2022, schema),
        history={
            "named subjects": _after(
                [fact for fact in facts[2026] if not is_empty(fact.subject)], facts[2022], schema
            ),
            "empty subjects as one": _after(
                list(map(_named, facts[2026])), list(map(_named, facts[2022])), schema
            ),
        },
        multi=_multi(data / "yago2026" / "multi.references.txt", facts[2026]),
    )


def _facts(path: Path, schema: Schema) -> list[DatedFact]:
    read = read_facts(path, Naming.of(schema))
    for message in read.unreadable:
        raise InputError(message)
    return [fact for fact in read.facts if isinstance(fact, DatedFact)]


def _of_year(facts: Sequence[DatedFact], year: int, schema: Schema) -> Figures:
    window = Window(first=date(year, 1, 1).toordinal(), last=date(year, 12, 31).toordinal())
    whole = cross_check(build_case(facts, schema=schema, window=window))
    counts = Counter(atom.code for atom in whole)
    return {
        **_plain(facts),
        **{
            name: counts[code]
            for name, code in (
                ("exact_duplicates", "duplicate"),
                ("empty_subject", "empty_subject"),
                ("empty_object", "empty_object"),
                ("date_outside", "outside_window"),
                ("unverifiable", "unverifiable"),
                ("unknown_relations", "unknown_relation"),
                ("disjoint_roles", "disjoint_roles"),
            )
        },
        **_coherency(facts, schema),
    }


def _plain(facts: Sequence[DatedFact]) -> Figures:
    """Counts that do not depend on the schema."""
    dates: dict[tuple[str, str, str], set[int]] = defaultdict(set)
    for fact in facts:
        dates[fact.subject, fact.written, fact.object].add(fact.day)
    names = [(fact.subject, fact.object) for fact in facts]
    return {
        "facts": len(facts),
        "distinct": len({str(fact) for fact in facts}),
        "subjects": len({fact.subject for fact in facts}),
        "relations": len({fact.written for fact in facts}),
        "days": len({fact.day for fact in facts}),
        "same_s_r_o_at_two_dates": sum(len(days) > 1 for days in dates.values()),
        "subject_equals_object": sum(s == o and not is_empty(s) for s, o in names),
        "facts_with_escapes": sum(has_escape(s) or has_escape(o) for s, o in names),
        "facts_with_generic_instances": sum(is_generic(s) or is_generic(o) for s, o in names),
    }


def _coherency(facts: Sequence[DatedFact], schema: Schema) -> Figures:
    """Violations in the chains of exclusive relations."""
    exclusive = [fact for fact in facts if _is_exclusive(fact, schema)]
    case = build_case(exclusive, schema=schema)
    found = cross_check(case)
    counts = Counter(atom.code for atom in found)
    chains = count_chains(case, (atom for atom in found if atom.code in EXCLUSIVE))
    return {
        "chains_of_two_or_more": chains.long,
        "incoherent_chains": chains.incoherent,
        **{code: counts[code] for code in (*EXCLUSIVE, *PER_OBJECT) if code != "never_opened"},
        "proper_ends": len(_proper_ends(case, found)),
    }


def _is_exclusive(fact: DatedFact, schema: Schema) -> bool:
    relation = schema.relations.get(fact.relation)
    return relation is not None and relation.exclusive


def _proper_ends(case: Case, found: Sequence[ViolationAtom]) -> set[int]:
    """Ends that close an open fact."""
    wrong = {atom.numbers[0] for atom in found if atom.code in ("reclosed", "unverifiable")}
    return {
        number
        for number, fact in enumerate(case.facts)
        if fact.bound is Bound.END
        and not case.past[number]
        and not is_empty(fact.subject)
        and number not in wrong
    }


def _after(facts: Sequence[DatedFact], history: Sequence[DatedFact], schema: Schema) -> Figures:
    """Violations in chains that occur in the history."""
    begun = {(fact.subject, fact.relation) for fact in history}
    shared = [fact for fact in facts if (fact.subject, fact.relation) in begun]
    case = build_case(shared, history=history, schema=schema)
    found = cross_check(case)
    counts = Counter(atom.code for atom in found)
    proper = len(_proper_ends(case, found))
    return {
        "shared_chains": len({(fact.subject, fact.relation) for fact in shared}),
        **{code: counts[code] for code in ("second_open", "reopened", "reclosed", "nothing_open")},
        "ends_while_an_object_is_open": counts["other_open"] + proper,
        "of_these_the_open_object": proper,
    }


def _named(fact: DatedFact) -> DatedFact:
    return replace(fact, subject=fact.subject.strip() or _NAMELESS)


def _multi(path: Path, single: Sequence[DatedFact]) -> dict[str, object]:
    """Compare examples of several facts with those of one."""
    examples = list(read_literals(path))
    for error in (error for example in examples for error in example.errors):
        raise InputError(error.message, where=error.where)
    alone = {str(fact) for fact in single}
    joined = {str(fact) for example in examples for fact in example.facts}
    sizes = Counter(len(example.facts) for example in examples)
    return {
        "examples": len(examples),
        "facts": sum(len(example.facts) for example in examples),
        "sizes": {str(size): count for size, count in sorted(sizes.items())},
        "not_in_single": len(joined - alone),
        "single_facts_dropped": len(alone - joined),
    }


def table(found: Audit) -> str:
    """The figures of both years as a Markdown table."""
    rows = [
        f"| {meaning} | {found.future[name]:,} | {found.control[name]:,} |"
        for name, meaning in ROWS.items()
    ]
    return "\n".join(["| | YAGO 2026 | YAGO 2022 |", "|---|---|---|", *rows]) + "\n"


@click.command()
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Write the results to benchmarks/results/.")
def main(data: Path, write: bool) -> None:
    """Audit the released sets of facts in DATA."""
    try:
        found = audit(data)
    except InputError as error:
        raise click.ClickException(str(error)) from None
    text = table(found)
    click.echo(text, nl=False)
    if write:
        write_results("yago-audit", found.as_json(), text)


if __name__ == "__main__":
    main()
