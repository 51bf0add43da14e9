"""What the playground (``site/``) is built from, and a campaign that compares it with Python."""
