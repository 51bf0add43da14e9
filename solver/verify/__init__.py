"""Checks artefacts of a benchmark; each kind of artefact is a module: read, decide, certify."""
