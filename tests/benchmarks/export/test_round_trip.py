"""Logs and scores of other tools are scored with the figures of our own formats."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hopcheck as hc
from benchmarks.predictions import PredictionError
from solver.graph.model import Split
from solver.io.sources import InputError

INSPECT = """
import json, sys, tiktoken
class Words:
    def encode(self, text, **_): return text.split()
tiktoken.get_encoding = lambda name: Words()
from inspect_ai import eval
from inspect_ai.log import write_eval_log
from inspect_ai.model import ModelOutput, get_model
task, answers, logs = sys.argv[1:]
outputs = [ModelOutput.from_content("mock", one) for one in json.loads(answers)]
model = get_model("mockllm/model", custom_outputs=outputs)
[log] = eval(task, model=model, log_dir=logs, display="none", max_connections=1)
write_eval_log(log, logs + "/copy.json")
"""

LM_EVAL = """
import json, sys
import lm_eval
from lm_eval.loggers import EvaluationTracker
from lm_eval.models.dummy import DummyLM
from lm_eval.tasks import TaskManager
folder, answers, out = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
class Said(DummyLM):
    def generate_until(self, requests, disable_tqdm=False):
        return [answers[one.doc_id] for one in requests]
tracker = EvaluationTracker(output_path=out)
found = lm_eval.simple_evaluate(
    Said(), tasks=["ours_cot"], bootstrap_iters=0, log_samples=True, evaluation_tracker=tracker,
    task_manager=TaskManager(include_path=folder, include_defaults=False))
