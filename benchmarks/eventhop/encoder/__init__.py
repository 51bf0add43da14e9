"""Fine-tuned encoders that classify premise and claim; requires the extra ``models``."""
