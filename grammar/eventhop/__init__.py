"""Event-order items: the model types, and three wordings with their readers and writers."""
