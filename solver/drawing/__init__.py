"""Canvas, palette and names of drawings."""
