"""Annotated temporal links: documents with events, times and links, and their formats."""
