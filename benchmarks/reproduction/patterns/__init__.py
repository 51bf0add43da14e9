"""Numbers of patterns, and what their enumeration costs."""
