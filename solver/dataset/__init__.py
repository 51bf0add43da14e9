"""Data sets as their consumers open them: one sealed object, and comparisons of its copies."""
