"""The report of ``diagnose``: JSON, a page, and plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.eventhop.ablations.reasoners import FULL, REASONERS, reasoner
from benchmarks.eventhop.diagnosis.likelihood import Labels, Observations
from benchmarks.eventhop.diagnosis.ranking import Explanation, Margin, Ranking
from benchmarks.eventhop.predictions import Prediction, unreadable
from benchmarks.eventhop.scores import LABELS
from benchmarks.predictions import MatchedPredictions, Predictions
from solver.eventhop.messages import counted
from solver.io.writing import atomic, write_json
from solver.manifest import manifest

_RIVALS = 3


def sentences(ranking: Ranking) -> Iterator[str]:
    """One sentence per finding, the most important first."""
    first = ranking.explanations[0]
    if not ranking.guessing_behind.sure:
        yield (
            "No reasoner explains the answers better than guessing by label frequency: they show "
            "no way of reasoning."
        )
        return
    yield _named(first)
    if first.same:
        yield (
            f"On these {counted(ranking.answers, 'item')} {_joined((first.reasoner, *first.same))} "
            "give the same answers to every one, so they cannot be distinguished."
        )
    rivals = [one for one in ranking.explanations[1:] if not one.behind.sure]
    for rival in rivals[:_RIVALS]:
        yield (
            f"{rival.reasoner} explains the answers nearly as well: it differs from "
            f"{first.reasoner} on {counted(rival.differs, 'item')}, too few to distinguish the two."
        )
    if len(rivals) > _RIVALS:
        yield f"The same is true of {len(rivals) - _RIVALS} more reasoners: see the table."
    yield from _pair_sentences(ranking)
    yield from _groups(ranking)


def _named(one: Explanation) -> str:
    noise = f"{one.noise:.0%} of its answers differ from that reasoner's"
    if not one.errors:
        return "It makes no errors."
    if one.reasoner == FULL:
        return f"No ablated reasoner explains its answers better than the full reasoner: {noise}."
    return f"It answers as if {reasoner(one.reasoner).habit}: {errors_in_words(one)}; {noise}."


def errors_in_words(one: Explanation) -> str:
    """Format the share of a model's errors that a reasoner makes, too, and that by chance."""
    share = one.explained / one.errors if one.errors else 0.0
    return (
        f"{share:.0%} of its errors ({one.explained:,} of {one.errors:,}) are that reasoner's "
        f"({one.by_chance:.0%} expected by chance)"
    )


def _pair_sentences(ranking: Ranking) -> Iterator[str]:
    pair = ranking.pair
    if pair is None or not pair.needed:
        return
    yield (
        "A mixture of two reasoners explains its answers better than any single one: "
        f"{pair.weight:.0%} {pair.first}, {1 - pair.weight:.0%} {pair.second} (held-out "
        f"log-likelihood higher by {pair.ahead.value:.1f} ± {pair.ahead.error:.1f})."
    )


def _groups(ranking: Ranking) -> Iterator[str]:
    """Groups where another reasoner is significantly better than the best one overall."""
    first = ranking.explanations[0]
    alike = {first.reasoner, *first.same}
    for group in ranking.groups:
        if group.sure and group.reasoner not in alike:
            yield (
                f"Where {group.dimension} is {group.name} ({counted(group.items, 'item')}), it "
                f"instead answers as if {reasoner(group.reasoner).habit}."
            )


