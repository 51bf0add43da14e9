"""Models that answer questions: trained from questions and a forecaster, saved, and asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchmarks.forecasting.forecaster import NeuralForecaster
from benchmarks.questions.neural.examples import EarlierFacts, Examples, Task, reciprocal_rank
from benchmarks.questions.neural.network import (
    LABELS,
    Head,
    QuestionNetwork,
    Shape,
)
from benchmarks.tokenizers import Pieces, train_tokenizer
from benchmarks.training import Checkpoints, Course, Schedule, train_epochs
from solver.graph.model import Dataset, Ids, Vocabulary
from solver.io.json_lines import read_document
from solver.io.sources import InputError
from solver.io.writing import os_errors_reported, write_json
from solver.questions.model import LETTERS
from solver.rules.provenance import Seen
from solver.verification.settings import setting

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Progress = Callable[[int], object]

_SETTINGS = "settings.json"
_MAPS = "maps.pt"
_ENCODER = "encoder"
_FORECASTER = "forecaster"
_ASKED_TOGETHER = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Hyperparameters of a model and of its training.

    Attributes:
        size: real numbers in a row, for the encoder alone; else the forecaster decides.
        layers: of an encoder that is trained from scratch; likewise its ``vocabulary`` and
            ``length``, the maximum number of tokens.
        batch: questions of a step.
    """

    task: Task
    head: Head = setting(
        Head.PRODUCT,
        "Score texts by products with the forecaster's entities, as ForecastTKGQA; by these and "
        "counts of earlier facts, copy; by a layer over both, joined; or alone.",
    )
    size: int = 200
    width: int = setting(64, "Width of an encoder from scratch, a multiple of 4.", low=4)
    layers: int = 2
    vocabulary: int = 8_000
    length: int = 128
    dropout: float = setting(0.3, "Share of values that are dropped.", least=0, below=1)
    batch: int = 256
    rate: float = setting(0.001, "Learning rate.", above=0)
    epochs: int = setting(50, "Most epochs.", low=1)
    patience: int = setting(
        5, "Epochs without a better validation figure before stopping; 0: never.", low=0
    )


class _Saved(msgspec.Struct, frozen=True, kw_only=True):
    settings: Settings
    entities: int
    seen: Seen


class Representations:
    """The rows of entities by time, kept in a temporary file, so that memory stays flat.

    Rows are divided by the standard deviation of the first ones, as products of short rows are
    tiny.

    Args:
        forecaster: what makes the rows.
        first: the time of the first rows.
    """

    def __init__(self, forecaster: NeuralForecaster, first: int) -> None:
        self._forecaster = forecaster
        self._file = TemporaryFile()  # noqa: SIM115 - closed with the object
        self._offsets: dict[int, int] = {}
        rows = forecaster.representations(first)
        self._shape, self._scale = rows.shape, np.float32(rows.std() or 1.0)

    def __call__(self, time: int) -> NDArray[np.float32]:
        """The rows at a time, shape (entities, size)."""
        entities, size = self._shape
        data = os.pread(self._file.fileno(), 4 * entities * size, self._offset(time))
        return np.frombuffer(data, dtype=np.float32).reshape(self._shape).copy()

    def gather(self, times: Ids, entities: Ids) -> NDArray[np.float32]:
        """The rows of entities at their times."""
        length = 4 * self._shape[1]
        parts = [
            os.pread(self._file.fileno(), length, self._offset(time) + length * entity)
            for time, entity in zip(times.tolist(), entities.tolist(), strict=True)
        ]
        data = b"".join(parts)
        return np.frombuffer(data, dtype=np.float32).reshape(len(times), -1).copy()

    def _offset(self, time: int) -> int:
        """Where the rows of a time begin; they are computed once."""
        if not self._forecaster.settings.model.evolves:
            time = 0
        if time not in self._offsets:
            rows = self._forecaster.representations(time) / self._scale
            with os_errors_reported(Path("temporary file")):
                self._offsets[time] = self._file.seek(0, os.SEEK_END)
                self._file.write(rows.astype(np.float32).tobytes())
                self._file.flush()
        return self._offsets[time]


