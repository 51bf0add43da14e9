"""Sources, tables and atomic writes."""
