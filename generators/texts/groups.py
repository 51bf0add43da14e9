"""Groups similar facts for one text by hierarchical clustering.

Source: the paper's section 3.3.2, equations 4 to 6, and future facts, section 4. No fact is lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from generators.texts.run import Group
from grammar.texts.model import TextFact
from grammar.texts.phrases import PhraseTable, phrase_table
from solver.extras import require
from solver.facts.schema import Schema
from solver.io.sources import InputError
from solver.texts.io import ReferenceFacts, read_references

if TYPE_CHECKING:
    from scipy.cluster.hierarchy import ClusterNode


ALPHA, KAPPA, MIDPOINT = 0.8, 0.03, 365 / 2
LARGEST = 4

Distances = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityClasses:
    """The classes of entities.

    Attributes:
        schema: the schema; without one, different entities have the maximal distance.
        of: known classes by entity; for others, domain or range of the relation are used.
    """

    schema: Schema = field(default_factory=Schema)
    of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def sides(self, fact: TextFact) -> tuple[frozenset[str], frozenset[str]]:
        """Classes of a fact's subject and object; the name itself if none are known."""
        relations = self.schema.relations.values()
        named = (
            relation
            for relation in relations
            if fact.relation in (relation.name, relation.start, relation.end)
        )
        signatures = [signature for relation in named for signature in relation.signatures]
        domain = frozenset(c for signature in signatures for c in signature.domain)
        range_ = frozenset(c for signature in signatures for c in signature.range)
        return self._known(fact.subject) or domain or frozenset((f"entity {fact.subject}",)), (
            self._known(fact.object) or range_ or frozenset((f"entity {fact.object}",))
        )

    def _known(self, entity: str) -> frozenset[str]:
        return frozenset(self.of.get(entity, ()))


def group_facts(groups: Sequence[Group], classes: EntityClasses) -> list[Group]:
    """Regroup the facts of all groups into groups of two to four similar facts.

    A single remaining fact joins the nearest group with less than four facts, or stays alone.
    Groups are ordered by their first facts.
    """
    alone = [(group.where, fact) for group in groups for fact in group.facts]
    if len(alone) < 2:
        return list(groups)
    distances = fact_distances([fact for _, fact in alone], classes)
    members = sorted(sorted(numbers) for numbers in cluster(distances))
    return [
        Group(where=alone[member[0]][0], facts=tuple(alone[index][1] for index in member))
        for member in members
    ]


def cluster(distances: Distances) -> list[list[int]]:
    """Cluster the indices of a distance matrix by average linkage.

    The largest branches of up to four leaves are groups; single leaves are clustered again.
    """
    require("grouping by distance", "scipy")
    from scipy.cluster.hierarchy import linkage, to_tree
    from scipy.spatial.distance import squareform

    groups: list[list[int]] = []
    left = list(range(len(distances)))
    while len(left) > 1:
        part = distances[np.ix_(left, left)]
        tree = to_tree(linkage(squareform(part, checks=False), method="average"))
        branches = [[left[leaf] for leaf in branch] for branch in _branches(tree)]
        groups += [branch for branch in branches if len(branch) > 1]
        left = sorted(branch[0] for branch in branches if len(branch) == 1)
    for last in left:
        open_groups = [numbers for numbers in groups if len(numbers) < LARGEST]
        if open_groups:
            min(open_groups, key=lambda numbers: float(distances[last, numbers].mean())).append(
                last
            )
        else:
            groups.append([last])
    return groups


def _branches(tree: ClusterNode) -> Iterator[list[int]]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if node.get_count() <= LARGEST:
            yield node.pre_order()
        else:
            waiting += [child for child in (node.get_right(), node.get_left()) if child is not None]


def fact_distances(facts: Sequence[TextFact], classes: EntityClasses) -> Distances:
    """Distances of facts, (n, n), in [0, 1]; equation 4.

    Subjects and objects have weight ``ALPHA`` / 2 each, dates the rest.
    """
    sides = [classes.sides(fact) for fact in facts]
    kinds = sorted({names for pair in sides for names in pair}, key=sorted)
    number = {kind: place for place, kind in enumerate(kinds)}
    between = entity_distances(kinds, classes)
    subjects, objects = (np.array([number[pair[side]] for pair in sides]) for side in (0, 1))
    days = np.array([fact.date.toordinal() for fact in facts], dtype=np.float64)
    entities = (between[np.ix_(subjects, subjects)] + between[np.ix_(objects, objects)]) / 2
    found: Distances = ALPHA * entities + (1 - ALPHA) * time_distances(days)
    np.fill_diagonal(found, 0.0)
    return found


