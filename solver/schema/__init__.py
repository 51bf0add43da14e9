"""Schema of a knowledge graph: classes, and the relations between them."""

from solver.schema.hierarchy import Hierarchy
from solver.schema.relations import Relation, Schema, Signature

__all__ = ["Hierarchy", "Relation", "Schema", "Signature"]
