"""Wordings about the calendar: times in texts, and phrase tables that give sentences a meaning."""
