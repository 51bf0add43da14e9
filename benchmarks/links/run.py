"""Scores the links of files, writes the report of ``score links``, and compares annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.links.awareness import SCORING, Inconsistent, LinkScores, Profile, score_links
from benchmarks.metrics.bootstrap import RESAMPLES, Estimate, estimate_series
from grammar.links.model import Document, Interpretation, RelationType
from solver.io.sources import InputError
from solver.links.closure import Closure, labels
from solver.links.engine import Network, components
from solver.links.io import Loaded, read_documents
from solver.report.charts import bar_chart
from solver.report.model import Report, Section, Table
from solver.report.numbers import percent, percent_interval
from solver.report.page import write_report
from solver.verification.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkScoring:
    """Options of ``score links``."""

    profile: Profile = setting(
        Profile.REDUCED,
        "Links reduced in document order (reduced), or a published scorer.",
    )
    interpretation: Interpretation = SCORING
    inconsistent: Inconsistent | None = setting(
        None,
        "What to do with documents that contradict themselves. Default: refuse; as-is with the "
        "profile of a published scorer.",
        choices=Inconsistent,
    )
    seed: int = 0
    resamples: int = RESAMPLES

    @property
    def policy(self) -> Inconsistent:
        """What to do with a document that contradicts itself."""
        reduced = self.profile is Profile.REDUCED
        return self.inconsistent or (Inconsistent.REFUSE if reduced else Inconsistent.AS_IS)

    def as_json(self) -> dict[str, Any]:
        """The options as JSON values."""
        return {
            "profile": self.profile.value,
            "reading": self.interpretation.reading.value,
            "during": self.interpretation.during.value,
            "dates": self.interpretation.dates,
            "inconsistent": self.policy.value,
            "resamples": self.resamples,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkRun:
    """The result of ``score links``.

    Attributes:
        gold: the named files and folders; likewise ``system``.
        left_out: links that are not scored, as (side, document, why).
    """

    scores: LinkScores
    config: LinkScoring
    system: tuple[str, ...]
    gold: tuple[str, ...]
    left_out: tuple[tuple[str, str, str], ...] = ()

    def figures(self) -> dict[str, Estimate]:
        """Precision, recall, F1 and the F1 of each label, with intervals; empty without gold."""
        total = self.scores.total
        values = {"precision": total.precision, "recall": total.recall, "f1": total.f1}
        ends = self.scores.intervals(seed=self.config.seed, resamples=self.config.resamples)
        return {
            name: Estimate(value=value, low=ends[name].low, high=ends[name].high)
            for name, value in (values | self.scores.pairwise_f1()).items()
            if name in ends
        }

    def as_json(self) -> dict[str, Any]:
        """All figures."""
        scores = self.scores.as_json(seed=self.config.seed, resamples=self.config.resamples)
        return {**scores, "left_out": [list(entry) for entry in self.left_out]}

    def notes(self) -> Iterator[str]:
        """Remarks on links that are left out, and on documents with contradictions or missing."""
        for side, name, message in self.left_out:
            yield f"{name} ({side}): {message}; left out"
        for side, name in self.scores.inconsistent:
            yield f"{name} ({side}) contradicts itself"
        for name in self.scores.missing:
            yield f"{name} is missing, its gold links count as not found"
        for name in self.scores.extra:
            yield f"{name} is not among the gold documents, not scored"


def score_files(system: Sequence[str], gold: Sequence[str], config: LinkScoring) -> LinkRun:
    """Score the documents of files, matched by name.

    Raises:
        InputError: a file cannot be read.
        InconsistentError: a document is inconsistent, and that is refused.
    """
    sides = {"gold": documents(gold), "system": documents(system)}
    scores = score_links(
        sides["gold"],
        sides["system"],
        profile=config.profile,
        interpretation=config.interpretation,
        policy=config.policy,
    )
    left_out = tuple(entry for side, read in sides.items() for entry in unscored(side, read))
    return LinkRun(
        scores=scores, config=config, system=tuple(system), gold=tuple(gold), left_out=left_out
    )


def unscored(side: str, read: Iterable[Document]) -> Iterator[tuple[str, str, str]]:
    """The links of documents that are left out, as (side, document, why)."""
    for document in read:
        yield from ((side, document.name, flaw.message) for flaw in document.flaws)


def documents(paths: Sequence[str]) -> list[Document]:
    """Read documents; all must be readable.

    Raises:
        InputError: one cannot be read.
    """
    found = []
    for entry in read_documents(paths):
        if not isinstance(entry, Loaded):
            raise InputError(entry.message, where=entry.where)
        found.append(entry.document)
    return found


def write(run: LinkRun, folder: Path) -> Path:
    """Write ``scores.json``, ``report.html`` and ``manifest.json``; return the page."""
    return write_report(
        folder,
        report(run),
        figures=run.as_json(),
        config=run.config.as_json(),
        seed=run.config.seed,
        encodings=(),
        inputs=(*run.system, *run.gold),
    )


def report(run: LinkRun) -> Report:
    """Build the page."""
    scores = run.scores
    facts = {
        "system": ", ".join(run.system),
        "gold": ", ".join(run.gold),
        "documents": f"{len(scores.by_document):,}",
        **{name: str(value) for name, value in run.config.as_json().items()},
        **{f"note {n}": note for n, note in enumerate(run.notes(), 1)},
    }
    figures = run.figures()
    lead = "There is nothing to score."
    if figures:
        total = scores.total
        lead = (
            f"Temporal awareness F1 {percent_interval(figures['f1'])}: "
            f"{total.system:,} of {total.system_links:,} links of the system follow from gold, "
            f"{total.gold:,} of {total.gold_links:,} of gold from the system."
        )
    sections = (_overall(figures), _by_document(scores)) if figures else ()
    return Report(title="Temporal links", lead=lead, facts=facts, sections=sections)


def _overall(figures: Mapping[str, Estimate]) -> Section:
    names = {"precision": "precision", "recall": "recall", "f1": "F1"}
    labels = {name: f"F1 of {name}" for name in figures if name not in names}
    shown = [(title, figures[name]) for name, title in (names | labels).items()]
    bars = estimate_series("", [figure for _, figure in shown])
    return Section(
        title="Scores",
        text="Precision, recall and F1 are those of temporal awareness; the F1 of a label is over "
        "linked pairs, without closure. In percent, with 95% bootstrap intervals over documents.",
        plots={"scores": bar_chart([title for title, _ in shown], [bars], axis="score")},
        tables=(
            Table(
                columns=("figure", "percent"),
                rows=tuple((title, percent_interval(estimate)) for title, estimate in shown),
            ),
        ),
    )


def _by_document(scores: LinkScores) -> Section:
    wrong = {name for _, name in scores.inconsistent}
    rows = tuple(
        (
            f"{name} (contradicts itself)" if name in wrong else name,
            percent(counts.precision),
            percent(counts.recall),
            percent(counts.f1),
            f"{counts.system_links:,}",
            f"{counts.gold_links:,}",
        )
        for name, counts in sorted(
            scores.by_document.items(), key=lambda pair: (pair[1].f1, pair[0])
        )
    )
    columns = ("document", "precision", "recall", "F1", "links of system", "links of gold")
    table = Table(columns=columns, rows=rows)
    return Section(title="Documents", text="The worst first.", tables=(table,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How two annotators label the pairs of the events and times that both have.

    Attributes:
        documents: number of documents of both.
        pairs: number of pairs by label and other label.
        contradicted: pairs with different labels, as (document, left, right), about which an
            annotator contradicts himself.
    """

    documents: int
    pairs: Counter[tuple[str, str]]
    contradicted: tuple[tuple[str, str, str], ...]

    @property
    def observed(self) -> float:
        """Share of the pairs with the same label; 0 without pairs. In [0, 1]."""
        total = self.pairs.total()
        same = sum(number for (name, other), number in self.pairs.items() if name == other)
        return same / total if total else 0.0

    @property
    def kappa(self) -> float:
        """Cohen's kappa; 1 if both use one label only. In [-1, 1]. Source: Cohen 1960."""
        total = self.pairs.total()
        if not total:
            return 0.0
        sides: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for pair, number in self.pairs.items():
            for side, label in zip(sides, pair, strict=True):
                side[label] += number
        chance = sum(sides[0][label] * sides[1][label] for label in sides[0]) / total**2
        return (self.observed - chance) / (1 - chance) if chance < 1 else 1.0

    def as_json(self) -> dict[str, object]:
        """The figures."""
        return {
            "kind": "links",
            "documents": self.documents,
            "pairs": self.pairs.total(),
            "agreement": self.observed,
            "kappa": self.kappa,
            "contradicted": [list(row) for row in self.contradicted],
        }