tracker.save_results_aggregated(results={**found, "samples": None}, samples=found["samples"])
tracker.save_results_samples(task_name="ours_cot", samples=found["samples"]["ours_cot"])
"""

Outside = Callable[..., str]


def figures(answers: Path | list[dict[str, str]], items: Path) -> Any:
    found = dict(hc.score("nli", answers, items / "test.jsonl", resamples=100).figures)
    return {name: found[name] for name in ("overall", "labels", "confusion", "by")}


@pytest.fixture(scope="module")
def expected(items: Path, answered: Any) -> Any:
    rows = zip(answered.rows, answered.texts, strict=True)
    found = figures([{"id": row["id"], "answer": text} for row, text in rows], items)
    assert found["overall"]["accuracy"]["value"] == pytest.approx(
        answered.scores["accuracy"], abs=1e-4
    )
    return found


def test_inspect(
    items: Path, answered: Any, expected: Any, tmp_path: Path, outside: Outside
) -> None:
    hc.export("inspect", items, tmp_path / "out", name="ours")
    task, logs = f"{tmp_path / 'out' / 'ours' / 'tasks.py'}@cot", tmp_path / "logs"
    outside(INSPECT, task, json.dumps(answered.texts), logs, needs="inspect_ai")
    [log] = logs.glob("*.eval")
    assert figures(log, items) == expected
    assert figures(logs / "copy.json", items) == expected


def test_lm_eval(
    items: Path, answered: Any, expected: Any, tmp_path: Path, outside: Outside
) -> None:
    hc.export("lm-eval", items, tmp_path / "out", name="ours")
    made = tmp_path / "made"
    outside(LM_EVAL, tmp_path / "out", json.dumps(answered.texts), made, needs="lm_eval")
    [log] = made.rglob("samples_ours_cot_*.jsonl")
    assert figures(log, items) == expected


def samples(answered: Any) -> list[dict[str, Any]]:
    rows = zip(answered.rows, answered.texts, strict=True)
    return [{"id": row["id"], "epoch": 1, "output": {"completion": text}} for row, text in rows]


def test_an_inspect_log_of_plain_deflate(
    items: Path, answered: Any, expected: Any, tmp_path: Path
) -> None:
    """The last member of a name counts, and long texts are attachments."""
    path = tmp_path / "log.eval"
    made = samples(answered)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/0_epoch_1.json", json.dumps(made[0] | {"output": {}}))
        for sample in made:
            text = sample["output"]["completion"]
            moved = {"output": {"completion": "attachment://h"}, "attachments": {"h": text}}
            with pytest.warns(UserWarning, match="Duplicate") if sample is made[0] else _nothing():
                name = f"samples/{sample['id']}_epoch_1.json"
                archive.writestr(name, json.dumps(sample | moved))
    assert figures(path, items) == expected


def _nothing() -> Any:
    from contextlib import nullcontext

    return nullcontext()


def test_choices_of_lm_eval(items: Path, answered: Any, tmp_path: Path) -> None:
    """A document whose choices are compared by their log-likelihoods."""
    choices = ("true", "false", "undefined")
    lines = []
    for number, row in enumerate(answered.rows):
        scores = [["-1.5" if choice == row["label"] else "-2.5", "False"] for choice in choices]
        asked = {
            f"gen_args_{n}": {"arg_0": "", "arg_1": f" {choice}"}
            for n, choice in enumerate(choices)
        }
        base = {"doc_id": number, "doc": row, "filter": "none"}
        lines.append(base | {"filtered_resps": scores, "arguments": asked})
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert figures(path, items)["overall"]["accuracy"]["value"] == 1
    path.write_text(json.dumps(lines[0]) + "\n" + json.dumps(lines[1] | {"filter": "strict"}))
    found = hc.score("nli", path, items / "test.jsonl", resamples=100).run
    assert "found the filters none and strict" in found.matched.predictions.broken[0]


@pytest.mark.parametrize("content", [b"PK\x03\x04", b""])
def test_archives_that_are_no_logs_are_refused(content: bytes, items: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    if content:
        path.write_bytes(content)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("notes.txt", "")
    with pytest.raises(InputError, match="archive"):
        hc.score("nli", path, items / "test.jsonl")


def question_figures(answers: Any, questions: Path) -> Any:
    found = hc.score("questions", answers, questions, resamples=100).figures
    return {name: value for name, value in found.items() if name != "predictions"}


@pytest.fixture(scope="module")
def expected_of_questions(questions: Path, answered_questions: Any) -> Any:
    """The figures of our own format, in which names are spelled as in the graph."""
    ours = []
    for row, text in zip(answered_questions.rows, answered_questions.texts, strict=True):
        last = text.rpartition("Answer:")[2].strip()
        ranking = ["no one", "The Sea"] if last.startswith("no one") else []
        if last not in ("I cannot say.", ""):
            ranking += row["answers"]
        ours.append({"id": row["id"], "ranking": ranking})
    found = question_figures(ours, questions)
    for name, part in found["parts"].items():
        names = {"accuracy": f"kind_{name}", "mrr": f"mrr_{name}"}
        for metric, value in part["figures"].items():
            if metric in names and name != "1-hop and 2-hop":
                expected = answered_questions.scores[names[metric].replace("-", "_")]
                assert value["value"] == pytest.approx(expected, abs=1e-4)
    return found


def test_questions_of_inspect(
    questions: Path,
    answered_questions: Any,
    expected_of_questions: Any,
    tmp_path: Path,
    outside: Outside,
) -> None:
    hc.export("inspect", questions, tmp_path / "out", name="ours")
    task, logs = f"{tmp_path / 'out' / 'ours' / 'tasks.py'}@cot", tmp_path / "logs"
    outside(INSPECT, task, json.dumps(answered_questions.texts), logs, needs="inspect_ai")
    [log] = logs.glob("*.eval")
    assert question_figures(log, questions) == expected_of_questions
    assert question_figures(logs / "copy.json", questions) == expected_of_questions


def test_questions_of_lm_eval(
    questions: Path,
    answered_questions: Any,
    expected_of_questions: Any,
    tmp_path: Path,
    outside: Outside,
) -> None:
    hc.export("lm-eval", questions, tmp_path / "out", name="ours")
    texts, made = json.dumps(answered_questions.texts), tmp_path / "made"
    outside(LM_EVAL, tmp_path / "out", texts, made, needs="lm_eval")
    [log] = made.rglob("samples_ours_cot_*.jsonl")
    assert question_figures(log, questions) == expected_of_questions


def test_questions_of_a_log(
    questions: Path, answered_questions: Any, expected_of_questions: Any, tmp_path: Path
) -> None:
    log = tmp_path / "samples.jsonl"
    rows = zip(answered_questions.rows, answered_questions.texts, strict=True)
    lines = [
        {"doc_id": n, "doc": {"id": row["id"]}, "filter": "none", "filtered_resps": [text]}
        for n, (row, text) in enumerate(rows)
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert question_figures(log, questions) == expected_of_questions


def plain(path: Path, graph: Any) -> Any:
    return hc.score("ranks", path, graph, resamples=100).figures["models"][0]["plain"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_pykeen(graph: Path, tmp_path: Path, ending: str) -> None:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    read = hc.load_graph(graph)
    words = read.vocabulary
    scores = (
        np.random.default_rng(2).integers(-4, 4, (words.entities, words.relations, words.entities))
        / 3
    )
    keys = [
        (h, r, t)
        for h in range(words.entities)
        for r in range(words.relations)
        for t in range(words.entities)
    ]
    table = pa.table(
        {
            "head_id": [h for h, _, _ in keys],
            "head_label": [f'a "b", {words.entity(h)}' for h, _, _ in keys],
            "relation_id": [r for _, r, _ in keys],
            "tail_id": [t for _, _, t in keys],
            "score": [float(scores[key]) for key in keys],
        }
    )
    path = tmp_path / f"pykeen.scores.{ending}"
    if ending == "parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        delimiter = pyarrow.csv.WriteOptions(delimiter="\t" if ending == "tsv" else ",")
        pyarrow.csv.write_csv(table, path, delimiter)
    both = read.splits[Split.TEST].both_ways(words.relations).rows().tolist()
    queries = sorted({(h, r, t) for h, r, _, t in both})
    rows = [
        scores[h, r] if r < words.relations else scores[:, r - words.relations, h]
        for h, r, _ in queries
    ]
    np.savez(tmp_path / "ours.npz", queries=np.array(queries), scores=np.array(rows))
    assert plain(path, read) == plain(tmp_path / "ours.npz", read)
    short = tmp_path / "short.scores.csv"
    pyarrow.csv.write_csv(table.slice(0, table.num_rows - 400), short)
    with pytest.raises(hc.HopcheckError, match="scores are missing"):
        plain(short, read)


@pytest.mark.parametrize("dated", [True, False])
def test_tgb(graph: Path, planted: Path, tmp_path: Path, dated: bool) -> None:
    from benchmarks.export.graphs import negatives, seconds

    read = hc.load_graph(graph if dated else planted)
    words = read.vocabulary
    stamps = seconds(read)
    facts = read.splits[Split.TEST].both_ways(words.relations).rows().tolist()
    queries = sorted({(h, r, t) for h, r, _, t in facts})
    scores = np.random.default_rng(3).integers(-3, 3, (len(queries), words.entities)) / 3
    np.savez(tmp_path / "ours.npz", queries=np.array(queries), scores=scores)
    true = negatives(read, Split.TEST, stamps)
    left = np.full((len(facts), words.entities), np.nan)
    for row, (h, r, _, t) in enumerate(facts):
        others = np.delete(np.arange(words.entities), true[stamps[t], h, r])
        left[row, : len(others)] = scores[queries.index((h, r, t)), others]
    np.savez(
        tmp_path / "tgb.npz",
        sources=np.array([f[0] for f in facts]),
        edge_type=np.array([f[1] for f in facts]),
        destinations=np.array([f[2] for f in facts]),
        timestamps=np.array([stamps[f[3]] for f in facts]),
        y_pred_pos=np.array([scores[queries.index((h, r, t)), o] for h, r, o, t in facts]),
        y_pred_neg=left,
    )
    assert plain(tmp_path / "tgb.npz", read) == plain(tmp_path / "ours.npz", read)


def test_a_row_that_is_no_sample_is_reported(items: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"eval": {}, "samples": [{"output": {}}]}))
    with pytest.raises((InputError, PredictionError), match="a sample without an id"):
        hc.score("nli", path, items / "test.jsonl")
