"""Which names may be read: words that change the meaning of a sentence belong to no plain name.

``Harvest never`` is no name: in "The end of Harvest never happened after the start of Winter Fair"
the word ``never`` says something, and a reader that takes it for a part of a name proves the wrong
graph. The words are data, with their reasons: ``operators`` in ``sentences.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache

from grammar.errors import ParseError, quoted
from grammar.eventhop.model import Domain, Item
from grammar.eventhop.sentences import table

HINT = "if it is part of a name, list the name with --names"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|n't")
_IDENTIFIED = re.compile(r"(?:.* )?[a-z]{1,4}[0-9]+")
"""An identifier of an annotation, perhaps after the words that it annotates."""
_MARKS = re.compile(r"[,;:?!()\[\]{}\"“”]| [-–—] |—")


class UnlicensedError(ParseError):
    """A name with a word that may change the meaning of its sentence."""

    code = "unlicensed-words"


@cache
def licensing_words() -> Mapping[str, frozenset[str]]:
    """The words that no plain name contains, and those that some places of a name may have."""
    rows: Mapping[str, Mapping[str, list[str]]] = table()
    operators = frozenset(word for words in rows["operators"].values() for word in words)
    names = {name: frozenset(some) for name, some in rows["names"].items()}
    groups = rows["operators"]
    unsaying = {*groups["negation"], *groups["modality"], *groups["reporting"]}
    degree = {"degree": frozenset(groups["degree"]), "unsaying": frozenset(unsaying)}
    return {"operators": operators, **degree, **names}


@lru_cache(1 << 16)
def unlicensed(name: str, first: bool = False) -> str | None:
    """The first word or mark for which a name is not plain; None if it is.

    Args:
        name: a name without its article.
        first: whether it is at the start of a sentence, where any word has a capital.
    """
    known = licensing_words()
    mark = _MARKS.search(name)
    if mark is not None:
        return mark[0].strip()
    if name.isalpha() and not (first or name.islower()):
        return None
    if name in known["articles"]:
        return name
    words: list[str] = [word.replace("’", "'") for word in _WORD.findall(name)]
    for end in (name.split()[0], name.split()[-1]):
        if end in known["prepositions"]:
            return end
    for place, word in enumerate(words):
        # At the start of a sentence, too, "West Point" is a name.
        own = word.lower() in known["capitals"]
        lower = word.lower() if first and not place and not own else word
        stem = lower.removesuffix("'s")
        if word in ("one", "One") and place and words[place - 1].lower() in known["numbered"]:
            continue
        if lower in known["operators"] or stem in known["operators"] or lower.endswith("n't"):
            return word
        if len(stem) > 3 and stem.endswith("ly") and stem.islower() and stem not in known["nouns"]:
            return word
        if not word[0].islower():
            continue
        if not place and word in ("the", "a", "an") and len(words) > 1:
            return word
        if place and word in known["articles"] and words[place - 1] not in known["prepositions"]:
            return word
        between = any(some[0].isupper() for some in words[:place]) and any(
            some[0].isupper() for some in words[place + 1 :]
        )
        if between and word not in known["between"]:
            return word
    last = words[-1] if len(words) > 1 else ""
    if last[:1].islower():
        past = last.endswith("ed") and last not in known["nouns_in_ed"]
        if past or last in known["pasts"] or last in known["particles"]:
            return last
    return None


def check(
    item: Item,
    premise: str,
    claim: str,
    *,
    listed: Collection[str] = (),
    quotes: Collection[str] = (),
    first: Collection[str] = (),
) -> None:
    """Reject an item with a name that is not licensed.

    Args:
        item: the item, with names as they were read.
        premise: its first text.
        claim: its second text.
        listed: names that the user lists.
        quotes: names in quotes.
        first: names that occur at the start of a sentence and nowhere else.

    Raises:
        UnlicensedError: with the place of the word.
    """
    if item.domain is Domain.LOGICAL:
        return
    names = dict.fromkeys(item.names)
    if all(_IDENTIFIED.fullmatch(name) for name in names):
        return
    plain = [name for name in names if name not in listed and name not in quotes]
    for name in plain:
        word = unlicensed(name, name in first)
        if word is not None:
            raise error(premise, claim, name, word)
    # "The revolution" after "the French Revolution" may be the same event, whatever the case.
    spaced = {name: f" {name.lower()} " for name in names}
    # One search for each name in all of them: most items have no name within another.
    joined = "\n".join(spaced.values())
    if all(joined.count(text) == 1 for text in spaced.values()):
        return
    for name in plain:
        if " " not in name:
            continue
        for inside in spaced.values():
            if inside != spaced[name] and inside in spaced[name]:
                rest = spaced[name].replace(inside, " ", 1).split()
                place = spaced[name].find(f" {rest[0]} ")
                rest = name[place:].split()
                raise error(premise, claim, name, rest[0])


def error(premise: str, claim: str, name: str, word: str) -> UnlicensedError:
    """The error of a word in a name, at its place in the first text that has the name."""
    part, text = ("premise", premise) if name in premise else ("claim", claim)
    place = max(text.find(name), 0)
    whole = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", name)
    inside = whole.start() if whole else name.find(word)
    position = place + max(inside, 0)
    before = name[:inside].strip()
    found = quoted(word)
    if before:
        after = text[place + len(name) :].split()
        rest = name[inside + len(word) :].split() or after
        found += f" between {quoted(before)}"
        found += f" and {quoted(rest[0])}" if rest else " and the end of the text"
    line = text[:position]
    return UnlicensedError(
        f"found {found}, expected a relation",
        part=part,
        line=line.count("\n") + 1,
        column=len(line) - line.rfind("\n"),
        found=found,
        expected="a relation",
        hint=HINT,
    )
