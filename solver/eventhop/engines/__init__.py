"""Engines: independent decision procedures for items, behind one protocol.

``solver.eventhop.crosscheck.engine`` imports them on demand by name, so that a run does not load
solvers that it does not use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from grammar.eventhop.model import Domain, Item, Label, Policy, SpatialReading, Status, Verdict
from solver.verification.settings import option

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from grammar.phrases import PhraseFile
    from solver.eventhop.columns import ItemMap
    from solver.eventhop.labels import LabelScheme


class EngineName(StrEnum):
    """Names of the engines, as in ``--crosscheck``."""

    ASP = "asp"
    GRAPH = "graph"
    SMT = "smt"
    TIMELINES = "timelines"


GROUP = "hopcheck.engines"
"""Group of the entry points by which other distributions add engines: functions of a policy."""


def installed() -> Mapping[str, EntryPoint]:
    """The engines of other distributions, by name."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in _NAMES}


def engine_named(name: str) -> EngineName | str:
    """The name of an engine of this project, or of another distribution.

    Raises:
        ValueError: there is none.
    """
    if name in _NAMES or name not in (others := installed()):
        return EngineName(name)
    return others[name].name


_NAMES = frozenset(EngineName)


class Engine(Protocol):
    """Decides items under a policy (``local`` or ``global``)."""

    @property
    def name(self) -> str:
        """Its name, as in ``--crosscheck``."""

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict per item, in order."""
        ...


def label(status: Status, *, consistent: bool, policy: Policy) -> Label:
    """The label under ``local`` or ``global``.

    Raises:
        ValueError: for ``published``, whose labels do not follow from a status.
    """
    if policy is Policy.PUBLISHED:
        raise ValueError("the published label is not a function of the status")
    undecidable = status is Status.CONTRADICTORY or (policy is Policy.GLOBAL and not consistent)
    if undecidable:
        return Label.UNDEFINED
    return Label.TRUE if status is Status.ENTAILED else Label.FALSE


@lru_cache(maxsize=64)
def verdict(status: Status, *, consistent: bool, policy: Policy) -> Verdict:
    """A verdict with the label that follows from its status."""
    decided = label(status, consistent=consistent, policy=policy)
    return Verdict(status=status, consistent=consistent, label=decided)


class Fault(StrEnum):
    """Deviations of the printed procedure from derivation; the order is fixed."""

    SIMULTANEOUS_EXEMPT = "simultaneous-exempt"
    """Algorithm 4 never reports a contradiction between derivably equal points."""

    SAME_EVENT_EXEMPT = "same-event-exempt"
    """Algorithm 4 ignores an event whose end is derivably before its start."""

    SEEN_EARLY = "seen-early"
    """Algorithm 2 marks a point as seen on a non-strict arrival and misses a later strict one."""

    PAIR_UNCHECKED = "pair-unchecked"
    """Algorithm 3 checks four of the six pairs: neither end-end nor end(A)-start(B)."""

    OVERLAP_BY_ABSENCE = "overlap-by-absence"
    """Algorithm 1 assumes that A starts first unless B is derivably first."""


DEFAULT_ENGINES = (EngineName.ASP, EngineName.GRAPH)


def _mapping(text: str) -> ItemMap:
    from solver.eventhop.columns import ItemMap

    return ItemMap.parse_items(text)


def _scheme(text: str) -> LabelScheme | None:
    from solver.eventhop.labels import LabelScheme

    return LabelScheme.parse(text)


def _listed(path: str) -> frozenset[str]:
    """The names of a file, one a line."""
    from solver.io.sources import lines, open_input

    with open_input(path, "names, one a line") as source:
        return frozenset(line.text.strip() for line in lines(source) if line.text.strip())


def _grammar(name: str) -> str:
    from grammar.eventhop.grammars import grammar_named

    return grammar_named(name)


def phrase_files(sources: Sequence[str]) -> tuple[PhraseFile, ...]:
    """Load phrase files about events, which are tested before they are used."""
    from grammar.eventhop.reader import admitted

    return admitted(sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSettings:
    """How items are decided.

    Attributes:
        engines: engines that must agree; the first one's verdicts are reported.
        domain: the wording of the texts; None to detect it for each text.
        repaired: faults that are repaired under the ``published`` policy.
        mapping: names of columns and labels in the files of items that differ from ours.
        labels: the words of the labels, by status; None for those of EventHopNLI.
        names: names of events that may contain any word.
        phrases: phrase files, whose phrases are read as well.
        grammar: an installed grammar, in whose wording the texts are.
        proved: whether the checker that is compiled from the Coq proofs also checks certificates.
    """

    policy: Policy = field(
        default=Policy.LOCAL,
        metadata=option(
            "When a label is undefined: if the premise is contradictory about the claim's own "
            "points (local), about any points (global), or as in the published procedure "
            "(published).",
            choices=Policy,
        ),
    )
    repaired: frozenset[Fault] = field(
        default=frozenset(),
        metadata=option(
            f"Faults of the published procedure to repair, of {', '.join(Fault)}, or all; "
            "requires --policy published.",
            name="repair",
            choices=Fault,
            several=True,
            metavar="FAULTS",
            convert=frozenset,
        ),
    )
    spatial: SpatialReading = field(
        default=SpatialReading.GEOMETRIC,
        metadata=option(
            "Which edge of a place is its start: the western one (geometric), or the eastern one "
            "as in the published generator (published).",
            choices=SpatialReading,
        ),
    )
    domain: Domain | None = field(
        default=None,
        metadata=option("Wording of the texts; detected for each text by default.", choices=Domain),
    )
    mapping: ItemMap | None = field(
        default=None,
        metadata=option(
            "Names in the files of items that differ from ours: columns and labels, such as "
            "premise=context,gold=answer,entailment=true,contradiction=false,neutral=false.",
            name="map",
            metavar="NAMES",
            convert=_mapping,
        ),
    )
    labels: LabelScheme | None = field(
        default=None,
        metadata=option(
            "Words of the labels: eventhop, nli3, nli2, yes-no, or one for each status, such as "
            "entailed=entailment,refuted=contradiction,unknown=neutral,contradictory=neutral.",
            metavar="SCHEME",
            convert=_scheme,
        ),
    )
    names: frozenset[str] | None = field(
        default=None,
        metadata=option(
            "File of names of events, one a line, that contain words with a meaning of their own, "
            'such as "Before Sunset".',
            metavar="FILE",
            convert=_listed,
        ),
    )
    phrases: tuple[PhraseFile, ...] = field(
        default=(),
        metadata=option(
            "File of phrases to read as well (TOML), or the name of an installed one. May be "
            "repeated.",
            metavar="FILE",
            repeated=True,
            convert=phrase_files,
        ),
    )
    grammar: str | None = field(
        default=None,
        metadata=option(
            "Name of an installed grammar: the texts are in its wording.",
            metavar="NAME",
            convert=_grammar,
        ),
    )
    proved: bool = field(
        default=False,
        metadata=option(
            "Also run the checker that is compiled from the Coq proofs, and stop where it differs."
        ),
    )
    engines: tuple[EngineName | str, ...] = field(
        default=DEFAULT_ENGINES,
        metadata=option(
            f"Engines that must agree, of {', '.join(EngineName)}, or installed ones; timelines is "
            "for small items.",
            name="crosscheck",
            choices=EngineName,
            others=installed,
            several=True,
            metavar="ENGINES",
        ),
    )

    def __post_init__(self) -> None:
        """Require labels that the policy can give."""
        if self.labels is not None:
            from solver.eventhop.labels import require_labels

            mapped = () if self.mapping is None else self.mapping.labels
            require_labels(self.labels, self.policy, mapped)

    @property
    def columns(self) -> ItemMap | None:
        """How cells are read: the names of columns, and the words of labels."""
        if self.labels is None:
            return self.mapping
        from solver.eventhop.columns import ItemMap

        named = {} if self.mapping is None else self.mapping.columns
        return ItemMap(columns=named, scheme=self.labels)

    def label(self, verdict: Verdict) -> str:
        """The label of a verdict."""
        return verdict.label if self.labels is None else self.labels.label(verdict, self.policy)

    def as_config(self) -> dict[str, object]:
        """The settings, for a manifest."""
        renamed = {} if self.mapping is None else {"map": self.mapping.as_json()}
        labelled = {} if self.labels is None else {"labels": self.labels.name}
        listed = {"names": sorted(self.names)} if self.names else {}
        worded = {"phrases": [file.digest for file in self.phrases]} if self.phrases else {}
        written = {"grammar": self.grammar} if self.grammar else {}
        compiled = {"proved": self.proved} if self.proved else {}
        return (
            renamed
            | labelled
            | listed
            | worded
            | written
            | compiled
            | {
                "policy": self.policy,
                "repaired": sorted(self.repaired),
                "spatial": self.spatial,
                "domain": self.domain,
                "engines": list(self.engines),
            }
        )
