"""Commands about answers to questions."""
