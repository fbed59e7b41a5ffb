"""The figures of docs/scale.md: see `benchmarks.scale.__main__`."""
