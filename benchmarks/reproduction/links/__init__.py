"""Audit of annotated corpora, and what their verification costs."""
