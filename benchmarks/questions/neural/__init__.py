"""Neural models that answer questions: ForecastTKGQA and the encoder alone."""
