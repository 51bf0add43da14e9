"""Models of questions score by their formulas, learn, repeat themselves, and see no future."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.forecasting.forecaster import NeuralForecaster
from benchmarks.forecasting.settings import Model
from benchmarks.forecasting.settings import Settings as Backbone
from benchmarks.questions.inputs import ParsedQuestion, QuestionText
from benchmarks.questions.neural.examples import EarlierFacts, Examples, Task, reciprocal_rank
from benchmarks.questions.neural.model import QuestionModel, Settings
from benchmarks.questions.neural.network import Head, Shape, hidden_scores, maps
from benchmarks.training import Checkpoints
from solver.cli import run
from solver.graph.model import Dataset, Ids, Quadruples, Split, Vocabulary
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuery
from solver.rules.provenance import Seen

pytestmark = pytest.mark.usefixtures("models")

GRAPH = Path(__file__).resolve().parents[3] / "examples" / "questions" / "graph"
ENTITIES, DAYS, SIZE = 6, 10, 8
every_task = pytest.mark.parametrize("task", Task)


def graph(later: int = 0) -> Dataset:
    """Each day e has r0 with e + 1, and r1 with e + 2; facts of the last day may be moved."""
    rows = [
        (entity, relation, (entity + relation + 1) % ENTITIES, day)
        for day in range(DAYS)
        for entity in range(ENTITIES)
        for relation in range(2)
    ]
    facts = Quadruples.of(np.array(rows))
    last = facts.take(facts.time >= DAYS - 2)
    moved = Quadruples(
        head=last.head, relation=last.relation, tail=(last.tail + later) % ENTITIES, time=last.time
    )
    splits = {Split.TRAIN: facts.take(facts.time < DAYS - 2), Split.TEST: moved}
    vocabulary = Vocabulary(entities=ENTITIES, relations=2, times=DAYS)
    return Dataset(name="regular", vocabulary=vocabulary, splits=splits)


def examples(task: Task, days: range) -> Examples:
    """Questions with invented texts; words and entities decide the answers."""
    asked: list[ParsedQuestion] = []
    texts: list[QuestionText] = []
    answers: list[Ids] = []
    for day in days:
        for entity in range(ENTITIES):
            for relation, word in enumerate(("visit", "accuse")):
                end = (entity + relation + 1) % ENTITIES
                text = f"whom will e{entity} {word} on day {day}"
                choices: tuple[tuple[int, int, int, int], ...] = ()
                query = (entity, relation, ASKED_ID)
                right = end
                if task is Task.YES_UNKNOWN:
                    right = relation
                    query = (entity, relation, end if right else entity)
                    text = f"will e{entity} {word} e{query[2]} on day {day}"
                elif task is Task.FACT_REASONING:
                    right = (entity + relation) % 4
                    query = (entity, relation, end)
                    choices = tuple(
                        (entity, int(n != right), (end + n) % ENTITIES, day - 1) for n in range(4)
                    )
                kind = task.kinds[0]
                asked.append(
                    ParsedQuestion(
                        query=LinkedQuery(kind=kind, triples=(query,), time=day), choices=choices
                    )
                )
                shown = tuple(
                    {"text": f"e{s} {('visit', 'accuse')[r]} e{o} on day {t}"}
                    for s, r, o, t in choices
                )
                texts.append(_text(str(len(texts)), text, shown))
                answers.append(np.array([right]))
    return Examples.of(task, asked, texts, answers, relations=2)


def _text(id: str, text: str, choices: tuple[dict[str, str], ...]) -> QuestionText:
    import msgspec

    given = {"id": id, "text": text, "choices": choices}
    return msgspec.convert(given, QuestionText)


@pytest.fixture(scope="module")
def backbone(models: None) -> NeuralForecaster:  # noqa: ARG001
    settings = replace(
        Backbone.of(Model.RE_GCN_COMPLEX), size=SIZE, epochs=3, dropout=0.0, patience=0, history=2
    )
    found = NeuralForecaster(settings=settings)
    found.fit(graph(), until=DAYS - 2, seed=0)
    return found


def model(task: Task, head: Head, backbone: NeuralForecaster, **given: Any) -> QuestionModel:
    options = {"epochs": 2, "width": 8, "layers": 1, "dropout": 0.1, "patience": 0, "batch": 12}
    settings = Settings(task=task, head=head, size=SIZE, **(options | given))
    chosen = None if head is Head.TEXT else backbone
    return QuestionModel(settings=settings, forecaster=chosen)


def trained(
    task: Task, head: Head, backbone: NeuralForecaster, *, seed: int = 0, **given: Any
) -> QuestionModel:
    found = model(task, head, backbone, **given)
    seen = Seen.of(graph(), [Split.TRAIN], seed=seed)
    found.fit(examples(task, range(1, 8)), None, graph(), seen=seen, seed=seed)
    return found


def scores(found: QuestionModel, task: Task, days: range = range(8, 10)) -> bytes:
    return np.stack(found.scores(examples(task, days))).tobytes()


def test_the_maps_have_the_published_numbers_of_parameters() -> None:
    """Table 19 of the paper: 234,600 for entities and yes-unknown, 354,800 for fact reasoning."""
    shape = Shape(
        task=Task.ENTITIES,
        head=Head.PRODUCT,
        size=200,
        entities=20_575,
        relations=253,
        dropout=0.3,
    )
    counts = [
        sum(parameter.numel() for parameter in maps(replace(shape, task=task), 768).parameters())
        for task in Task
    ]
    assert counts == [234_600, 234_600, 354_800]


@every_task
def test_scores_are_the_formulas(task: Task, backbone: NeuralForecaster) -> None:
    """Complex numbers and loops, from the rows of texts and entities alone."""
    import torch

    found = trained(task, Head.PRODUCT, backbone, epochs=1)
    asked = examples(task, range(7, 9))
    network, tokenizer = found._network, found._tokenizer
    assert network is not None
    assert tokenizer is not None
    modules = network.modules.eval()
    learned: Any = modules["maps"]

    def encoded(*parts: str) -> torch.Tensor:
        tokens = tokenizer(*parts, return_tensors="pt")
        first = modules["encoder"](**tokens).last_hidden_state[:, 0]
        rows: torch.Tensor = learned["turn"](learned["project"](first))
        return rows

    def text(*parts: str) -> np.ndarray[Any, Any]:
        return row(learned["norm"](encoded(*parts))[0])

    def row(values: torch.Tensor) -> np.ndarray[Any, Any]:
        half = values.detach().numpy().astype(np.float64)
        return np.asarray(half[: SIZE // 2] + 1j * half[SIZE // 2 :])

    scale = backbone.representations(backbone.until).std()

    def entity(number: int, time: int) -> torch.Tensor:
        rows = torch.from_numpy(backbone.representations(time)[number] / scale)
        aligned: torch.Tensor = learned["align"](rows)
        return aligned

    with torch.no_grad():
        for n, given in enumerate(found.scores(asked)):
            time = int(asked.time[n])
            subject = entity(int(asked.subject[n]), time)
            object_ = entity(int(asked.object[n]), time)
            if task is Task.ENTITIES:
                h = text(asked.texts[n])
                expected = [
                    sum(row(subject) * h * row(entity(e, time)).conj()).real
                    for e in range(ENTITIES)
                ]
            elif task is Task.YES_UNKNOWN:
                h = text(asked.texts[n])
                expected = [
                    sum(row(subject) * h * row(object_).conj() * row(encoded(word)[0])).real
                    for word in ("unknown", "yes")
                ]
            else:
                expected = []
                for c in range(4):
                    h = text(asked.texts[n], asked.choices[n][c])
                    real = torch.from_numpy(np.concatenate([h.real, h.imag])).float()
                    joined = learned["join"](torch.cat([subject, real, object_]))
                    then = int(asked.choice_time[n, c])
                    ends = [
                        row(entity(int(array[n, c]), then))
                        for array in (asked.choice_subject, asked.choice_object)
                    ]
                    expected.append(sum(ends[0] * h * ends[1].conj() * row(joined)).real)
            assert given == pytest.approx(np.array(expected), abs=1e-3)


@every_task
def test_joined_scores_are_layers_over_all_rows(task: Task, backbone: NeuralForecaster) -> None:
    """One row of numbers after the other, for each question and answer."""
    import torch

    found = trained(task, Head.JOINED, backbone, epochs=1)
    asked = examples(task, range(7, 9))
    assert found._network is not None
    learned: Any = found._network.modules.eval()["maps"]
    scale = backbone.representations(backbone.until).std()

    def entity(number: int, time: int) -> torch.Tensor:
        return torch.from_numpy(backbone.representations(time)[number] / scale)

    def layers(*rows: torch.Tensor) -> torch.Tensor:
        hidden = learned["hidden"](torch.cat(rows)).clamp(min=0)
        scored: torch.Tensor = learned["answer"](hidden)
        return scored

    with torch.no_grad():
        texts = found._network.texts(asked, np.arange(len(asked))).view(len(asked), -1, SIZE)
        for n, given in enumerate(found.scores(asked)):
            time = int(asked.time[n])
            subject, object_ = (int(array[n]) for array in (asked.subject, asked.object))
            first, last = entity(subject, time), entity(object_, time)
            if task is Task.ENTITIES:
                every = [layers(first, texts[n, 0], entity(e, time)) for e in range(ENTITIES)]
            elif task is Task.YES_UNKNOWN:
                every = [layers(first, texts[n, 0], last)]
            else:
                every = []
                for c, then in enumerate(asked.choice_time[n].tolist()):
                    ends = [
                        entity(int(array[n, c]), then)
                        for array in (asked.choice_subject, asked.choice_object)
                    ]
                    every.append(layers(first, texts[n, c], last, *ends))
            assert given == pytest.approx(torch.cat(every).numpy(), abs=1e-4)


def test_earlier_triples_are_counted() -> None:
    """Loops over the facts of random graphs; for each entity, and for each pair."""
    source = np.random.default_rng(0)
    for case in range(200):
        sizes = (4, 2, 4, 6)
        rows = source.integers(0, sizes, (source.integers(1, 30), 4))
        facts = {tuple(row) for row in rows.tolist()}
        both = facts | {(o, r + 2, s, t) for s, r, o, t in facts}
        vocabulary = Vocabulary(entities=4, relations=2, times=6)
        splits = {Split.TRAIN: Quadruples.of(rows[:5]), Split.TEST: Quadruples.of(rows[5:])}
        earlier = EarlierFacts(Dataset(name="random", vocabulary=vocabulary, splits=splits))
        times, heads, tails = source.integers(0, (6, 4, 4), (3, 3)).T
        for ends in (None, tails):
            found = earlier.before(times, heads, ends)
            expected: dict[tuple[int, int, int], tuple[int, int]] = {}
            for n, (time, head) in enumerate(zip(times.tolist(), heads.tolist(), strict=True)):
                for s, r, o, t in sorted(both, key=lambda members: members[3]):
                    if s == head and t < time and (ends is None or o == ends[n]):
                        count, _ = expected.get((n, r, o), (0, 0))
                        expected[n, r, o] = count + 1, time - t
            keys = np.stack((found.question, found.relation, found.tail), axis=1).tolist()
            values = np.stack((found.count, found.lag), axis=1).tolist()
            assert dict(zip(map(tuple, keys), map(tuple, values), strict=True)) == expected, case


@every_task
def test_copies_are_added_to_the_shares_of_products(task: Task, backbone: NeuralForecaster) -> None:
    """The formula, with loops over the facts before each question."""
    import torch

    found = trained(task, Head.COPY, backbone, epochs=1)
    asked = examples(task, range(7, 9))
    network = found._network
    assert network is not None
    learned: Any = network.modules.eval()["maps"]
    often, recent = (learned["copied"][name].item() for name in ("often", "recent"))
    facts = graph().facts().both_ways(2)
    assert (often, recent) != (1.0, 1.0)
    for n, given in enumerate(found.scores(asked)):
        rows = np.array([n])
        with torch.no_grad():
            text = network.texts(asked, rows)
            shares = network._products(asked, rows, text).softmax(dim=1)[0].tolist()
            weights = learned["copy"](text).tolist()
        subject, object_, time = (
            int(array[n]) for array in (asked.subject, asked.object, asked.time)
        )
        for answer in range(len(shares)):
            weight, pair = weights[0], (subject, answer)
            if task is Task.YES_UNKNOWN:
                pair = (subject, object_ if answer else -1)
            elif task is Task.FACT_REASONING:
                weight = weights[answer]
                pair = (int(asked.choice_subject[n, answer]), int(asked.choice_object[n, answer]))
            for relation in range(4):
                times = [
                    t
                    for s, r, o, t in facts.rows().tolist()
                    if (s, o) == pair and r == relation and t < time
                ]
                if times:
                    power = weight[relation] + often * np.log(len(times))
                    shares[answer] += np.exp(power + recent * np.exp(0.1 * (max(times) - time)))
        if task is Task.YES_UNKNOWN:
            assert learned["copied"]["unknown"].item() != 0
            shares[0] += np.exp(learned["copied"]["unknown"].item())
        assert given == pytest.approx(np.log(shares), abs=1e-4)


def test_the_relation_of_a_question_leads_from_the_entity_that_it_names() -> None:
    """From a subject, from an object; none for two facts, and none for yes-unknown."""
    found = []
    for task, triples in (
        (Task.ENTITIES, ((3, 1, ASKED_ID),)),
        (Task.ENTITIES, ((ASKED_ID, 1, 3),)),
        (Task.ENTITIES, ((3, 1, PARTY_ID), (ASKED_ID, 0, PARTY_ID))),
        (Task.YES_UNKNOWN, ((3, 1, 4),)),
    ):
        kind = task.kinds[len(triples) - 1]
        asked = ParsedQuestion(query=LinkedQuery(kind=kind, triples=triples, time=5))
        examples = Examples.of(task, [asked], [_text("x", "?", ())], relations=2)
        found.append((examples.subject.tolist(), examples.relation.tolist()))
    assert found == [([3], [1]), ([3], [3]), ([3], [-1]), ([3], [-1])]


@pytest.mark.parametrize("questions", range(1, 6))
def test_scores_of_all_pairs_have_the_gradients_of_their_formula(questions: int) -> None:
    import torch

    torch.manual_seed(questions)
    sizes = (questions, 4), (5, 4), (4,)
    rows = [torch.randn(size, dtype=torch.double, requires_grad=True) for size in sizes]
    given = torch.randn(questions, 5, dtype=torch.double)
    found = hidden_scores(*rows)
    expected = (rows[0][:, None] + rows[1][None]).relu() @ rows[2]
    assert torch.allclose(found, expected)
    of_found = torch.autograd.grad((found * given).sum(), rows)
    of_expected = torch.autograd.grad((expected * given).sum(), rows)
    assert all(map(torch.allclose, of_found, of_expected))


def test_texts_alone_decide_what_is_copied(backbone: NeuralForecaster) -> None:
    """The greatest weight is that of the relation of a question, which is not given."""
    learning = {"rate": 0.01, "dropout": 0.0, "width": 16, "batch": 28}
    found = trained(Task.ENTITIES, Head.COPY, backbone, epochs=10, **learning)
    asked = examples(Task.ENTITIES, range(1, 8))
    assert found._network is not None
    given = replace(asked, relation=np.zeros_like(asked.relation))
    text = found._network.texts(given, np.arange(len(given)))
    weights = found._network.modules["maps"]["copy"](text)
    assert weights.argmax(dim=1).tolist() == asked.relation.tolist()


@pytest.mark.parametrize(
    ("task", "head", "epochs"),
    [
        (Task.ENTITIES, Head.COPY, 10),
        (Task.YES_UNKNOWN, Head.COPY, 40),
        (Task.ENTITIES, Head.PRODUCT, 15),
        (Task.YES_UNKNOWN, Head.PRODUCT, 40),
        (Task.FACT_REASONING, Head.PRODUCT, 25),
        (Task.ENTITIES, Head.JOINED, 30),
        (Task.YES_UNKNOWN, Head.JOINED, 30),
        (Task.FACT_REASONING, Head.JOINED, 15),
        (Task.ENTITIES, Head.TEXT, 25),
        (Task.FACT_REASONING, Head.TEXT, 10),
    ],
)
def test_what_can_be_learned_is_learned(
    task: Task, head: Head, epochs: int, backbone: NeuralForecaster
) -> None:
    learning = {"rate": 0.01, "dropout": 0.0, "width": 16, "batch": 28}
    found = trained(task, head, backbone, epochs=epochs, **learning)
    assert found.course.losses[-1] < found.course.losses[0] / 2
    assert found.figure(examples(task, range(1, 8))) > 0.9


@pytest.mark.parametrize(
    ("task", "head"),
    [
        *((task, Head.PRODUCT) for task in Task),
        (Task.ENTITIES, Head.COPY),
        (Task.ENTITIES, Head.JOINED),
        (Task.ENTITIES, Head.TEXT),
    ],
)
def test_the_seed_decides(task: Task, head: Head, backbone: NeuralForecaster) -> None:
    first, again, other = (
        scores(trained(task, head, backbone, seed=seed, epochs=1), task) for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other


with_rows = pytest.mark.parametrize("head", [Head.PRODUCT, Head.COPY, Head.JOINED])


@every_task
@with_rows
def test_a_saved_model_answers_the_same(
    task: Task, head: Head, backbone: NeuralForecaster, tmp_path: Path
) -> None:
    found = trained(task, head, backbone)
    found.save(tmp_path)
    assert scores(
        QuestionModel.load(
            tmp_path,
            graph(),
        ),
        task,
    ) == scores(found, task)


@every_task
@with_rows
def test_later_facts_change_nothing(
    task: Task, head: Head, backbone: NeuralForecaster, tmp_path: Path
) -> None:
    """Questions of a day have the same scores, whatever happens on that day and later."""
    trained(task, head, backbone).save(tmp_path)
    day = range(DAYS - 2, DAYS - 1)
    before, after = (
        scores(QuestionModel.load(tmp_path, graph(later)), task, day) for later in (0, 2)
    )
    assert before == after
    next_day = range(DAYS - 1, DAYS)
    before, after = (
        scores(QuestionModel.load(tmp_path, graph(later)), task, next_day) for later in (0, 2)
    )
    assert before != after


class StoppedError(Exception):
    """An interruption."""


@pytest.mark.parametrize("head", [Head.PRODUCT, Head.COPY])
def test_a_training_goes_on_to_the_same_weights(
    head: Head, backbone: NeuralForecaster, tmp_path: Path
) -> None:
    whole = scores(trained(Task.ENTITIES, head, backbone, epochs=3), Task.ENTITIES)
    seen = Seen.of(graph(), [Split.TRAIN], seed=0)
    learned = examples(Task.ENTITIES, range(1, 8))
    steps = 0

    def stop(more: int) -> None:
        nonlocal steps
        steps += more
        if steps == 12:
            raise StoppedError

    found = model(Task.ENTITIES, head, backbone, epochs=3)
    found.checkpoints = Checkpoints(tmp_path / "run", {})
    with pytest.raises(StoppedError):
        found.fit(learned, None, graph(), seen=seen, seed=0, progress=stop)
    again = model(Task.ENTITIES, head, backbone, epochs=3)
    again.checkpoints = Checkpoints(tmp_path / "run", {})
    again.fit(learned, None, graph(), seen=seen, seed=0)
    assert scores(again, Task.ENTITIES) == whole


def test_the_reciprocal_rank_is_the_mean_over_orders_of_ties() -> None:
    """The mean rank over all orders of equal scores, each answer without the other ones."""
    source = np.random.default_rng(0)
    for _ in range(300):
        given = source.integers(0, 3, source.integers(1, 7)).astype(np.float32)
        right: Ids = source.permutation(len(given))[: source.integers(1, len(given) + 1)]
        expected = 0.0
        for answer in right.tolist():
            others = [given[n] for n in range(len(given)) if n not in right]
            above = sum(other_score > given[answer] for other_score in others)
            equal = sum(other_score == given[answer] for other_score in others)
            ranks = [1 + above + n for n in range(equal + 1)]
            expected += 1 / (sum(ranks) / len(ranks)) / len(right)
        assert reciprocal_rank(given, right) == pytest.approx(expected)


@pytest.fixture(scope="module")
def folders(
    models: None,  # noqa: ARG001
    example_questions: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Questions about the example's graph, a forecaster, and models of both heads."""
    home = tmp_path_factory.mktemp("models")
    data = ["--data", str(GRAPH), "--epochs", "1", "--device", "cpu"]
    asked = str(shutil.copytree(example_questions, home / "asked"))
    backbone = ["--model", "re-gcn-complex", "--size", "8", "--out", str(home / "backbone")]
    assert run(["train", "forecaster", *data, *backbone]) == 0
    chosen = ["--forecaster", str(home / "backbone"), "--out", str(home / "product")]
    assert run(["train", "questions", asked, *data, "--width", "8", *chosen]) == 0
    return home


