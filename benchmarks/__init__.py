"""`make bench`: measures the promised ratios."""
