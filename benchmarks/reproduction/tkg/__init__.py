"""Published tables of synthetic graphs, and costs of calibration."""
