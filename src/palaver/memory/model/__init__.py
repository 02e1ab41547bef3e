"""The extractor that asks a model: what it is asked, and how its answer is checked."""
