"""ForecastTKGQA (Ding et al. 2023), and its encoder alone.

A text encoder gives a question, or a question with a choice, a complex row ``h``; a forecaster
gives every entity a complex row for the time of the question, which a map f aligns. The score is
the real part of a product of complex rows, with a bar for the conjugate:

    an entity e         < f(s), h, bar f(e) >
    x, yes or unknown   < f(s), h, bar f(o), h(x) >
    a choice c          < f(s_c), h(c), bar f(o_c), g(f(s), h(c), f(o)) >

s and o are the entities of the question, s_c and o_c those of the choice, at its own time. The
paper leaves the sizes of the maps open; with an encoder of width 768 and rows of 200 real numbers
those below have its numbers of parameters, 234,600 and 354,800. The first half of a row is its real
part, the second the imaginary part.

The paper's baselines of language models replace the products: the encoder alone by a linear layer,
and the encoder with a forecaster's rows by a layer over both, one after the other:

    an entity e         f(s, h, e)
    yes and unknown     f(s, h, o)
    a choice c          f(s, h(c), o, s_c, o_c)

Rows of times are left out: texts name the date. A layer without a hidden one would rank entities
alike for all questions, as it adds what e contributes to what the question does.

Copying is no part of the paper. It adds to the share p(x) of an answer, the softmax of the product,
what happened before the time of the question, as the copy mode of CyGNet (Zhu et al. 2021) does:

    p(x) + sum over relations r of exp(w_r(h) + a log n + b exp(-lag / 10))

n is the number of facts (s, r, e), (s, r, o) or (s_c, r, o_c) before that time, and lag the time
since the latest one; unknown is not copied, and has a learned share of its own besides, as products
have no constant term. The row h of the text alone decides how much each relation counts, in either
direction. Which relation a 1-hop question of train is about is learned besides, by cross-entropy of
w(h); not that of a yes-unknown question, which is never copied: a triple that held before is not
asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.forecasting.factorisation import product
from benchmarks.questions.neural.examples import EarlierFacts, EarlierTriples, Examples, Task
from solver.graph.model import Ids
from solver.questions.model import LETTERS, UNKNOWN, YES

if TYPE_CHECKING:
    from torch import Tensor, device
    from torch.nn import ModuleDict
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


class Rows(Protocol):
    """The rows of entities by time."""

    def __call__(self, time: int) -> NDArray[np.float32]:
        """All of a time, shape (entities, size)."""

    def gather(self, times: Ids, entities: Ids) -> NDArray[np.float32]:
        """Those of some entities, each at its own time."""


LABELS = (UNKNOWN, YES)
_HIDDEN = 64
"""Width of the hidden layer of texts beside entities."""

_WIDEST = 512
"""Texts that are encoded together, at most."""

_RATE = 0.1
"""Decay rate of earlier facts per unit of time, the same as for rules."""

_SELDOM = -5.0
"""What w starts from for yes-unknown, as several earlier facts would outweigh unknown at first."""

_LEAST = 1e-30
"""Added to shares, so that all have a logarithm."""


Tokens: TypeAlias = "tuple[list[int], list[int]]"
"""Numbers of the tokens of a text, or of two; and which text each is of."""


class Head(StrEnum):
    """How a text is scored: by products with a forecaster's entities, beside them, or alone."""

    PRODUCT = "product"
    COPY = "copy"
    """By products and by earlier facts."""
    JOINED = "joined"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The sizes of a network.

    Attributes:
        size: real numbers in the row of an entity.
        entities: number of entities.
        relations: number of relations.
        dropout: share of values that are dropped.
    """

    task: Task
    head: Head
    size: int
    entities: int
    relations: int
    dropout: float


def maps(shape: Shape, width: int) -> ModuleDict:
    """What is learned beside the encoder.

    Args:
        shape: the sizes.
        width: width of the encoder.
    """
    import torch
    from torch import nn

    size = shape.size
    found = {
        "project": nn.Linear(width, size),
        "turn": nn.Linear(size, size),
        "norm": nn.BatchNorm1d(size),
    }
    if shape.head is Head.TEXT:
        answers = {Task.ENTITIES: shape.entities, Task.YES_UNKNOWN: len(LABELS)}
        found["answer"] = nn.Linear(size, answers.get(shape.task, 1))
    elif shape.head is Head.JOINED:
        rows = 5 if shape.task is Task.FACT_REASONING else 3
        labels = len(LABELS) if shape.task is Task.YES_UNKNOWN else 1
        found["hidden"] = nn.Linear(rows * size, _HIDDEN)
        found["answer"] = nn.Linear(_HIDDEN, labels)
    else:
        found["align"] = nn.Linear(size, size)
        if shape.task is Task.FACT_REASONING:
            found["join"] = nn.Linear(3 * size, size)
    if shape.head is Head.COPY:
        found["copy"] = nn.Linear(size, 2 * shape.relations)
        found["copied"] = nn.ParameterDict({"often": torch.ones(()), "recent": torch.ones(())})
        if shape.task is Task.YES_UNKNOWN:
            nn.init.constant_(found["copy"].bias, _SELDOM)
            found["copied"][UNKNOWN] = torch.zeros(())
    return nn.ModuleDict(found)


class QuestionNetwork:
    """An encoder with the maps of one task.

    Args:
        encoder: the encoder of texts.
        tokenizer: its tokenizer.
        shape: the sizes.
        rows: the rows of entities by time; None for the encoder alone.
        earlier: the facts to copy from; None for other heads.
        place: the device.
    """

    def __init__(
        self,
        encoder: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        shape: Shape,
        rows: Rows | None,
        earlier: EarlierFacts | None,
        place: device,
    ) -> None:
        from torch import nn

        self.shape = shape
        self._tokenizer, self._rows, self._place = tokenizer, rows, place
        self._earlier = earlier
        self._tokens_of: Examples | None = None
        self._tokens: list[Tokens] = []
        learned = maps(shape, encoder.config.hidden_size)
        self.modules: ModuleDict = nn.ModuleDict({"encoder": encoder, "maps": learned}).to(place)

    def scores(self, examples: Examples, chosen: Ids) -> Tensor:
        """The scores of all answers to some questions, of one time if these are entities.

        Returns:
            Shape (questions, answers): all entities, unknown and yes, or the choices.
        """
        return self.scored(examples, chosen, self.texts(examples, chosen))

    def scored(self, examples: Examples, chosen: Ids, text: Tensor) -> Tensor:
        """The scores of all answers to some questions, from the rows of their texts."""
        match self.shape.head:
            case Head.TEXT:
                found: Tensor = self.modules["maps"]["answer"](text)
                return found.view(len(chosen), -1)
            case Head.JOINED:
                return self._joined(examples, chosen, text)
            case Head.PRODUCT:
                return self._products(examples, chosen, text)
            case Head.COPY:
                return self._copied(examples, chosen, text)

    def _joined(self, examples: Examples, chosen: Ids, text: Tensor) -> Tensor:
        import torch

        if examples.task is Task.ENTITIES:
            rows = self._every(int(examples.time[chosen[0]]))
            named = rows[self._numbers(examples.subject[chosen])]
            # W (s, h, e) = W' (s, h) + W'' e
            hidden = self.modules["maps"]["hidden"]
            of_question, of_entity = hidden.weight.split([2 * self.shape.size, self.shape.size], 1)
            asked = torch.cat([named, text], dim=1) @ of_question.T + hidden.bias
            answer = self.modules["maps"]["answer"]
            return hidden_scores(asked, rows @ of_entity.T, answer.weight[0]) + answer.bias
        subject, object_ = self._ends(examples, chosen)
        if examples.task is Task.YES_UNKNOWN:
            return self._hidden([subject, text, object_])
        subject, object_ = self._of_choices(subject), self._of_choices(object_)
        of_choice = self._choice_ends(examples, chosen)
        return self._hidden([subject, text, object_, *of_choice]).view(len(chosen), len(LETTERS))

    def _hidden(self, rows: Sequence[Tensor]) -> Tensor:
        import torch

        return self._answered(self.modules["maps"]["hidden"](torch.cat(list(rows), dim=1)))

    def _answered(self, hidden: Tensor) -> Tensor:
        found: Tensor = self.modules["maps"]["answer"](hidden.relu())
        return found

    def _products(self, examples: Examples, chosen: Ids, text: Tensor) -> Tensor:
        match examples.task:
            case Task.ENTITIES:
                return self._entities(examples, chosen, text)
            case Task.YES_UNKNOWN:
                return self._labels(examples, chosen, text)
            case Task.FACT_REASONING:
                return self._choices(examples, chosen, text)

    def _copied(self, examples: Examples, chosen: Ids, text: Tensor) -> Tensor:
        """Logarithms of the shares of answers, not normalised."""
        import torch

        scores = self._products(examples, chosen, text)
        earlier, places = self._past(examples, chosen)
        learned = self.modules["maps"]
        weights = learned["copy"](text)
        relations = self._numbers(earlier.question * weights.shape[1] + earlier.relation)
        count, lag = (self._numbers(array).float() for array in (earlier.count, earlier.lag))
        powers = weights.flatten().index_select(0, relations)
        powers = powers + learned["copied"]["often"] * count.log()
        powers = powers + learned["copied"]["recent"] * (-_RATE * lag).exp()
        shares = scores.softmax(dim=1).flatten()
        shares = shares.index_add(0, self._numbers(places), powers.exp()).view_as(scores)
        if examples.task is Task.YES_UNKNOWN:
            unknown = learned["copied"][UNKNOWN].exp()
            shares = shares + torch.stack([unknown, torch.zeros_like(unknown)])
        return (shares + _LEAST).log()

    def relation_loss(self, examples: Examples, chosen: Ids, text: Tensor) -> Tensor:
        """Cross-entropy of the weights of relations, for questions about one fact."""
        import torch

        known = np.flatnonzero(examples.relation[chosen] >= 0)
        if not len(known):
            return torch.zeros((), device=self._place)
        weights = self.modules["maps"]["copy"](text[self._numbers(known)])
        asked = self._numbers(examples.relation[chosen[known]])
        return torch.nn.functional.cross_entropy(weights, asked)

    def _past(self, examples: Examples, chosen: Ids) -> tuple[EarlierTriples, Ids]:
        """What happened before, by row of the text, and the place of the answer it counts for."""
        assert self._earlier is not None
        times, heads = examples.time[chosen], examples.subject[chosen]
        match examples.task:
            case Task.ENTITIES:
                found = self._earlier.before(times, heads)
                return found, found.question * self.shape.entities + found.tail
            case Task.YES_UNKNOWN:
                found = self._earlier.before(times, heads, examples.object[chosen])
                return found, found.question * len(LABELS) + LABELS.index(YES)
            case Task.FACT_REASONING:
                found = self._earlier.before(
                    times.repeat(len(LETTERS)),
                    examples.choice_subject[chosen].ravel(),
                    examples.choice_object[chosen].ravel(),
                )
                return found, found.question

    def _entities(self, examples: Examples, chosen: Ids, text: Tensor) -> Tensor:
        rows = self._every(int(examples.time[chosen[0]]))
        align = self.modules["maps"]["align"]
        named = align(rows[self._numbers(examples.subject[chosen])])
        # p (A e + b) = (p A) e + p b: the rows of all entities are not aligned.
        found = product([named, text])
        scores: Tensor = (found @ align.weight) @ rows.T + (found @ align.bias)[:, None]
        return scores

    def _tokenised(self, examples: Examples) -> list[Tokens]:
        """All questions, or all questions with each of their choices."""
        texts: list[list[str]] = [list(examples.texts)]
        if examples.task is Task.FACT_REASONING:
            texts[0] = [text for text in examples.texts for _ in LETTERS]
            texts.append([text for some in examples.choices for text in some])
        return self._split(*texts)

    def _split(self, *texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts, or of pairs of texts."""
        found = self._tokenizer(*map(list, texts), truncation=True, return_token_type_ids=True)
        return list(zip(found["input_ids"], found["token_type_ids"], strict=True))

    def _labels(self, examples: Examples, chosen: Ids, text: Tensor) -> Tensor:
        import torch

        subject, object_ = self._ends(examples, chosen)
        scores = [
            (product([subject, text, label.expand_as(text)]) * object_).sum(dim=1)
            for label in self._encoded(self._split(LABELS)).split(1)
        ]
        return torch.stack(scores, dim=1)

    def _choices(self, examples: Examples, chosen: Ids, text: Tensor) -> Tensor:
        import torch

        subject, object_ = (self._of_choices(end) for end in self._ends(examples, chosen))
        asked = self.modules["maps"]["join"](torch.cat([subject, text, object_], dim=1))
        ends = self._choice_ends(examples, chosen)
        scores = (product([ends[0], text, asked]) * ends[1]).sum(dim=1)
        return scores.view(len(chosen), len(LETTERS))

    def _of_choices(self, rows: Tensor) -> Tensor:
        """The rows of questions, once for each of their choices."""
        return rows.repeat_interleave(len(LETTERS), dim=0)

    def _choice_ends(self, examples: Examples, chosen: Ids) -> tuple[Tensor, Tensor]:
        """The aligned rows of the entities of choices."""
        times = examples.choice_time[chosen].ravel()
        return (
            self._gathered(times, examples.choice_subject[chosen].ravel()),
            self._gathered(times, examples.choice_object[chosen].ravel()),
        )

    def _ends(self, examples: Examples, chosen: Ids) -> tuple[Tensor, Tensor]:
        """The aligned rows of the entities of questions."""
        times = examples.time[chosen]
        return (
            self._gathered(times, examples.subject[chosen]),
            self._gathered(times, examples.object[chosen]),
        )

    def _gathered(self, times: Ids, entities: Ids) -> Tensor:
        """The rows of entities at their times, aligned for products."""
        import torch

        assert self._rows is not None
        found = torch.from_numpy(self._rows.gather(times, entities)).to(self._place)
        if self.shape.head is not Head.JOINED:
            found = self.modules["maps"]["align"](found)
        return found

    def _every(self, time: int) -> Tensor:
        """The rows of all entities at a time."""
        import torch

        assert self._rows is not None
        return torch.from_numpy(self._rows(time)).to(self._place)

    def texts(self, examples: Examples, chosen: Ids) -> Tensor:
        """The rows of questions, or of questions with each of their choices."""
        import torch

        if self._tokens_of is not examples:
            self._tokens_of, self._tokens = examples, self._tokenised(examples)
        size = len(LETTERS) if examples.task is Task.FACT_REASONING else 1
        places = (chosen[:, None] * size + np.arange(size)).ravel().tolist()
        rows = self._encoded([self._tokens[place] for place in places])
        if len(rows) > 1 or not self.modules.training:
            rows = self.modules["maps"]["norm"](rows)
        dropped: Tensor = torch.nn.functional.dropout(
            rows, self.shape.dropout, training=self.modules.training
        )
        return dropped

    def _encoded(self, tokens: Sequence[Tokens]) -> Tensor:
        """The rows of texts, or of pairs of texts."""
        import torch

        learned = self.modules["maps"]
        found = []
        for begin in range(0, len(tokens), _WIDEST):
            part = tokens[begin : begin + _WIDEST]
            lengths = np.array([len(ids) for ids, _ in part])
            there = np.arange(lengths.max()) < lengths[:, None]
            ids, types = (np.zeros(there.shape, dtype=np.int64) for _ in range(2))
            ids.fill(self._tokenizer.pad_token_id or 0)
            ids[there] = np.concatenate([ids for ids, _ in part])
            types[there] = np.concatenate([types for _, types in part])
            given = {
                "input_ids": self._numbers(ids),
                "attention_mask": self._numbers(there.astype(np.int64)),
            }
            if "token_type_ids" in self._tokenizer.model_input_names:
                given["token_type_ids"] = self._numbers(types)
            states = self.modules["encoder"](**given).last_hidden_state
            found.append(learned["turn"](learned["project"](states[:, 0])))
        return torch.cat(found)

    def _numbers(self, numbers: Ids) -> Tensor:
        import torch

        return torch.from_numpy(numbers).to(self._place)


