"""The playground's reader of phrase files answers as the command line's does."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import HopcheckError
from grammar.eventhop.model import Claim, Domain
from grammar.eventhop.reader import admitted, reader
from grammar.phrases import PhraseError, PhraseFile

ROOT = Path(__file__).resolve().parents[2]
LATER = '["start of A after end of B"]'


def written(*phrases: tuple[str, str, str], domain: str = "temporal") -> str:
    rows = "".join(
        f'[[phrase]]\ntext = "{text}"\nmeans = {means}\nnot = {refused}\n'
        for text, means, refused in phrases
    )
    return f'domain = "{domain}"\n{rows}'


CLUB = written(
    ("{A} kicked off right after {B} wrapped up", LATER, '["{A} kicked off {B}"]'),
    ("{A} filled the gap between {B} and {C}", '["A met_by B", "A meets C"]', "[]"),
    ("no band was free for {A} until {B} was over", '["start of A at or after end of B"]', "[]"),
    ("{A} ran next to {B}", '["A overlaps B"]', "[]"),
)
FILES = [
    CLUB,
    written(("{A} trailed {B}", LATER, "[]"), ("{B} trailed {A}", LATER, "[]")),
    written(("{A} ended before {B} began", LATER, "[]")),
    written(("{A} began shortly after {B} ended", '["start of B after end of A"]', "[]")),
    written(("{A} trailed {B}", LATER, '["{B} trailed {A}"]')),
    written(("{A} trailed {B}", '["A after B", "A before B"]', "[]")),
    written(("{A} trailed {B}", '["A.start < A.end", "B.start < B.end"]', "[]")),
    written(("{A} trailed {B} by {n}", LATER, "[]")),
    written(("{A trailed {B}", LATER, "[]")),
    written(("{A} happens before {B}", '["A before B"]', "[]")),
    written(("{A} hugs {B}", '["western edge of A west of western edge of B"]', "[]"),
            domain="spatial"),
    written(("{A} leads_to {B}", '["A2 < B1"]', "[]"), domain="logical"),
    written(("{A} leads, and {B} trails", '["A before B"]', "[]"), domain="logical"),
    "domain =",
]  # fmt: skip


def answers(site: Path, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the page reads."""
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    command = ["node", str(ROOT / "site" / "node.mjs"), str(site), "read"]
    ran = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_the_same_files_are_refused(site: Path) -> None:
    claims = {"spatial": "A is completely west of B", "logical": "a < b"}
    domains = [next((d for d in Domain if f'"{d}"' in file), "temporal") for file in FILES]
    rows = [
        {"premise": "", "claim": claims.get(domain, "A happens before B"), "domain": domain,
         "phrases": [file]}
        for file, domain in zip(FILES, domains, strict=True)
    ]  # fmt: skip
    refused = ["refused" in answer for answer in answers(site, rows)]
    for file, on_page in zip(FILES, refused, strict=True):
        if on_page:
            with pytest.raises(PhraseError):
                admitted([file])
        else:
            assert admitted([file])
    assert (sum(refused), len(refused)) == (11, 14)


def read(premise: str, claim: str, file: PhraseFile) -> list[str] | None:
    try:
        item = reader(Domain.TEMPORAL, phrases=(file,)).read("1", premise, claim)
    except HopcheckError:
        return None
    kind = type(item.claim.relation).__name__ if isinstance(item.claim, Claim) else ""
    return [*map(str, item.premise), f"{item.claim} {'allen' if 'Allen' in kind else ''}".strip()]


def shown(answer: dict[str, Any]) -> list[str] | None:
    if "item" not in answer:
        return None
    item, claim = answer["item"], answer["item"]["claim"]

    def row(relation: dict[str, Any]) -> str:
        left, right = (
            f"{relation[s]['bound']} of {relation[s]['event']}" for s in ("left", "right")
        )
        return f"{left} {relation['order']} {right}"

    rows = [row(relation) for relation in item["premise"]]
    if "order" in claim:
        return [*rows, row(claim)]
    name = claim["relation"].removeprefix("allen_")
    allen = " allen" if name != claim["relation"] else ""
    return [*rows, f"{claim['left']} {name} {claim['right']}{allen}"]


NAMES = (
    "A",
    "the gig",
    "Gig",
    "Long Show",
    "a ball",
    "It",
    '"Never Again"',
    "never",
    "B wrapped up",
)
FORMS = (
    "{A} kicked off right after {B} wrapped up", "{A} filled the gap between {B} and {C}",
    "no band was free for {A} until {B} was over", "{A} ran next to {B}", "{A} kicked off {B}",
    "{A} ended before {B} began", "the end of {A} happened before the start of {B}",
)  # fmt: skip


def test_texts_are_read_alike(site: Path) -> None:
    (file,) = admitted([CLUB])
    source = random.Random(5)

    def sentence(forms: tuple[str, ...] = FORMS) -> str:
        form = source.choice(forms)
        for slot in "ABC":
            form = form.replace(f"{{{slot}}}", source.choice(NAMES))
        return form

    texts = [
        (
            ". ".join(sentence() for _ in range(source.randrange(1, 3))),
            source.choice(["A happens before Gig", "Gig overlaps with A", sentence(FORMS[:4])]),
        )
        for _ in range(400)
    ]
    rows = [
        {"premise": premise, "claim": claim, "domain": "temporal", "phrases": [file.as_json()]}
        for premise, claim in texts
    ]
    found = [shown(answer) for answer in answers(site, rows)]
    for (premise, claim), on_page in zip(texts, found, strict=True):
        assert on_page == read(premise, claim, file), (premise, claim)
    assert sum(part is not None for part in found) > 40
