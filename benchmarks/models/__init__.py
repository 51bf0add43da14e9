"""Fine-tuned encoders as classifiers of premise and claim; needs the extra ``models``."""
