"""Chains of thought about an event-ordering item: what each step states."""
