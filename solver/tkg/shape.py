"""Names of the violated rules, shapes and regimes that the encodings derive for a pattern.

Source: synthetic temporal knowledge graphs, Algorithms 8-11, Tables 3 and 4.
"""

from __future__ import annotations

from enum import StrEnum


class Rule(StrEnum):
    """Validity rules, in the order of the algorithms."""

    TOO_MANY_HOPS = "too_many_hops"
    DUPLICATE_TRIPLE = "duplicate_triple"
    SELF_CONNECTION = "self_connection"
    NOT_ADJACENT = "not_adjacent"
    DEGREE_NOT_TWO = "degree_not_two"
    NOT_ONE_PIECE = "not_one_piece"
    EDGES_UNLIKE_ENTITIES = "edges_unlike_entities"
    NEW_ENTITY = "new_entity"
    NEW_RELATION = "new_relation"
    NOT_CONNECTED = "not_connected"


RULE_IN_WORDS = {
    Rule.TOO_MANY_HOPS: "more than three antecedents",
    Rule.DUPLICATE_TRIPLE: "a triple occurs twice",
    Rule.SELF_CONNECTION: "a triple is a self-loop",
    Rule.NOT_ADJACENT: "consecutive steps share no entity",
    Rule.DEGREE_NOT_TWO: "an entity does not have degree two",
    Rule.NOT_ONE_PIECE: "the edges are not connected",
    Rule.EDGES_UNLIKE_ENTITIES: "the numbers of edges and entities differ",
    Rule.NEW_ENTITY: "the consequence has an entity that is in no antecedent",
    Rule.NEW_RELATION: "the consequence's relation is in no antecedent",
    Rule.NOT_CONNECTED: "the antecedents are not connected, and no later step joins them",
}


class Shape(StrEnum):
    """The shapes of Table 4, and five more for the patterns of three hops outside the table."""

    REFLEXIVITY = "reflexivity"
    SELF_ENTAILMENT = "self_entailment"
    INVERSE = "inverse"
    TRANSITIVE_CLOSURE = "transitive_closure"
    REINFORCEMENT = "reinforcement"
    BRIDGE = "bridge"
    MULTI_DERIVATION = "multi_derivation"
    MULTI_STEP_CLOSURE = "multi_step_closure"
    SHORTCUT = "shortcut"
    RE_DERIVATION = "re_derivation"
    BRIDGING_COMPOSITION = "bridging_composition"
    CYCLIC_ENTAILMENT = "cyclic_entailment"
    STAR = "star"
    TRIANGLE = "triangle"
    TRIPLE_EDGE = "triple_edge"
    DOUBLE_EDGE_WITH_PENDANT = "double_edge_with_pendant"
    LATE_BRIDGE = "late_bridge"


UNLISTED_SHAPES = frozenset(
    {
        Shape.STAR,
        Shape.TRIANGLE,
        Shape.TRIPLE_EDGE,
        Shape.DOUBLE_EDGE_WITH_PENDANT,
        Shape.LATE_BRIDGE,
    }
)
"""Shapes not in Table 4; a pattern has at most one of them, and then no other."""


class EntityReuse(StrEnum):
    """Origin of the consequence's entities (the first two are in Table 3a)."""

    FULLY_REUSED = "fully_reused"
    BRIDGE_REUSE = "bridge_reuse"
    RECOMBINED = "recombined"
    COLLAPSED = "collapsed"


class RelationReuse(StrEnum):
    """Whether an antecedent has the consequence's relation (Table 3b)."""

    COPIED = "copied"
    NOVEL = "novel"


class AntecedentRelations(StrEnum):
    """Whether one relation holds more than half of the antecedents (Table 3b)."""

    HOMOGENEOUS = "homogeneous"
    HETEROGENEOUS = "heterogeneous"