def batch(folder: Path) -> int:
    settings = json.loads((folder / "model/settings.json").read_bytes())["settings"]
    return int(settings["batch"])


def test_steps_are_small_where_questions_are_few(folders: Path, tmp_path: Path) -> None:
    found = {task: batch(folders / "product" / task.value) for task in Task}
    assert found == {Task.ENTITIES: 256, Task.YES_UNKNOWN: 256, Task.FACT_REASONING: 32}
    learn = ["train", "questions", str(folders / "asked"), "--data", str(GRAPH), "--head", "text"]
    learn += ["--task", "fact-reasoning", "--epochs", "1", "--width", "8", "--device", "cpu"]
    assert run([*learn, "--batch", "7", "--out", str(tmp_path)]) == 0
    assert batch(tmp_path / "fact-reasoning") == 7


def test_the_commands(folders: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "answers.jsonl"
    ask = ["answer", str(folders / "asked"), "--data", str(GRAPH), "--observe", "past"]
    ask += ["--model", str(folders / "product"), "--device", "cpu", "--out", str(out)]
    capsys.readouterr()
    assert run([*ask, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["by"] == "model"
    assert shown["questions"].keys() == {"1-hop", "2-hop", "yes-unknown", "fact-reasoning"}
    assert shown["scores"] is not None
    rankings = [json.loads(line)["ranking"] for line in out.read_text().splitlines()]
    assert all(rankings)
    assert run([*ask, "--split", "valid"]) == 2
    assert "learned from train, valid of" in capsys.readouterr().err
    assert run([*ask, "--split", "valid", "--allow-leak"]) == 0
    assert run([*ask, "--by", "frequency"]) == 2
    assert "--model requires" in capsys.readouterr().err


@pytest.mark.measuring
def test_models_are_in_the_reproduced_tables(
    folders: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "answers.jsonl"
    ask = ["answer", str(folders / "asked"), "--data", str(GRAPH), "--observe", "past"]
    ask += ["--model", str(folders / "product"), "--device", "cpu", "--out", str(out)]
    assert run(ask) == 0
    capsys.readouterr()
    tabled = ["reproduce", "questions", str(folders / "asked"), "--data", str(GRAPH), "--json"]
    tabled += ["--model", f"product={folders / 'product'}", "--predictions", f"file={out}"]
    tabled += ["--forecaster", f"hops={folders / 'backbone'}", "--device", "cpu"]
    assert run(tabled) == 0
    models = {model["name"]: model for model in json.loads(capsys.readouterr().out)["models"]}
    assert models["product"]["parts"] == models["file"]["parts"]
    assert models["hops"]["parts"].keys() == models["product"]["parts"].keys()


def test_a_forecaster_answers_by_multi_hop_scores(
    folders: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scores in parts give the same 1-hop answers as the forecaster that wrote them."""
    data = ["--data", str(GRAPH), "--device", "cpu"]
    rank = ["baseline", "forecaster", str(folders / "backbone"), *data]
    parts = [str(tmp_path / "scores"), "--out", str(tmp_path / "ranks.txt")]
    assert run([*rank, "--scores", *parts]) == 0
    ask = ["answer", str(folders / "asked"), *data, "--observe", "past", "--by", "multi-hop"]
    found = []
    for source in (folders / "backbone", tmp_path / "scores"):
        out = tmp_path / f"{source.name}.jsonl"
        assert run([*ask, "--forecaster", str(source), "--out", str(out)]) == 0
        rows = [json.loads(line) for line in out.read_bytes().splitlines()]
        found.append([row for row in rows if "1-hop" in row["id"]])
    assert found[0] == found[1]
    assert all(record["ranking"] for record in found[0])
    taught = [*ask, "--forecaster", str(folders / "backbone"), "--out", str(tmp_path / "x.jsonl")]
    assert run([*taught, "--split", "valid"]) == 2
    assert "learned from" in capsys.readouterr().err
    assert run([*ask, "--out", str(tmp_path / "x.jsonl")]) == 2
    assert "--forecaster goes with" in capsys.readouterr().err


def test_what_is_missing_is_named(
    folders: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, data = str(folders / "asked"), ["--data", str(GRAPH), "--device", "cpu"]
    teach = ["train", "questions", asked, *data]
    assert run([*teach, "--out", str(tmp_path / "a")]) == 2
    assert "pass --forecaster DIR, or --head text" in capsys.readouterr().err
    assert run([*teach, "--head", "text", "--width", "6", "--out", str(tmp_path / "b")]) == 2
    assert "found 6, expected a multiple of 4" in capsys.readouterr().err
    alone = ["--head", "text", "--task", "yes-unknown", "--epochs", "1", "--width", "8"]
    assert run([*teach, *alone, "--out", str(tmp_path / "c")]) == 0
    assert run([*teach, *alone, "--out", str(tmp_path / "c")]) == 0
    assert "already complete" in capsys.readouterr().out
    assert run([*teach, *alone, "--rate", "1", "--out", str(tmp_path / "c")]) == 2
    assert "different settings" in capsys.readouterr().err
    ask = ["answer", asked, *data, "--observe", "past", "--out", str(tmp_path / "x.jsonl")]
    assert run([*ask, "--model", str(tmp_path / "c")]) == 2
    assert "found no settings.json" in capsys.readouterr().err
