"""Audit of published event-order items, label leakage, ablations, the compiled checker."""
