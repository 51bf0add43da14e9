"""Figures quoted in pages are those written by scripts."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def test_the_audit_page_shows_the_audit() -> None:
    table = (RESULTS / "eventhop-audit.md").read_text(encoding="utf-8")
    assert table in (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")


def test_the_readme_quotes_the_audit() -> None:
    audits = json.loads((RESULTS / "eventhop-audit.json").read_bytes())
    found = next(
        a for a in audits if a["file"].startswith("temporal_test") and a["policy"] == "local"
    )
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    contradictory = int(100 * found["contradictory"] / found["possible"])
    wrong = int(100 * found["wrong"] / found["items"])
    assert f"{contradictory}% of the premises called consistent are contradictory" in readme
    assert f"{wrong}% of the gold labels are wrong" in readme


def test_the_audit_counts_self_claims_as_the_page_does() -> None:
    audits = json.loads((RESULTS / "eventhop-audit.json").read_bytes())
    local = [a for a in audits if a["policy"] == "local" and a["spatial"] == "geometric"]
    assert sum(a["self_claims"] for a in local) == 102
    assert sum(a["items"] for a in local) == 4560


def test_the_readme_quotes_the_speed() -> None:
    measured = json.loads((RESULTS / "speed.json").read_bytes())["files"][0]
    assert measured["file"] == "temporal_test.tsv.gz"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    whole = [part for part in measured["parts"] if part["whole"]]
    assert len(whole) == 3
    for part in whole:
        assert f"| {part['milliseconds']:.2f} | {part['ratio']:.1f} |" in readme, part["name"]


def test_the_readme_quotes_what_graphs_cost() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    mined = json.loads((RESULTS / "mining.json").read_bytes())
    for exact in mined["exact"]:
        row = f"`mine`: all {exact['rules']:,} rules of length {exact['length']}, counted exactly"
        assert f"| {row} | {exact['seconds']:.{2 if exact['length'] == 1 else 1}f} | |" in readme
    sampled = f"lengths 1 to 3, {mined['sampled']['walks']} walks"
    assert f"{sampled} | {mined['sampled']['seconds']:.1f} | 794 |" in readme
    applied = json.loads((RESULTS / "application.json").read_bytes())["published_rules"]
    for record in applied:
        lengths = {"1": "length 1", "1-3": "lengths 1 to 3"}[record["lengths"]]
        cost = f"{record['seconds']:.1f} | {record['published_seconds']:,} |"
        assert f"| `apply`: {record['facts']:,} queries, rules of {lengths} | {cost}" in readme
    proved = json.loads((RESULTS / "tkg-proof.json").read_bytes())["graphs"][0]
    assert f"every label of {proved['facts']:,} facts | {proved['whole']:.1f} | |" in readme


def test_the_pages_quote_what_questions_cost() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    generated = json.loads((RESULTS / "generated-questions.json").read_bytes())
    costs = f"{generated['total']:,} questions of four kinds"
    seconds = generated["costs"]["jsonl"]["seconds"]
    assert f"| `generate questions`: {costs} | {seconds:.1f} | |" in readme
    measured = json.loads((RESULTS / "questions.json").read_bytes())
    seconds = measured["costs"]["verify --kind questions --jobs 2"]["seconds"]
    assert f"every text, answer and choice of these | {seconds:.1f} | |" in readme
    counts = measured["questions"].values()
    assert sum(sum(count.values()) for count in counts) == generated["total"]
    page = (ROOT / "docs" / "questions-answer.md").read_text(encoding="utf-8")
    assert len(measured["answering"]) == 6
    for by, measurement in measured["answering"].items():
        assert f"| {by} | {measurement['seconds']:.1f} | {measurement['mebibytes']} |" in page
