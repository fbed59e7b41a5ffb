"""Measures the figures of docs/scale.md; `benchmarks.scale.__main__` is the command."""
