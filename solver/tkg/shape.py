"""Names of what the encodings find in a pattern: rules broken, shapes, regimes.

Source: synthetic temporal knowledge graphs, Algorithms 8-11, Tables 3 and 4.
"""

from __future__ import annotations

from enum import StrEnum


class Rule(StrEnum):
    """What a pattern can break, in the order in which the algorithms ask."""

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
    Rule.TOO_MANY_HOPS: "the rules speak of one to three antecedents",
    Rule.DUPLICATE_TRIPLE: "a triple occurs twice",
    Rule.SELF_CONNECTION: "a triple leads from an entity to itself",
    Rule.NOT_ADJACENT: "a step and the next one share no entity",
    Rule.DEGREE_NOT_TWO: "an entity is not met by exactly two edges",
    Rule.NOT_ONE_PIECE: "the edges fall into several pieces",
    Rule.EDGES_UNLIKE_ENTITIES: "there are not as many edges as entities",
    Rule.NEW_ENTITY: "the consequence names an entity that no antecedent names",
    Rule.NEW_RELATION: "no antecedent has the consequence's relation",
    Rule.NOT_CONNECTED: "the antecedents do not hang together and nothing joins them",
}


class Shape(StrEnum):
    """The rows of Table 4, and five names for the patterns of three hops that fit none of them."""

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
"""Shapes that Table 4 has no row for; a pattern has at most one of them, and then no other."""


class EntityReuse(StrEnum):
    """Whose entities the consequence takes over (Table 3a has the first two)."""

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
