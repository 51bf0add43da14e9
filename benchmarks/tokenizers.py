"""The libraries that models of texts require, and tokenizers learned from a training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from importlib.metadata import version
from typing import TYPE_CHECKING

from solver.extras import require

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_PAD, _UNKNOWN, _FIRST, _LAST, _MASK = SPECIAL


class Pieces(StrEnum):
    """Kind of tokens.

    ``wordpiece``: a word or a part of one, so that unseen names remain distinct. ``word``: a word;
    all unseen words are the same token.
    """

    WORDPIECE = "wordpiece"
    WORD = "word"


def train_tokenizer(
    texts: Iterable[str], *, pieces: Pieces, size: int, length: int
) -> PreTrainedTokenizerFast:
    """Learn a tokenizer; case is ignored.

    Args:
        texts: the texts of the training.
        pieces: kind of tokens.
        size: maximum size of the vocabulary.
        length: maximum number of tokens of a text, or of both of a pair.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    normalizer = normalizers.BertNormalizer(lowercase=True)
    splitter = pre_tokenizers.BertPreTokenizer()
    known = (normalizer.normalize_str(text) for text in texts)
    words = Counter(word for text in known for word, _ in splitter.pre_tokenize_str(text))
    if pieces is Pieces.WORD:
        learned = models.WordLevel(frequent_words(words, size), unk_token=_UNKNOWN)
    else:
        learned = models.WordPiece(word_pieces(words, size), unk_token=_UNKNOWN)
    tokenizer = Tokenizer(learned)
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = splitter
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{_FIRST} $A {_LAST}",
        pair=f"{_FIRST} $A {_LAST} $B:1 {_LAST}:1",
        special_tokens=[(name, SPECIAL.index(name)) for name in (_FIRST, _LAST)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=_PAD,
        unk_token=_UNKNOWN,
        cls_token=_FIRST,
        sep_token=_LAST,
        mask_token=_MASK,
        model_max_length=length,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )


def frequent_words(words: Counter[str], size: int) -> dict[str, int]:
    """The most frequent words, numbered."""
    ordered = sorted(words, key=lambda word: (-words[word], word))
    return {name: place for place, name in enumerate((*SPECIAL, *ordered)[:size])}


def word_pieces(words: Counter[str], size: int) -> dict[str, int]:
    """The pieces that WordPiece learns from words and their counts, the same ones each time."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    # Inner letters are numbered as they turn up in a hash table, another order in each process,
    # and ties between merges are broken by number. Named beforehand they have fixed numbers.
    inner = sorted({f"##{letter}" for word in words for letter in word[1:]})
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=[*SPECIAL, *inner], show_progress=False
    )
    learner = Tokenizer(models.WordPiece(unk_token=_UNKNOWN))
    learner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    learner.train_from_iterator(words.elements(), trainer)
    found: dict[str, int] = learner.get_vocab()
    return found


NEEDED = ("tokenizers", "torch", "transformers")


def require_libraries(purpose: str = "an encoder") -> None:
    """Check that the libraries are installed, and silence their logging.

    Args:
        purpose: what requires them, for the message.

    Raises:
        MissingLibraryError: one is not installed.
    """
    require(purpose, *NEEDED)
    from transformers.utils import logging

    # Suppress progress bars and warnings about untrained heads.
    logging.set_verbosity_error()
    logging.disable_progress_bar()


def library_versions() -> dict[str, str]:
    """Versions of the libraries, on which the weights depend."""
    return {name: version(name) for name in NEEDED}
