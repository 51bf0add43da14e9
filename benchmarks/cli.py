"""Groups with one command for each kind: ``score``, ``baseline``, ``train``, ``prompts`` ..."""

from __future__ import annotations

from solver.cli.program import Entry, LazyGroup

score = LazyGroup(
    "score",
    entries={
        "nli": Entry("benchmarks.eventhop.cli.answers:nli", "Score a model's answers to items."),
        "ranks": Entry(
            "benchmarks.rules.cli.score:ranks", "Compare models by the ranks of the true answers."
        ),
        "links": Entry("benchmarks.links.cli:links", "Score annotated temporal links."),
        "traces": Entry(
            "benchmarks.traces.cli:traces", "Score critics of chains of thought, or own chains."
        ),
        "agreement": Entry(
            "benchmarks.links.cli:agreement", "Compare two annotators' temporal links."
        ),
        "quadruples": Entry("benchmarks.texts.cli:quadruples", "Score facts extracted from texts."),
        "questions": Entry(
            "benchmarks.questions.cli:questions", "Score answers to questions over a graph."
        ),
    },
    help="Score predictions, with confidence intervals.",
)
baseline = LazyGroup(
    "baseline",
    entries={
        "random": Entry("benchmarks.eventhop.cli.baseline:guess", "Draw labels at random."),
        "majority": Entry(
            "benchmarks.eventhop.cli.baseline:majority",
            "Answer with the most frequent label.",
        ),
        "claim-only": Entry(
            "benchmarks.eventhop.cli.baseline:claim_only", "Answer items from their claims alone."
        ),
        "bag-of-words": Entry(
            "benchmarks.eventhop.cli.baseline:bag_of_words", "Answer items from their words."
        ),
        "encoder": Entry(
            "benchmarks.eventhop.cli.baseline:encoder", "Answer items with a trained encoder."
        ),
        "forecaster": Entry(
            "benchmarks.forecasting.cli:baseline", "Rank answers to queries by a forecaster."
        ),
        "recurrency": Entry(
            "benchmarks.rules.cli.score:recurrency",
            "Rank answers to queries by recurrence of facts.",
        ),
        "frequency": Entry(
            "benchmarks.tkg.cli.baseline:frequency", "Rank the tails of a context by frequency."
        ),
        "recency": Entry(
            "benchmarks.tkg.cli.baseline:recency", "Rank the tails of a context by recency."
        ),
        "planted": Entry(
            "benchmarks.tkg.cli.baseline:planted",
            "Predict by the patterns that a graph was generated from.",
        ),
    },
    help="Answer items, or queries about a graph, with a baseline.",
)
train = LazyGroup(
    "train",
    entries={
        "encoder": Entry("benchmarks.eventhop.cli.train", "Fine-tune an encoder on items."),
        "forecaster": Entry(
            "benchmarks.forecasting.cli:train", "Train a forecaster on a temporal graph."
        ),
        "questions": Entry(
            "benchmarks.questions.cli:train", "Train models that answer questions over a graph."
        ),
    },
    default="encoder",
    help="Train a model; `train --data PATH...` is `train encoder --data PATH...`.",
)
prompts = LazyGroup(
    "prompts",
    entries={
        "eventhop": Entry("benchmarks.eventhop.cli.prompts", "Write a prompt for each item."),
        "tkg": Entry(
            "benchmarks.tkg.cli.retrieval:prompts", "Write prompts for queries about a graph."
        ),
        "quadruples": Entry(
            "benchmarks.texts.cli:prompts", "Write a prompt for the facts of each text."
        ),
        "traces": Entry(
            "benchmarks.traces.cli:prompts",
            "Write prompts for chains of thought, or for their first wrong steps.",
        ),
    },
    default="eventhop",
    help="Write prompts for a language model; `prompts PATH...` is `prompts eventhop PATH...`.",
)
