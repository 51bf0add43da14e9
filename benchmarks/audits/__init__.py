"""Audits of published data sets, as commands that can be run again."""
