"""The report of ``diagnose``: JSON, a page, and plots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.eventhop.ablations.reasoners import DIAGNOSED, FULL
from benchmarks.eventhop.diagnosis.likelihood import Labels, Observations
from benchmarks.eventhop.diagnosis.ranking import Explanation, Margin, Pair, Ranking
from benchmarks.eventhop.predictions import AnswerReport, unreadable
from solver.io.sources import counted
from solver.report.charts import Series, bar_chart, confusion_matrix
from solver.report.model import Point, Report, Section, Table
from solver.report.page import write_report

_RIVALS = 3
_CLUSTERS = 3


def sentences(ranking: Ranking) -> Iterator[str]:
    """One sentence per finding, the most important first."""
    first = ranking.explanations[0]
    if not first.errors:
        yield "It makes no errors."
    elif not ranking.beats_guessing:
        yield (
            "No reasoner explains the answers better than guessing by label frequency: they show "
            "no way of reasoning."
        )
        return
    elif ranking.pair is not None and ranking.pair.needed:
        yield _mixture(ranking.pair)
        return
    elif ranking.fit.rejected:
        yield _unexplained(ranking)
    elif ranking.claimed:
        yield _named(first)
    else:
        yield (
            f"The answers do not decide between {len(ranking.rivals) + 1} ways of reasoning; most "
            f"of them agree with {first.reasoner}."
        )
    if first.same and not ranking.fit.rejected:
        yield (
            f"On these {counted(ranking.answers, 'item')} {_joined(first.names)} "
            "give the same answers to every one, so they cannot be distinguished."
        )
    rivals = () if ranking.fit.rejected else ranking.rivals
    for rival in rivals[:_RIVALS]:
        yield (
            f"{_names(rival.names)} explains the answers nearly as well: it differs from "
            f"{first.reasoner} on {counted(rival.differs, 'item')}, too few to distinguish the two."
        )
    if len(rivals) > _RIVALS:
        yield f"The same is true of {len(rivals) - _RIVALS} more reasoners: see the table."
    yield from _groups(ranking)


def _named(explanation: Explanation) -> str:
    noise = f"{explanation.noise:.0%} of its answers differ from that reasoner's"
    if FULL in explanation.names:
        return f"No ablated reasoner explains its answers better than the full reasoner: {noise}."
    return f"It answers as if {explanation.habit}: {errors_in_words(explanation)}; {noise}."


def _unexplained(ranking: Ranking) -> str:
    first = ranking.explanations[0]
    nearest = f"the nearest, {_names(first.names)}, differs from {first.noise:.0%} of the answers"
    clusters = "; ".join(
        f"where {cluster.place} ({cluster.misses:,} of {cluster.items:,}, {cluster.expected:.1f} "
        "expected)"
        for cluster in ranking.fit.clusters[:_CLUSTERS]
    )
    where = f"they cluster {clusters}" if clusters else "they are not spread evenly"
    return f"None of these reasoners explains the errors: {where}; {nearest}."


def errors_in_words(explanation: Explanation) -> str:
    """Format the share of a model's errors that a reasoner makes, too, and that by chance."""
    share = explanation.explained / explanation.errors if explanation.errors else 0.0
    return (
        f"{share:.0%} of its errors ({explanation.explained:,} of {explanation.errors:,}) are "
        "that reasoner's "
        f"({explanation.by_chance:.0%} expected by chance)"
    )


def _mixture(pair: Pair) -> str:
    return (
        "A mixture of two reasoners explains its answers better than any single one: "
        f"{pair.weight:.0%} {pair.first}, {1 - pair.weight:.0%} {pair.second} (held-out "
        f"log-likelihood higher by {pair.ahead.value:.1f} ± {pair.ahead.error:.1f})."
    )


def _groups(ranking: Ranking) -> Iterator[str]:
    """Groups where other reasoners are significantly better than the best one overall."""
    first = ranking.explanations[0].reasoner
    instead = "" if ranking.fit.rejected else "instead "
    for group in ranking.groups:
        if group.sure and first not in group.names:
            where = f"Where {group.dimension} is {group.name} ({counted(group.items, 'item')}), it"
            if group.same:
                yield f"{where} {instead}answers as {_joined(group.names)} do, alike here."
            else:
                yield f"{where} {instead}answers as if {group.habit}."


def _names(names: tuple[str, ...]) -> str:
    return " = ".join(names)


