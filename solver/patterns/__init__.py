"""Patterns of temporal knowledge graphs: enumeration, classification, files, drawings."""
