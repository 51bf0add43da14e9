"""Certificates: proofs of verdicts that can be checked without trusting the engines.

``make`` creates them, ``lines`` writes them, and ``evidence`` expands them into steps and points.
``solver/eventhop/check.py`` checks them and shares nothing with the others, not even the types.
"""
