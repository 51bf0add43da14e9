"""Generates chains of thought whose every step is decided: twins of a right and a wrong one."""
