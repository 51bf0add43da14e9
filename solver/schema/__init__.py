"""What a knowledge graph may say: classes, and the relations that may hold between them."""

from solver.schema.hierarchy import Hierarchy
from solver.schema.relations import Relation, Schema, Signature

__all__ = ["Hierarchy", "Relation", "Schema", "Signature"]
