"""Long comparisons: damaged files, forged certificates, planted faults, engines."""
