"""Text to graph and back: grammars as data, with their readers and writers."""
