"""Commands about questions."""
