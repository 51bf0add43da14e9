"""Makes texts of dated facts."""
