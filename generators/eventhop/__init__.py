"""EventHopNLI items that are right by construction, and checked all the same.

An item is planned (``cells``), built as a graph of integers (``skeleton``, ``filling``), worded
(``wording``), read back, decided by the engines and certified (``check``), and written (``files``).
"""
