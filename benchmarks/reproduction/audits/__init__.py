"""Audits of public sets, compared with counts of an independent brute force."""
