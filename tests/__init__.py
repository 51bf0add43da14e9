"""Tests of hopcheck."""