def _joined(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The result of a run.

    Attributes:
        data: names of the item files, as given.
        unparsed: number of rows of the data that cannot be parsed as items.
        left_out: reasoner's name -> why it cannot answer these items.
        config: the run's options.
    """

    data: tuple[str, ...]
    predictions: Predictions[Prediction]
    matched: MatchedPredictions[Prediction]
    unparsed: int
    left_out: dict[str, str]
    observed: Observations
    ranking: Ranking
    config: dict[str, object]
    seed: int

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values; log-likelihoods in nats."""
        ranking = self.ranking
        return {
            "data": list(self.data),
            "predictions": self.predictions.name,
            "answers": ranking.answers,
            "unparsed": self.unparsed,
            "missing": list(self.matched.missing),
            "unknown": list(self.matched.unknown),
            "doubled": list(self.predictions.repeated),
            "broken": list(self.predictions.broken),
            "unreadable": [one.id for one in unreadable(self.matched)],
            "left_out": self.left_out,
            "findings": list(sentences(ranking)),
            "reasoners": [_explanation(one) for one in ranking.explanations],
            "guessing": {
                "log_likelihood": round(ranking.guessing, 6),
                "behind": _margin(ranking.guessing_behind),
            },
            "mixture": _pair(ranking),
            "groups": [
                {
                    "by": one.dimension.value,
                    "name": one.name,
                    "items": one.items,
                    "reasoner": one.reasoner,
                    "sure": one.sure,
                }
                for one in ranking.groups
            ],
        }


def _explanation(one: Explanation) -> dict[str, Any]:
    return {
        "name": one.reasoner,
        "same": list(one.same),
        "meaning": reasoner(one.reasoner).meaning,
        "log_likelihood": round(one.likelihood, 6),
        "noise": round(one.noise, 4),
        "behind": _margin(one.behind),
        "told_apart": one.behind.sure,
        "differs": one.differs,
        "errors": one.errors,
        "explained_errors": one.explained,
        "explained_by_chance": round(one.by_chance, 4),
        "own_errors": one.own_errors,
    }


def _margin(one: Margin) -> dict[str, float]:
    return {"value": round(one.value, 3), "error": round(one.error, 3)}


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


def write_report(run: Diagnosis, folder: Path) -> Path:
    """Write the figures, a page, the plots and a manifest; returns the path of the page."""
    written = [folder / name for name in ("diagnosis.json", "diagnosis.md")]
    write_json(written[0], run.as_json())
    with atomic(written[1]) as file:
        file.write("".join(_page(run)).encode())
    written += _plots(run, folder)
    used = {one.encoding for one in REASONERS if one.encoding}
    inputs = [*run.data, run.predictions.name]
    described = manifest(
        config=run.config, seed=run.seed, encodings=used, inputs=inputs, outputs=written
    )
    write_json(folder / "manifest.json", described)
    return written[1]


def _plots(run: Diagnosis, folder: Path) -> list[Path]:
    from benchmarks.eventhop.report import plot_bars, plot_confusion

    first = run.ranking.explanations[0].reasoner
    predicted = run.observed.predicted[run.observed.reasoners.index(first)]
    paths = [folder / name for name in ("agreement.svg", "gold.svg", "reasoner.svg")]
    agreement = {one.reasoner: 1 - one.noise for one in run.ranking.explanations}
    plot_bars(paths[0], agreement, title="agreement with each reasoner", axis="share")
    labels = [label.value for label in LABELS]
    for path, rows, name in (
        (paths[1], run.observed.gold, "decided label"),
        (paths[2], predicted, f"label of {first}"),
    ):
        plot_confusion(
            path,
            _counts(rows, run.observed.answers),
            rows=labels,
            columns=labels,
            title=f"answers by {name}",
            axes_names=(name, "answer"),
        )
    return paths


def _counts(rows: Labels, columns: Labels) -> Sequence[Sequence[int]]:
    places = range(len(LABELS))
    return [[int(((rows == r) & (columns == c)).sum()) for c in places] for r in places]


def _page(run: Diagnosis) -> Iterator[str]:
    ranking = run.ranking
    yield f"# Diagnosis of {Path(run.predictions.name).name}\n\n"
    names = ", ".join(Path(path).name for path in run.data)
    yield f"{ranking.answers:,} readable answers to {names}.\n\n"
    yield from (f"- {sentence}\n" for sentence in sentences(ranking))
    yield "\n![answers by decided label](gold.svg)\n"
    yield f"![answers by label of {ranking.explanations[0].reasoner}](reasoner.svg)\n"
    yield "\n| reasoner | log-likelihood | behind | noise | errors explained | by chance |\n"
    yield "|---|---:|---:|---:|---:|---:|\n"
    for one in ranking.explanations:
        names = " = ".join((one.reasoner, *one.same))
        yield f"| {names} | {one.likelihood:.4f} | {one.behind.value:.1f} ± {one.behind.error:.1f} "
        yield f"| {one.noise:.3f} | {one.explained:,} of {one.errors:,} | {one.by_chance:.3f} |\n"
    guess = ranking.guessing_behind
    yield f"| (guessing) | {ranking.guessing:.4f} | {guess.value:.1f} ± {guess.error:.1f} | | | |\n"
    yield "\n![agreement with each reasoner](agreement.svg)\n"
    for name, reason in run.left_out.items():
        yield f"\nLeft out: {name}: {reason}\n"
    if ranking.groups:
        yield "\n## By group\n\n| by | group | items | best | sure |\n|---|---|---:|---|---|\n"
        for group in ranking.groups:
            best = f"{group.reasoner} | {'yes' if group.sure else 'no'}"
            yield f"| {group.dimension} | {group.name} | {group.items:,} | {best} |\n"
