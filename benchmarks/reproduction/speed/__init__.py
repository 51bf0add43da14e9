"""The cost of each processing step, relative to a plain baseline loop on the same data."""
