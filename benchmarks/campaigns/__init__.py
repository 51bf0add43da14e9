"""Campaigns: checks of many random inputs, in shards that can be interrupted and resumed."""
