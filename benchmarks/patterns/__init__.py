"""What enumerating patterns costs: each combination of flags, both readings, one to three hops."""
