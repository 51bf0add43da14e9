"""What deciding an item costs: each part of the way, against a plain loop on the same data."""