@dataclass(slots=True, kw_only=True)
class QuestionModel:
    """A model of one task, trained or loaded.

    Attributes:
        forecaster: what represents entities; None for the encoder alone.
        rows: its rows, if other models have used them; by default new ones.
        seen: the facts that it was learned from; None before ``fit``.
        course: the course of the training.
    """

    settings: Settings
    forecaster: NeuralForecaster | None = None
    rows: Representations | None = None
    device: str = "cpu"
    checkpoints: Checkpoints | None = None
    seen: Seen | None = None
    course: Course = field(default_factory=Course)
    _network: QuestionNetwork | None = None
    _encoder: PreTrainedModel | None = None
    _tokenizer: PreTrainedTokenizerBase | None = None
    _entities: int = 0

    def fit(
        self,
        train: Examples,
        valid: Examples | None,
        graph: Dataset,
        *,
        seen: Seen,
        seed: int,
        encoder: Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Train, or go on from the last checkpoint, to the epoch of the best validation figure.

        Args:
            train: questions with their answers.
            valid: other ones; None to keep the last epoch.
            graph: the graph that they are about.
            seen: the facts that the questions are about.
            seed: random seed.
            encoder: folder of an encoder, saved by transformers; None for one from scratch.
            progress: called with 1 after each step.

        Raises:
            InputError: there are no questions, or there is no encoder.
            DivergedError: the loss is not finite.
        """
        import torch

        if not len(train):
            message = f"found no questions of {' or '.join(self.settings.task.kinds)} to learn from"
            raise InputError(message)
        torch.manual_seed(seed)
        self._tokenizer, self._encoder = (
            _fresh(self.settings, train) if encoder is None else _loaded(encoder)
        )
        self.seen, self._entities = seen, graph.vocabulary.entities
        network = self._build(graph)
        lesson = Lesson(network, train, batch=self.settings.batch, rate=self.settings.rate)
        self.course = train_epochs(
            lesson,
            Schedule(
                epochs=self.settings.epochs, patience=self.settings.patience, clip=1.0, seed=seed
            ),
            validate=None if not valid else partial(self.figure, valid),
            checkpoints=self.checkpoints,
            progress=progress,
        )

    def figure(self, examples: Examples) -> float:
        """Mean reciprocal rank of entities, or accuracy; in [0, 1]."""
        scores = self.scores(examples)
        found = 0.0
        for row, right in zip(scores, examples.answers, strict=True):
            if examples.task is Task.ENTITIES:
                found += reciprocal_rank(row, right)
            else:
                found += int(row.argmax()) in right
        return found / max(len(examples), 1)

    def scores(self, examples: Examples) -> list[NDArray[np.float32]]:
        """The scores of the answers to each question."""
        import torch

        network = self._network
        if network is None:
            raise ValueError("a model is asked before it is trained")
        network.modules.eval()
        found: list[NDArray[np.float32]] = [np.empty(0, dtype=np.float32)] * len(examples)
        rows = np.arange(len(examples))
        parts = by_time(examples.time, rows) if examples.task is Task.ENTITIES else [rows]
        with torch.inference_mode():
            for part in parts:
                for at in range(0, len(part), _ASKED_TOGETHER):
                    chosen = part[at : at + _ASKED_TOGETHER]
                    scored = network.scores(examples, chosen).float().cpu().numpy()
                    for place, row in zip(chosen.tolist(), scored, strict=True):
                        found[place] = row
        return found

    def rankings(
        self, examples: Examples, vocabulary: Vocabulary, most: int
    ) -> list[tuple[str, ...]]:
        """The answers to each question, the best first; at most so many entities."""
        found = []
        for row in self.scores(examples):
            order = np.argsort(-row, kind="stable")[:most].tolist()
            match examples.task:
                case Task.ENTITIES:
                    found.append(tuple(map(vocabulary.entity, order)))
                case Task.YES_UNKNOWN:
                    found.append(tuple(LABELS[n] for n in order))
                case Task.FACT_REASONING:
                    found.append(tuple(LETTERS[n] for n in order))
        return found

    def save(self, folder: Path) -> None:
        """Save everything that answers need to an existing folder."""
        import torch

        assert self._network is not None
        assert self._encoder is not None
        assert self._tokenizer is not None
        assert self.seen is not None
        self._encoder.save_pretrained(folder / _ENCODER)
        self._tokenizer.save_pretrained(folder / _ENCODER)
        torch.save(self._network.modules["maps"].state_dict(), folder / _MAPS)
        if self.forecaster is not None:
            (folder / _FORECASTER).mkdir()
            self.forecaster.save(folder / _FORECASTER)
        saved = _Saved(settings=self.settings, entities=self._entities, seen=self.seen)
        write_json(folder / _SETTINGS, msgspec.to_builtins(saved))

    @classmethod
    def load(cls, folder: Path, graph: Dataset, *, device: str = "cpu") -> QuestionModel:
        """Load a model, to be asked about a graph.

        Raises:
            InputError: the folder contains none, or one of a graph of another size.
        """
        import torch

        if not (folder / _SETTINGS).is_file():
            message = f"found no {_SETTINGS}, expected a folder that `train questions` wrote"
            raise InputError(message, where=str(folder))
        saved = read_document(folder / _SETTINGS, _Saved, "settings of a model of questions")
        entities = graph.vocabulary.entities
        if saved.entities != entities:
            message = f"learned {saved.entities:,} entities, expected the {entities:,} of the graph"
            raise InputError(message, where=str(folder))
        inner = folder / _FORECASTER
        forecaster = NeuralForecaster.load(inner, graph, device=device) if inner.is_dir() else None
        found = cls(settings=saved.settings, forecaster=forecaster, device=device, seen=saved.seen)
        found._tokenizer, found._encoder = _loaded(folder / _ENCODER)
        found._entities = entities
        network = found._build(graph)
        weights = torch.load(folder / _MAPS, map_location=device, weights_only=True)
        network.modules["maps"].load_state_dict(weights)
        return found

    def as_json(self) -> dict[str, object]:
        """Settings and course."""
        return {"settings": asdict(self.settings), **asdict(self.course), "best": self.course.best}

    def _build(self, graph: Dataset) -> QuestionNetwork:
        import torch

        settings, forecaster = self.settings, self.forecaster
        assert self._encoder is not None
        assert self._tokenizer is not None
        rows = None
        if settings.head is not Head.TEXT:
            if forecaster is None:
                raise InputError("found no forecaster, expected one that represents entities")
            rows = self.rows or Representations(forecaster, forecaster.until)
            settings = replace(settings, size=forecaster.width)
        shape = Shape(
            task=settings.task,
            head=settings.head,
            size=settings.size,
            entities=self._entities,
            relations=graph.vocabulary.relations,
            dropout=settings.dropout,
        )
        earlier = EarlierFacts(graph) if settings.head is Head.COPY else None
        place = torch.device(self.device)
        self._network = QuestionNetwork(self._encoder, self._tokenizer, shape, rows, earlier, place)
        return self._network


class Lesson:
    """A network with the questions that it learns from; steps are of one time.

    Args:
        network: the network.
        examples: questions with their answers.
        batch: questions of a step.
        rate: learning rate.
    """

    def __init__(
        self, network: QuestionNetwork, examples: Examples, *, batch: int, rate: float
    ) -> None:
        self.modules = network.modules
        self._network, self._examples, self._batch, self._rate = network, examples, batch, rate

    def optimizer(self) -> Optimizer:
        """Adam."""
        import torch

        return torch.optim.Adam(self.modules.parameters(), lr=self._rate, fused=True)

    def steps(self, order: np.random.Generator) -> Sequence[Ids]:
        """Questions of one time for entities, as all entities are read then; else any."""
        drawn = order.permutation(len(self._examples))
        if self._examples.task is Task.ENTITIES:
            parts = by_time(self._examples.time, drawn)
            parts = [parts[n] for n in order.permutation(len(parts)).tolist()]
        else:
            parts = [drawn]
        return [
            array[at : at + self._batch]
            for array in parts
            for at in range(0, len(array), self._batch)
        ]

    def loss(self, rows: Ids) -> Tensor:
        """Cross-entropy; of several right answers, each has the same share.

        A network that copies learns besides which relation is asked for.
        """
        import torch

        text = self._network.texts(self._examples, rows)
        scores = torch.log_softmax(self._network.scored(self._examples, rows, text), dim=1)
        wanted = torch.zeros_like(scores)
        for row, n in enumerate(rows.tolist()):
            right = self._examples.answers[n]
            wanted[row, torch.from_numpy(right).to(scores.device)] = 1 / len(right)
        loss = -(scores * wanted).sum() / len(rows)
        if self._network.shape.head is Head.COPY:
            loss = loss + self._network.relation_loss(self._examples, rows, text)
        return loss


def by_time(times: Ids, rows: Ids) -> list[Ids]:
    """The rows of each time, in the order given."""
    stable = rows[np.argsort(times[rows], kind="stable")]
    return np.split(stable, np.flatnonzero(np.diff(times[stable])) + 1) if len(rows) else []


def _fresh(
    settings: Settings, examples: Examples
) -> tuple[PreTrainedTokenizerBase, PreTrainedModel]:
    """A small encoder with random weights, and a tokenizer of the words of the questions."""
    from transformers import BertConfig, BertModel

    # As often as the questions, so that rare words are left out before them.
    labels = LABELS * len(examples) if examples.task is Task.YES_UNKNOWN else ()
    tokenizer = train_tokenizer(
        chain(examples.all_texts(), labels),
        pieces=Pieces.WORD,
        size=settings.vocabulary,
        length=settings.length,
    )
    config = BertConfig(
        hidden_size=settings.width,
        num_hidden_layers=settings.layers,
        num_attention_heads=4,
        intermediate_size=2 * settings.width,
        vocab_size=len(tokenizer),
        pad_token_id=tokenizer.pad_token_id,
        max_position_embeddings=settings.length,
        type_vocab_size=2,
        # The default suits a width of 768: narrow layers would pass on next to nothing at first.
        initializer_range=settings.width**-0.5,
        attention_probs_dropout_prob=0.0,
    )
    return tokenizer, BertModel(config, add_pooling_layer=False)


def _loaded(folder: Path) -> tuple[PreTrainedTokenizerBase, PreTrainedModel]:
    """The encoder of a folder that transformers saved, without downloads."""
    from transformers import AutoModel, AutoTokenizer

    if not (folder / "config.json").is_file():
        message = "found no config.json, expected an encoder saved by transformers"
        raise InputError(message, where=str(folder))
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        encoder = AutoModel.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # of any class
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"the encoder cannot be loaded: {reason}", where=str(folder)) from error
    tokenizer.model_max_length = min(
        tokenizer.model_max_length, int(getattr(encoder.config, "max_position_embeddings", 512))
    )
    return tokenizer, encoder
