"""Questions how two people of a family are related."""
