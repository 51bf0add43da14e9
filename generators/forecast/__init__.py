"""Future facts: what rules expect to happen next, day by day, under a schema."""
