"""Which reasoner explains a model's answers best."""
