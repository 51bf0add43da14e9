"""Audits of public benchmarks: every label decided, proved, and corrected where it is wrong."""
