"""``explain --query``: who answers a query about a graph, by which rules and which facts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.drawn import svg, write_drawing
from solver.cli.options import as_json
from solver.cli.rule_options import application, applying, data, rules_file

if TYPE_CHECKING:
    from solver.rules.explanation import Explained, Explanation, Proof
    from solver.tkg.dataset import Dataset, Vocabulary

ASKED = "?"


@click.command()
@click.option(
    "--query",
    "asked",
    nargs=4,
    required=True,
    metavar="S R O T",
    help="Names or ids; S or O is a question mark.",
)
@rules_file
@data
@applying
@click.option(
    "--candidates", type=click.IntRange(1), default=5, show_default=True, help="To be shown."
)
@click.option(
    "--reasons", type=click.IntRange(1), default=3, show_default=True, help="For each of them."
)
@svg
@as_json
def command(asked: tuple[str, str, str, str], rules: Path, **options: Any) -> None:  # noqa: ANN401
    """Answer one query by temporal rules, and show the rules and facts behind each candidate.

    A query sees the facts before its time. Of each rule the latest grounding is shown, found by
    joins and again by clingo.

    \b
    Examples:
      python -m solver explain --query Belmora visits "?" 2031-05-10 --rules rules.json \\
        --data examples/tkg
      python -m solver explain --query "?" 0 3 75 --rules rules.json --data examples/tkg --svg a.svg
    """  # noqa: D301 - click reads the backslash
    from solver.cli.graph_reading import read_graph
    from solver.rules.explanation import explain

    dataset = read_graph(options["data"])
    applied = application(rules, dataset, options)
    head, relation, time = _query(asked, dataset.vocabulary)
    explanation = explain(
        applied, head, relation, time, candidates=options["candidates"], reasons=options["reasons"]
    )
    if options["drawing"] is not None:
        _draw(explanation, dataset.vocabulary, options["drawing"])
    if options["as_json"]:
        from solver.cli.printing import print_json

        print_json(_as_json(explanation, dataset))
        return
    for line in _lines(explanation, dataset):
        click.echo(line)


def _query(asked: tuple[str, str, str, str], vocabulary: Vocabulary) -> tuple[int, int, int]:
    """Head, relation and time; a query for the head is one for the tail of the inverse."""
    from solver.tkg.naming import entity_id, relation_id, time_id

    head, named, tail, moment = asked
    if (head == ASKED) == (tail == ASKED):
        raise click.UsageError("--query: one of S and O is a question mark, the other is not.")
    relation, time = relation_id(vocabulary, named), time_id(vocabulary, moment)
    if tail == ASKED:
        return entity_id(vocabulary, head), relation, time
    size = vocabulary.relations
    return entity_id(vocabulary, tail), (relation + size) % (2 * size), time


def _known(explanation: Explanation, dataset: Dataset) -> set[int]:
    """The answers that the graph itself holds."""
    facts = dataset.facts().both_ways(dataset.vocabulary.relations)
    asked = (facts.head == explanation.head) & (facts.relation == explanation.relation)
    return set(facts.tail[asked & (facts.time == explanation.time)].tolist())


def _lines(explanation: Explanation, dataset: Dataset) -> Iterator[str]:
    from solver.rules.notation import fact_text

    size, known = dataset.vocabulary, _known(explanation, dataset)
    fact = (explanation.head, explanation.relation, -1, explanation.time)
    yield f"{fact_text(fact, size)} at {size.time(explanation.time)}"
    if not explanation.ruled:
        yield "no rule leads anywhere: the objects that the relation has most often"
    for place, one in enumerate(explanation.first, 1):
        right = ", the graph holds it" if one.entity in known else ""
        ruled = f" by {one.rules} rule{'s' * (one.rules != 1)}" if explanation.ruled else ""
        yield f"{place}. {size.entity(one.entity)} {one.score:.4f}{ruled}{right}"
        for proof in one.proofs:
            yield from _proof_lines(proof, size)
    if explanation.candidates > len(explanation.first):
        yield f"and {explanation.candidates - len(explanation.first):,} more candidates"


def _proof_lines(proof: Proof, size: Vocabulary) -> Iterator[str]:
    from solver.rules.notation import fact_text
    from solver.rules.wording import rule_text

    reason = proof.reason
    told = f"rule {reason.number}, confidence {reason.rule.confidence:.3f}"
    yield f"   {reason.score:.4f} {told}: {rule_text(reason.rule, size)}"
    for fact in proof.facts:
        yield f"          {size.time(fact[3])}  {fact_text(fact, size)}"
    others = proof.alike - 1
    if others:
        yield f"          and {others:,} more grounding{'s' * (others != 1)} from that time on"
    if not proof.proved:
        yield "          NOT confirmed by clingo"


def _as_json(explanation: Explanation, dataset: Dataset) -> dict[str, Any]:
    size, known = dataset.vocabulary, _known(explanation, dataset)
    return {
        "head": explanation.head,
        "relation": explanation.relation,
        "time": explanation.time,
        "ruled": explanation.ruled,
        "candidates": explanation.candidates,
        "first": [
            {
                "entity": one.entity,
                "name": size.entity(one.entity),
                "score": one.score,
                "rules": one.rules,
                "holds": one.entity in known,
                "reasons": [_reason(proof, size) for proof in one.proofs],
            }
            for one in explanation.first
        ],
    }


def _reason(proof: Proof, size: Vocabulary) -> dict[str, Any]:
    from solver.rules.wording import rule_text

    return {
        "rule": proof.reason.number,
        "text": rule_text(proof.reason.rule, size),
        "confidence": proof.reason.rule.confidence,
        "score": proof.reason.score,
        "grounding": proof.facts,
        "alike": proof.alike,
        "proved": proof.proved,
    }


def _draw(explanation: Explanation, size: Vocabulary, path: Path) -> None:
    """Draw the grounding that gives the best candidate most."""
    from solver.drawing.grounding import DrawnGrounding, arrow, draw, picture
    from solver.rules.wording import rule_text

    best: Explained | None = explanation.first[0] if explanation.first else None
    if best is None or not best.proofs:
        click.echo("nothing is drawn: no rule leads anywhere", err=True)
        return
    proof = best.proofs[0]
    rule = proof.reason.rule
    drawn = DrawnGrounding(
        title=rule_text(rule, size),
        note=f"confidence {rule.confidence:.3f}; {size.entity(best.entity)} scores "
        f"{best.score:.4f} by {best.rules} rules",
        body=tuple(arrow(fact, size) for fact in proof.facts),
        head=arrow((explanation.head, explanation.relation, best.entity, explanation.time), size),
    )
    write_drawing(path, draw=lambda: draw(drawn), picture=lambda form: picture(drawn, form=form))
