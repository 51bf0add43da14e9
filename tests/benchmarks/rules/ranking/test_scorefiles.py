"""Score files, listed and dense, give the same ranks; errors are reported."""

from __future__ import annotations

import io
import re
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.metrics.ranking import mrr
from benchmarks.rules.ranking.files import read_scores
from benchmarks.rules.ranking.models import SHARES, Ensemble, best_share, place, search
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
from grammar.errors import HopcheckError
from solver.graph.queries import Tie
from solver.io.sources import InputError

Rows = list[list[Any]]


@pytest.fixture
def whole(queries: SplitQueries) -> tuple[np.ndarray, np.ndarray]:
    """Distinct (s, r, t), and scores, of which half are 0."""
    asked = np.unique(queries.asked.rows()[:, [0, 1, 3]], axis=0)
    source = np.random.default_rng(3)
    scores = source.random((len(asked), queries.entities))
    return asked, np.round(np.where(scores < 0.5, 0, scores), 3)


@pytest.fixture
def listed(whole: tuple[np.ndarray, np.ndarray]) -> Rows:
    asked, scores = whole
    return [
        [*query, entity, score]
        for query, row in zip(asked.tolist(), scores.tolist(), strict=True)
        for entity, score in enumerate(row)
        if score or entity == 0
    ]


def test_listed_and_whole_scores_agree(
    tmp_path: Path, queries: SplitQueries, whole: Any, listed: Rows, write_rows: Any
) -> None:
    asked, scores = whole
    np.savez(tmp_path / "whole.npz", queries=asked[::-1], scores=scores[::-1])
    write_rows(tmp_path / "listed.scores.txt", reversed(listed))
    filtered = FilteredAnswers(queries, Filter.TIME_AWARE)
    found = [
        place(read_scores(str(tmp_path / name), queries, model="m"), queries, filtered)
        for name in ("whole.npz", "listed.scores.txt")
    ]
    assert found[0].better.tolist() == found[1].better.tolist()
    assert found[0].tied.tolist() == found[1].tied.tolist()
    row = int(np.flatnonzero((asked == queries.asked.rows()[5][[0, 1, 3]]).all(axis=1))[0])
    block = read_scores(str(tmp_path / "whole.npz"), queries, model="m").block(np.array([5]))
    assert block[0].tolist() == scores[row].tolist()


