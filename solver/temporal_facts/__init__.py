"""Facts that hold from one day to another, and the dated facts that tell of their bounds."""
