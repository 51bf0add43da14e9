"""A diagnosis in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.ablations.reasoners import FULL, reasoner
from benchmarks.diagnosis.ranking import Explanation, Ranking
from solver.wording import counted

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
    yield from _pair(ranking)
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


def _pair(ranking: Ranking) -> Iterator[str]:
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
