"""Commands about patterns."""
