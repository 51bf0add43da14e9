"""The store of temporal knowledge graphs: columns of integers, indexes, files."""
