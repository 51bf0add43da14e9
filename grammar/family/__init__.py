"""Stories of families: couples and their children."""
