"""Questions about the calendar: dates, durations, bounds and free times."""
