"""Scores of temporal links: temporal awareness, agreement of annotators, an audit of corpora."""
