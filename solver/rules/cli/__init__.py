"""Commands about temporal rules."""
