"""Tracked files contain no local paths, no registry and no real data."""

from __future__ import annotations

import csv
import gzip
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from grammar.eventhop.model import Claim, Domain, SpatialReading
from grammar.eventhop.reader import Reader

# Written so that this file does not match itself.
MACHINE = re.compile(r"(?<![\w.~$}])/(?:home|root|Users|work|opt|mnt|private)/\w|[A-Z]:\\\\?Users")
REGISTRY = re.compile(
    r"--(?:extra-)?index-ur[l]|--find-link[s]|https?://[^\s\"')>]*"
    r"(?:pypi|pythonhosted|artifactory|nexus|/simple/|anaconda|npmjs)"
)
FILES = ("temporal_test", "temporal_train", "spatial_test", "logical_test")


def lines_with(pattern: re.Pattern[str], tracked: dict[str, str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()}"
        for name, text in tracked.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


def test_no_file_names_a_place_on_one_machine(tracked: dict[str, str]) -> None:
    assert lines_with(MACHINE, tracked) == []


def test_no_file_names_a_registry(tracked: dict[str, str]) -> None:
    assert lines_with(REGISTRY, tracked) == []


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (MACHINE, "see /" + "home/ada/notes"),
        (MACHINE, 'open("/' + 'work/data")'),
        (REGISTRY, "pip install --index-" + "url x"),
        (REGISTRY, "https://files.python" + "hosted.org/x"),
    ],
)
def test_the_patterns_find_what_they_are_for(pattern: re.Pattern[str], found: str) -> None:
    assert pattern.search(found)
    assert not pattern.search("examples/work/right.tsv https://www.apache.org/licenses/")


def test_every_version_is_pinned(tracked: dict[str, str]) -> None:
    """What the tests need, with hashes; what further extras need, without."""
    hashed = re.split(r"\n(?=[^\s#])", tracked["constraints.txt"])[1:]
    entry = r"[\w.-]+==[\w.]+(?: ; [\w =!']+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n?"
    assert [text for text in hashed if not re.fullmatch(entry, text)] == []
    others = [line for line in tracked["constraints-extras.txt"].splitlines() if line[0] != "#"]
    assert [line for line in others if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    pinned = [normal(line.partition("==")[0]) for line in (*hashed, *others)]
    assert len(pinned) == len(set(pinned))
    project = tomllib.loads(tracked["pyproject.toml"])
    extras = project["project"]["optional-dependencies"]
    tests = [
        *project["project"]["dependencies"],
        *extras["dev"],
        *project["build-system"]["requires"],
    ]
    wanted = [*tests, *(requirement for extra in extras.values() for requirement in extra)]
    # Some extras are made of others: `hopcheck[parquet]`.
    assert names_of(wanted) - set(pinned) == {"hopcheck"}
    assert names_of(tests) - set(pinned[: len(hashed)]) == {"hopcheck"}
    for requirement in project["build-system"]["requires"]:
        assert requirement in extras["dev"]
        assert f"\n{requirement} \\" in tracked["constraints.txt"]


def test_every_dependency_has_a_lower_bound(tracked: dict[str, str]) -> None:
    """Of what the tests need: they are run at the lowest too (`make test VERSIONS=lowest`)."""
    project = tomllib.loads(tracked["pyproject.toml"])["project"]
    extras = project["optional-dependencies"]
    tested = [*project["dependencies"], *extras["dev"]]
    for name in re.findall(r"hopcheck\[([\w,]+)\]", " ".join(extras["dev"])):
        tested += [requirement for extra in name.split(",") for requirement in extras[extra]]
    free = [need for need in tested if not re.search(r">=|==|^hopcheck\[", need)]
    assert free == []


def names_of(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[<>=\[]", requirement)[0]) for requirement in requirements}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def texts(shared: Path, name: str) -> list[list[str]]:
    path = shared / "data" / "eventhop" / f"{name}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return [row[-3:-1] for row in csv.reader(lines, delimiter="\t")]


def names(shared: Path, name: str) -> set[str]:
    reader = Reader(Domain(name.partition("_")[0]), SpatialReading.PUBLISHED)
    found = set()
    for premise, claim in texts(shared, name):
        item = reader.read("0", premise, claim)
        found |= {p.event for relation in item.premise for p in (relation.left, relation.right)}
        assert isinstance(item.claim, Claim)
        found |= {item.claim.left, item.claim.right}
    return found


@pytest.mark.parametrize("file", [name for name in FILES if not name.startswith("logical")])
def test_no_event_of_the_real_data_is_named(
    shared: Path, tracked: dict[str, str], pairs: set[tuple[str, ...]], file: str
) -> None:
    """Names of the logical domain are common words; its sentences are searched for below."""
    wanted = names(shared, file)
    assert len(wanted) > 50
    # A name is in a file only if each two of its words follow each other in one.
    wanted = {name for name in wanted if pairs.issuperset(two_words(name.lower()))}
    if not wanted:
        return
    pattern = re.compile(
        rf"\b(?:{'|'.join(map(re.escape, sorted(wanted, key=len, reverse=True)))})\b", re.IGNORECASE
    )
    assert lines_with(pattern, tracked) == []


@pytest.mark.parametrize("file", FILES)
def test_no_sentence_of_the_real_data_is_kept(
    shared: Path, tracked: dict[str, str], runs: set[str], file: str
) -> None:
    sentences = {
        sentence.strip(" .").lower()
        for premise, claim in texts(shared, file)
        for sentence in (*premise.split(". "), claim)
    }
    assert len(sentences) > 700
    # A sentence is in a file only if each of its trigrams is.
    suspects = [sentence for sentence in sentences if runs.issuperset(three_words(sentence))]
    for name, text in tracked.items():
        kept = " ".join(text.lower().split()) if suspects else ""
        assert not [sentence for sentence in suspects if sentence in kept], name


@pytest.fixture(scope="module")
def pairs(tracked: dict[str, str]) -> set[tuple[str, ...]]:
    """All words of all files, and all that follow each other."""
    return {pair for text in tracked.values() for pair in two_words(text.lower())}


def two_words(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text)
    yield from ((word,) for word in words)
    yield from pairwise(words)


@pytest.fixture(scope="module")
def runs(tracked: dict[str, str]) -> set[str]:
    """All word trigrams of all files."""
    return {run for text in tracked.values() for run in three_words(text.lower())}


def three_words(text: str) -> Iterator[str]:
    words = re.findall(r"[\w'’]+|[<>=]", text)
    return (" ".join(words[n : n + 3]) for n in range(len(words) - 2))


def test_a_sentence_is_known_by_its_words(
    tracked: dict[str, str], runs: set[str], pairs: set[tuple[str, ...]]
) -> None:
    sentence = "except slow ones and those of what measures the project"
    assert sentence in " ".join(tracked["Makefile"].split())
    assert runs.issuperset(three_words(sentence))
    reverse = " ".join(reversed(sentence.split()))
    assert not runs.issuperset(three_words(reverse))
    assert pairs.issuperset(two_words(sentence))
    assert not pairs.issuperset(two_words(reverse))
