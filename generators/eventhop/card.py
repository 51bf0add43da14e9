"""The dataset card: a README with the YAML header that the ``datasets`` library reads."""

from __future__ import annotations

from collections.abc import Mapping

from generators.eventhop.config import Config
from generators.eventhop.layout import Layout
from generators.eventhop.presets import Split
from solver.extras import available


def card(config: Config, planned: Layout, items: Mapping[Split, int]) -> str:
    """README.md of a data set.

    Args:
        config: the options of the data set.
        planned: its cells.
        items: number of items of each split.
    """
    ending = "parquet" if available("pyarrow") else "jsonl"
    files = "\n".join(
        f"      - split: {split}\n        path: {split}.{ending}" for split in sorted(items)
    )
    sizes = ", ".join(f"{count:,} {split}" for split, count in sorted(items.items()))
    shapes = ", ".join(dict.fromkeys(str(block.shape) for block in planned.blocks))
    withheld = "".join(f"- {reason}\n" for reason in planned.withheld_shapes)
    return _PAGE.format(
        files=files,
        category=_category(max(items.values())),
        preset=config.preset,
        domain=config.domain,
        seed=config.seed,
        sizes=sizes,
        shapes=shapes,
        impossible=len(planned.impossible),
        withheld=f"\nExcluded:\n\n{withheld}" if withheld else "",
    )


def _category(items: int) -> str:
    steps = (("n<1K", 1_000), ("1K<n<10K", 10_000), ("10K<n<100K", 100_000), ("100K<n<1M", 10**6))
    return next((name for name, limit in steps if items < limit), "1M<n<10M")


_PAGE = """---
language:
- en
task_categories:
- text-classification
task_ids:
- natural-language-inference
size_categories:
- {category}
tags:
- temporal-reasoning
- synthetic
pretty_name: EventHop ({preset}, {domain})
configs:
  - config_name: default
    data_files:
{files}
---
# EventHop, {preset}, {domain}

Does a claim about two events follow from a premise that orders the starts and ends of events?
Made by `hopcheck` with seed {seed}: {sizes} items. Every label was decided by two engines that
share no code, and carries a certificate that was checked; `manifest.json` holds the counts of all
cells, the checksums and the overlap of the splits.

Shapes (events x relations): {shapes}. {impossible} cells cannot exist; the manifest lists the
reasons.
{withheld}
| field | meaning |
|---|---|
| `premise`, `claim` | the texts |
| `label` | `true`; `false` (refuted or left open); `undefined` (the claim's points contradict) |
| `status` | `entailed`, `refuted`, `unknown`, `contradictory` |
| `declared` | whether the whole premise is `possible` or `impossible` |
| `relation` | of the claim: `before` (or meeting), `after`, `overlaps` |
| `events`, `relations` | number of events and relations in the premise |
| `hops` | relations on the shortest chain that shows the status; none for `unknown` |
| `event_distance` | relations between the claim's events, undirected; none if not connected |
| `timeline` | hash of the graph without names; no timeline is in both splits unless shared |
| `forced` | always false: every label was decided |

The TSV files hold the columns of the published EventHopNLI files: index, declared, forced,
relation, events, relations, event distance, premise, hypothesis, label (`True`, `False`,
`Impossible`).
"""
