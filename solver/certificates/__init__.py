"""Certificates: what shows a verdict to somebody who does not trust the engines.

``certify`` makes them, ``replay`` checks them and shares no code with what made them.
"""
