"""EventHopNLI items that are correct by construction and verified before they are written.

An item is planned (``layout``), built as a graph of integers (``skeleton``, ``filling``), worded
(``groups``), parsed again, decided by the engines and certified (``shards``), and written
(``files``).
"""
