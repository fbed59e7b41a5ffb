"""Measures the promised ratios: `make bench`."""
