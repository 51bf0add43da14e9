"""The sets that audits know: for each of their tasks, the readers of its items."""
