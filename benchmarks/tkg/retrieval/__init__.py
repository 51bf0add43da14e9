"""What a query's context holds: baselines over it, prompts made of it, what can be found in it."""
