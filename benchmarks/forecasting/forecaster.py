"""What a forecaster is, and the neural ones: how they are trained, saved and asked.

A forecaster scores every entity as the answer of a query ``(s, r, ?, t)`` from facts before t
alone. Any model with ``fit`` and ``score`` is one; the networks of this package share the training
of ``NeuralForecaster``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchmarks.forecasting.cygnet import CyGNet
from benchmarks.forecasting.factorisation import Factorisation
from benchmarks.forecasting.regcn import ReGcn
from benchmarks.forecasting.renet import ReNet
from benchmarks.forecasting.settings import Model, Settings
from benchmarks.metrics.ranking import Numbers, mrr
from benchmarks.rules.ranking.models import place
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
from benchmarks.training import Checkpoints, Course, Schedule, Trainable, train_epochs
from solver.graph.model import Dataset, Ids, Split
from solver.graph.queries import Queries, Tie
from solver.io.json_lines import read_document
from solver.io.sources import InputError
from solver.io.writing import write_json
from solver.rules.provenance import Seen

if TYPE_CHECKING:
    from torch import Tensor, device


FloatArray: TypeAlias = NDArray[np.float32]
Progress: TypeAlias = Callable[[int], object]

_CELLS = 4_000_000
"""Maximum number of scores in memory: 16 MB in single precision."""


class Forecaster(Protocol):
    """A model of a temporal graph; a query of time t may use facts before t only."""

    def fit(
        self, graph: Dataset, *, until: int, seed: int, progress: Progress | None = None
    ) -> None:
        """Learn from the facts before a time.

        Args:
            graph: the graph; later facts are seen by later queries alone.
            until: the first time that is not learned from.
            seed: random seed; the same seed gives the same scores on a CPU.
            progress: called with 1 after each step.
        """

    def score(self, queries: Queries) -> Iterator[tuple[Ids, FloatArray]]:
        """Yield the numbers of some queries of one time and their scores, shape (rows, entities).

        Each query occurs once; higher scores are better.
        """
        ...


class Network(Trainable, Protocol):
    """The trained part of a forecaster; the rows of its steps are learned facts, by time."""

    def at(self, time: int) -> Callable[[Ids, Ids], Tensor]:
        """What scores heads and relations at a time, from facts before it; (rows, entities)."""

    def representations(self, time: int) -> Tensor:
        """A row for each entity at a time, from facts before it; the first half is real."""


def network(settings: Settings, graph: Dataset, until: int, place: device) -> Network:
    """A network with random weights, from the generator of torch.

    Args:
        settings: its hyperparameters.
        graph: the graph that it reads.
        until: the first time that it does not learn from.
        place: the device of its parameters.
    """
    match settings.model:
        case Model.COMPLEX | Model.TCOMPLEX:
            return Factorisation(settings, graph, until, place)
        case Model.CYGNET:
            return CyGNet(settings, graph, until, place)
        case Model.RE_NET:
            return ReNet(settings, graph, until, place)
        case Model.RE_GCN | Model.RE_GCN_COMPLEX:
            return ReGcn(settings, graph, until, place)


_WEIGHTS = "weights.pt"
_SETTINGS = "settings.json"


class _Saved(msgspec.Struct, frozen=True, kw_only=True):
    settings: Settings
    until: int
    entities: int
    relations: int
    seen: Seen | None = None


@dataclass(slots=True, kw_only=True)
class NeuralForecaster:
    """A network that is trained on a graph, or loaded from a folder.

    Attributes:
        settings: hyperparameters.
        device: name of the device, as torch has it.
        checkpoints: the folder of the training; None to keep nothing.
        seen: the facts that it was learned from; None before ``fit``.
        course: the course of the training.
    """

    settings: Settings
    device: str = "cpu"
    checkpoints: Checkpoints | None = None
    seen: Seen | None = None
    course: Course = field(default_factory=Course)
    _network: Network | None = None
    _until: int = 0
    _sizes: tuple[int, int] = (0, 0)

    def fit(
        self, graph: Dataset, *, until: int, seed: int, progress: Progress | None = None
    ) -> None:
        """Train, or go on from the last checkpoint, to the epoch of best raw validation MRR.

        The facts of the split valid from ``until`` on, if any, are the validation queries.

        Raises:
            InputError: there is no fact before ``until``.
            DivergedError: the loss is not finite.
        """
        import torch

        torch.manual_seed(seed)
        self._network = found = self._built(graph, until)
        validation = _Validation.of(graph, until)
        learned = [Split.TRAIN, *([Split.VALID] if validation is not None else [])]
        self.seen = Seen.of(graph, learned, seed=seed)
        self.course = train_epochs(
            found,
            Schedule(
                epochs=self.settings.epochs,
                patience=self.settings.patience,
                clip=self.settings.clip,
                seed=seed,
            ),
            validate=None if validation is None else partial(validation.mrr, self),
            checkpoints=self.checkpoints,
            progress=progress,
        )

    def score(self, queries: Queries) -> Iterator[tuple[Ids, FloatArray]]:
        """Yield the numbers of some queries of one time and their scores, as ``Forecaster``."""
        size = max(1, _CELLS // self._sizes[0])
        for time, numbers in queries.by_time():
            score = self.at(time)
            for begin in range(0, len(numbers), size):
                rows = numbers[begin : begin + size]
                yield rows, score(queries.head[rows], queries.relation[rows])

    def at(self, time: int) -> Callable[[Ids, Ids], FloatArray]:
        """What scores heads and relations at a time; nothing is computed twice for one time."""
        import torch

        found = self._network
        if found is None:
            raise ValueError("a forecaster is asked before it is trained")
        found.modules.eval()
        with torch.no_grad():
            ask = found.at(time)

        def score(heads: Ids, relations: Ids) -> FloatArray:
            with torch.no_grad():
                scores: FloatArray = ask(heads, relations).float().cpu().numpy()
            return scores

        return score

    def representations(self, time: int) -> FloatArray:
        """A row for each entity at a time, from facts before it; the first half is real."""
        import torch

        if self._network is None:
            raise ValueError("a forecaster is asked before it is trained")
        self._network.modules.eval()
        with torch.no_grad():
            rows: FloatArray = self._network.representations(time).float().cpu().numpy()
        return rows

    @property
    def until(self) -> int:
        """The first time that it was not learned from."""
        return self._until

    @property
    def width(self) -> int:
        """Real numbers in the row of an entity."""
        size = self.settings.size
        even = self.settings.model in (Model.COMPLEX, Model.TCOMPLEX, Model.RE_NET)
        return size - size % 2 if even else size

    def save(self, folder: Path) -> None:
        """Save the weights and settings to an existing folder."""
        import torch

        assert self._network is not None
        entities, relations = self._sizes
        saved = _Saved(
            settings=self.settings,
            until=self._until,
            entities=entities,
            relations=relations,
            seen=self.seen,
        )
        torch.save(self._network.modules.state_dict(), folder / _WEIGHTS)
        write_json(folder / _SETTINGS, msgspec.to_builtins(saved))

    @classmethod
    def load(cls, folder: Path, graph: Dataset, *, device: str = "cpu") -> NeuralForecaster:
        """Load a forecaster, to be asked about a graph.

        Raises:
            InputError: the folder contains none, or one of a graph of other sizes.
        """
        import torch

        if not (folder / _SETTINGS).is_file():
            message = f"found no {_SETTINGS}, expected a folder that `train forecaster` wrote"
            raise InputError(message, where=str(folder))
        saved = read_document(folder / _SETTINGS, _Saved, "settings of a forecaster")
        sizes = (graph.vocabulary.entities, graph.vocabulary.relations)
        if sizes != (saved.entities, saved.relations):
            message = (
                f"learned {saved.entities:,} entities and {saved.relations:,} relations, "
                f"expected the {sizes[0]:,} and {sizes[1]:,} of {graph.name}"
            )
            raise InputError(message, where=str(folder))
        found = cls(settings=saved.settings, device=device, seen=saved.seen)
        found._network = built = found._built(graph, saved.until)
        weights = torch.load(folder / _WEIGHTS, map_location=device, weights_only=True)
        built.modules.load_state_dict(weights)
        return found

    def _built(self, graph: Dataset, until: int) -> Network:
        import torch

        self._until = until
        self._sizes = (graph.vocabulary.entities, graph.vocabulary.relations)
        return network(self.settings, graph, until, torch.device(self.device))

    def as_json(self) -> dict[str, object]:
        """Settings and course."""
        return {"settings": asdict(self.settings), **asdict(self.course), "best": self.course.best}


@dataclass(frozen=True, slots=True)
class _Validation:
    """The queries that select the epoch."""

    queries: SplitQueries
    raw: FilteredAnswers

    @classmethod
    def of(cls, graph: Dataset, until: int) -> _Validation | None:
        """The validation queries; None if there are none from that time on."""
        valid = graph.splits.get(Split.VALID)
        if valid is None or not len(valid) or valid.time.min() < until:
            return None
        queries = SplitQueries.of(graph, Split.VALID)
        return cls(queries, FilteredAnswers(queries, Filter.RAW))

    def mrr(self, forecaster: NeuralForecaster) -> float:
        """Raw MRR, the mean rank in case of ties."""
        scorer = ForecastScorer(forecaster.settings.model, forecaster, self.queries)
        return mrr(place(scorer, self.queries, self.raw).values(Tie.REALISTIC))


def shards(forecaster: Forecaster, queries: SplitQueries) -> Iterator[tuple[Ids, FloatArray]]:
    """The keys ``s r t`` and scores of the distinct queries of a split, for ``write_scores``."""
    asked, _ = Queries.of(queries.asked)
    keys = np.stack((asked.head, asked.relation, asked.time), axis=1)
    for rows, scores in forecaster.score(asked):
        yield keys[rows], scores


class ForecastScorer:
    """The scores of a trained network for the queries of a split."""

    def __init__(self, model: str, forecaster: NeuralForecaster, queries: SplitQueries) -> None:
        self.model = model
        self._forecaster, self._asked = forecaster, queries.asked
        self._entities = queries.entities
        self._last: tuple[int, Callable[[Ids, Ids], FloatArray]] | None = None

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        scores = np.empty((len(rows), self._entities))
        times = self._asked.time[rows]
        for time in np.unique(times).tolist():
            places = np.flatnonzero(times == time)
            chosen = rows[places]
            if self._last is None or self._last[0] != time:
                self._last = (time, self._forecaster.at(time))
            scores[places] = self._last[1](self._asked.head[chosen], self._asked.relation[chosen])
        return scores
