"""Diagnosis: which ablated reasoner best explains a model's answers."""
