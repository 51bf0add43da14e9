"""The dataset card: a page for readers, with a head that the ``datasets`` library loads."""

from __future__ import annotations

from generators.questions.settings import Settings
from generators.questions.statistics import Outcome

_SIZES = (("n<1K", 1_000), ("1K<n<10K", 10_000), ("10K<n<100K", 10**5), ("100K<n<1M", 10**6))


def card(outcome: Outcome, settings: Settings, lines: bool) -> str:
    """README.md of a data set.

    Args:
        outcome: its questions.
        settings: what was asked for.
        lines: whether the library reads the JSON Lines, or else Parquet.
    """
    counts = outcome.tally.counts
    splits = [one for one in outcome.splits if any(split is one for _, split in counts)]
    ending = "jsonl" if lines else "parquet"
    total = sum(counts.values())
    return _PAGE.format(
        files="\n".join(
            f"      - split: {_named(split)}\n        path: {split}.{ending}" for split in splits
        ),
        category=next((name for name, limit in _SIZES if total < limit), "1M<n<10M"),
        graph=outcome.graph.name,
        total=f"{total:,}",
        facts=f"{len(outcome.graph.facts):,}",
        table=_table(outcome),
        kinds=",".join(settings.kinds),
        seed=settings.seed,
        cap=settings.cap,
        support=settings.min_support,
        reasoning=",".join(settings.reasoning) or "none",
    )


def _named(split: str) -> str:
    """As the library calls it."""
    return "validation" if split == "valid" else split


def _table(outcome: Outcome) -> str:
    rows = [outcome.columns(), ("---",) * len(outcome.columns()), *outcome.table()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


_PAGE = """---
language:
- en
task_categories:
- question-answering
size_categories:
- {category}
tags:
- temporal-knowledge-graph
- forecasting
- synthetic
pretty_name: Forecasting questions over {graph}
configs:
  - config_name: default
    data_files:
{files}
dataset_info:
  features:
    - name: id
      dtype: string
    - name: kind
      dtype: string
    - name: split
      dtype: string
    - name: time
      dtype: string
    - name: text
      dtype: string
    - name: query
      sequence:
        sequence: string
    - name: answers
      sequence: string
    - name: choices
      list:
        - name: text
          dtype: string
        - name: fact
          sequence: string
    - name: order
      dtype: string
    - name: rule
      dtype: int32
    - name: certificate
      struct:
        - name: facts
          sequence:
            sequence: string
        - name: source
          sequence: string
        - name: contributions
          sequence: int64
        - name: rules
          sequence: int64
---
# Forecasting questions over {graph}

{total} questions about {facts} dated facts, made by `hopcheck`. A question is asked of a time, and
only facts before that time may be used to answer it.

{table}

| kind | asks | answers |
|---|---|---|
| `1-hop` | who is at the other end of a relation | all entities that the graph has there |
| `2-hop` | who is related to a party that, the same day, is related to someone | all of them |
| `yes-unknown` | whether a fact holds | `yes`; `unknown` for one the graph never has |
| `fact-reasoning` | which of four earlier facts speaks most for a fact | the letter of one |

| field | meaning |
|---|---|
| `id`, `kind`, `split`, `time` | the question's name and place; splits follow each other in time |
| `text` | the question |
| `query` | triples in the graph's names; `?answer` is asked for, `?party` is shared by two |
| `answers` | all right answers, sorted |
| `choices`, `order` | of fact reasoning: statements, and their letters by what they contribute |
| `rule` | of 2-hop: the row of its rule in `two_hop_rules.tsv`, from 0 |
| `certificate` | what shows the answers, see below |

A certificate holds the `facts` behind each answer; the `source` that an unknown was changed from;
for each choice its contribution in `contributions`, and the row of its rule in `rules.jsonl` in
`rules`.

Made with `generate questions` of the graph, `--kinds {kinds} --seed {seed} --cap {cap}
--min-support {support} --reasoning {reasoning}`. The same graph and options give the same bytes;
`manifest.json` holds the digests, `statistics.json` all counts. Every question can be checked
against the graph: `python -m solver verify --kind questions DIR --data GRAPH`.
"""
