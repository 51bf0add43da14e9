"""Prompts: their texts, what reads them back, and how many answers they hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.tkg.retrieval.context import Instances
from benchmarks.tkg.retrieval.prompts import (
    ComposedPrompt,
    Composer,
    ShownFact,
    Strategy,
    Style,
    ceiling,
    reach,
    write_prompt,
)
from generators.tkg.config import Config
from generators.tkg.plan import LabelledGraph
from generators.tkg.presets import Preset, config_of
from grammar.tkg.prompts import read_prompt
from solver.graph.model import Dataset, Ids, Quadruples

Maker = Callable[..., tuple[LabelledGraph, Dataset]]


def rows(*numbers: int) -> Ids:
    return np.array(numbers, dtype=np.int64)


FACTS = Quadruples.of(
    np.array(
        [
            (638, 70, 638, 125),
            (817, 18, 817, 143),
            (1071, 20, 1493, 21),
            (447, 18, 1493, 144),
        ]
    )
)
SHOWN = ComposedPrompt(
    strategy=Strategy.BAR,
    query=ShownFact(context=rows(2), fact=3),
    analogy=ShownFact(context=rows(0), fact=1),
)


def test_index_prompting() -> None:
    assert write_prompt(SHOWN, FACTS).splitlines() == [
        "Example:",
        "125 : [0. 638, 70, 0. 638]",
        "143 : [1. 817, 18, 1. 817]",
        "New Solve:",
        "21 : [2. 1071, 20, 3. 1493]",
        "144 : [4. 447, 18, ?]",
    ]


def test_plain_prompts() -> None:
    bare = ComposedPrompt(strategy=Strategy.NAIVE_PAIR, query=ShownFact(context=rows(2), fact=3))
    assert write_prompt(bare, FACTS, Style.PLAIN) == "21:[1071, 20, 1493]\n144:[447, 18, ?]"
    solved = write_prompt(SHOWN, FACTS, Style.PLAIN).splitlines()
    assert solved[:3] == ["Example:", "125:[638, 70, 638]", "143:[817, 18, 817]"]


def reads_back(found: ComposedPrompt, facts: Quadruples, style: Style) -> None:
    """Hold what a prompt says against the rows that it was made of."""

    def facts_of(shown: Ids) -> list[tuple[int, ...]]:
        return [tuple(row) for row in facts.take(shown).rows().tolist()]

    read = read_prompt(write_prompt(found, facts, style))
    assert list(read.context) == facts_of(found.query.context)
    (asked,) = facts_of(rows(found.query.fact))
    assert read.question == (asked[0], asked[1], asked[3])
    if found.analogy is None:
        assert read.examples == ()
    else:
        solved = np.append(found.analogy.context, found.analogy.fact)
        assert [list(example) for example in read.examples] == [facts_of(solved)]
    held = {number for fact in (*read.context, *sum(read.examples, ())) for number in fact[:3:2]}
    assert set(read.entities) == (held | {asked[0]} if style is Style.INDEX else set())


def all_read_back(make: Maker, config: Config, count: int) -> None:
    """Prompts of all strategies and styles, over as many graphs as it takes."""
    done = seed = 0
    while done < count:
        graph, dataset = make(seed, config)
        composer = Composer(dataset, Instances.of(graph.labels, graph.facts))
        asked = np.unique(graph.labels.fact[graph.labels.consequence])
        for row in asked[asked > len(graph.facts) // 2].tolist():
            strategy = list(Strategy)[done % len(Strategy)]
            style = Style.PLAIN if done % 4 == 3 else Style.INDEX
            reads_back(composer.compose(row, strategy), graph.facts, style)
            done += 1
            if done == count:
                break
        seed += 1
    assert seed < 20


def test_1_000_prompts_are_read_back_without_loss(make: Maker) -> None:
    all_read_back(make, config_of(Preset.ENT_U_REL_U), 1_000)


@pytest.mark.slow
@pytest.mark.parametrize("preset", [Preset.ENT_U_REL_U, Preset.ONLY_3_HOP, Preset.ICEWS14_SYNTH])
def test_10_000_prompts_are_read_back_without_loss(make: Maker, preset: Preset) -> None:
    all_read_back(make, config_of(preset), 10_000)


@pytest.mark.parametrize(
    ("context", "analogy", "query", "reached"),
    [
        # Rows of FACTS, the last is the query: gold 1493, head 447.
        ((2,), None, 3, (True, True, True)),
        ((1,), None, 3, (False, False, False)),
        ((), None, 3, (False, False, False)),
        ((1,), 2, 3, (False, False, True)),
        # A query whose answer is its own head, 817.
        ((0,), None, 1, (False, False, True)),
    ],
)
def test_reach(
    context: tuple[int, ...], analogy: int | None, query: int, reached: tuple[bool, bool, bool]
) -> None:
    found = reach(
        ComposedPrompt(
            strategy=Strategy.AH,
            query=ShownFact(context=rows(*context), fact=query),
            analogy=None if analogy is None else ShownFact(context=rows(), fact=analogy),
        ),
        FACTS,
    )
    assert (found.context, found.tail, found.prompt) == reached


def test_a_head_of_the_context_can_answer_but_is_no_tail() -> None:
    facts = Quadruples.of(np.array([(5, 0, 6, 1), (7, 0, 5, 2)]))
    shown = ComposedPrompt(strategy=Strategy.AR, query=ShownFact(context=rows(0), fact=1))
    found = reach(shown, facts)
    assert (found.context, found.tail) == (True, False)


def test_ceilings_are_shares(make: Maker) -> None:
    graph, dataset = make(0)
    composer = Composer(dataset, Instances.of(graph.labels, graph.facts))
    asked = np.unique(graph.labels.fact[graph.labels.consequence]).tolist()
    for strategy in Strategy:
        prompts = [composer.compose(row, strategy) for row in asked]
        texts = [read_prompt(write_prompt(prompt, graph.facts)) for prompt in prompts]
        golds = graph.facts.tail[asked].tolist()
        found = ceiling(prompts, graph.facts, strategy)
        ends = [{end for fact in text.context for end in (fact.head, fact.tail)} for text in texts]
        assert found.reachable == np.mean(
            [gold in held for gold, held in zip(golds, ends, strict=True)]
        )
        assert found.as_tail == np.mean(
            [
                gold in {fact.tail for fact in text.context}
                for gold, text in zip(golds, texts, strict=True)
            ]
        )
        assert found.in_prompt == np.mean(
            [gold in text.entities for gold, text in zip(golds, texts, strict=True)]
        )
        assert found.with_analogy == np.mean([bool(text.examples) for text in texts])
        assert found.facts == pytest.approx(np.mean([len(text.context) for text in texts]))
        assert found.prompts == len(asked)
    assert ceiling((), graph.facts, Strategy.AH).reachable == 0


def test_antecedents_hold_the_answer(make: Maker) -> None:
    """A consequence names entities of its antecedents only."""
    graph, dataset = make(1)
    composer = Composer(dataset, Instances.of(graph.labels, graph.facts))
    asked = np.unique(graph.labels.fact[graph.labels.consequence]).tolist()
    prompts = [composer.compose(row, Strategy.OICL) for row in asked]
    assert ceiling(prompts, graph.facts, Strategy.OICL).reachable == 1
