"""Phrases of a harbour's log for hopcheck, and an engine."""
