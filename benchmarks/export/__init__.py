"""Exports of data sets to the formats of the field's tools; see ``docs/export.md``."""
