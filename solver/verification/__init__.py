"""Verifies the artefacts of a benchmark; one module per kind: read, decide, certify."""
