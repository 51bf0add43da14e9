"""``generate``: generates verified data sets, one command for each kind."""

from __future__ import annotations

from solver.cli.program import Entry, LazyGroup

KINDS = {
    "eventhop": Entry(
        "generators.eventhop.cli", "Generate event-order items, balanced, without artefacts."
    ),
    "questions": Entry(
        "generators.questions.cli", "Generate questions over a graph, with gold answers."
    ),
    "texts": Entry("generators.texts.cli", "Write a text for each line of facts."),
    "moved-texts": Entry(
        "generators.texts.cli:moved_texts", "Move texts and their facts to another year."
    ),
    "traces": Entry("generators.traces.cli", "Generate chains of thought with proved step labels."),
    "calendar": Entry(
        "generators.problems.cli:calendar", "Generate questions about dates, clocks and meetings."
    ),
    "positions": Entry("generators.problems.cli:positions", "Generate stories about positions."),
    "assignments": Entry(
        "generators.problems.cli:assignments", "Generate puzzles: who is at which position."
    ),
    "patterns": Entry("generators.patterns.cli", "List all valid patterns with their shapes."),
    "tkg": Entry(
        "generators.tkg.cli", "Generate a temporal knowledge graph with a label for every fact."
    ),
}

command = LazyGroup(
    "generate", entries=KINDS, help="Generate data sets; all are verified during generation."
)
