"""Lists of patterns as data sets."""
