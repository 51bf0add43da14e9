"""Certificates: proofs of verdicts that can be checked without trusting the engines.

``certify`` creates them; ``replay`` checks them and shares no code with ``certify``.
"""
