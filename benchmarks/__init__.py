"""What measures: metrics, baselines, ablations, speed."""
