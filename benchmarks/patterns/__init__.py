"""Benchmarks the enumeration of patterns for all flags, both readings and one to three hops."""
