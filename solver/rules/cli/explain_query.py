"""``explain --query``: the candidates of a query, with the rules and facts that predict them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, svg, write_drawing
from solver.rules.cli.options import application, applying, data, rules_file

if TYPE_CHECKING:
    from solver.graph.model import Dataset, Vocabulary
    from solver.rules.explain import ExplainedCandidate, Explanation, Proof

UNKNOWN = "?"


@click.command()
@click.option(
    "--query",
    "query",
    nargs=4,
    required=True,
    metavar="S R O T",
    help="Query as names or ids; S or O is a question mark.",
)
@rules_file
@data
@applying
@click.option(
    "--candidates",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Number of candidates to show.",
)
@click.option(
    "--reasons",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Number of rules to show per candidate.",
)
@svg
@as_json
def command(query: tuple[str, str, str, str], rules: Path, **options: Any) -> None:  # noqa: ANN401
    """Answer a query with temporal rules and show the rules and facts behind each candidate.

    Only facts before the query's time are used. The latest grounding of each rule is shown; it is
    found by joins and confirmed by clingo.

    \b
    Examples:
      python -m solver explain --query Belmora visits "?" 2031-05-10 --rules rules.json \\
        --data examples/tkg
      python -m solver explain --query "?" 0 3 75 --rules rules.json --data examples/tkg --svg a.svg
    """  # noqa: D301 - click reads the backslash
    from solver.graph.cli import read_graph
    from solver.rules.explain import explain

    dataset = read_graph(options["data"])
    applied = application(rules, dataset, options)
    head, relation, time = _query_ids(query, dataset.vocabulary)
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


def _query_ids(query: tuple[str, str, str, str], vocabulary: Vocabulary) -> tuple[int, int, int]:
    """Head, relation and time; a head query becomes a tail query of the inverse relation."""
    from solver.graph.model import entity_id, relation_id, time_id

    head, named, tail, moment = query
    if (head == UNKNOWN) == (tail == UNKNOWN):
        raise click.UsageError("--query: exactly one of S and O must be a question mark.")
    relation, time = relation_id(vocabulary, named), time_id(vocabulary, moment)
    if tail == UNKNOWN:
        return entity_id(vocabulary, head), relation, time
    size = vocabulary.relations
    return entity_id(vocabulary, tail), (relation + size) % (2 * size), time


def _known(explanation: Explanation, dataset: Dataset) -> set[int]:
    """The answers that are facts of the graph."""
    facts = dataset.facts().both_ways(dataset.vocabulary.relations)
    matching = (facts.head == explanation.head) & (facts.relation == explanation.relation)
    return set(facts.tail[matching & (facts.time == explanation.time)].tolist())


def _lines(explanation: Explanation, dataset: Dataset) -> Iterator[str]:
    from solver.rules.notation import fact_text

    size, known = dataset.vocabulary, _known(explanation, dataset)
    fact = (explanation.head, explanation.relation, -1, explanation.time)
    yield f"{fact_text(fact, size)} at {size.time(explanation.time)}"
    if not explanation.ruled:
        yield "no rule applies: candidates are the most frequent objects of the relation"
    for place, one in enumerate(explanation.first, 1):
        right = ", a fact of the graph" if one.entity in known else ""
        ruled = f" by {one.rules} rule{'s' * (one.rules != 1)}" if explanation.ruled else ""
        yield f"{place}. {size.entity(one.entity)} {one.score:.4f}{ruled}{right}"
        for proof in one.proofs:
            yield from _proof_lines(proof, size)
    if explanation.candidates > len(explanation.first):
        yield f"and {explanation.candidates - len(explanation.first):,} more candidates"


def _proof_lines(proof: Proof, size: Vocabulary) -> Iterator[str]:
    from solver.rules.notation import fact_text, rule_text

    reason = proof.reason
    rule = f"rule {reason.number}, confidence {reason.rule.confidence:.3f}"
    yield f"   {reason.score:.4f} {rule}: {rule_text(reason.rule, size)}"
    for fact in proof.facts:
        yield f"          {size.time(fact[3])}  {fact_text(fact, size)}"
    others = proof.alike - 1
    if others:
        yield f"          and {others:,} more grounding{'s' * (others != 1)} that begin then"
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
    from solver.rules.notation import rule_text

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
    """Draw the grounding of the rule with the highest score for the best candidate."""
    from solver.rules.drawing import DrawnGrounding, arrow, draw, picture
    from solver.rules.notation import rule_text

    best: ExplainedCandidate | None = explanation.first[0] if explanation.first else None
    if best is None or not best.proofs:
        click.echo("nothing is drawn: no rule applies", err=True)
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
