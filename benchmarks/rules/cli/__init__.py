"""Commands about ranks and strikingness."""
