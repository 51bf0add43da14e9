"""Questions about positions: where things are on a grid, routes, and places visited."""
