"""Charts and HTML pages for reports."""
