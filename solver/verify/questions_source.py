"""The files that a check of questions reads, and their per-process cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from secrets import token_hex

from solver.questions.entailed import AspEngine
from solver.questions.files import RULES, TWO_HOP_RULES, question_files
from solver.questions.joined import JoinEngine
from solver.questions.labels import Labels
from solver.questions.linking import Names
from solver.questions.moments import TimeIndex
from solver.questions.ranked import SETTINGS, PlainApplication, between_two
from solver.questions.replay import CertificateContext
from solver.questions.two_hop import read_two_hop_rules
from solver.questions.world import NO_RULES, World
from solver.reading.failures import InputError
from solver.rules.application import Application
from solver.rules.files import read_rules
from solver.rules.table import RuleTable
from solver.tkg.dataset import Dataset, Vocabulary
from solver.tkg.files import read_dataset
from solver.tkg.quadruples import Quadruples


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Files of questions, with the graph and the rules to check them against.

    Attributes:
        paths: files of questions.
        folder: folder written by ``generate questions``, if one was given.
        data: path of the graph.
        rules: file of rules; two_hop: table of 2-hop rules; empty if there is none.
        run: unique token, so that runs do not share cached files that may have changed.
    """

    paths: tuple[str, ...]
    folder: Path | None
    data: str
    rules: str
    two_hop: str
    run: str = field(default_factory=token_hex)

    @classmethod
    def of(cls, paths: Sequence[str], data: str | Path, rules: str | Path | None) -> Source:
        """Resolve folders to their files.

        Raises:
            InputError: a folder has no questions, or several folders were given.
        """
        folders = [Path(path) for path in paths if Path(path).is_dir()]
        if len(folders) > 1:
            message = f"found {len(folders)} folders of questions, expected one at most"
            raise InputError(message, where=str(folders[1]), hint="check them one by one")
        files = [str(one) for path in paths for one in _files(path)]
        folder = folders[0] if folders else None
        return cls(
            paths=tuple(files),
            folder=folder,
            data=str(data),
            rules=str(rules or _sibling(folder, RULES)),
            two_hop=_sibling(folder, TWO_HOP_RULES),
        )


def _files(path: str) -> list[Path | str]:
    return [*question_files(Path(path))] if Path(path).is_dir() else [path]


def _sibling(folder: Path | None, name: str) -> str:
    if folder is None:
        return ""
    return next((str(p) for p in (folder / name, folder / f"{name}.gz") if p.is_file()), "")


class LoadedGraph:
    """The graph and the rules of a source, with lazily built indexes and engines.

    Raises:
        InputError: one of the files cannot be read.
    """

    def __init__(self, source: Source) -> None:
        self.dataset: Dataset = read_dataset(source.data, ordered=False)
        size = self.dataset.vocabulary
        self.rules = (
            read_rules(source.rules, relations=size.relations) if source.rules else NO_RULES
        )
        self._two_hop = read_two_hop_rules(source.two_hop) if source.two_hop else None

    @cached_property
    def names(self) -> Names:
        """Names of the graph."""
        return Names.of(self.dataset.vocabulary)

    @cached_property
    def labels(self) -> Labels:
        """Labels used in texts."""
        return Labels.of(self.dataset.vocabulary)

    @cached_property
    def known(self) -> CertificateContext:
        """Background knowledge of the certificate checker."""
        size = self.dataset.vocabulary
        entities = [size.entity(number) for number in range(size.entities)]
        relations = tuple(size.relation(number) for number in range(size.relations))
        facts = self.dataset.facts()
        columns = (facts.head, facts.relation, facts.tail, facts.time)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        times = {number: size.time(number) for number in set(facts.time.tolist())}
        named = frozenset((entities[s], relations[r], entities[o], times[t]) for s, r, o, t in rows)
        return CertificateContext(
            facts=named,
            triples=frozenset(fact[:3] for fact in named),
            moments=TimeIndex(size),
            rules=dict(enumerate(self.rules)),
            relations=relations,
        )

    @cached_property
    def world(self) -> World:
        """Background knowledge of both engines."""
        return World.of(self.dataset, rules=self.rules, two_hop=self._two_hop)

    @cached_property
    def asp_engine(self) -> AspEngine:
        """The ASP engine."""
        return AspEngine(self.world)

    @cached_property
    def join_engine(self) -> JoinEngine:
        """The join engine."""
        return JoinEngine(self.world)

    @cached_property
    def plain(self) -> Application:
        """Rule application by lookups, for the ASP engine."""
        return PlainApplication(*self._applied)

    @cached_property
    def fast(self) -> Application:
        """Rule application by joins, for the join engine."""
        return Application(*self._applied, settings=SETTINGS)

    @property
    def _applied(self) -> tuple[RuleTable, Quadruples, Vocabulary]:
        world = self.world
        return between_two(world.rules), world.facts, world.vocabulary


@lru_cache(maxsize=1)
def load_graph(source: Source) -> LoadedGraph:
    """Load the graph of a source, once per process."""
    return LoadedGraph(source)