def agreement(
    given_documents: Iterable[Document], other: Iterable[Document], interpretation: Interpretation
) -> Agreement:
    """Compare the documents that both have, by name; pairs without a label count as VAGUE."""
    others = {document.name: document for document in other}
    pairs: Counter[tuple[str, str]] = Counter()
    contradicted: list[tuple[str, str, str]] = []
    documents = 0
    for document in given_documents:
        if document.name not in others:
            continue
        documents += 1
        sides = [_Labels(side, interpretation) for side in (document, others[document.name])]
        names = [name for name in document.nodes if name in others[document.name].nodes]
        known = tuple(dict.fromkeys(label for side in sides for label in side.known))
        for left, right in combinations(names, 2):
            found = [side.label(left, right, known) for side in sides]
            pairs[found[0], found[1]] += 1
            torn = any(left in side.torn and right in side.torn for side in sides)
            if found[0] != found[1] and torn:
                contradicted.append((document.name, left, right))
    return Agreement(documents=documents, pairs=pairs, contradicted=tuple(contradicted))


class _Labels:
    """The labels that follow for the pairs of one document."""

    def __init__(self, document: Document, interpretation: Interpretation) -> None:
        self._network = Network(document, interpretation)
        self._closure = Closure(self._network)
        self.known = labels(document)
        component = components(self._network.size, self._network.edges)
        bad = {
            component[edge.source]
            for edge in self._network.edges
            if edge.strict and component[edge.source] == component[edge.target]
        }
        self.torn = {
            name
            for n, name in enumerate(self._network.names)
            if component[2 * n] in bad or component[2 * n + 1] in bad
        }

    def label(self, left: str, right: str, known: Iterable[RelationType]) -> str:
        for relation in known:
            if self._closure.entails(self._network.demanded(relation, left, right)):
                return str(relation)
        return str(RelationType.VAGUE)
