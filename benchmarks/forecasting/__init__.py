"""Neural forecasters over temporal graphs, in plain PyTorch."""
