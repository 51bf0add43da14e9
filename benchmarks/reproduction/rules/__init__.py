"""Published ranks and strikingness of rules on ICEWS14."""
