"""Asks two kinds of models that no selection used for the answers of generated questions.

    python -m benchmarks.reproduction.questions.unseen DIR GRAPH [DIR GRAPH ...] [--write]

DIR is the output of ``generate questions`` about GRAPH, such as ICEWS14 or the output of
``generate tkg --config benchmarks/reproduction/questions/second_graph.json``. A random forest and a
small neural network see counts of their own of what happened before; of yes-unknown they rank the
questions of ``valid`` and ``test``, fitted to ``train``; of fact reasoning they choose, fitted to
the two other splits. ``--write`` keeps the results of other folders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.reproduction.speed.clock import with_earlier, write_results
from grammar.questions.model import QuestionKind
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.graph.model import History, Ids, Quadruples, Split, Vocabulary, pack
from solver.probes.probe import best_area, wilson
from solver.questions.io import SPLITS, read_questions
from solver.questions.linking import LinkedQuestion, Names, link
from solver.questions.model import LETTERS, Question

NAME = "question-unseen"
Table: TypeAlias = NDArray[np.float64]
_FOLDER = click.Path(exists=True, path_type=Path)


def _forest(seed: int) -> Any:  # noqa: ANN401 - of scikit-learn
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=300, min_samples_leaf=3, random_state=seed)


def _network(seed: int) -> Any:  # noqa: ANN401 - of scikit-learn
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    network = MLPClassifier(
        hidden_layer_sizes=(32,), alpha=0.1, early_stopping=True, max_iter=200, random_state=seed
    )
    return make_pipeline(StandardScaler(), network)


FAMILIES: Mapping[str, Callable[[int], Any]] = {
    "random forest": _forest,
    "neural network": _network,
}
FITS = 5
"""Fits with different random numbers, whose probabilities are averaged."""


@click.command()
@click.argument("places", nargs=-1, required=True, type=_FOLDER, metavar="DIR GRAPH...")
@click.option("--write", is_flag=True, help="Write benchmarks/results/question-unseen.{md,json}.")
def main(places: tuple[Path, ...], *, write: bool) -> None:
    """Fit both models to questions of each folder."""
    if len(places) % 2:
        raise click.UsageError("Each folder of questions needs its graph.")
    rows = [
        row
        for folder, graph in zip(places[::2], places[1::2], strict=True)
        for row in measured(folder, graph)
    ]
    if write:
        rows = with_earlier(NAME, "questions", rows, ["folder"])
        rows.sort(key=lambda row: (row["graph"] != "icews14", row["graph"], row["folder"]))
    values = {"questions": rows}
    if write:
        write_results(NAME, values, page(rows))
    print_json(values)


def measured(folder: Path, graph: Path) -> list[dict[str, Any]]:
    """The figures of one folder of questions."""
    dataset = read_dataset(graph)
    names = Names.of(dataset.vocabulary)
    asked = {
        split: [
            link(question, names)
            for question in read_questions(folder / name)
            if isinstance(question, Question)
        ]
        for name, split in SPLITS.items()
        if (folder / name).is_file()
    }
    facts = dataset.facts().distinct()
    return [
        {"folder": folder.name, "graph": graph.name, **row}
        for row in (*_yes_unknown(asked, facts, dataset.vocabulary),
                    *_fact_reasoning(asked, facts, dataset.vocabulary))
    ]  # fmt: skip


Asked: TypeAlias = Mapping[Split, Sequence[LinkedQuestion]]


def _of_kind(asked: Asked, kind: QuestionKind) -> dict[Split, list[LinkedQuestion]]:
    chosen = {
        split: [question for question in some if question.query.kind is kind]
        for split, some in asked.items()
    }
    return {split: some for split, some in chosen.items() if some}


def _yes_unknown(asked: Asked, facts: Quadruples, vocabulary: Vocabulary) -> list[dict[str, Any]]:
    """Areas under the curve of valid and test together."""
    chosen = _of_kind(asked, QuestionKind.YES_UNKNOWN)
    later = [split for split in chosen if split is not Split.TRAIN]
    if Split.TRAIN not in chosen or not later:
        return []
    tables = {split: _looks(some, facts, vocabulary) for split, some in chosen.items()}
    gold = {
        split: np.array([question.answers[0] for question in some])
        for split, some in chosen.items()
    }
    rows = []
    for name, family in FAMILIES.items():
        likely = _probable(
            family, tables[Split.TRAIN], gold[Split.TRAIN], [tables[split] for split in later]
        )
        scores = np.concatenate(likely)
        truth = np.concatenate([gold[split] for split in later])
        folds = np.repeat(np.arange(len(later)), [len(gold[split]) for split in later])
        area, low = best_area(scores[:, None], (truth != 1).astype(np.intp), folds)
        rows.append(
            {
                "kind": QuestionKind.YES_UNKNOWN.value,
                "model": name,
                "items": len(truth),
                "auc": None if area is None else round(area, 4),
                "low": None if low is None else round(low, 4),
            }
        )
    return rows


def _probable(
    family: Callable[[int], Any], table: Table, gold: Ids, others: Sequence[Table]
) -> list[Table]:
    """The probability of a yes for the rows of other tables, averaged over fits."""
    from threadpoolctl import threadpool_limits

    found = [np.zeros(len(other)) for other in others]
    with threadpool_limits(limits=1):
        for seed in range(FITS):
            model = family(seed)
            model.fit(table, gold)
            for mean, other in zip(found, others, strict=True):
                mean += model.predict_proba(other)[:, 1] / FITS
    return found


def _looks(questions: Sequence[LinkedQuestion], facts: Quadruples, vocabulary: Vocabulary) -> Table:
    """What is counted of a yes-unknown question before its day."""
    triples = np.array([question.query.triples[0] for question in questions], dtype=np.int64)
    head, relation, tail = triples[:, 0], triples[:, 1], triples[:, 2]
    day = np.array([question.query.time for question in questions])
    n, m = vocabulary.entities, vocabulary.relations
    ends = Quadruples.joined(
        facts,
        Quadruples(head=facts.tail, relation=facts.relation, tail=facts.head, time=facts.time),
    )
    pairs: list[tuple[Ids, Ids, Ids]] = [
        (facts.time, facts.head, head),
        (facts.time, facts.tail, tail),
        (facts.time, facts.head, tail),
        (facts.time, facts.tail, head),
        (facts.time, facts.relation, relation),
        (facts.time, pack([facts.head, facts.relation], (n, m)), pack([head, relation], (n, m))),
        (facts.time, pack([facts.relation, facts.tail], (m, n)), pack([relation, tail], (m, n))),
        (facts.time, pack([facts.head, facts.tail], (n, n)), pack([head, tail], (n, n))),
        (facts.time, pack([facts.tail, facts.head], (n, n)), pack([head, tail], (n, n))),
        (ends.time, pack([ends.head, ends.relation], (n, m)), pack([tail, relation], (n, m))),
    ]
    columns: list[Table] = []
    for times, keys, wanted in pairs:
        history = History(keys, times)
        before = history.before(wanted, day)
        week = history.before(wanted, np.maximum(day - 7, 0))
        columns += [np.log1p(before), np.log1p(before - week)]
    words = [vocabulary.entity(number) for number in range(n)]
    country = np.array([_country(word) for word in words])
    columns.append((country[head] == country[tail]).astype(float))
    columns += [np.array([len(words[e]) for e in end.tolist()], float) for end in (head, tail)]
    columns.append(day.astype(float))
    return np.column_stack(columns)


def _country(name: str) -> str:
    """The country at the end of a name, or the name."""
    return name[name.rfind("(") :] if name.endswith(")") else name


def _fact_reasoning(
    asked: Asked, facts: Quadruples, vocabulary: Vocabulary
) -> list[dict[str, Any]]:
    """Accuracies over all splits, each predicted from the others."""
    chosen = {
        split: [question for question in some if len(question.choices) == len(LETTERS)]
        for split, some in _of_kind(asked, QuestionKind.FACT_REASONING).items()
    }
    tables = {split: _of_choices(some, facts, vocabulary) for split, some in chosen.items() if some}
    if len(tables) < 2:
        return []
    gold = {
        split: np.array([question.answers[0] for question in chosen[split]]) for split in tables
    }
    rows = []
    for name, family in FAMILIES.items():
        right = 0
        for split, table in tables.items():
            others = [other for other in tables if other is not split]
            known = np.concatenate([np.eye(len(LETTERS), dtype=int)[gold[o]] for o in others])
            fitted = np.concatenate([tables[other] for other in others])
            (likely,) = _probable(
                family, fitted.reshape(-1, fitted.shape[2]), known.reshape(-1),
                [table.reshape(-1, table.shape[2])],
            )  # fmt: skip
            best = likely.reshape(-1, len(LETTERS)).argmax(axis=1)
            right += int((best == gold[split]).sum())
        items = sum(map(len, gold.values()))
        low, high = wilson(right, items)
        rows.append(
            {
                "kind": QuestionKind.FACT_REASONING.value,
                "model": name,
                "items": items,
                "accuracy": round(right / items, 4),
                "low": round(low, 4),
                "high": round(high, 4),
            }
        )
    return rows


def _of_choices(
    questions: Sequence[LinkedQuestion], facts: Quadruples, vocabulary: Vocabulary
) -> Table:
    """What is counted of each choice, and its rank; shape (questions, choices, counts)."""
    table = np.array([question.choices for question in questions], dtype=np.int64)
    head, relation, tail, time = np.moveaxis(table, 2, 0)
    day = np.array([question.query.time for question in questions])[:, None]
    asked = np.array([question.query.triples[0] for question in questions], dtype=np.int64)
    n, m = vocabulary.entities, vocabulary.relations

    def before(keys: Ids, wanted: Ids) -> Table:
        days = np.broadcast_to(day, time.shape).reshape(-1)
        found = History(keys, facts.time).before(wanted.reshape(-1), days)
        return np.log1p(found).reshape(time.shape)

    def packed(columns: Sequence[Ids], sizes: Sequence[int]) -> Ids:
        return pack([column.reshape(-1) for column in columns], sizes)

    counts = [
        np.log1p(day - time),
        before(facts.relation, relation),
        before(facts.head, head),
        before(facts.tail, tail),
        before(packed([facts.head, facts.tail], (n, n)), packed([head, tail], (n, n))),
        before(packed([facts.head, facts.relation], (n, m)), packed([head, relation], (n, m))),
        before(packed([facts.relation, facts.tail], (m, n)), packed([relation, tail], (m, n))),
    ]
    ranks = [count.argsort(axis=1).argsort(axis=1).astype(float) for count in counts]
    same = [
        (side == asked[:, [place]]).astype(float)
        for side, place in ((head, 0), (tail, 2), (head, 2), (tail, 0), (relation, 1))
    ]
    return np.stack([*counts, *ranks, *same, relation.astype(float)], axis=2)


def page(rows: Sequence[Mapping[str, Any]]) -> str:
    """The table."""
    lines = [
        "# Models that the selection of questions did not use",
        "",
        "`python -m benchmarks.reproduction.questions.unseen DIR GRAPH ... --write` writes this "
        "page.",
        "Chance is an area of .5, and an accuracy of .25.",
        "",
        "| questions | graph | kind | model | number | AUC or accuracy | interval |",
        "|---|---|---|---|---:|---:|---|",
    ]
    for row in rows:
        value = row.get("auc", row.get("accuracy"))
        high = f" to {row['high']:.3f}" if "high" in row else " at least"
        lines.append(
            f"| {row['folder']} | {row['graph']} | {row['kind']} | {row['model']} | "
            f"{row['items']:,} | {value:.3f} | {row['low']:.3f}{high} |"
        )
    lines += [
        "",
        "On average over the seeds, weighed by the number of questions:",
        "",
        "| graph | kind | model | seeds | questions | AUC or accuracy |",
        "|---|---|---|---:|---:|---:|",
    ]
    groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["graph"], row["kind"], row["model"]), []).append(row)
    for names, some in groups.items():
        items = sum(row["items"] for row in some)
        mean = sum(row.get("auc", row.get("accuracy")) * row["items"] for row in some) / items
        lines.append(f"| {' | '.join(names)} | {len(some)} | {items:,} | {mean:.3f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
