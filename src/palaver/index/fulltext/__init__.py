"""Full text: words in segments, how they are found, and how they leave for good."""