DAMAGES = {
    "nan": "found score nan, expected a finite number",
    "inf": "found score inf, expected a finite number",
    "negative": "found score -0.5, expected a finite number of at least 0",
    "doubled": "found 1 duplicate candidates",
    "missing": "have no scores, such as (",
    "candidate": "found candidate 7, expected a whole number from 0 to 6",
    "relation": "found relation 6, expected",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_reported(
    tmp_path: Path, queries: SplitQueries, listed: Rows, write_rows: Any, damage: str
) -> None:
    match damage:
        case "nan" | "inf":
            listed[6][-1] = damage
        case "negative":
            listed[6][-1] = -0.5
        case "doubled":
            listed.append(listed[6])
        case "missing":
            listed = [row for row in listed if row[:3] != listed[6][:3]]
        case "candidate":
            listed[6][3] = 7
        case "relation":
            listed[6][1] = 6
    path = write_rows(tmp_path / "listed.scores.txt", listed)
    with pytest.raises(HopcheckError) as caught:
        read_scores(path, queries, model="m")
    assert DAMAGES[damage] in str(caught.value)
    if damage in {"nan", "inf", "negative", "candidate", "relation"}:
        assert str(caught.value).startswith(f"{path}:7: ")


@pytest.mark.parametrize(
    ("change", "output"),
    [
        ({"scores": np.nan}, r"scores\[2, 1\] is nan, expected a finite number"),
        ({"scores": np.inf}, r"scores\[2, 1\] is inf, expected a finite number"),
        ({"queries": 99}, "ids out of range"),
    ],
)
def test_damage_in_arrays_is_reported(
    tmp_path: Path, queries: SplitQueries, whole: Any, change: dict[str, Any], output: str
) -> None:
    arrays = {"queries": whole[0].copy(), "scores": whole[1].copy()}
    for name, value in change.items():
        arrays[name][2, 1] = value
    np.savez(tmp_path / "whole.npz", **arrays)
    with pytest.raises(HopcheckError, match=output):
        read_scores(str(tmp_path / "whole.npz"), queries, model="m")


def test_a_query_with_contradictory_scores_is_refused(
    tmp_path: Path, queries: SplitQueries, whole: Any
) -> None:
    keys, scores = (np.concatenate([row, row[3:4]]) for row in whole)
    np.savez(tmp_path / "equal.npz", queries=keys, scores=scores)
    read_scores(str(tmp_path / "equal.npz"), queries, model="m")
    scores[-1, 2] += 1
    np.savez(tmp_path / "other.npz", queries=keys, scores=scores)
    asked = "({}, {}, ?, {})".format(*keys[3])
    rows = f"found different scores of the query {asked} in rows 3 and {len(keys) - 1}"
    with pytest.raises(HopcheckError, match=re.escape(rows)):
        read_scores(str(tmp_path / "other.npz"), queries, model="m")


def test_other_arrays_are_refused(tmp_path: Path, queries: SplitQueries, whole: Any) -> None:
    np.savez(tmp_path / "narrow.npz", queries=whole[0], scores=whole[1][:, :-1])
    np.savez(tmp_path / "other.npz", ranks=whole[0])
    (tmp_path / "text.npz").write_text("no archive")
    np.savez(tmp_path / "less.npz", queries=whole[0][1:], scores=whole[1][1:])
    output = {
        "narrow": "found shapes",
        "other": "queries",
        "text": "expected an .npz",
        "less": "have no scores",
        "none": "no such file",
    }
    for name, message in output.items():
        with pytest.raises(HopcheckError, match=f"(?i){message}"):
            read_scores(str(tmp_path / f"{name}.npz"), queries, model="m")


def test_damaged_archives_are_refused(tmp_path: Path, queries: SplitQueries, whole: Any) -> None:
    asked, scores = whole
    np.savez_compressed(tmp_path / "scores.npz", queries=asked, scores=scores)
    packed = (tmp_path / "scores.npz").read_bytes()
    member = io.BytesIO()
    np.save(member, scores)
    plain = member.getvalue()
    first = str(len(scores)).encode()
    members = {
        "huge": plain.replace(first, b"9" * 12, 1),
        "negative": plain.replace(first, b"-1", 1),
        "endless": plain.replace(first, b"[" * 90, 1),
        "short": plain[:-8],
        "text": b"scores",
        "empty": b"",
    }
    for name, content in members.items():
        with zipfile.ZipFile(tmp_path / f"{name}.npz", "w", zipfile.ZIP_LZMA) as archive:
            archive.write(_saved(tmp_path / "queries.npy", asked), "queries.npy")
            archive.writestr("scores.npy", content)
    np.savez(tmp_path / "scalar.npz", queries=np.array(1), scores=np.array(1.5))
    np.savez(tmp_path / "flat.npz", queries=asked.ravel(), scores=scores.ravel())
    for at in range(0, len(packed), 7):
        flipped = bytes([packed[at] ^ 1 << at % 8])
        (tmp_path / f"flipped{at}.npz").write_bytes(packed[:at] + flipped + packed[at + 1 :])
    right = read_scores(str(tmp_path / "scores.npz"), queries, model="m").block(np.array([5]))
    for path in sorted(tmp_path.glob("flipped*.npz")):
        with suppress(HopcheckError):
            found = read_scores(str(path), queries, model="m").block(np.array([5]))
            assert found.tolist() == right.tolist()
    for name in (*members, "scalar", "flat"):
        with pytest.raises(InputError, match=r"expected (an .npz with )?queries of shape"):
            read_scores(str(tmp_path / f"{name}.npz"), queries, model="m")


def _saved(path: Path, array: np.ndarray) -> Path:
    np.save(path, array)
    return path


class Given:
    def __init__(self, model: str, scores: np.ndarray) -> None:
        self.model = model
        self.scores = scores

    def block(self, rows: np.ndarray) -> np.ndarray:
        return self.scores[rows].copy()


def test_ensembles_end_at_their_models(queries: SplitQueries) -> None:
    source = np.random.default_rng(0)
    first, second = (Given(n, source.random((len(queries), queries.entities))) for n in "ab")
    filtered = FilteredAnswers(queries, Filter.TIME_AWARE)
    for share, alone in ((1.0, first), (0.0, second)):
        mixed = place(Ensemble(first=first, second=second, share=share), queries, filtered)
        assert mixed.better.tolist() == place(alone, queries, filtered).better.tolist()
    tried = search(first, second, queries, filtered)
    assert [share for share, _ in tried] == list(SHARES)
    chosen = Ensemble(first=first, second=second, share=best_share(tried))
    top = mrr(place(chosen, queries, filtered).values(Tie.REALISTIC))
    assert top == max(figure for _, figure in tried)
    assert top > min(figure for _, figure in tried)
    assert best_share(((0.0, 0.5), (0.1, 0.7), (0.2, 0.7))) == 0.1
