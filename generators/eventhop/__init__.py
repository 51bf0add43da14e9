"""EventHopNLI items that are correct by construction and verified before they are written.

An item is planned (``cells``), built as a graph of integers (``skeleton``, ``filling``), worded
(``wording``), parsed again, decided by the engines and certified (``check``), and written
(``files``).
"""
