"""Stories about positions: where things are on a plane, and in which order places are visited."""
