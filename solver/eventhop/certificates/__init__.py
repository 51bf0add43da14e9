"""Certificates: proofs of verdicts that can be checked without trusting the engines.

``make`` creates them; ``check`` checks them and shares nothing with ``make`` but the model types.
"""
