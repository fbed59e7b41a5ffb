"""Removes the guards of the project one at a time, to see that a test notices each.

`python -m tests.mutants [--part 0.1] [--seed N] [name…]`; the guards are in the .toml files.
"""
