"""Tables of the playground page, and its comparison with Python."""
