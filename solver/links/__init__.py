"""Annotated temporal links: verified, repaired, closed and reduced."""