def entity_distances(kinds: Sequence[frozenset[str]], classes: EntityClasses) -> Distances:
    """Distances of entities by their class sets; equation 5, 1 if no path connects them."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    for name, parents in classes.schema.hierarchy.parents.items():
        graph.add_node(name)
        graph.add_edges_from((name, parent) for parent in parents)
    graph.add_nodes_from(name for kind in kinds for name in kind)
    steps = dict(nx.all_pairs_shortest_path_length(graph))
    found = np.ones((len(kinds), len(kinds)))
    for row, kind in enumerate(kinds):
        for column, other in enumerate(kinds):
            links = [steps[c][d] for c in kind for d in other if d in steps[c]]
            if links:
                found[row, column] = 1 - 1 / (min(links) + 1)
    return found


def time_distances(days: Distances) -> Distances:
    """Distances of days; equation 6, a logistic function with its midpoint at half a year."""
    apart = np.abs(days[:, None] - days[None, :])
    found: Distances = 1 / (1 + np.exp(-KAPPA * (apart - MIDPOINT)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The facts of a file.

    Attributes:
        groups: the expressible facts of each line.
        refused: one message for each fact that cannot be expressed.
        unreadable: one message for each malformed row.
    """

    groups: tuple[Group, ...]
    refused: tuple[str, ...]
    unreadable: tuple[str, ...]


def read_sources(path: str | Path, *, clean: bool = False) -> Sources:
    """Read a file of Python literals, the facts of one text per line.

    Args:
        path: the file.
        clean: whether names are cleaned.

    Raises:
        InputError: the file cannot be read, or is empty.
    """
    lines = read_lines(path)
    return sources_of(with_clean_names(lines) if clean else lines, phrase_table())


def read_lines(path: str | Path) -> list[ReferenceFacts]:
    """Read the facts of each line of a file.

    Raises:
        InputError: the file cannot be read, or is empty.
    """
    found = list(read_references(path))
    if not any(reference_facts.facts or reference_facts.errors for reference_facts in found):
        raise InputError("found no facts, expected at least one", where=f"{path}:1")
    return found


_ESCAPED = re.compile(r"\b[Uu]([0-9A-F]{4})\b")
_ARTEFACTS = (
    (re.compile(r"([(\[]) +"), r"\1"),
    (re.compile(r" +([)\]])"), r"\1"),
    (re.compile(r"' s\b"), "'s"),
    (re.compile(r" generic instance$"), ""),
    (re.compile(r" +([,'])"), r"\1"),
    (re.compile(r"\b([DdLl])' (?=\w)"), r"\1'"),
    (re.compile(r"(?<=\w)– (?=\w)"), "–"),
    (re.compile(r"\b([A-Z]) \.(?= |$)"), r"\1."),
    (re.compile(r" {2,}"), " "),
)
_ACRONYMS = re.compile(r"\b(?:Ncaa|Nba|Nfl|Uefa|Fifa|Fc|Ii|Iii)\b")
"""Words that the released facts have in the case of other words."""


def clean_name(name: str) -> str:
    """A name without the artefacts of the released facts: ``Reed ( rower)``, ``Mill U0027 s``."""
    cleaned = _ESCAPED.sub(_unescaped, re.sub(r" U0027 [sS]\b", "'s", name))
    for pattern, right in _ARTEFACTS:
        cleaned = pattern.sub(right, cleaned)
    cleaned = _ACRONYMS.sub(lambda found: found[0].upper(), cleaned)
    return cleaned.strip() or name


def _unescaped(found: re.Match[str]) -> str:
    letter = chr(int(found[1], 16))
    return letter if letter.isprintable() else found[0]


def with_clean_names(lines: Iterable[ReferenceFacts]) -> list[ReferenceFacts]:
    """Facts with clean names; a name that would become that of another entity is kept."""
    listed = list(lines)
    names = {end for line in listed for fact in line.facts for end in (fact.subject, fact.object)}
    cleaned = {name: clean_name(name) if name else name for name in names}
    counts = Counter(cleaned.values())
    kept = {name: new if counts[new] == 1 else name for name, new in cleaned.items()}
    return [
        replace(
            line,
            facts=tuple(
                replace(fact, subject=kept[fact.subject], object=kept[fact.object])
                for fact in line.facts
            ),
        )
        for line in listed
    ]


def sources_of(lines: Iterable[ReferenceFacts], table: PhraseTable) -> Sources:
    """The facts that a table of phrases can express, and messages for the others."""
    groups: list[Group] = []
    refused: list[str] = []
    unreadable: list[str] = []
    for line in lines:
        unreadable += map(str, line.errors)
        wrong = {fact: reason for fact in line.facts for reason in _refusals(fact, table)}
        refused += [f"{line.where}: {fact}: {reason}" for fact, reason in wrong.items()]
        facts = tuple(fact for fact in line.facts if fact not in wrong)
        if facts:
            groups.append(Group(where=line.where, facts=facts))
    return Sources(groups=tuple(groups), refused=tuple(refused), unreadable=tuple(unreadable))


def _refusals(fact: TextFact, table: PhraseTable) -> Iterator[str]:
    """The reasons why a fact cannot be expressed."""
    for part, name in (("subject", fact.subject), ("object", fact.object)):
        if not name:
            yield f"found an empty {part}, expected a name"
        try:
            name.encode()
        except UnicodeEncodeError:
            yield f"found a lone surrogate in the {part}, expected text"
    if fact.relation not in table.past:
        yield f"no phrase for the relation {fact.relation!r}, expected one such as startMemberOf"
