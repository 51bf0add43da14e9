"""Patterns of temporal knowledge graphs: enumeration, judgement, files, drawings."""