def _joined(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis(AnswerReport):
    """The result of ``diagnose``.

    Attributes:
        left_out: reasoner's name -> why it cannot answer these items.
    """

    left_out: dict[str, str]
    observed: Observations
    ranking: Ranking

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values; log-likelihoods in nats."""
        ranking = self.ranking
        return {
            "data": list(self.data),
            "predictions": self.predictions.name,
            "answers": ranking.answers,
            "unparsed": self.unparsed,
            **self.matched.as_json(),
            "broken": list(self.predictions.broken),
            "unreadable": [prediction.id for prediction in unreadable(self.matched)],
            "left_out": self.left_out,
            "findings": list(sentences(ranking)),
            "reasoners": [_explanation(explanation) for explanation in ranking.explanations],
            "guessing": {
                "log_likelihood": round(ranking.guessing, 6),
                "behind": _margin(ranking.guessing_behind),
                "excluded": ranking.beats_guessing,
            },
            "claimed": ranking.claimed,
            "fit": {
                "rejected": ranking.fit.rejected,
                "clusters": [
                    {
                        "where": cluster.place,
                        "items": cluster.items,
                        "misses": cluster.misses,
                        "expected": round(cluster.expected, 2),
                    }
                    for cluster in ranking.fit.clusters
                ],
            },
            "mixture": _pair(ranking),
            "groups": [
                {
                    "by": finding.dimension.value,
                    "name": finding.name,
                    "items": finding.items,
                    "reasoner": finding.reasoner,
                    "same": list(finding.same),
                    "sure": finding.sure,
                }
                for finding in ranking.groups
            ],
        }


def _explanation(explanation: Explanation) -> dict[str, Any]:
    return {
        "name": explanation.reasoner,
        "same": list(explanation.same),
        "meaning": explanation.meaning,
        "log_likelihood": round(explanation.likelihood, 6),
        "noise": round(explanation.noise, 4),
        "behind": _margin(explanation.behind),
        "decisive": {name: round(value, 4) for name, value in asdict(explanation.decisive).items()},
        "told_apart": explanation.decisive.excludes,
        "differs": explanation.differs,
        "errors": explanation.errors,
        "explained_errors": explanation.explained,
        "explained_by_chance": round(explanation.by_chance, 4),
        "own_errors": explanation.own_errors,
    }


def decisive_in_words(explanation: Explanation) -> str:
    """Answers that agree with the best reasoner, of those that agree with it or with this alone."""
    found = explanation.decisive
    if not found.total:
        return ""
    return f"{found.agree:,} of {found.total:,} [{found.low:.2f}, {found.high:.2f}]"


def _margin(margin: Margin) -> dict[str, float]:
    return {name: round(value, 3) for name, value in asdict(margin).items()}


def _pair(ranking: Ranking) -> dict[str, Any] | None:
    pair = ranking.pair
    if pair is None:
        return None
    return {
        "first": pair.first,
        "second": pair.second,
        "weight": round(pair.weight, 4),
        "noise": round(pair.noise, 4),
        "log_likelihood": round(pair.likelihood, 6),
        "ahead": _margin(pair.ahead),
        "needed": pair.needed,
    }


def write(run: Diagnosis, folder: Path) -> Path:
    """Write the figures, a page, the plots and a manifest; returns the path of the page."""
    return write_report(
        folder,
        report(run),
        figures=run.as_json(),
        summary="diagnosis.json",
        page="diagnosis.md",
        config=run.config,
        seed=run.seed,
        encodings={reasoner.encoding for reasoner in DIAGNOSED if reasoner.encoding},
        inputs=[*run.data, run.predictions.name],
    )


def report(run: Diagnosis) -> Report:
    """The page: the findings, the reasoners, and the best reasoner of each group of items."""
    ranking = run.ranking
    names = ", ".join(Path(path).name for path in run.data)
    sections = [
        Section(
            title="Findings",
            points=tuple(Point(text=sentence) for sentence in sentences(ranking)),
            plots=_confusions(run),
        ),
        _reasoners(run),
    ]
    if ranking.groups:
        rows = tuple(
            (
                group.dimension.value,
                group.name,
                f"{group.items:,}",
                _names(group.names),
                "yes" if group.sure else "no",
            )
            for group in ranking.groups
        )
        table = Table(columns=("by", "group", "items", "best", "sure"), rows=rows)
        sections.append(Section(title="By group", tables=(table,)))
    return Report(
        title=f"Diagnosis of {Path(run.predictions.name).name}",
        lead=f"{ranking.answers:,} readable answers to {names}.",
        sections=tuple(sections),
    )


def _reasoners(run: Diagnosis) -> Section:
    ranking, guess = run.ranking, run.ranking.guessing_behind
    rows = [
        (
            _names(explanation.names),
            f"{explanation.likelihood:.4f}",
            f"{explanation.behind.value:.1f} ± {explanation.behind.error:.1f}",
            decisive_in_words(explanation),
            f"{explanation.noise:.3f}",
            f"{explanation.explained:,} of {explanation.errors:,}",
            f"{explanation.by_chance:.3f}",
        )
        for explanation in ranking.explanations
    ]
    behind = f"{guess.value:.1f} ± {guess.error:.1f}"
    rows.append(("(guessing)", f"{ranking.guessing:.4f}", behind, "", "", "", ""))
    columns = (
        *("reasoner", "log-likelihood", "behind", "decisive", "noise"),
        *("errors explained", "by chance"),
    )
    agreement = bar_chart(
        [explanation.reasoner for explanation in ranking.explanations],
        [Series(name="", values=[1 - explanation.noise for explanation in ranking.explanations])],
        axis="share",
        title="agreement with each reasoner",
        top=1.1,
        labelled=True,
    )
    return Section(
        title="Reasoners",
        points=tuple(
            Point(text=f"Left out: {name}: {reason}") for name, reason in run.left_out.items()
        ),
        plots={"agreement": agreement},
        tables=(Table(columns=columns, rows=tuple(rows)),),
    )


def _confusions(run: Diagnosis) -> dict[str, str]:
    """Answers by decided label, and by the label of the reasoner that explains them best."""
    first = run.ranking.explanations[0].reasoner
    predicted = run.observed.predicted[run.observed.names.index(first)]
    labels = run.observed.words
    return {
        file: confusion_matrix(
            _counts(rows, run.observed.answers, len(labels)),
            rows=labels,
            columns=labels,
            title=f"answers by {name}",
            axes_names=(name, "answer"),
        )
        for file, rows, name in (
            ("gold", run.observed.gold, "decided label"),
            ("reasoner", predicted, f"label of {first}"),
        )
    }


def _counts(rows: Labels, columns: Labels, labels: int) -> list[list[int]]:
    places = range(labels)
    return [[int(((rows == r) & (columns == c)).sum()) for c in places] for r in places]