def hidden_scores(asked: Tensor, entities: Tensor, weights: Tensor) -> Tensor:
    """``relu(asked + entities) weights`` for all pairs of rows, which are not kept in memory.

    A pair for each question and entity takes longest to move; here those of a question are in the
    cache of the processor, and are computed again for the gradient.
    """
    found: Tensor = _hidden_scores().apply(asked, entities, weights)
    return found


@cache
def _hidden_scores() -> Any:  # noqa: ANN401 - a class of torch, which is imported late
    import torch

    class HiddenScores(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, asked: Tensor, entities: Tensor, weights: Tensor) -> Tensor:  # noqa: ANN401
            ctx.save_for_backward(asked, entities, weights)
            return torch.stack([(entities + row).relu_() @ weights for row in asked])

        @staticmethod
        def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor]:  # noqa: ANN401
            asked, entities, weights = ctx.saved_tensors
            of_asked, of_entities = torch.zeros_like(asked), torch.zeros_like(entities)
            of_weights = torch.zeros_like(weights)
            for number, gradient in enumerate(gradients[0]):
                active = (entities + asked[number]).relu_()
                of_weights += gradient @ active
                active.sign_().mul_(gradient[:, None])
                of_entities += active
                of_asked[number] = active.sum(dim=0)
            return of_asked * weights, of_entities * weights, of_weights

    return HiddenScores
