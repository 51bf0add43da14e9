"""Hyperparameters of neural forecasters, and the facts that they learn from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from solver.graph.model import Dataset, Quadruples, Split
from solver.io.sources import InputError
from solver.verification.settings import setting


class Model(StrEnum):
    """Neural forecasters.

    ``complex`` and ``tcomplex`` factorise the graph without its order (Trouillon et al. 2016,
    Lacroix et al. 2020); ``cygnet`` copies from the past or generates (Zhu et al. 2021);
    ``re-net`` reads the last snapshots with an entity (Jin et al. 2020); ``re-gcn`` evolves the
    entities over the last snapshots (Li et al. 2021), and ``re-gcn-complex`` decodes them as
    ``complex`` does, for models of questions.
    """

    COMPLEX = "complex"
    TCOMPLEX = "tcomplex"
    CYGNET = "cygnet"
    RE_NET = "re-net"
    RE_GCN = "re-gcn"
    RE_GCN_COMPLEX = "re-gcn-complex"

    @property
    def evolves(self) -> bool:
        """Whether the rows of entities depend on the time."""
        return self in (Model.RE_GCN, Model.RE_GCN_COMPLEX)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Hyperparameters of a network and of its training.

    Complex networks have half as many complex dimensions; ``re-net`` and ``re-gcn`` step by
    snapshot.

    Attributes:
        layers: graph layers of ``re-gcn`` and ``re-gcn-complex``.
        kernels: convolutions of the decoders of ``re-gcn``.
        dropout: share of values that they drop.
        copying: weight of copying against generating, of ``cygnet``, in [0, 1].
        penalty: weight of the regulariser.
        smoothness: weight of the regulariser of times that follow each other, of ``tcomplex``.
        clip: maximum gradient norm; 0 for none.
    """

    model: Model
    size: int = setting(200, "Dimensions of an entity.", low=2)
    history: int = setting(
        3, "Snapshots before a query that re-net, re-gcn and re-gcn-complex read.", low=1
    )
    layers: int = 2
    kernels: int = 50
    dropout: float = 0.2
    copying: float = 0.8
    penalty: float = 0.01
    smoothness: float = 0.0
    batch: int = setting(1_024, "Facts of a step.", low=1)
    rate: float = setting(0.001, "Learning rate.", above=0)
    clip: float = 0.0
    epochs: int = setting(30, "Maximum number of epochs.", low=1)
    patience: int = setting(
        5, "Epochs without a better validation MRR before stopping; 0: never.", low=0
    )

    @classmethod
    def of(cls, model: Model) -> Settings:
        """The published hyperparameters of a network."""
        default = cls(model=model)
        match model:
            case Model.COMPLEX:
                return replace(default, rate=0.1, epochs=50)
            case Model.TCOMPLEX:
                return replace(default, rate=0.1, epochs=50, smoothness=0.01)
            case Model.CYGNET:
                return replace(default, patience=4)
            case Model.RE_NET:
                return replace(default, history=10, dropout=0.5, clip=1.0, epochs=20)
            case Model.RE_GCN:
                return replace(default, clip=1.0)
            case Model.RE_GCN_COMPLEX:
                return replace(default, clip=1.0, history=4)


def before(graph: Dataset, until: int) -> Quadruples:
    """The distinct facts before a time, by time.

    Raises:
        InputError: there are none, or some are of a later split.
    """
    for split in (Split.VALID, Split.TEST):
        later = graph.splits.get(split)
        if later is not None and len(later) and later.time.min() < until:
            first, end = (graph.vocabulary.time(int(bound)) for bound in (later.time.min(), until))
            message = f"found a fact of {split} at time {first}, expected none before {end}"
            raise InputError(message, where=graph.name, hint="splits have to be in order of time")
    facts = graph.facts().distinct()
    found = facts.take(facts.time < until)
    if not len(found):
        message = f"found no facts before time {graph.vocabulary.time(until)}, expected some"
        raise InputError(message, where=graph.name)
    return found
